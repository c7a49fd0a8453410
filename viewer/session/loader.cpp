#include "viewer/session/loader.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "viewer/session/replay.hpp"

namespace sinew::viewer {

namespace {
using WallClock = std::chrono::steady_clock;
double seconds_since(WallClock::time_point begin) {
  return std::chrono::duration<double>(WallClock::now() - begin).count();
}

bool is_there(const std::filesystem::path& path) {
  std::error_code code;
  return std::filesystem::exists(path, code);
}

/// The scene file and the mesh files that it names; of a scene that cannot be read, itself.
std::vector<std::string> files_of(const std::string& path, const std::vector<std::string>& overrides) {
  std::vector<std::string> files = {path};
  try {
    const SceneText text = read_scene_text(path);
    for (const std::string& file : mesh_files(read_scene_tree(text, overrides)))
      files.push_back((std::filesystem::path(text.base_folder) / file).string());
  } catch (const std::exception&) {  // loading says what is wrong
  }
  return files;
}
}  // namespace

Loader::Loader(Settings settings, std::function<void()> ready)
    : settings_(std::move(settings)), ready_(std::move(ready)) {}

void Loader::ask(Request request) {
  const std::scoped_lock lock(mutex_);
  // A scene that is asked for is not given up for a parameter of the one that it replaces.
  if (request.source.path.empty() && (opening_ || (waiting_ && !waiting_->source.path.empty()))) return;
  waiting_ = std::move(request);
  ++newest_;
  wake_.notify_all();
}

void Loader::open(const std::string& path) {
  ask({{path, false}, false, {}, 0});
}

void Loader::replay(const std::string& recording_file) {
  ask({{recording_file, true}, false, {}, 0});
}

void Loader::reload() {
  Source source;
  {
    const std::scoped_lock lock(mutex_);
    if (waiting_ && !waiting_->source.path.empty()) return;  // it is going to be read
    source = opening_ ? at_work_ : source_;
  }
  if (!source.path.empty()) ask({source, true, {}, 0});
}

void Loader::change(Preparation preparation, std::uint64_t change_of) {
  ask({{}, false, std::move(preparation), change_of});
}

void Loader::stop() {
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  wake_.notify_all();
}

bool Loader::replaced_by_scene() const {
  return waiting_ && !waiting_->source.path.empty();
}

std::optional<Built> Loader::take() {
  const std::scoped_lock lock(mutex_);
  while (!built_.empty()) {
    Built first = std::move(built_.front());
    built_.erase(built_.begin());
    // What is wrong with parameters is told of the newest ones: those before may have been half of a change.
    const bool passed = first.kind == Built::Kind::parameters && first.number != newest_;
    if (first.error.empty() || !passed) return first;
  }
  return std::nullopt;
}

Loader::Progress Loader::progress() const {
  const std::scoped_lock lock(mutex_);
  Progress progress = progress_;
  if (progress.loading)
    progress.seconds = seconds_since(begin_);
  else if (waiting_ || !built_.empty())  // asked for, or not taken yet
    progress = {true, 0.0, waiting_ ? "about to begin" : "taking over"};
  return progress;
}

void Loader::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, std::chrono::duration<double>(kWatchSeconds), [&] { return stopping_ || waiting_; });
    if (stopping_) break;
    try {
      do_next(lock);
    } catch (const std::exception& error) {
      if (!lock.owns_lock()) lock.lock();
      built_.emplace_back().error = fmt::format("could not load: {}", error.what());
      ready_();
    }
    opening_ = false;
    progress_ = {};
  }
}

void Loader::do_next(std::unique_lock<std::mutex>& lock) {
  if (!waiting_) {
    lock.unlock();
    look_at_files();
    lock.lock();
    return;
  }
  const Request request = *std::exchange(waiting_, std::nullopt);
  const std::uint64_t number = newest_;
  const std::string& path = request.source.path;
  opening_ = !path.empty();
  at_work_ = request.source;
  begin_ = WallClock::now();
  progress_ = {true, 0.0, path.empty() ? "changing parameters" : "reading " + path};
  lock.unlock();
  build(request, number);
  lock.lock();
}

