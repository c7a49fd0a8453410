// The cache may cost time, never an answer: every kind of damage is a miss, and processes do not disturb each
// other.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/precompute/disk_cache.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
namespace fs = std::filesystem;

namespace {

CacheKey key_of(std::uint64_t number) {
  return {{number, ~number}, "a test"};
}

std::vector<double> numbers(std::size_t count, double first) {
  std::vector<double> v(count);
  for (std::size_t i = 0; i < count; ++i) v[i] = first + static_cast<double>(i);
  return v;
}

bool store(DiskCache& cache, const CacheKey& key, const std::vector<double>& v) {
  return cache.store(key, [&](ByteWriter& out) { out.add(std::int32_t{7}).add(v); });
}

/// Empty where it is a miss.
std::vector<double> load(DiskCache& cache, const CacheKey& key) {
  std::vector<double> v;
  const bool hit = cache.load(key, [&](ByteReader& in) {
    if (in.get<std::int32_t>() != 7) in.damaged("no seven");
    in.read(v);
  });
  return hit ? v : std::vector<double>{};
}

void overwrite(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

void set_age(const std::string& path, int seconds) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

SymmetricMatrix small_matrix() {
  return {3, {0, 2, 4, 5}, {0, 1, 1, 2, 2}, {4.0, -1.0, 5.0, -2.0, 6.0}};
}

}  // namespace

TEST_CASE("disk cache: miss, store, hit; the folder appears with the first entry") {
  const test::TemporaryFolder folder;
  const std::string place = folder / "deep/cache";
  DiskCache cache(place);
  const auto value = numbers(1000, 0.5);
  CHECK(load(cache, key_of(1)).empty());
  CHECK_FALSE(fs::exists(place));
  REQUIRE(store(cache, key_of(1), value));
  CHECK(cache.warning().empty());
  CHECK(load(cache, key_of(1)) == value);
  CHECK(load(cache, key_of(2)).empty());
  DiskCache later(place);
  CHECK(load(later, key_of(1)) == value);
  REQUIRE(store(later, key_of(1), numbers(3, 9.0)));  // replaces
  CHECK(load(cache, key_of(1)) == numbers(3, 9.0));
  CHECK(cache.entries().size() == 1);
}

TEST_CASE("disk cache: contents of all sizes about the length of a block come back") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path());
  const std::size_t block = (std::size_t{256} << 10) / sizeof(double);
  for (const std::size_t count : {block - 3, block - 2, block - 1, block, 2 * block - 2, 3 * block + 17}) {
    std::vector<std::int8_t> head(5, 3), tail;
    const auto value = numbers(count, -1.0);
    REQUIRE(cache.store(key_of(count), [&](ByteWriter& out) { out.add(head).add(value).add(head); }));
    std::vector<double> got;
    head.clear();
    CHECK(cache.load(key_of(count), [&](ByteReader& in) { in.read(head).read(got).read(tail); }));
    CHECK(got == value);
    CHECK(tail == std::vector<std::int8_t>(5, 3));
    CHECK(head == tail);
  }
  REQUIRE(cache.store(key_of(0), [](ByteWriter&) {}));
  CHECK(cache.load(key_of(0), [](ByteReader& in) { CHECK(in.left() == 0); }));
}

TEST_CASE("disk cache: any flipped bit of a small entry is a miss, and the next store mends it") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path());
  const auto value = numbers(20, 2.0);
  REQUIRE(store(cache, key_of(5), value));
  const std::string path = cache.path_of(key_of(5)), sound = read_file(path);
  REQUIRE(sound.size() == 40 + 4 + 8 + 160 + 8 + 16);
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string broken = sound;
    broken[i] = static_cast<char>(broken[i] ^ (1 << (i % 8)));
    overwrite(path, broken);
    if (!load(cache, key_of(5)).empty()) FAIL("a flipped bit in byte " << i << " went unseen");
  }
  REQUIRE(store(cache, key_of(5), value));
  CHECK(load(cache, key_of(5)) == value);
}

