#include "viewer/session/session.hpp"

#include <sys/resource.h>

#include <atomic>
#include <thread>
#include <utility>

#include "viewer/session/player.hpp"

namespace sinew::viewer {

namespace {
/// Threads of this one, and those that they start, give way to the window's where cores are scarce.
void stand_back() {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux: of the calling thread
}
}  // namespace

/// Outlives the session where a thread does.
class Session::Core {
 public:
  explicit Core(const Options& options)
      : loader_({{options.backend, options.hybrid, options.threads}, options.overrides, options.watch},
                [this] { board_.wake(); }),
        player_({options.overrides, options.paused, options.speed, options.record_file}, board_, loader_,
                next_grab_) {}

  static void start(const std::shared_ptr<Core>& core) {
    core->board_.threads_begin(2);
    core->threads_[0] = std::thread([core] {
      stand_back();
      core->player_.run();
      core->board_.thread_ends();
    });
    core->threads_[1] = std::thread([core] {
      stand_back();
      core->loader_.run();
      core->board_.thread_ends();
    });
  }

  bool end(double seconds) {
    board_.ask_to_end();
    loader_.stop();
    if (!board_.wait_for_threads(seconds)) return false;
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
    return true;
  }
  void leave() {
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.detach();
  }

  template <class F>
  void post(F command, bool at_end = false) {
    board_.post(std::move(command), at_end);
  }
  Board board_;
  Loader loader_;
  std::atomic<int> next_grab_{1};

 private:
  Player player_;
  std::thread threads_[2];
};

Session::Session(Options options) : core_(std::make_shared<Core>(options)) {
  Core::start(core_);
}

Session::~Session() {
  if (!end(0.5)) core_->leave();
}

bool Session::end(double seconds) {
  return core_->end(seconds);
}

void Session::open(const std::string& path) {
  core_->loader_.open(path);
}
void Session::replay(const std::string& recording_file) {
  core_->loader_.replay(recording_file);
}
void Session::reload() {
  core_->loader_.reload();
}

std::shared_ptr<const ViewState> Session::latest() const {
  return core_->board_.latest();
}
Status Session::status() const {
  Status status = core_->board_.status();
  const Loader::Progress progress = core_->loader_.progress();
  status.loading = progress.loading;
  status.loading_seconds = progress.seconds;
  status.loading_what = progress.what;
  return status;
}
std::vector<Message> Session::messages() const {
  return core_->board_.messages();
}
void Session::want_nodes(bool wanted) {
  core_->post([=](Player& player) { player.want_nodes(wanted); });
}
void Session::want_values(std::optional<SurfaceQuantity> quantity) {
  core_->post([=](Player& player) { player.want_values(quantity); });
}

int Session::grab(const BodyPoint& point, const Vec3d& target, double compliance) {
  const int number = core_->next_grab_++;
  core_->post([=](Player& player) { player.grab(number, point, target, compliance); });
  return number;
}
void Session::move_grab(int number, const Vec3d& target, double seconds) {
  core_->post([=](Player& player) { player.move_grab(number, target, seconds); });
}
void Session::set_grab_compliance(int number, double compliance) {
  core_->post([=](Player& player) { player.set_grab_compliance(number, compliance); });
}
void Session::release_grab(int number) {
  core_->post([=](Player& player) { player.release_grab(number); });
}
void Session::release_all() {
  core_->post([](Player& player) { player.release_all(); });
}
void Session::move_obstacle(std::size_t obstacle, const Pose& pose, double seconds) {
  core_->post([=](Player& player) { player.move_obstacle(obstacle, pose, seconds); });
}

void Session::play() {
  core_->post([](Player& player) { player.play(); });
}
void Session::pause() {
  core_->post([](Player& player) { player.pause(); });
}
void Session::step(int frames) {
  core_->post([=](Player& player) { player.step(frames); });
}
void Session::reset() {
  core_->post([](Player& player) { player.reset(); });
}
void Session::set_speed(double speed) {
  core_->post([=](Player& player) { player.set_speed(speed); });
}

void Session::set_parameter(const std::string& path, const std::string& value) {
  core_->post([=](Player& player) { player.set_parameter(path, value); });
}
void Session::revert_parameters() {
  core_->post([](Player& player) { player.revert_parameters(); });
}
void Session::save_scene(const std::string& path) {
  core_->post([=](Player& player) { player.save_scene(path); }, true);
}
void Session::save_recording(const std::string& path) {
  core_->post([=](Player& player) { player.save_recording(path); }, true);
}

}  // namespace sinew::viewer
