#include "engine/common/content_hash.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sinew {

namespace {

// Odd, hence one-to-one modulo 2^64: the golden ratio and fractions of the cube roots of 2 and 3, made odd.
constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15u, kTurn = 0x428A2F98D728AE23u,
                        kMix = 0x7137449123EF65CDu;

std::uint64_t step(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kSpread, 29) * kTurn;
}

/// One-to-one; every bit of x moves about half of the result's.
std::uint64_t finish(std::uint64_t x) {
  x = (x ^ (x >> 32)) * kMix;
  x = (x ^ (x >> 29)) * kSpread;
  return x ^ (x >> 32);
}

}  // namespace

StreamHash::StreamHash(std::uint64_t seed) {
  for (std::uint64_t i = 0; i < lane_.size(); ++i) lane_[i] = finish(seed + (i + 1) * kTurn);
}

void StreamHash::take_stripes(const unsigned char* data, std::size_t stripes) {
  std::uint64_t a = lane_[0], b = lane_[1], c = lane_[2], d = lane_[3];
  for (; stripes > 0; --stripes, data += kStripe) {
    std::uint64_t word[4];
    std::memcpy(word, data, kStripe);
    a = step(a, word[0]);
    b = step(b, word[1]);
    c = step(c, word[2]);
    d = step(d, word[3]);
  }
  lane_ = {a, b, c, d};
}

StreamHash& StreamHash::add(const void* data, std::size_t size) {
  const auto* next = static_cast<const unsigned char*>(data);
  const std::size_t waiting = size_ % kStripe;
  size_ += size;
  if (waiting > 0) {
    const std::size_t taken = std::min(kStripe - waiting, size);
    if (taken > 0) std::memcpy(rest_.data() + waiting, next, taken);
    if (waiting + taken < kStripe) return *this;
    take_stripes(rest_.data(), 1);
    next += taken;
    size -= taken;
  }
  take_stripes(next, size / kStripe);
  if (size % kStripe > 0) std::memcpy(rest_.data(), next + size / kStripe * kStripe, size % kStripe);
  return *this;
}

std::uint64_t StreamHash::value() const {
  StreamHash last = *this;
  if (size_ % kStripe > 0) {
    // Zeros fill the last stripe; the size below tells them from zeros of the stream.
    std::fill(last.rest_.begin() + size_ % kStripe, last.rest_.end(), static_cast<unsigned char>(0));
    last.take_stripes(last.rest_.data(), 1);
  }
  std::uint64_t value = finish(size_ ^ kMix);
  for (const std::uint64_t lane : last.lane_) value = finish(value * kTurn + lane);
  return value;
}

std::string hex_text(const std::array<std::uint64_t, 2>& value) {
  static constexpr char kDigit[] = "0123456789abcdef";
  std::string text;
  for (const std::uint64_t x : value)
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigit[(x >> shift) & 15];
  return text;
}

}  // namespace sinew