void Loader::build(const Request& request, std::uint64_t number) {
  Built built;
  built.kind = request.source.path.empty() ? Built::Kind::parameters : Built::Kind::scene;
  built.again = request.again;
  built.change_of = request.change_of;
  built.number = number;
  const PrepareProgress progress = [&](std::size_t done, std::size_t total, const std::string& body) {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || (newest_ != number && (replaced_by_scene() || seconds_since(begin_) > kPatience)))
      throw GivenUp{};
    progress_.what = fmt::format("preparing body {} of {}: {}", done + 1, total, body);
  };
  FileWatch files;
  try {
    if (built.kind == Built::Kind::parameters)
      built.prepared = request.preparation(progress);
    else
      load(request.source, progress, built, files);
  } catch (const GivenUp&) {
    return;
  } catch (const std::bad_alloc&) {
    built.error = built.kind == Built::Kind::parameters ? "not enough memory to change parameters"
                                                        : request.source.path + ": not enough memory";
  } catch (const std::exception& error) {
    built.error = error.what();
  }
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_ || (newest_ != number && replaced_by_scene())) return;
    built.seconds = seconds_since(begin_);
    if (built.kind == Built::Kind::scene) tried(request.source, std::move(files), built.error.empty());
    built_.push_back(std::move(built));
  }
  ready_();
}

// A file that cannot be opened leaves what runs to its own file. Where nothing runs yet, the file is waited
// for.
void Loader::tried(const Source& source, FileWatch watch, bool loaded) {
  if (!loaded && loaded_ && !(source == source_)) return;
  source_ = source;
  loaded_ = loaded_ || loaded;
  const std::scoped_lock lock(watch_mutex_);
  watch_ = std::move(watch);
  settling_ = false;
}

void Loader::load(const Source& source, const PrepareProgress& progress, Built& built, FileWatch& watch) {
  const auto watched = [&](const std::string& scene, const std::vector<std::string>& overrides) {
    if (settings_.watch) watch = FileWatch(files_of(scene, overrides));
  };
  if (!source.recording) {
    watched(source.path, settings_.overrides);
    built.live = std::make_unique<LiveSimulation>(read_scene_text(source.path), settings_.live,
                                                  settings_.overrides, progress);
    return;
  }
  built.run = read_recording(source.path);
  if (built.run->scene.empty())
    throw ModelError(source.path + ": the recording names no scene; run 'sinew run SCENE --replay " +
                     source.path + "'");
  // The path is that of the folder where it was recorded; a scene beside the recording does as well.
  std::filesystem::path scene = built.run->scene;
  const std::filesystem::path beside = std::filesystem::path(source.path).parent_path() / scene.filename();
  if (!is_there(scene) && is_there(beside)) scene = beside;
  watched(scene.string(), built.run->overrides);
  const LiveSettings& live = settings_.live;
  const std::optional<Backend> backend =
      live.backend == Backend::automatic ? std::nullopt : std::optional(live.backend);
  built.live = std::make_unique<LiveSimulation>(read_scene_text(scene.string()),
                                                replay_settings(*built.run, live.threads, backend),
                                                built.run->overrides, progress);
}

void Loader::look_at_files() {
  {
    const std::scoped_lock lock(watch_mutex_);
    const bool changed = watch_.changed();
    const bool settled = settling_ && !changed;
    settling_ = changed;
    if (!settled) return;
    // Editors write to a new name and rename: for a moment there is no file.
    if (!is_there(watch_.files().front())) return;
  }
  reload();
}

void Loader::write_watched(const std::function<void()>& write) {
  const std::scoped_lock lock(watch_mutex_);
  write();
  watch_.changed();
}

}  // namespace sinew::viewer
