// Runs random scenes: fuzz_contact [first_seed [count [frames [seconds]]]]. One line a scene, then the
// totals. Each scene has a process of its own: one that crashes, or needs more than `seconds` of the
// processor, ends alone and is shown as such. `fuzz_contact SEED 1 FRAMES` runs one in this process, for a
// debugger. Exit code 1: some scene failed or crashed.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "tests/validation/fuzz/scene.hpp"

namespace {

using sinew::test::Ending;
using sinew::test::Outcome;

constexpr int kThreadsEvery = 20;        // seeds
constexpr double kMostSeconds = 1000.0;  // [s] for a scene, unless told
constexpr long kMostThreads = 2;

/// What the process of a scene leaves behind.
struct Result {
  volatile int frames_done = 0;
  Ending ending = Ending::finished;
  long unconverged = 0;
  double slowest = 0.0, penetration = 0.0, seconds = 0.0;
  std::size_t contacts = 0;
  bool differs = false;  ///< with two threads
};

void print(long seed, const Outcome& o) {
  std::printf(
      "seed %ld: %s after %d frames, %.2f s (slowest %.2f), contacts %zu, unconverged %ld, penetration %.2g, "
      "residual %.2g, speed %.3g%s%s\n",
      seed, to_string(o.ending), o.frames, o.seconds, o.slowest, o.contacts, o.unconverged, o.penetration,
      o.complementarity, o.speed, o.message.empty() ? "" : ": ", o.message.c_str());
}

void run(long seed, int frames, Result& result) {
  const Outcome o = sinew::test::run_scene(seed, frames, 1, &result.frames_done);
  print(seed, o);
  result.ending = o.ending;
  result.unconverged = o.unconverged;
  result.slowest = o.slowest;
  result.penetration = o.penetration;
  result.seconds = o.seconds;
  result.contacts = o.contacts;
  if (seed % kThreadsEvery == 0) {
    result.differs = sinew::test::run_scene(seed, frames, kMostThreads).hash != o.hash;
    if (result.differs) std::printf("seed %ld: FAILED: two threads end elsewhere than one\n", seed);
  }
}

/// The signal that ended the scene's process, or zero.
int run_apart(long seed, int frames, double seconds, Result& result) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fuzz_contact: no process for a scene");
    std::exit(2);
  }
  if (child == 0) {
    const bool twice = seed % kThreadsEvery == 0;
    const rlim_t limit = static_cast<rlim_t>(std::max(1.0, twice ? 3.0 * seconds : seconds));
    const rlimit processor{limit, limit + 5}, core{0, 0};
    setrlimit(RLIMIT_CPU, &processor);
    setrlimit(RLIMIT_CORE, &core);
    run(seed, frames, result);
    std::fflush(stdout);
    std::exit(0);  // leaks are looked for here
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return WEXITSTATUS(status) == 0 ? 0 : SIGABRT;  // sanitizers exit
}

}  // namespace

int main(int argc, char** argv) {
  const long first = argc > 1 ? std::atol(argv[1]) : 1;
  const long count = argc > 2 ? std::atol(argv[2]) : 40;
  const int frames = argc > 3 ? std::atoi(argv[3]) : 50;
  const double seconds = argc > 4 ? std::atof(argv[4]) : kMostSeconds;
  void* const shared =
      mmap(nullptr, sizeof(Result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    std::perror("fuzz_contact: no memory shared with scenes");
    return 2;
  }
  long endings[sinew::test::kEndings] = {};
  long crashed = 0, out_of_time = 0, differing = 0, unconverged = 0, total_frames = 0;
  Result worst;
  for (long seed = first; seed < first + count; ++seed) {
    Result& result = *new (shared) Result;
    if (count == 1) {
      std::printf("%s\n", sinew::test::random_scene(seed).text.c_str());
      run(seed, frames, result);
    } else if (const int signal = run_apart(seed, frames, seconds, result); signal == SIGXCPU) {
      ++out_of_time;
      std::printf("seed %ld: out of time (%.0f s) in frame %d\n", seed, seconds, result.frames_done + 1);
      continue;
    } else if (signal != 0) {
      ++crashed;
      std::printf("seed %ld: CRASHED with signal %d in frame %d\n", seed, signal, result.frames_done + 1);
      continue;
    }
    ++endings[static_cast<int>(result.ending)];
    differing += result.differs ? 1 : 0;
    unconverged += result.unconverged;
    total_frames += result.frames_done;
    worst.slowest = std::max(worst.slowest, result.slowest);
    worst.seconds += result.seconds;
    worst.penetration = std::max(worst.penetration, result.penetration);
    worst.contacts = std::max(worst.contacts, result.contacts);
  }
  std::printf("%ld scenes, %ld frames: ", count, total_frames);
  for (int k = 0; k < sinew::test::kEndings; ++k)
    std::printf("%ld %s, ", endings[k], to_string(static_cast<Ending>(k)));
  std::printf(
      "%ld crashed, %ld out of time, %ld differ with threads; %ld frames unconverged; slowest frame %.2f s, "
      "deepest penetration %.2g of the size, at most %zu contacts; %.0f s\n",
      crashed, out_of_time, differing, unconverged, worst.slowest, worst.penetration, worst.contacts,
      worst.seconds);
  return endings[static_cast<int>(Ending::failed)] + crashed + differing > 0 ? 1 : 0;
}
