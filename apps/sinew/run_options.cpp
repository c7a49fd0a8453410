#include "apps/sinew/run_options.hpp"

#include <cctype>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/same_file.hpp"
#include "engine/common/text.hpp"
#include "kernels/device/available.hpp"

namespace sinew::app {

namespace {
constexpr long kMaxFrames = 1'000'000'000;
constexpr int kMaxThreads = 4096, kMinPixels = 16, kMaxPixels = 16384;

void check_range(const char* option, long value, long low, long high) {
  if (value < low || value > high)
    throw Error(fmt::format("{} {}: give a number from {} to {}", option, value, low, high));
}
}  // namespace

void parse_size(const std::string& text, OutputSpec& output) {
  int used = 0, width = 0, height = 0;
  const bool parsed = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &used) == 2 &&
                      static_cast<std::size_t>(used) == text.size();
  if (!parsed || width < kMinPixels || height < kMinPixels || width > kMaxPixels || height > kMaxPixels)
    throw Error(fmt::format("--size {}: give WIDTHxHEIGHT in pixels, each from {} to {}, e.g. 960x540", text,
                            kMinPixels, kMaxPixels));
  output.width = width;
  output.height = height;
}

SeriesFormat parse_format(const std::string& text) {
  if (text == "vtu") return SeriesFormat::vtu;
  if (text == "ply") return SeriesFormat::ply;
  if (text == "obj") return SeriesFormat::obj;
  throw Error(fmt::format("--format {}{}", text, suggestion(text, {"vtu", "ply", "obj"})));
}

Backend parse_backend(const std::string& text) {
  if (text == "auto") return Backend::automatic;
  if (text == "cpu") return Backend::cpu;
  if (text == "cuda") return Backend::cuda;
  if (text == "emulated") return Backend::emulated;
  throw Error(fmt::format("--backend {}{}", text, suggestion(text, {"auto", "cpu", "cuda", "emulated"})));
}

namespace {
void check_backend(const std::string& text) {
  if (parse_backend(text) != Backend::cuda) return;
  try {
    make_cuda_device();
  } catch (const BackendError& error) {
    throw BackendError(fmt::format("--backend cuda: {}", error.what()));
  }
}

// No output may overwrite the scene or another output.
void check_distinct(const RunOptions& options) {
  const std::pair<const char*, const std::string*> files[] = {{"the scene", &options.scene},
                                                              {"--report", &options.report},
                                                              {"--sheet", &options.sheet},
                                                              {"--checkpoint", &options.checkpoint},
                                                              {"--replay", &options.replay}};
  for (const auto& a : files) {
    for (const auto& b : files) {
      std::error_code code;
      if (&a < &b && same_file(*a.second, *b.second) && !std::filesystem::is_other(*a.second, code))
        throw Error(
            fmt::format("{}: {} and {} name the same file; choose another", *a.second, a.first, b.first));
    }
  }
}

void check_sheet(const std::string& name) {
  std::string extension = std::filesystem::path(name).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (!name.empty() && extension != ".png")
    throw Error(fmt::format("--sheet {}: the sheet is a PNG picture; give a name that ends in .png", name));
}
}  // namespace

void check_options(const RunOptions& options) {
  check_backend(options.backend);
  const Backend backend = parse_backend(options.backend);
  for (const auto& [given, name] :
       {std::pair(options.hybrid, "--hybrid"), {options.device_times, "--device-times"}})
    if (given && backend != Backend::cuda && backend != Backend::emulated)
      throw Error(fmt::format("{}: only with --backend cuda or emulated", name));
  if (options.frames) check_range("--frames", *options.frames, 0, kMaxFrames);
  if (options.threads) check_range("--threads", *options.threads, 1, kMaxThreads);
  if (options.every) check_range("--every", *options.every, 1, kMaxFrames);
  if (options.checkpoint_every) check_range("--checkpoint-every", *options.checkpoint_every, 1, kMaxFrames);
  if (options.record_every) check_range("--record-every", *options.record_every, 1, kMaxFrames);
  parse_format(options.format);
  if (!options.size.empty()) {
    OutputSpec ignored;
    parse_size(options.size, ignored);
  }
  check_sheet(options.sheet);
  check_distinct(options);
}

void add_run_options(CLI::App& run, RunOptions& options) {
  run.add_option("scene", options.scene, "Scene file (JSON)")->required();
  run.add_option("--frames", options.frames, "Last frame (default: the scene's, or the recording's)");
  run.add_option("--backend", options.backend,
                 "auto, cpu, cuda or emulated (the code of the GPU on the CPU: slow)");
  run.add_flag("--hybrid", options.hybrid, "On a device: elements on the CPU, all else on the device");
  run.add_flag("--device-times", options.device_times, "Print what a device's stages took");
  run.add_option("--threads", options.threads, "Threads (default: all cores); results do not depend on it");
  run.add_option("--set", options.overrides, "path=value: change one value of the scene; may be repeated")
      ->allow_extra_args(false);
  CLI::Option* report = run.add_option("--report", options.report, "Write a report (JSON)");
  run.add_flag("--report-frames", options.report_frames, "List every frame in the report")->needs(report);
  CLI::Option* folder =
      run.add_option("--export", options.export_folder, "Write a mesh series to this folder");
  run.add_option("--format", options.format, "vtu (for ParaView), ply or obj")->needs(folder);
  run.add_option("--every", options.every,
                 "Frames between exported meshes and pictures (default: the scene's)");
  run.add_option("--png", options.png_folder, "Write pictures to this folder");
  run.add_option("--size", options.size, "Size of pictures, WIDTHxHEIGHT");
  run.add_option("--sheet", options.sheet, "Write one picture with up to 12 frames (PNG)");
  CLI::Option* checkpoint =
      run.add_option("--checkpoint", options.checkpoint, "Write the state at the end, or when interrupted");
  run.add_option("--checkpoint-every", options.checkpoint_every, "Write it also every so many frames")
      ->needs(checkpoint);
  run.add_option("--resume", options.resume, "Go on from a checkpoint of the same scene");
  CLI::Option* replay = run.add_option("--replay", options.replay,
                                       "Do what a recording of the viewer says; it brings its own --set");
  for (const char* name : {"--set", "--resume", "--checkpoint", "--device-times"})
    replay->excludes(run.get_option(name));
  CLI::Option* record =
      run.add_option("--record-contacts", options.record_folder,
                     "Write the contact problems of the frames to this folder, for sinew bench contact");
  run.add_option("--record-every", options.record_every, "Only those of every so many frames")->needs(record);
  run.add_flag("--quiet", options.quiet, "Print errors only");
  const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "give a name" : ""; },
                                 "");
  for (const char* name : {"scene", "--report", "--export", "--png", "--sheet", "--checkpoint", "--resume",
                           "--replay", "--record-contacts"})
    run.get_option(name)->check(not_empty);
}

}  // namespace sinew::app