TEST_CASE("disk cache: shortened, lengthened, exchanged and foreign files are misses") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path());
  const auto value = numbers(75000, 0.0);  // three blocks
  REQUIRE(store(cache, key_of(5), value));
  const std::string path = cache.path_of(key_of(5)), sound = read_file(path);
  const auto is_miss = [&](const std::string& content) {
    overwrite(path, content);
    return load(cache, key_of(5)).empty();
  };
  std::size_t unseen = 0;
  for (std::size_t size = (sound.size() - 1) / 100 * 100 + 100; size > 0;) {
    size -= 100;
    fs::resize_file(path, size);
    unseen += !load(cache, key_of(5)).empty();
  }
  CHECK(unseen == 0);
  CHECK(is_miss(sound + "x"));
  CHECK(is_miss(sound + sound));
  CHECK(is_miss(std::string(sound.size(), '\0')));
  CHECK(is_miss("not ours"));
  // Two blocks of equal length in exchanged places.
  constexpr std::size_t kHeader = 40, kBlock = (256 << 10) + 8;
  std::string exchanged = sound;
  std::swap_ranges(exchanged.begin() + kHeader, exchanged.begin() + kHeader + kBlock,
                   exchanged.begin() + kHeader + kBlock);
  CHECK(is_miss(exchanged));
  // Bits of the content, in every block.
  for (std::size_t i = kHeader; i < sound.size(); i += 100003) {
    std::string broken = sound;
    broken[i] = static_cast<char>(broken[i] ^ 0x10);
    CHECK(is_miss(broken));
  }
  // A sound entry of another key under this name.
  REQUIRE(store(cache, key_of(6), value));
  fs::copy_file(cache.path_of(key_of(6)), path, fs::copy_options::overwrite_existing);
  CHECK(load(cache, key_of(5)).empty());
  CHECK(load(cache, key_of(6)) == value);
  // A folder in the place of the entry.
  fs::remove(path);
  fs::create_directory(path);
  CHECK(load(cache, key_of(5)).empty());
  CHECK_FALSE(store(cache, key_of(5), value));
  CHECK(cache.warning().find("Is a directory") != std::string::npos);
}

TEST_CASE(
    "disk cache: a reader that throws or leaves something is a miss; a writer that throws leaves nothing") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path());
  REQUIRE(store(cache, key_of(1), numbers(10, 0.0)));
  CHECK_FALSE(cache.load(key_of(1), [](ByteReader& in) { in.get<std::int32_t>(); }));
  CHECK_FALSE(cache.load(key_of(1), [](ByteReader& in) {
    in.get<std::int32_t>();
    std::vector<float> wrong_type;
    in.read(wrong_type).read(wrong_type);
  }));
  CHECK_FALSE(cache.load(key_of(1), [](ByteReader&) { throw ModelError("other"); }));
  CHECK_FALSE(cache.store(key_of(2), [](ByteWriter& out) {
    out.add(1.0);
    throw ModelError("broken off");
  }));
  CHECK(cache.warning() == "not cached (a test): broken off");
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}) == 1);
}

TEST_CASE("disk cache: the least recently used entries go first, a hit counts as use") {
  const test::TemporaryFolder folder;
  const auto value = numbers(1000, 0.0);
  CacheLimits limits;
  limits.total_bytes = 3 * 8200;  // an entry takes 8076 bytes
  DiskCache cache(folder.path(), limits);
  for (std::uint64_t i = 1; i <= 3; ++i) {
    REQUIRE(store(cache, key_of(i), value));
    set_age(cache.path_of(key_of(i)), static_cast<int>(1000 * (4 - i)));  // 1 is the oldest
  }
  CHECK(load(cache, key_of(1)) == value);  // now 2 is the oldest
  REQUIRE(store(cache, key_of(4), value));
  CHECK(load(cache, key_of(2)).empty());
  CHECK(fs::exists(cache.path_of(key_of(1))));
  CHECK(fs::exists(cache.path_of(key_of(3))));
  REQUIRE(store(cache, key_of(4), value));  // replacing needs no room
  CHECK(cache.entries().size() == 3);
  CHECK(cache.entries().front().path == cache.path_of(key_of(3)));
  REQUIRE(store(cache, key_of(5), numbers(2000, 0.0)));
  CHECK(cache.entries().size() == 2);
  CHECK(fs::exists(cache.path_of(key_of(4))));
  CHECK(fs::exists(cache.path_of(key_of(5))));
}

