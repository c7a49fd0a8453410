#include <algorithm>
#include <numeric>

#include "engine/common/content_hash.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {
std::vector<unsigned char> bytes(std::size_t count) {
  std::vector<unsigned char> v(count);
  std::iota(v.begin(), v.end(), static_cast<unsigned char>(1));
  return v;
}
std::uint64_t hash_of(const std::vector<unsigned char>& v, std::uint64_t seed = 0) {
  return StreamHash(seed).add(v.data(), v.size()).value();
}
}  // namespace

TEST_CASE("content hash: the value does not depend on how the bytes are cut") {
  const auto data = bytes(200);
  for (std::size_t first = 0; first <= data.size(); ++first) {
    for (const std::size_t second : {first, std::min<std::size_t>(first + 5, 200), (first + 200) / 2}) {
      StreamHash hash;
      hash.add(data.data(), first).add(data.data() + first, second - first);
      static_cast<void>(hash.value());  // looking does not change anything
      hash.add(data.data() + second, data.size() - second);
      if (hash.value() != hash_of(data)) FAIL("cut at " << first << " and " << second);
    }
  }
}

TEST_CASE("content hash: every bit, every length and every seed counts") {
  std::vector<std::uint64_t> all;
  for (std::size_t size = 0; size <= 100; ++size) {
    all.push_back(hash_of(std::vector<unsigned char>(size, 0)));
    all.push_back(hash_of(bytes(size + 1), 1));
  }
  const auto data = bytes(97);
  all.push_back(hash_of(data));
  for (std::size_t bit = 0; bit < 8 * data.size(); ++bit) {
    auto changed = data;
    changed[bit / 8] ^= static_cast<unsigned char>(1 << (bit % 8));
    all.push_back(hash_of(changed));
  }
  for (std::size_t i = 0; i + 8 < data.size(); ++i) {  // exchanged words
    auto changed = data;
    std::swap(changed[i], changed[i + 8]);
    all.push_back(hash_of(changed));
  }
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

TEST_CASE("content hash: a changed bit moves about half of the result's bits") {
  const auto data = bytes(64);
  int moved = 0, least = 64;
  for (std::size_t bit = 0; bit < 512; ++bit) {
    auto changed = data;
    changed[bit / 8] ^= static_cast<unsigned char>(1 << (bit % 8));
    const int here = std::popcount(hash_of(changed) ^ hash_of(data));
    moved += here;
    least = std::min(least, here);
  }
  CHECK(moved / 512.0 == Approx(32.0).margin(1.0));
  CHECK(least >= 12);
}

TEST_CASE("content hash: parts do not run into each other, the two halves are independent") {
  const auto key = [](std::string_view a, std::string_view b) { return ContentHash().add(a).add(b).value(); };
  CHECK(key("ab", "c") != key("a", "bc"));
  CHECK(key("", "abc") != key("abc", ""));
  CHECK(ContentHash().add(std::vector<int>{1}).add(std::vector<int>{}).value() !=
        ContentHash().add(std::vector<int>{}).add(std::vector<int>{1}).value());
  const auto value = key("a", "b");
  CHECK(value[0] != value[1]);
  CHECK(hex_text({0x0123456789ABCDEFu, 1}) == "0123456789abcdef0000000000000001");
}
