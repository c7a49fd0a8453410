#include "viewer/session/player.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include <sinew/errors.hpp>

namespace sinew::viewer {

Player::Player(Settings settings, Board& board, Loader& loader, std::atomic<int>& next_grab)
    : settings_(std::move(settings)),
      board_(board),
      loader_(loader),
      next_grab_(next_grab),
      playing_(!settings_.paused) {
  clock_.set_speed(settings_.speed, now());
  report();
}

void Player::run() {
  constexpr std::chrono::seconds kIdle(3600);  // woken by commands and by what the loader has built
  while (!board_.ending()) {
    try {
      turn();
    } catch (const std::exception& error) {  // no memory for a state, for one
      board_.say(Message::Kind::error, fmt::format("paused: {}", error.what()));
      pause();
      changed_ = false;
    }
    report();
    if (!frame_due(now())) board_.wait_until(live_ && playing_ ? clock_.due(now()) : now() + kIdle);
  }
  do_commands();  // files that were to be written during the last frame
  record([&] { recording_->finish(*live_); });
}

void Player::turn() {
  take_built();
  do_commands();
  // What a hand has just taken is seen before the frame that it is for, if that takes long.
  if (changed_ && frame_due(now()) && live_->simulation().statistics().ms.frame > 1e3 * kShowSeconds) show();
  if (frame_due(now())) frame();
  const bool idle = !frame_due(now());
  if (changed_ && (idle || now() - last_shown_ > std::chrono::duration<double>(kShowSeconds))) show();
}

void Player::do_commands() {
  for (const Board::Command& command : board_.take_commands()) {
    try {
      command(*this);
    } catch (const std::exception& error) {
      board_.say(Message::Kind::error, error.what());
    }
  }
}

bool Player::frame_due(Time time) const {
  if (!live_) return false;
  return steps_left_ > 0 || (playing_ && clock_.due(time) <= time);
}

void Player::frame() {
  const double time_step = live_->simulation().settings().time_step;
  try {
    if (replay_) {
      if (!replay_frame()) return;
    } else {
      hands();
      live_->step();
    }
    record([&] { recording_->stepped(*live_); });
  } catch (const std::exception& error) {
    diverged_ = changed_ = true;
    pause();
    board_.say(Message::Kind::error, fmt::format("paused: {}", error.what()));
    apply(FailedEvent{});
    if (replay_) end_replay(fmt::format("ended by an error after {} steps", live_->steps()));
    return;
  }
  diverged_ = false;
  changed_ = true;
  if (steps_left_ > 0) --steps_left_;
  if (playing_) clock_.frame_done(time_step, now());
}

void Player::hands() {
  const double time_step = live_->simulation().settings().time_step;
  for (auto& [number, hand] : hands_)
    if (hand.moving()) apply(TargetEvent{number, hand.advance(time_step)});
  for (auto& [obstacle, hand] : moved_)
    if (hand.moving())
      apply(ObstacleEvent{live_->scene().model.obstacle(obstacle).name, hand.advance(time_step)});
}

bool Player::replay_frame() {
  const bool more = replay_->step(*live_, [&](const Event& event) { took(event); });
  if (more) return true;
  changed_ = true;
  const bool same = !replay_->first_difference() && replay_->not_compared().empty();
  const std::string result = replay_->result();
  board_.say(same ? Message::Kind::info : Message::Kind::warning, "replay: " + result);
  end_replay(result);
  pause();
  return false;
}

void Player::end_replay(const std::string& result) {
  replay_.reset();
  replay_result_ = result;
}

void Player::take_over() {
  if (!replay_) return;
  board_.say(Message::Kind::info,
             fmt::format("replay left after step {} of {}", live_->steps(), replay_steps_));
  end_replay(fmt::format("left after step {} of {}", live_->steps(), replay_steps_));
}

void Player::show() {
  const std::shared_ptr<ViewState> state = pool_.take();
  write_view(*live_, scene_, wants_, *state);
  state->number = ++shown_;
  state->opened = opened_;
  state->resets = resets_;
  state->diverged = diverged_;
  board_.show(state);
  last_shown_ = now();
  changed_ = false;
}

void Player::report() {
  Status status;
  status.playing = playing_;
  status.speed = clock_.speed();
  status.achieved_speed = clock_.achieved_speed();
  status.steps_per_second = clock_.steps_per_second();
  status.replaying = replay_.has_value();
  status.replay_steps = replay_steps_;
  status.replay_result = replay_result_;
  status.scene_changed = live_ && live_->overrides() != saved_;
  board_.set_status(status);
}

bool Player::apply(const Event& event) {
  if (!live_) return false;
  try {
    live_->apply(event);
  } catch (const std::exception& error) {
    board_.say(Message::Kind::error, error.what());
    return false;
  }
  took(event);
  return true;
}

void Player::took(const Event& event) {
  changed_ = true;
  if (std::holds_alternative<ResetEvent>(event)) ++resets_;
  if (std::holds_alternative<ParametersEvent>(event)) {  // of a replay
    wanted_ = live_->overrides();
    scene_ = scene_view(*live_, ++generation_);
  }
  record([&] { recording_->add(*live_, event); });
}

HoldingHand* Player::hand_of(int number) {
  const auto held = live_ ? live_->grabs().find(number) : std::map<int, Grab>::const_iterator{};
  if (!live_ || held == live_->grabs().end()) return nullptr;
  return &hands_.try_emplace(number, HoldingHand(held->second.target, held->second.target)).first->second;
}

std::optional<std::size_t> Player::body_named(const std::string& name) const {
  const Model& model = live_->scene().model;
  for (std::size_t b = 0; b < model.body_count(); ++b)
    if (model.body(b).name == name) return b;
  return std::nullopt;
}

std::optional<Vec3d> Player::place_of(const BodyPoint& point, std::size_t body) const {
  const std::vector<Triangle>& triangles = live_->scene().model.surface_triangles(body);
  const std::vector<Vec3d> points = live_->simulation().surface_points(body);
  const bool there = point.triangle >= 0 ? static_cast<std::size_t>(point.triangle) < triangles.size()
                                         : point.surface_point >= 0 &&
                                               static_cast<std::size_t>(point.surface_point) < points.size();
  return there ? std::optional(viewer::place_of(point, triangles, points)) : std::nullopt;
}

void Player::forget_hands() {
  hands_.clear();
  moved_.clear();
}

double Player::hand_seconds(double wall_seconds) const {
  return std::max(0.0, wall_seconds) * (playing_ ? clock_.pace() : 1.0);
}

}  // namespace sinew::viewer
