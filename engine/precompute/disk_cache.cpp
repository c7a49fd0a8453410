#include "engine/precompute/disk_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <system_error>
#include <tuple>

#include <sinew/errors.hpp>
#include <sinew/version.hpp>

#include "engine/common/content_hash.hpp"
#include "engine/common/solver_names.hpp"
#include "engine/common/text.hpp"

namespace sinew {

namespace fs = std::filesystem;

namespace {

/// Raise it whenever what is prepared changes in meaning, layout or bits within one version of the library.
constexpr int kPreparedFormat = 2;

constexpr std::string_view kPrefix = "sinew-", kExtension = ".cache", kUnfinished = ".tmp.";
constexpr std::size_t kDigits = 32;

/// Two builds of one version may round differently; the bits of an answer must not depend on who came first.
constexpr std::string_view kBuild = __VERSION__
#ifdef __AVX2__
    " AVX2"
#endif
#ifdef __AVX512F__
    " AVX512"
#endif
#ifdef __FMA__
    " FMA"
#endif
    ;

enum class FileKind { foreign, entry, unfinished };

FileKind kind_of(std::string_view name) {
  const std::size_t length = kPrefix.size() + kDigits + kExtension.size();
  if (name.size() < length || name.substr(0, kPrefix.size()) != kPrefix) return FileKind::foreign;
  const std::string_view digits = name.substr(kPrefix.size(), kDigits);
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return FileKind::foreign;
  if (name.substr(kPrefix.size() + kDigits, kExtension.size()) != kExtension) return FileKind::foreign;
  const std::string_view rest = name.substr(length);
  if (rest.empty()) return FileKind::entry;
  return rest.substr(0, kUnfinished.size()) == kUnfinished ? FileKind::unfinished : FileKind::foreign;
}

/// f(directory entry, kind) for our own plain files (no links); a folder that cannot be listed has none.
template <class F>
void for_each_file(const std::string& folder, F&& f) {
  std::error_code code;
  for (fs::directory_iterator file(folder, code), end; !code && file != end; file.increment(code)) {
    const FileKind kind = kind_of(file->path().filename().string());
    std::error_code gone;
    if (kind != FileKind::foreign && fs::is_regular_file(file->symlink_status(gone)) && !gone) f(*file, kind);
  }
}

/// Left by processes that were killed; a file that still grows is younger.
void remove_unfinished(const std::string& folder) {
  for_each_file(folder, [](const fs::directory_entry& file, FileKind kind) {
    std::error_code code;
    const auto written = file.last_write_time(code);
    if (code || kind != FileKind::unfinished) return;
    if (fs::file_time_type::clock::now() - written > std::chrono::hours(1)) fs::remove(file.path(), code);
  });
}

}  // namespace

CacheKey cache_key(const SymmetricMatrix& matrix, const SolverSettings& settings, std::string_view detail) {
  // What "automatic" stands for is the same data.
  const GlobalSolver global =
      settings.global == GlobalSolver::automatic ? GlobalSolver::staged : settings.global;
  const FactorLibrary factor =
      settings.factor == FactorLibrary::automatic ? FactorLibrary::native : settings.factor;
  ContentHash hash;
  hash.add(kPreparedFormat).add(std::string_view(version_string())).add(kBuild);
  hash.add(std::string_view(factor_library_name(factor))).add(detail);
  hash.add(global).add(settings.stages).add(settings.precision).add(factor);
  hash.add(matrix.size).add(matrix.column_start).add(matrix.row).add(matrix.value);
  return {hash.value(), std::to_string(matrix.size) + " unknowns, " + to_string(global) + ", " +
                            to_string(settings.precision)};
}

std::string platform_cache_folder(const std::function<const char*(const char*)>& variable) {
  // A relative path is to be ignored (XDG Base Directory Specification); for the others it makes no sense.
  const auto absolute = [&](const char* name) {
    const char* text = variable(name);
    return text && fs::path(text).is_absolute() ? std::string(text) : std::string();
  };
  if (const std::string base = absolute("XDG_CACHE_HOME"); !base.empty()) return base + "/sinew";
#if defined(_WIN32)
  const std::string base = absolute("LOCALAPPDATA");
  return base.empty() ? base : base + "\\sinew\\cache";
#elif defined(__APPLE__)
  const std::string base = absolute("HOME");
  return base.empty() ? base : base + "/Library/Caches/sinew";
#else
  const std::string base = absolute("HOME");
  return base.empty() ? base : base + "/.cache/sinew";
#endif
}

std::string platform_cache_folder() {
  return platform_cache_folder([](const char* name) { return std::getenv(name); });
}

DiskCache::DiskCache(const std::string& folder, const CacheLimits& limits)
    : folder_(folder.empty() ? platform_cache_folder() : folder),
      chosen_by_user_(!folder.empty()),
      limits_(limits) {}

DiskCache::DiskCache(const SolverSettings& settings) : DiskCache(settings.cache_folder) {
  if (!settings.cache) folder_.clear();
}

std::string DiskCache::path_of(const CacheKey& key) const {
  return (fs::path(folder_) / (std::string(kPrefix) + hex_text(key.hash) + std::string(kExtension))).string();
}

bool DiskCache::load(const CacheKey& key, const std::function<void(ByteReader&)>& read) {
  if (!enabled()) return false;
  try {
    CacheFileSource source(path_of(key), key.hash);
    ByteReader reader(source);
    read(reader);
    reader.expect_end();
    source.touch();
    return true;
  } catch (const std::exception&) {
    return false;  // no entry, or none that can be used: the next store replaces it
  }
}

bool DiskCache::store(const CacheKey& key, const std::function<void(ByteWriter&)>& write) {
  warning_.clear();
  if (!enabled()) return false;
  bool refused = false;
  try {
    if (!prepare_folder()) return false;
    AtomicFile file(path_of(key));
    CacheFileSink sink(file, key.hash, most_bytes());
    try {
      ByteWriter writer(sink);
      write(writer);
      sink.finish();
    } catch (...) {
      refused = sink.refused();
      throw;
    }
    make_room(file.path(), sink.file_bytes());
    file.commit(false);  // the checksums find what a loss of power destroys
    return true;
  } catch (const std::exception& error) {
    if (chosen_by_user_ || refused) warning_ = "not cached (" + key.what + "): " + error.what();
    return false;
  }
}

bool DiskCache::prepare_folder() {
  std::error_code code;
  if (fs::is_directory(folder_, code)) return true;
  fs::create_directories(folder_, code);
  if (code) {
    if (chosen_by_user_)
      warning_ = folder_ + ": cannot make the folder of the cache: " + code.message() +
                 "; choose another one, or switch the cache off";
    return false;
  }
  if (!chosen_by_user_) fs::permissions(folder_, fs::perms::owner_all, code);  // as XDG asks
  return true;
}

std::uint64_t DiskCache::most_bytes() const {
  std::error_code code;
  const fs::space_info space = fs::space(folder_, code);
  if (code) return limits_.total_bytes;
  const double share = limits_.share_of_free_disk * static_cast<double>(space.available);
  return std::min(limits_.total_bytes, static_cast<std::uint64_t>(share));
}

/// Before the entry gets its final name, so that the limit holds at all times but for unfinished files.
void DiskCache::make_room(const std::string& path, std::uint64_t bytes) const {
  remove_unfinished(folder_);
  std::vector<Entry> kept = entries();
  std::uint64_t total = bytes;
  for (const Entry& entry : kept)
    if (entry.path != path) total += entry.bytes;
  for (const Entry& entry : kept) {
    if (total <= limits_.total_bytes) return;
    if (entry.path == path) continue;  // about to be replaced
    std::error_code code;
    fs::remove(entry.path, code);  // on POSIX a process that reads it keeps its copy
    total -= entry.bytes;
  }
}

std::vector<DiskCache::Entry> DiskCache::entries() const {
  std::vector<Entry> result;
  if (!enabled()) return result;
  for_each_file(folder_, [&](const fs::directory_entry& file, FileKind kind) {
    if (kind != FileKind::entry) return;
    std::error_code size_code, time_code;
    const std::uint64_t bytes = file.file_size(size_code);
    const auto time = file.last_write_time(time_code);
    if (!size_code && !time_code)
      result.push_back(
          {file.path().string(), bytes, std::chrono::nanoseconds(time.time_since_epoch()).count()});
  });
  std::sort(result.begin(), result.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.last_use, a.path) < std::tie(b.last_use, b.path);
  });
  return result;
}

std::size_t DiskCache::clear() {
  std::size_t removed = 0;
  if (!enabled()) return removed;
  std::vector<std::pair<fs::path, bool>> files;
  for_each_file(folder_, [&](const fs::directory_entry& file, FileKind kind) {
    files.emplace_back(file.path(), kind == FileKind::entry);
  });
  for (const auto& [path, is_entry] : files) {
    std::error_code code;
    if (fs::remove(path, code) && is_entry) ++removed;
  }
  return removed;
}

}  // namespace sinew