TEST_CASE("disk cache: an entry beyond the limit or its share of the free disk is not kept, and says so") {
  const test::TemporaryFolder folder;
  for (const CacheLimits& limits : {CacheLimits{8000, 0.25}, CacheLimits{std::uint64_t{1} << 30, 0.0}}) {
    DiskCache cache(folder.path(), limits);
    CHECK_FALSE(store(cache, key_of(1), numbers(1000, 0.0)));
    CHECK(cache.warning().find("not cached (a test)") == 0);
    CHECK(cache.warning().find("are not kept") != std::string::npos);
    CHECK(fs::is_empty(folder.path()));
  }
}

TEST_CASE("disk cache: clear removes our files only, and old unfinished ones go with the next store") {
  const test::TemporaryFolder folder;
  DiskCache cache(folder.path());
  REQUIRE(store(cache, key_of(1), numbers(10, 0.0)));
  REQUIRE(store(cache, key_of(2), numbers(10, 0.0)));
  const std::string old = cache.path_of(key_of(3)) + ".tmp.1.2",
                    young = cache.path_of(key_of(3)) + ".tmp.1.3";
  overwrite(old, "begun");
  overwrite(young, "begun");
  set_age(old, 7200);
  const std::string digits(32, 'a');
  const std::vector<std::string> foreign{"notes.txt",       "sinew-" + digits + ".cache.bak",
                                         "sinew-" + digits, "sinew-" + digits + "a.cache",
                                         "sinew-.cache",    "other.cache.tmp.1"};
  for (const std::string& name : foreign) overwrite(folder / name, "mine");
  overwrite(folder / "target", "mine");
  fs::create_symlink(folder / "target", folder / ("sinew-" + digits + ".cache"));
  REQUIRE(store(cache, key_of(2), numbers(10, 0.0)));
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(young));
  CHECK(cache.clear() == 2);
  CHECK_FALSE(fs::exists(young));
  CHECK(cache.entries().empty());
  for (const std::string& name : foreign) CHECK(read_file(folder / name) == "mine");
  CHECK(read_file(folder / "target") == "mine");
  CHECK(fs::is_symlink(folder / ("sinew-" + digits + ".cache")));
}

TEST_CASE("disk cache: processes that write and read one entry see whole values only", "[slow]") {
  const test::TemporaryFolder folder;
  constexpr int kRounds = 150, kProcesses = 3;
  const auto value_of = [](int process) { return numbers(40000, 1000.0 * process); };
  // Children tell by their exit status only: Catch2 belongs to the parent.
  const auto work = [&](int process) {
    DiskCache cache(folder.path());
    int hits = 0, stored = 0;
    for (int round = 0; round < kRounds; ++round) {
      // Process 0 clears now and then: that may take an unfinished file away, but never spoil a value.
      stored += store(cache, key_of(1), value_of(process));
      const auto got = load(cache, key_of(1));
      if (process == 0 && round % 10 == 9) cache.clear();
      if (got.empty()) continue;
      ++hits;
      if (got != value_of(0) && got != value_of(1) && got != value_of(2)) return 3;
    }
    if (stored < kRounds / 2) return 2;
    return hits > kRounds / 2 ? 0 : 4;
  };
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) ::_exit(work(process));
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  for (const auto& file : fs::directory_iterator(folder.path()))
    CHECK(file.path().string().find(".tmp.") == std::string::npos);
}

