#include "apps/sinew/run_command.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>
#include <sinew/report.hpp>
#include <sinew/scene.hpp>

#include "apps/sinew/checkpoint.hpp"
#include "apps/sinew/cli_errors.hpp"
#include "apps/sinew/folder_guard.hpp"
#include "apps/sinew/frames.hpp"
#include "apps/sinew/pictures.hpp"
#include "apps/sinew/progress.hpp"
#include "apps/sinew/run_options.hpp"
#include "apps/sinew/signals.hpp"
#include "apps/sinew/stage_table.hpp"
#include "engine/contact/recorded_problem.hpp"
#include "engine/export/machine_info.hpp"
#include "engine/export/series.hpp"
#include "kernels/device/available.hpp"

namespace sinew::app {

namespace {
Scene load(const RunOptions& options, const std::optional<viewer::RecordedRun>& recording) {
  Scene scene = load_scene(options.scene, recording ? recording->overrides : options.overrides);
  if (recording) scene.output.frames = recording->steps;
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
  Run(const RunOptions& options, std::optional<viewer::RecordedRun> recording)
      : options_(options), scene_(load(options, recording)) {
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
    frames_ = recording ? replayed_frames(options, std::move(*recording)) : plain_frames(scene_);
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
      if (frames_->number() < last_frame()) status = 130;
      if (status == 0) frames_->finish();
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
    bool failed = false;
    const std::string result = status == 0 ? frames_->result(failed) : "";
    if (!options_.quiet) print_result(failed ? "" : result);
    if (failed) {
      std::fprintf(stderr, "sinew: error: %s\n", single_line(result).c_str());
      return 1;
    }
    if (status == 130) {
      std::fprintf(stderr, "sinew: interrupted after frame %ld of %ld%s\n", frames_->number(), last_frame(),
                   kept_text().c_str());
    } else if (status == 3) {
      std::fprintf(stderr, "sinew: error: %s\n", single_line(failure + kept_text()).c_str());
    }
    return status;
  }

 private:
  Simulation& simulation() { return frames_->simulation(); }
  const Simulation& simulation() const { return std::as_const(*frames_).simulation(); }
  long last_frame() const { return scene_.output.frames; }

  // Resumes, if asked, and opens what is written along the way. Pictures take their view from time 0, so that
  // a resumed series goes on seamlessly.
  void start() {
    if (pictures_) pictures_->fix_view(simulation());
    if (!options_.resume.empty()) {
      resume_from(options_.resume, simulation());
      if (simulation().frame() >= last_frame())
        throw Error(fmt::format("{}: the checkpoint is at frame {} already; ask for more with --frames",
                                options_.resume, simulation().frame()));
    }
    first_frame_ = frames_->number();
    if (pictures_) pictures_->plan(first_frame_, last_frame());
    if (!options_.export_folder.empty()) {
      exporter_.emplace(scene_.model,
                        SeriesExporter::Settings{options_.export_folder, parse_format(options_.format),
                                                 options_.resume.empty() ? -1 : first_frame_});
    }
    RunReport::Settings settings;
    settings.scene_name = scene_.name;
    settings.scene_file = options_.scene;
    settings.backend = simulation().backend_name();
    settings.machine = machine_info();
    settings.threads = scene_.settings.threads > 0 ? scene_.settings.threads : settings.machine.cores;
    settings.warnings = scene_.warnings;
    settings.per_frame = options_.report_frames;
    threads_ = settings.threads;
    report_.emplace(simulation(), std::move(settings));
  }

  void loop() {
    Progress progress(stderr, options_.quiet, first_frame_, last_frame());
    while (frames_->number() < last_frame() && !InterruptGuard::requested()) {
      const long frame = frames_->number() + 1;
      if (recorder_) recorder_->begin_frame(frame, frame % options_.record_every.value_or(1) == 0);
      const auto start = std::chrono::steady_clock::now();
      frames_->step();
      const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
      report_->add(simulation(), wall.count());
      add_device_stages(simulation().device_stages(), device_stages_);
      add_device_work(simulation().device_work(), device_work_);
      write_step();
      const long every = options_.checkpoint_every.value_or(0);
      if (every > 0 && simulation().frame() % every == 0 && simulation().frame() < last_frame())
        write_checkpoint(options_.checkpoint, simulation());
      progress.update(frame, simulation().statistics());
    }
  }

  void write_step() {
    const long frame = frames_->number();
    if (frame % scene_.output.export_every != 0) return;
    if (exporter_ && !exporter_->has(frame)) exporter_->write(simulation(), frame, frames_->time());
    if (pictures_) pictures_->write(simulation(), frame);
  }

  // The checkpoint first: it is what cannot be made again.
  void finish() {
    if (!options_.checkpoint.empty()) write_checkpoint(options_.checkpoint, simulation());
    if (!options_.report.empty()) report_->write(options_.report, simulation());
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
    lines.insert(lines.end(), simulation().warnings().begin(), simulation().warnings().end());
    for (const std::string& line : lines)
      std::fprintf(stderr, "sinew: warning: %s\n", single_line(line).c_str());
  }

  std::string backend_text() const {
    if (options_.backend != "auto" || !options_.replay.empty())
      return simulation().backend_name() + (options_.hybrid ? ", hybrid" : "");
    const DeviceList cuda = list_cuda_devices();
    if (cuda.devices.empty()) return "cpu; no CUDA device: " + cuda.reason;
    const DeviceDescription& d = cuda.devices.front();
    return "cpu; " + d.name + (d.reason.empty() ? " is there: --backend cuda" : " is not used: " + d.reason);
  }

  void print_result(const std::string& replayed) const {
    std::string text;
    if (report_->frame_count() > 0) text += stage_table(report_->stages()) + "\n";
    if (options_.device_times)
      text += device_table(device_stages_, device_work_, report_->frame_count()) + "\n";
    text += run_summary(*report_, simulation(), threads_);
    const auto line = [&](const char* name, const std::string& value) {
      text += fmt::format("{:<13}{}\n", name, value);
    };
    line("backend", backend_text());
    if (!replayed.empty()) line("replay", replayed);
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
  std::unique_ptr<Frames> frames_;
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
  add_run_options(*run, *options);
  run->callback([options, &exit_status] {
    check_options(*options);
    std::optional<viewer::RecordedRun> recording;
    if (!options->replay.empty()) recording = viewer::read_recording(options->replay);
    exit_status = Run(*options, std::move(recording)).run();
  });
}

}  // namespace sinew::app
