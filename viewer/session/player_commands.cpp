// What the window asks of the scene that runs: hands, time, what it wants to see.
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "viewer/session/player.hpp"

namespace sinew::viewer {

void Player::grab(int number, const BodyPoint& point, const Vec3d& target, double compliance) {
  if (!live_) return;
  take_over();
  BodyPoint held = point;
  const std::optional<std::size_t> body = body_named(point.body);
  if (body && point.nearest_to) held = live_->simulation().nearest_surface_point(*body, *point.nearest_to);
  const std::optional<Vec3d> place = body ? place_of(held, *body) : std::nullopt;
  const HoldingHand hand(target, place.value_or(target));
  if (apply(GrabEvent{number, held, hand.start(), compliance})) hands_.emplace(number, hand);
}

// What is held may be gone (a reset, another scene) while the hand does not know yet: that is no error.
void Player::move_grab(int number, const Vec3d& target, double seconds) {
  HoldingHand* hand = hand_of(number);
  if (!hand || !(squared_norm(target) < std::numeric_limits<double>::infinity())) return;
  take_over();
  hand->go(target, hand_seconds(seconds));
}

void Player::set_grab_compliance(int number, double compliance) {
  if (!hand_of(number)) return;
  take_over();
  apply(ComplianceEvent{number, compliance});
}

void Player::release_grab(int number) {
  if (!hand_of(number)) return;
  take_over();
  if (apply(ReleaseEvent{number})) hands_.erase(number);
}

void Player::release_all() {
  if (!live_) return;
  const std::map<int, Grab> held = live_->grabs();
  for (const auto& [number, grab] : held) release_grab(number);
}

void Player::move_obstacle(std::size_t obstacle, const Pose& pose, double seconds) {
  if (!live_ || obstacle >= live_->scene().model.obstacle_count()) return;
  const ObstacleSpec& spec = live_->scene().model.obstacle(obstacle);
  if (!spec.movable) {
    if (fixed_.insert(spec.name).second)
      board_.say(Message::Kind::error,
                 fmt::format("obstacle '{}' is not movable; give it \"movable\": true", spec.name));
    return;
  }
  take_over();
  const HandPath<Pose> from(live_->simulation().obstacle_pose(obstacle));
  moved_.try_emplace(obstacle, from).first->second.go(pose, hand_seconds(seconds));
}

void Player::play() {
  playing_ = true;
  steps_left_ = 0;
  clock_.start(now());
}

void Player::pause() {
  playing_ = false;
  steps_left_ = 0;
  clock_.stop();
}

void Player::step(int frames) {
  if (playing_) pause();
  steps_left_ += std::max(0, frames);
}

void Player::reset() {
  if (!live_) return;
  take_over();
  if (!apply(ResetEvent{})) return;
  forget_hands();
  steps_left_ = 0;
  diverged_ = false;
  if (playing_) clock_.start(now());
}

void Player::set_speed(double speed) {
  if (speed >= 0.0 && speed <= kMostSpeed)
    clock_.set_speed(speed, now());
  else
    board_.say(Message::Kind::error, fmt::format("speed {}: give a number from 0 to {}", speed, kMostSpeed));
}

void Player::want_nodes(bool wanted) {
  wants_.nodes = wanted;
  changed_ = live_ != nullptr;
}

void Player::want_values(std::optional<SurfaceQuantity> quantity) {
  wants_.values = quantity;
  changed_ = live_ != nullptr;
}

}  // namespace sinew::viewer
