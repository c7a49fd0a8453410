#include "benchmarks/global_preparation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/precompute/disk_cache.hpp"
#include "host/staged_inverse.hpp"
#include "host/staged_solver.hpp"

namespace sinew::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A folder that goes with its content.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinew_bench_XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw IoError(pattern +
                    ": no temporary folder can be made; set TMPDIR to a folder that can be written");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The disk cache as the solver sees it, with the time that writing takes.
class TimedStore final : public SolverStore {
 public:
  TimedStore(const std::string& folder, const SymmetricMatrix& matrix, const SolverSettings& settings)
      : cache_(folder), key_(cache_key(matrix, settings)) {}

  bool load(const std::function<void(ByteReader&)>& read) override { return hit = cache_.load(key_, read); }
  void store(const std::function<void(ByteWriter&)>& write) override {
    const Clock::time_point start = Clock::now();
    kept = cache_.store(key_, write);
    store_s = seconds_since(start);
  }
  double bytes() const {
    double sum = 0.0;
    for (const DiskCache::Entry& entry : cache_.entries()) sum += static_cast<double>(entry.bytes);
    return sum;
  }

  bool hit = false, kept = false;
  double store_s = 0.0;

 private:
  DiskCache cache_;
  CacheKey key_;
};

SolverSettings staged_settings(FactorLibrary library) {
  SolverSettings settings;
  settings.global = GlobalSolver::staged;
  settings.factor = library;
  return settings;
}

double whole_start_s(const GlobalProblem& problem, FactorLibrary library) {
  const Clock::time_point start = Clock::now();
  make_staged_solver(problem.matrix, staged_settings(library), 0.0);
  return seconds_since(start);
}

/// A start that fills a cache, and one that finds it.
void time_cached_starts(const GlobalProblem& problem, Preparation& times) {
  const SolverSettings settings = staged_settings(FactorLibrary::automatic);
  const ScratchFolder folder;
  {
    TimedStore store(folder.path(), problem.matrix, settings);
    make_staged_solver(problem.matrix, settings, 0.0, &store);
    if (!store.kept) return;
    times.store_s = store.store_s;
    times.cache_bytes = store.bytes();
  }
  const Clock::time_point start = Clock::now();
  TimedStore store(folder.path(), problem.matrix, settings);
  make_staged_solver(problem.matrix, settings, 0.0, &store);
  if (store.hit) times.second_start_s = seconds_since(start);
}

}  // namespace

Prepared prepare_staged(const SymmetricMatrix& matrix,
                        const std::function<void(const std::string&)>& progress) {
  Prepared result;
  Preparation& times = result.times;
  progress("order and factor");
  Clock::time_point start = Clock::now();
  result.factor = factor(matrix, FactorLibrary::automatic, 0.0);
  const double both = seconds_since(start);
  start = Clock::now();
  elimination_order(matrix, FactorLibrary::automatic);  // what factor() did first
  times.order_s = std::min(seconds_since(start), both);
  times.factor_s = both - times.order_s;

  progress("staged inverse");
  start = Clock::now();
  StagedStructure structure = make_staged_structure(result.factor, 0, kEntriesPerStage);
  times.structure_s = seconds_since(start);
  const auto sizes_of = [&](const auto& inverse) {
    return LinearSolver::Sizes{result.factor.nonzeros(), inverse.stored_entries(), inverse.bytes(),
                               static_cast<int>(inverse.structure().stages.size())};
  };
  {
    const StagedInverse<float> single(result.factor, structure);
    result.staged_float = sizes_of(single);
  }
  start = Clock::now();
  const StagedInverse<double> inverse(result.factor, std::move(structure));
  times.inverse_s = seconds_since(start);
  times.total_s = both + times.structure_s + times.inverse_s;
  result.staged = sizes_of(inverse);
  return result;
}

Prepared prepare(const GlobalProblem& problem, const GlobalSettings& settings,
                 const std::function<void(const std::string&)>& progress) {
  Prepared result = prepare_staged(problem.matrix, progress);
  Preparation& times = result.times;
  if (has_cholmod()) {
    progress("start with CHOLMOD's simplicial factor");
    times.simplicial_total_s = whole_start_s(problem, FactorLibrary::cholmod);
  }
  if (has_cholmod_supernodal()) {
    progress("start with CHOLMOD's supernodal factor");
    times.supernodal_total_s = whole_start_s(problem, FactorLibrary::cholmod_supernodal);
  }
  if (settings.cache) {
    progress("starts with a cache");
    time_cached_starts(problem, times);
  }
  return result;
}

}  // namespace sinew::bench
