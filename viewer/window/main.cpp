// The viewer's command line. `sinew view` starts it; it works by itself too.
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sinew/errors.hpp>
#include <sinew/version.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/same_file.hpp"
#include "viewer/window/gui.hpp"
#include "viewer/window/viewer_app.hpp"

namespace {
using namespace sinew;

constexpr int kBadInput = 2, kMinPixels = 200, kMaxPixels = 16384;
constexpr double kPatience = 0.3;  // [s]

volatile std::sig_atomic_t interrupted = 0;

int fail(const std::string& message) {
  std::string line = message;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  std::fprintf(stderr, "sinew: error: %s\n", line.c_str());
  return kBadInput;
}

void parse_size(const std::string& text, viewer::ViewerOptions& options) {
  int used = 0;
  const bool parsed = std::sscanf(text.c_str(), "%5dx%5d%n", &options.width, &options.height, &used) == 2 &&
                      static_cast<std::size_t>(used) == text.size();
  if (!parsed || options.width < kMinPixels || options.height < kMinPixels || options.width > kMaxPixels ||
      options.height > kMaxPixels)
    throw Error(fmt::format("--size {}: give WIDTHxHEIGHT, each from {} to {}, e.g. 1280x800", text,
                            kMinPixels, kMaxPixels));
}

Backend parse_backend(const std::string& text) {
  if (text == "cuda") return Backend::cuda;
  if (text == "emulated") return Backend::emulated;
  return text == "cpu" ? Backend::cpu : Backend::automatic;
}

/// No output may overwrite an input or another output, nor turn out to be impossible when all is done.
void check_outputs(const viewer::ViewerOptions& options) {
  const std::pair<const char*, const std::string*> files[] = {{"the scene", &options.scene},
                                                              {"--replay", &options.replay},
                                                              {"--record", &options.session.record_file},
                                                              {"--screenshot", &options.screenshot},
                                                              {"--state-log", &options.state_log}};
  for (std::size_t i = 2; i < std::size(files); ++i) {
    const std::string& file = *files[i].second;
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(file, *files[j].second))
        throw Error(fmt::format("{}: {} and {} name the same file; choose another", file, files[j].first,
                                files[i].first));
    if (!file.empty()) const AtomicFile probe(file);  // leaves nothing behind
  }
}

int run(int argc, char** argv) {
  viewer::ViewerOptions options;
  std::string size, backend = "auto";
  bool no_watch = false, no_panels = false;
  CLI::App cli("Sinew's viewer: take soft bodies in your hand", "sinew view");
  cli.set_version_flag("--version", std::string("sinew ") + version_string());
  cli.add_option("scene", options.scene, "Scene file (JSON); none: open or drop one later");
  cli.add_option("--set", options.session.overrides, "Change a value: key.path=value (repeatable)")
      ->type_size(1)
      ->allow_extra_args(false);
  cli.add_option("--backend", backend, "auto, cpu, cuda or emulated")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "emulated"}));
  cli.add_option("--threads", options.session.threads, "CPU threads; default: all cores")
      ->check(CLI::Range(1, 4096));
  cli.add_flag("--hybrid", options.session.hybrid, "On a device: elements on the host");
  cli.add_flag("--paused", options.session.paused, "Wait for Play");
  cli.add_option("--speed", options.session.speed, "Simulated seconds per second; 0: as fast as it goes")
      ->check(CLI::Range(0.0, 1000.0));
  cli.add_option("--record", options.session.record_file, "Write all that is done to this file");
  cli.add_option("--replay", options.replay, "Do again what a recording says; it names its scene");
  cli.add_flag("--no-watch", no_watch, "Do not reload the scene when its file changes");
  cli.add_option("--size", size, "Window, WIDTHxHEIGHT; default 1280x800");
  cli.add_flag("--no-panels", no_panels, "The picture alone");
  cli.add_option("--color", options.color, "Colour map: stress, strain, speed or displacement")
      ->check(CLI::IsMember({"stress", "strain", "speed", "displacement"}));
  cli.add_flag("--contacts", options.contacts, "Contact forces as arrows");
  cli.add_flag("--cut", options.cut, "Bodies cut open");
  cli.add_option("--screenshot", options.screenshot, "Write a picture of the window (PNG) and end");
  cli.add_option("--frames", options.frames, "Frames to compute before the screenshot")
      ->check(CLI::Range(0, 1'000'000'000));
  cli.add_option("--state-log", options.state_log, "For scripts: a line of JSON per picture with the state");
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return cli.exit(error);  // --help, --version
    return fail(std::string(error.what()) + "; see sinew view --help");
  }
  options.session.watch = !no_watch;
  options.panels = !no_panels;
  if (!size.empty()) parse_size(size, options);
  options.session.backend = parse_backend(backend);
  if (!options.replay.empty() && !options.session.overrides.empty())
    throw Error("--replay: --set would make another run of it; leave it out");
  if (!options.replay.empty() && !options.scene.empty())
    throw Error("--replay: the recording names its scene; leave the scene out");
  if (!std::isfinite(options.session.speed))
    throw Error("--speed: give simulated seconds per second, 0 for as fast as it goes");
  if (!options.screenshot.empty() && std::filesystem::path(options.screenshot).extension() != ".png")
    throw Error(fmt::format("--screenshot {}: it is a PNG picture; give a name that ends in .png",
                            options.screenshot));
  if (!options.screenshot.empty() && options.scene.empty() && options.replay.empty())
    throw Error("--screenshot: of which scene? Give a scene file, or --replay FILE");
  check_outputs(options);
  if (options.frames > 0 && options.screenshot.empty())
    throw Error("--frames: only with --screenshot; 'sinew run' computes frames without a window");
  viewer::ViewerApp app(options);
  int status = 0;
  try {
    status = app.run(interrupted);
  } catch (const std::exception& error) {
    status = fail(error.what());
  }
  if (!app.end(kPatience)) {
    viewer::gui::save_layout();
    std::fflush(nullptr);
    std::_Exit(status);  // a thread still computes; the window is not kept open for it
  }
  return status;
}
}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupted = 1; });
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use a coarser mesh or close other programs");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