TEST_CASE("disk cache: a folder that cannot be made or written is a warning, not an error") {
  const test::TemporaryFolder folder;
  overwrite(folder / "file", "in the way");
  DiskCache blocked(folder / "file/cache");
  CHECK_FALSE(store(blocked, key_of(1), {1.0}));
  CHECK(blocked.warning().find("cannot make the folder of the cache") != std::string::npos);
  CHECK(load(blocked, key_of(1)).empty());
  CHECK(blocked.entries().empty());
  if (::geteuid() == 0) return;  // root may write anywhere
  const std::string locked_path = folder / "locked";
  fs::create_directory(locked_path);
  fs::permissions(locked_path, fs::perms::owner_read | fs::perms::owner_exec);
  DiskCache locked(locked_path);
  CHECK_FALSE(store(locked, key_of(1), {1.0}));
  CHECK(locked.warning().find("choose a folder that you may write to") != std::string::npos);
  fs::permissions(locked_path, fs::perms::owner_all);
}

TEST_CASE("disk cache: the platform's folder; relative paths are ignored; no home, no cache") {
  using Variables = std::vector<std::pair<std::string, const char*>>;
  const auto folder = [](const Variables& variables) {
    return platform_cache_folder([&](const char* name) -> const char* {
      for (const auto& [known, value] : variables)
        if (known == name) return value;
      return nullptr;
    });
  };
  CHECK(folder({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}}) == "/x/sinew");
#if defined(__linux__)
  CHECK(folder({{"XDG_CACHE_HOME", "x"}, {"HOME", "/h"}}) == "/h/.cache/sinew");
  CHECK(folder({{"XDG_CACHE_HOME", ""}, {"HOME", "/h"}}) == "/h/.cache/sinew");
  CHECK(folder({{"HOME", "h"}}).empty());
  CHECK(folder({{"HOME", ""}}).empty());
#endif
  CHECK(folder({}).empty());

  SolverSettings settings;
  settings.cache = false;
  settings.cache_folder = "/never/made";
  DiskCache off(settings);
  CHECK_FALSE(off.enabled());
  CHECK_FALSE(store(off, key_of(1), {1.0}));
  CHECK(load(off, key_of(1)).empty());
  CHECK(off.warning().empty());
  CHECK(off.clear() == 0);
  settings.cache = true;
  CHECK(DiskCache(settings).folder() == "/never/made");
}

TEST_CASE(
    "disk cache: the key changes with the matrix and the settings that decide the data, with no others") {
  const SymmetricMatrix matrix = small_matrix();
  const SolverSettings settings;
  const CacheKey key = cache_key(matrix, settings);
  CHECK(key.what == "3 unknowns, staged, double");
  std::vector<CacheHash> all{key.hash};
  const auto differs = [&](const SymmetricMatrix& m, const SolverSettings& s, std::string_view detail = {}) {
    all.push_back(cache_key(m, s, detail).hash);
  };
  SymmetricMatrix m = matrix;
  m.value[3] = std::nextafter(m.value[3], 0.0);
  differs(m, settings);
  m = matrix;
  m.value[0] = -4.0;
  differs(m, settings);
  m = matrix;
  m.row[3] = 1;
  differs(m, settings);
  m = matrix;
  m.column_start[1] = 1;
  differs(m, settings);
  m = matrix;
  m.size = 4;
  differs(m, settings);
  SolverSettings s;
  s.global = GlobalSolver::sparse_inverse;
  differs(matrix, s);
  s = {};
  s.stages = 3;
  differs(matrix, s);
  s = {};
  s.precision = SolverPrecision::mixed;
  differs(matrix, s);
  s = {};
  s.factor = has_cholmod() ? FactorLibrary::eigen : FactorLibrary::cholmod;
  differs(matrix, s);
  differs(matrix, settings, "detail");
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());

  s = {};
  s.refinement_steps = 2;
  s.pcg_tolerance = 1e-3;
  s.pcg_max_iterations = 7;
  s.preconditioner = Preconditioner::block_jacobi;
  s.cache_folder = "/elsewhere";
  s.global = GlobalSolver::staged;  // what automatic stands for
  CHECK(cache_key(matrix, s).hash == key.hash);
}
