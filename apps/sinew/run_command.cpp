#include "apps/sinew/run_command.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/report.hpp>
#include <sinew/scene.hpp>

#include "apps/sinew/checkpoint.hpp"
#include "apps/sinew/cli_errors.hpp"
#include "apps/sinew/folder_guard.hpp"
#include "apps/sinew/pictures.hpp"
#include "apps/sinew/progress.hpp"
#include "apps/sinew/signals.hpp"
#include "apps/sinew/stage_table.hpp"
#include "engine/common/text.hpp"
#include "engine/contact/recorded_problem.hpp"
#include "engine/export/machine_info.hpp"
#include "engine/export/series.hpp"
#include "kernels/device/available.hpp"

namespace sinew::app {

namespace {
struct RunOptions {
  std::string scene;
  std::optional<long> frames;
  std::string backend = "auto";
  bool hybrid = false, device_times = false;
  std::optional<int> threads;
  std::vector<std::string> overrides;
  std::string report;
  bool report_frames = false;
  std::string export_folder, format = "vtu";
  std::optional<long> every;
  std::string png_folder, size, sheet;
  std::string checkpoint;
  std::optional<long> checkpoint_every;
  std::string resume;
  std::string record_folder;
  std::optional<long> record_every;
  bool quiet = false;

  bool pictures() const { return !png_folder.empty() || !sheet.empty(); }
};

constexpr long kMaxFrames = 1'000'000'000;
constexpr int kMaxThreads = 4096, kMinPixels = 16, kMaxPixels = 16384;

void check_range(const char* option, long value, long low, long high) {
  if (value < low || value > high)
    throw Error(fmt::format("{} {}: give a number from {} to {}", option, value, low, high));
}

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
                                                              {"--checkpoint", &options.checkpoint}};
  for (const auto& a : files) {
    for (const auto& b : files) {
      if (&a >= &b || a.second->empty() || b.second->empty()) continue;
      std::error_code code;
      const bool same = std::filesystem::path(*a.second).lexically_normal() ==
                            std::filesystem::path(*b.second).lexically_normal() ||
                        std::filesystem::equivalent(*a.second, *b.second, code);
      if (same && !std::filesystem::is_other(*a.second, code))
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

Scene load(const RunOptions& options) {
  Scene scene = load_scene(options.scene, options.overrides);
  if (options.frames) scene.output.frames = *options.frames;
  scene.settings.backend = parse_backend(options.backend);
  scene.settings.hybrid = options.hybrid;
  scene.settings.device_times = options.device_times;
  if (options.threads) scene.settings.threads = *options.threads;
  if (options.every) scene.output.export_every = static_cast<int>(*options.every);
  if (!options.size.empty()) parse_size(options.size, scene.output);
  return scene;
}

// One run from the loaded scene to the written files.
class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options), scene_(load(options)) {
    for (const std::string* file : {&options_.report, &options_.sheet, &options_.checkpoint})
      if (!file->empty()) check_writable(*file);
    if (options_.pictures()) {
      pictures_.emplace(scene_, Pictures::Settings{options_.png_folder, options_.sheet, scene_.output.width,
                                                   scene_.output.height, scene_.output.export_every});
    }
    if (!options_.png_folder.empty()) folders_.make(options_.png_folder);
    if (!options_.export_folder.empty()) folders_.make(options_.export_folder);
    if (!options_.record_folder.empty()) {
      folders_.make(options_.record_folder);
      recorder_.emplace(options_.record_folder);
    }
    simulation_.emplace(scene_.model, scene_.settings);
    start();
    folders_.keep();
  }

  int run() {
    print_warnings();
    const InterruptGuard interrupt;
    int status = 0;
    std::string failure;
    try {
      write_step();
      loop();
      if (simulation_->frame() < last_frame()) status = 130;
    } catch (const NumericalError& error) {
      status = 3;
      failure = error.what();
    } catch (...) {
      report_->set_status("failed");
      try {
        finish();  // what was reached so far is worth keeping; the first error is the one to tell
      } catch (const std::exception&) {
      }
      throw;
    }
    if (status == 130) report_->set_status("interrupted");
    if (status == 3) {
      report_->set_status("failed");
      report_->add_warning(failure);
    }
    finish();
    if (!options_.quiet) print_result();
    if (status == 130) {
      std::fprintf(stderr, "sinew: interrupted after frame %ld of %ld%s\n", simulation_->frame(),
                   last_frame(), kept_text().c_str());
    } else if (status == 3) {
      std::fprintf(stderr, "sinew: error: %s\n", single_line(failure + kept_text()).c_str());
    }
    return status;
  }

 private:
  long last_frame() const { return scene_.output.frames; }

  // Resumes, if asked, and opens what is written along the way. Pictures take their view from time 0, so that
  // a resumed series goes on seamlessly.
  void start() {
    if (pictures_) pictures_->fix_view(*simulation_);
    if (!options_.resume.empty()) {
      resume_from(options_.resume, *simulation_);
      if (simulation_->frame() >= last_frame())
        throw Error(fmt::format("{}: the checkpoint is at frame {} already; ask for more with --frames",
                                options_.resume, simulation_->frame()));
    }
    first_frame_ = simulation_->frame();
    if (pictures_) pictures_->plan(first_frame_, last_frame());
    if (!options_.export_folder.empty()) {
      exporter_.emplace(scene_.model,
                        SeriesExporter::Settings{options_.export_folder, parse_format(options_.format),
                                                 options_.resume.empty() ? -1 : first_frame_});
    }
    RunReport::Settings settings;
    settings.scene_name = scene_.name;
    settings.scene_file = options_.scene;
    settings.backend = simulation_->backend_name();
    settings.machine = machine_info();
    settings.threads = scene_.settings.threads > 0 ? scene_.settings.threads : settings.machine.cores;
    settings.warnings = scene_.warnings;
    settings.per_frame = options_.report_frames;
    threads_ = settings.threads;
    report_.emplace(*simulation_, std::move(settings));
  }

  void loop() {
    Progress progress(stderr, options_.quiet, first_frame_, last_frame());
    while (simulation_->frame() < last_frame() && !InterruptGuard::requested()) {
      const long frame = simulation_->frame() + 1;
      if (recorder_) recorder_->begin_frame(frame, frame % options_.record_every.value_or(1) == 0);
      const auto start = std::chrono::steady_clock::now();
      const StepStatistics& statistics = simulation_->step();
      const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
      report_->add(*simulation_, wall.count());
      add_device_stages(simulation_->device_stages(), device_stages_);
      add_device_work(simulation_->device_work(), device_work_);
      write_step();
      const long every = options_.checkpoint_every.value_or(0);
      if (every > 0 && simulation_->frame() % every == 0 && simulation_->frame() < last_frame())
        write_checkpoint(options_.checkpoint, *simulation_);
      progress.update(statistics);
    }
  }

  void write_step() {
    const long frame = simulation_->frame();
    if (frame % scene_.output.export_every != 0) return;
    if (exporter_ && !exporter_->has(frame)) exporter_->write(*simulation_);
    if (pictures_) pictures_->write(*simulation_);
  }

  // The checkpoint first: it is what cannot be made again.
  void finish() {
    if (!options_.checkpoint.empty()) write_checkpoint(options_.checkpoint, *simulation_);
    if (!options_.report.empty()) report_->write(options_.report, *simulation_);
    if (pictures_) pictures_->finish();
  }

  std::string kept_text() const {
    std::string text;
    if (!options_.report.empty()) text += "; report so far in " + options_.report;
    if (!options_.checkpoint.empty()) text += fmt::format("; go on with --resume {}", options_.checkpoint);
    return text;
  }

  void print_warnings() const {
    if (options_.quiet) return;
    std::vector<std::string> lines = scene_.warnings;
    for (const std::string& line : scene_.model.warnings())
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    lines.insert(lines.end(), simulation_->warnings().begin(), simulation_->warnings().end());
    for (const std::string& line : lines)
      std::fprintf(stderr, "sinew: warning: %s\n", single_line(line).c_str());
  }

  std::string backend_text() const {
    if (options_.backend != "auto") return simulation_->backend_name() + (options_.hybrid ? ", hybrid" : "");
    const DeviceList cuda = list_cuda_devices();
    if (cuda.devices.empty()) return "cpu; no CUDA device: " + cuda.reason;
    const DeviceDescription& d = cuda.devices.front();
    return "cpu; " + d.name + (d.reason.empty() ? " is there: --backend cuda" : " is not used: " + d.reason);
  }

  void print_result() const {
    std::string text;
    if (report_->frame_count() > 0) text += stage_table(report_->stages()) + "\n";
    if (options_.device_times)
      text += device_table(device_stages_, device_work_, report_->frame_count()) + "\n";
    text += run_summary(*report_, *simulation_, threads_);
    const auto line = [&](const char* name, const std::string& value) {
      text += fmt::format("{:<13}{}\n", name, value);
    };
    line("backend", backend_text());
    if (!options_.report.empty()) line("report", options_.report);
    if (!options_.checkpoint.empty()) line("checkpoint", options_.checkpoint);
    if (!options_.png_folder.empty())
      line("pictures", fmt::format("{} in {}/frame_*.png", pictures_->written(), options_.png_folder));
    if (!options_.sheet.empty()) line("sheet", options_.sheet);
    if (recorder_)
      line("contacts", fmt::format("{} problems in {}; compare solvers with sinew bench contact FILE",
                                   recorder_->written(), options_.record_folder));
    if (exporter_) {
      for (const std::string& entry : exporter_->entry_points()) line("export", entry);
      line("", "in ParaView: File > Open, choose all of them, Apply");
    }
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  }

  RunOptions options_;
  Scene scene_;
  FolderGuard folders_;
  std::optional<Pictures> pictures_;
  std::optional<Simulation> simulation_;
  std::optional<SeriesExporter> exporter_;
  std::optional<RunReport> report_;
  std::optional<ContactRecorder> recorder_;
  std::vector<DeviceStage> device_stages_;  ///< of all frames
  DeviceWork device_work_;
  long first_frame_ = 0;
  int threads_ = 1;
};
}  // namespace

