// Scenes and waiting for tests of sessions. Everything is judged by states; time only bounds the waiting.
#pragma once

#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "viewer/session/session.hpp"

namespace sinew::test {

inline void write_text(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
}

/// A cube of a given mass, `edge` wide; without gravity and obstacles unless they are in `more`.
inline std::string cube(const std::string& name, double edge, double mass, const Vec3d& at, int cells = 4) {
  const auto number = [](double value) { return std::to_string(value); };
  const std::string size = number(edge), count = std::to_string(cells);
  return R"({"name": ")" + name + R"(", "mesh": {"generate": "block", "size_x": )" + size +
         R"(, "size_y": )" + size + R"(, "size_z": )" + size + R"(, "cells_x": )" + count +
         R"(, "cells_y": )" + count + R"(, "cells_z": )" + count + R"(}, "transform": {"translate": [)" +
         number(at.x) + ", " + number(at.y) + ", " + number(at.z) + R"(]}, "density": )" +
         number(mass / (edge * edge * edge)) +
         R"(, "material": {"young_modulus": 1e5, "poisson_ratio": 0.4}})";
}

/// 1 g and 10 kg, far apart.
inline std::string two_cubes(const std::string& gravity) {
  return R"({"simulation": {"gravity": )" + gravity + R"(}, "bodies": [)" +
         cube("light", 0.02, 1e-3, {0, 0, 0}) + ", " + cube("heavy", 0.1, 10.0, {1, 0, 0}) + "]}";
}

/// A cube that falls on the floor, beside a ball that can be moved.
inline std::string falling_cube(int cells = 4) {
  return R"({
    "bodies": [)" +
         cube("cube", 0.1, 1.0, {0, 0, 0.06}, cells) + R"(],
    "obstacles": [{"name": "floor", "shape": {"half_space": {}}},
                  {"name": "pusher", "shape": {"sphere": {"radius": 0.05}}, "position": [0.2, 0, 0.05], "movable": true}]
  })";
}

inline constexpr std::chrono::seconds kPatience(60);

/// All messages, to be shown where a test waits in vain.
inline std::string told(const viewer::Session& session) {
  std::string text;
  for (const viewer::Message& message : session.messages()) text += message.text + "\n";
  return text.empty() ? "no messages" : text;
}

using StateTest = std::function<bool(const viewer::ViewState&)>;

/// The first state that passes; waiting in vain fails the test.
inline std::shared_ptr<const viewer::ViewState> wait_for(const viewer::Session& session,
                                                         const StateTest& test) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < give_up) {
    std::shared_ptr<const viewer::ViewState> state = session.latest();
    if (state && test(*state)) return state;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  FAIL("no such state in time\n" << told(session));
  return nullptr;
}

inline viewer::Status wait_for_status(const viewer::Session& session,
                                      const std::function<bool(const viewer::Status&)>& test) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < give_up) {
    const viewer::Status status = session.status();
    if (test(status)) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  FAIL("no such status in time\n" << told(session));
  return {};
}

/// The first message of a kind that contains the text.
inline std::string wait_for_message(const viewer::Session& session, viewer::Message::Kind kind,
                                    const std::string& part) {
  std::string found;
  wait_for_status(session, [&](const viewer::Status&) {
    for (const viewer::Message& message : session.messages())
      if (found.empty() && message.kind == kind && message.text.find(part) != std::string::npos)
        found = message.text;
    return !found.empty();
  });
  return found;
}

inline std::shared_ptr<const viewer::ViewState> wait_for_steps(const viewer::Session& session, long steps) {
  return wait_for(session, [=](const viewer::ViewState& state) { return state.steps == steps; });
}

/// The middle of a cube's top.
inline BodyPoint highest_point(const viewer::ViewState& state, std::size_t body) {
  const std::vector<Vec3d>& points = state.points[body];
  const Vec3d center = state.center_of_mass[body];
  const auto place = [&](std::size_t i) {
    return points[i].z - 0.01 * std::hypot(points[i].x - center.x, points[i].y - center.y);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (place(i) > place(best)) best = i;
  BodyPoint point;
  point.body = state.scene->model.body(body).name;
  point.surface_point = static_cast<Index>(best);
  return point;
}
inline Vec3d at(const viewer::ViewState& state, std::size_t body, const BodyPoint& point) {
  return state.points[body][static_cast<std::size_t>(point.surface_point)];
}

/// Options for tests: one thread, waiting for step() and play().
inline viewer::Session::Options paused() {
  viewer::Session::Options options;
  options.backend = Backend::cpu;
  options.threads = 1;
  options.paused = true;
  options.watch = false;
  return options;
}

}  // namespace sinew::test
