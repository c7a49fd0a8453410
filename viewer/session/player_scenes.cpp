// Scenes that come from the loader, their parameters, and files that are written.
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/same_file.hpp"
#include "viewer/session/player.hpp"

namespace sinew::viewer {

namespace {
/// The name of the n-th recording: "hand.log", "hand-2.log", "hand-3.log": none is lost. Of the second on,
/// names that are in use are passed over: n is the number that was taken.
std::string numbered(const std::string& file, int& n) {
  if (n <= 1 || file.empty()) return file;
  const std::filesystem::path path(file);
  for (;; ++n) {
    const std::string name = fmt::format("{}-{}{}", path.stem().string(), n, path.extension().string());
    const std::filesystem::path next = path.parent_path() / name;
    std::error_code code;
    if (!std::filesystem::exists(next, code)) return next.string();
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}
}  // namespace

void Player::take_built() {
  while (std::optional<Built> built = loader_.take()) {
    if (!built->error.empty()) {
      board_.say(Message::Kind::error, built->error);
      if (!live_) continue;
      if (built->kind == Built::Kind::parameters)
        wanted_ = live_->overrides();
      else if (!replay_ && wanted_ != live_->overrides())
        ask_for_parameters();  // they waited for the scene that does not come
    } else if (built->kind == Built::Kind::scene) {
      start_scene(std::move(*built));
    } else if (live_ && built->change_of == opened_) {
      swap_parameters(std::move(*built));
    }
  }
}

void Player::start_scene(Built built) {
  record([&] { recording_->finish(*live_); });
  const bool again = built.again && scene_ && scene_->path == built.live->scene().path;
  const bool lost = again && live_->overrides() != saved_;
  const bool go_on = again && !diverged_ ? playing_ : !settings_.paused;
  forget_hands();
  fixed_.clear();
  live_ = std::move(built.live);
  begin_replay(std::move(built.run));
  ++opened_;
  scene_ = scene_view(*live_, ++generation_);
  wanted_ = saved_ = live_->first_overrides();
  diverged_ = false;
  changed_ = true;
  begin_recording();
  for (const std::string& warning : scene_->warnings) board_.say(Message::Kind::warning, warning);
  board_.say(Message::Kind::info,
             fmt::format("{} {} in {:.2f} s", scene_->path, again ? "reloaded" : "opened", built.seconds));
  if (lost)
    board_.say(Message::Kind::warning, "parameters that were changed here are those of the file again");
  if (go_on)
    play();
  else
    pause();
}

void Player::begin_replay(std::optional<RecordedRun> run) {
  replay_.reset();
  replay_steps_ = 0;
  replay_result_.clear();
  if (!run) return;
  for (const RecordedRun::Entry& entry : run->entries) {
    const GrabEvent* grab = entry.event ? std::get_if<GrabEvent>(&*entry.event) : nullptr;
    if (grab && grab->number >= next_grab_) next_grab_ = grab->number + 1;
  }
  replay_steps_ = run->steps;
  replay_.emplace(std::move(*run), *live_);
}

void Player::swap_parameters(Built built) {
  const ParametersEvent event{built.prepared->overrides};
  const std::vector<std::string> before = scene_->warnings;
  try {
    live_->swap(std::move(built.prepared));
  } catch (const std::exception& error) {
    board_.say(Message::Kind::error, error.what());
    wanted_ = live_->overrides();
    return;
  }
  record([&] { recording_->add(*live_, event); });
  std::erase_if(hands_, [&](const auto& hand) { return !live_->grabs().contains(hand.first); });
  std::erase_if(moved_,
                [&](const auto& hand) { return hand.first >= live_->scene().model.obstacle_count(); });
  scene_ = scene_view(*live_, ++generation_);
  for (const std::string& warning : scene_->warnings)
    if (std::find(before.begin(), before.end(), warning) == before.end())
      board_.say(Message::Kind::warning, warning);
  diverged_ = false;
  changed_ = true;
}

void Player::begin_recording() {
  recording_.reset();
  ++recordings_;
  try {
    recording_ = std::make_unique<Recording>(*live_, numbered(settings_.record_file, recordings_));
  } catch (const IoError& error) {
    board_.say(Message::Kind::error, error.what());
    recording_ = std::make_unique<Recording>(*live_);
  }
}

void Player::set_parameter(const std::string& path, const std::string& value) {
  if (!live_) return;
  const std::string begin = path + "=";
  std::erase_if(wanted_, [&](const std::string& text) { return text.rfind(begin, 0) == 0; });
  wanted_.push_back(begin + value);
  ask_for_parameters();
}

void Player::revert_parameters() {
  if (!live_) return;
  wanted_ = saved_;
  ask_for_parameters();
}

void Player::ask_for_parameters() {
  take_over();
  loader_.change(live_->preparation(wanted_), opened_);
}

void Player::save_scene(const std::string& path) {
  if (!live_) return;
  try {
    JsonNode tree = live_->tree();
    move_mesh_files(tree, live_->text().base_folder, folder_of(path));
    loader_.write_watched([&] { write_file_atomically(path, write_scene_text(tree)); });
  } catch (const std::exception& error) {
    board_.say(Message::Kind::error, error.what());
    return;
  }
  if (same_file(path, scene_->path)) saved_ = live_->overrides();
  board_.say(Message::Kind::info, fmt::format("scene written to {}", path));
}

void Player::save_recording(const std::string& path) {
  if (!recording_) return;
  if (!recording_->file().empty() && same_file(path, recording_->file())) {
    board_.say(Message::Kind::info, fmt::format("{} is being recorded: all steps are there anyway", path));
    return;
  }
  try {
    write_file_atomically(path, recording_->text(*live_));
  } catch (const std::exception& error) {
    board_.say(Message::Kind::error, error.what());
    return;
  }
  board_.say(Message::Kind::info, fmt::format("{} steps written to {}", live_->steps(), path));
}

}  // namespace sinew::viewer
