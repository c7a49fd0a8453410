// Builds scenes in a thread of its own: opens, reloads what has changed on disk, prepares changed parameters.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "viewer/session/file_watch.hpp"
#include "viewer/session/live_simulation.hpp"
#include "viewer/session/recorded_run.hpp"

namespace sinew::viewer {

/// What has been built, or why it could not be.
struct Built {
  enum class Kind { scene, parameters };
  Kind kind = Kind::scene;
  std::unique_ptr<LiveSimulation> live;     ///< of a scene
  std::optional<RecordedRun> run;           ///< of a recording: what is to be done with the scene
  bool again = false;                       ///< the scene that was opened before, anew
  std::unique_ptr<PreparedScene> prepared;  ///< of parameters
  std::uint64_t change_of = 0;              ///< number of the scene that the parameters are for
  std::uint64_t number = 0;                 ///< of the request
  std::string error;                        ///< one line; "": it could be built
  double seconds = 0.0;                     ///< what it took
};

/// Of requests only the newest is done: an older one is given up before its next body. A scene that is asked
/// for goes before changes of parameters.
class Loader {
 public:
  struct Settings {
    LiveSettings live;
    std::vector<std::string> overrides;  ///< of every scene
    bool watch = true;
  };
  struct Progress {
    bool loading = false;
    double seconds = 0.0;
    std::string what;
  };
  static constexpr double kWatchSeconds = 0.25;

  /// ready: called in the loader's thread whenever there is something to take.
  Loader(Settings settings, std::function<void()> ready);

  void run();  ///< the loader's thread; returns after stop(), when the build at work has ended
  void stop();

  void open(const std::string& path);
  void replay(const std::string& recording_file);
  void reload();  ///< what is being opened, else what was opened last, else what was asked for last
  void change(Preparation preparation, std::uint64_t change_of);
  std::optional<Built> take();
  Progress progress() const;
  /// Writes files that may be watched: that is no reason to reload.
  void write_watched(const std::function<void()>& write);

 private:
  struct Source {
    std::string path;
    bool recording = false;  ///< else a scene
    friend bool operator==(const Source&, const Source&) = default;
  };
  struct Request {
    Source source;  ///< no path: parameters
    bool again = false;
    Preparation preparation;
    std::uint64_t change_of = 0;
  };
  struct GivenUp {};
  /// [s] A change of parameters that takes longer is given up for a newer one. A shorter one is finished, so
  /// that a slider that is dragged shows what it does.
  static constexpr double kPatience = 0.3;
  void ask(Request request);
  void build(const Request& request, std::uint64_t number);
  /// watch: the files that it comes from, as they are before they are read.
  void load(const Source& source, const PrepareProgress& progress, Built& built, FileWatch& watch);
  void tried(const Source& source, FileWatch watch, bool loaded);
  void do_next(std::unique_lock<std::mutex>& lock);
  bool replaced_by_scene() const;  ///< with the lock
  void look_at_files();

  const Settings settings_;
  const std::function<void()> ready_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Request> waiting_;
  std::uint64_t newest_ = 0;  ///< number of the newest request
  std::vector<Built> built_;
  Source source_;   ///< that reload() and the watch belong to: opened last, or asked for before the first
  Source at_work_;  ///< that is being opened
  bool loaded_ = false;  ///< source_ could be opened
  Progress progress_;
  std::chrono::steady_clock::time_point begin_{};
  bool opening_ = false;  ///< a scene is at work
  bool stopping_ = false;

  std::mutex watch_mutex_;
  FileWatch watch_;
  bool settling_ = false;  ///< changed when last looked at: wait until it is written to the end
};

}  // namespace sinew::viewer
