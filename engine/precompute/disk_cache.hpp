// Prepared data kept on disk from one start to the next, found by the content it was made from.
//
// An entry is one file, written beside its final name and renamed, and checked on reading: two processes, a
// full disk or a flipped bit can cost time, never an answer. Nothing here makes a simulation fail.
//
//     DiskCache cache(settings);
//     const CacheKey key = cache_key(matrix, settings);
//     if (!cache.load(key, [&](ByteReader& in) { ... })) { ...prepare...; cache.store(key, [&](ByteWriter&
//     out) { ... }); }
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/solver_settings.hpp>

#include "engine/precompute/cache_file.hpp"
#include "host/byte_stream.hpp"
#include "host/cholesky.hpp"

namespace sinew {

struct CacheKey {
  CacheHash hash{};
  std::string what;  ///< for messages: "21000 unknowns, staged, double"
};

/// Key of what make_linear_solver prepares: matrix, settings that decide it (not refinement, conjugate
/// gradients, cache), version, factor library and the way this library was compiled. detail: anything else
/// that decides the data.
CacheKey cache_key(const SymmetricMatrix& matrix, const SolverSettings& settings,
                   std::string_view detail = {});

/// The platform's folder for caches with "sinew" added: $XDG_CACHE_HOME, or ~/.cache (macOS:
/// ~/Library/Caches, Windows: %LOCALAPPDATA%). Empty where the environment names no absolute path. variable:
/// as getenv.
std::string platform_cache_folder(const std::function<const char*(const char*)>& variable);
std::string platform_cache_folder();

struct CacheLimits {
  std::uint64_t total_bytes = std::uint64_t{2} << 30;  ///< of all entries; the least recently used ones go
  double share_of_free_disk = 0.25;                    ///< a longer entry is not kept
};

class DiskCache {
 public:
  struct Entry {
    std::string path;
    std::uint64_t bytes = 0;
    std::int64_t last_use = 0;  ///< [ns] since an epoch of the file system
  };

  /// Empty folder: the platform's. Makes nothing yet.
  explicit DiskCache(const std::string& folder = {}, const CacheLimits& limits = {});
  /// Off where settings.cache is false.
  explicit DiskCache(const SolverSettings& settings);

  bool enabled() const { return !folder_.empty(); }
  const std::string& folder() const { return folder_; }
  const CacheLimits& limits() const { return limits_; }

  /// True where the entry is there, sound, and read to its end by read; then it counts as just used. read
  /// gets checked bytes; what it throws makes a miss (it may have filled its targets in part by then).
  bool load(const CacheKey& key, const std::function<void(ByteReader&)>& read);
  /// True where the entry is on disk afterwards; what stood there before is replaced.
  bool store(const CacheKey& key, const std::function<void(ByteWriter&)>& write);
  /// One line on the last store() that could not keep its data; empty if all is well. A platform folder that
  /// cannot be written says nothing: nobody asked for it.
  const std::string& warning() const { return warning_; }

  /// Least recently used first.
  std::vector<Entry> entries() const;
  /// Removes entries and their unfinished files, nothing else. Returns the number of entries removed.
  std::size_t clear();
  std::string path_of(const CacheKey& key) const;

 private:
  bool prepare_folder();
  std::uint64_t most_bytes() const;
  void make_room(const std::string& path, std::uint64_t bytes) const;

  std::string folder_;
  bool chosen_by_user_ = false;
  CacheLimits limits_;
  std::string warning_;
};

}  // namespace sinew
