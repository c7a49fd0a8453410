// Runs random scenes: fuzz_contact [first_seed [count [frames]]]. One line for every scene that ends early,
// breaks a law or is slow; `fuzz_contact SEED 1 FRAMES` runs it again. Exit code 1: some scene failed.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "tests/validation/fuzz/scene.hpp"

namespace {

using sinew::test::Ending;
using sinew::test::Outcome;

volatile long running_seed = 0;

void report_crash(int signal) {
  std::fprintf(stderr, "seed %ld: CRASHED with signal %d\n", running_seed, signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr int kThreadsEvery = 20;      // seeds
constexpr double kSlowFrame = 5.0;     // [s]
constexpr double kMostSeconds = 60.0;  // [s] for a scene
constexpr double kDeep = 0.1;          // of the size
constexpr double kWild = 1e4;          // [m/s]

void print(long seed, const char* ending, const Outcome& o) {
  std::printf(
      "seed %ld: %s after %d frames, %.2f s (slowest %.2f), contacts %zu, unconverged %ld, penetration %.2g, "
      "residual %.2g, speed %.3g%s%s\n",
      seed, ending, o.frames, o.seconds, o.slowest, o.contacts, o.unconverged, o.penetration,
      o.complementarity, o.speed, o.message.empty() ? "" : ": ", o.message.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const long first = argc > 1 ? std::atol(argv[1]) : 1;
  const long count = argc > 2 ? std::atol(argv[2]) : 40;
  const int frames = argc > 3 ? std::atoi(argv[3]) : 50;
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, report_crash);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  long endings[sinew::test::kEndings] = {};
  long differing = 0, unconverged = 0, total_frames = 0;
  Outcome worst;
  for (long seed = first; seed < first + count; ++seed) {
    running_seed = seed;
    if (count == 1) std::printf("%s\n", sinew::test::random_scene(seed).text.c_str());
    const Outcome o = sinew::test::run_scene(seed, frames, 1, kMostSeconds);
    ++endings[static_cast<int>(o.ending)];
    if (o.ending != Ending::finished || o.slowest > kSlowFrame || o.unconverged > frames / 2 ||
        o.penetration > kDeep || o.speed > kWild || count == 1)
      print(seed, to_string(o.ending), o);
    if (seed % kThreadsEvery == 0 && sinew::test::run_scene(seed, frames, 2, kMostSeconds).hash != o.hash) {
      ++differing;
      print(seed, "FAILED: two threads end elsewhere than one", o);
    }
    unconverged += o.unconverged;
    total_frames += o.frames;
    worst.slowest = std::max(worst.slowest, o.slowest);
    worst.seconds += o.seconds;
    worst.penetration = std::max(worst.penetration, o.penetration);
    worst.contacts = std::max(worst.contacts, o.contacts);
  }
  std::printf("%ld scenes, %ld frames: ", count, total_frames);
  for (int k = 0; k < sinew::test::kEndings; ++k)
    std::printf("%ld %s, ", endings[k], to_string(static_cast<Ending>(k)));
  std::printf(
      "%ld differ with threads; %ld frames unconverged; slowest frame %.2f s, deepest penetration %.2g of "
      "the "
      "size, at most %zu contacts; %.0f s\n",
      differing, unconverged, worst.slowest, worst.penetration, worst.contacts, worst.seconds);
  return endings[static_cast<int>(Ending::failed)] + differing > 0 ? 1 : 0;
}