void add_run_command(CLI::App& app, int& exit_status) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* run = app.add_subcommand("run", "Simulate a scene and write what is asked for");
  run->add_option("scene", options->scene, "Scene file (JSON)")->required();
  run->add_option("--frames", options->frames, "Last frame (default: the scene's)");
  run->add_option("--backend", options->backend,
                  "auto, cpu, cuda or emulated (the code of the GPU on the CPU: slow)");
  run->add_flag("--hybrid", options->hybrid, "On a device: elements on the CPU, all else on the device");
  run->add_flag("--device-times", options->device_times, "Print what a device's stages took");
  run->add_option("--threads", options->threads, "Threads (default: all cores); results do not depend on it");
  run->add_option("--set", options->overrides, "path=value: change one value of the scene; may be repeated")
      ->allow_extra_args(false);
  CLI::Option* report = run->add_option("--report", options->report, "Write a report (JSON)");
  run->add_flag("--report-frames", options->report_frames, "List every frame in the report")->needs(report);
  CLI::Option* folder =
      run->add_option("--export", options->export_folder, "Write a mesh series to this folder");
  run->add_option("--format", options->format, "vtu (for ParaView), ply or obj")->needs(folder);
  run->add_option("--every", options->every,
                  "Frames between exported meshes and pictures (default: the scene's)");
  run->add_option("--png", options->png_folder, "Write pictures to this folder");
  run->add_option("--size", options->size, "Size of pictures, WIDTHxHEIGHT");
  run->add_option("--sheet", options->sheet, "Write one picture with up to 12 frames (PNG)");
  CLI::Option* checkpoint =
      run->add_option("--checkpoint", options->checkpoint, "Write the state at the end, or when interrupted");
  run->add_option("--checkpoint-every", options->checkpoint_every, "Write it also every so many frames")
      ->needs(checkpoint);
  run->add_option("--resume", options->resume, "Go on from a checkpoint of the same scene");
  CLI::Option* record =
      run->add_option("--record-contacts", options->record_folder,
                      "Write the contact problems of the frames to this folder, for sinew bench contact");
  run->add_option("--record-every", options->record_every, "Only those of every so many frames")
      ->needs(record);
  run->add_flag("--quiet", options->quiet, "Print errors only");
  const CLI::Validator not_empty([](const std::string& text) { return text.empty() ? "give a name" : ""; },
                                 "");
  for (const char* name :
       {"scene", "--report", "--export", "--png", "--sheet", "--checkpoint", "--resume", "--record-contacts"})
    run->get_option(name)->check(not_empty);
  run->callback([options, &exit_status] {
    check_options(*options);
    exit_status = Run(*options).run();
  });
}

}  // namespace sinew::app
