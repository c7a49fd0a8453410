#include "viewer/window/state_log.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/format.h>
#include <imgui.h>

#include <sinew/errors.hpp>

namespace sinew::viewer {

namespace {

std::string list(const Vec3d& v) {
  return fmt::format("[{},{},{}]", number_text(v.x), number_text(v.y), number_text(v.z));
}

std::string seen(const ScreenMap& screen, const Vec3d& x, double left, double top) {
  const auto place = screen.project(x);
  return place ? fmt::format("[{:.2f},{:.2f}]", (*place)[0] + left, (*place)[1] + top) : "null";
}

const char* yes(bool value) {
  return value ? "true" : "false";
}

}  // namespace

StateLog::StateLog(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {
  if (!file_) throw IoError(path + ": cannot write: " + std::strerror(errno));
}
StateLog::~StateLog() {
  std::fclose(file_);
}

void StateLog::write(const ViewState* state, const Status& status, const std::vector<Message>& messages,
                     const ViewOptions& options, const Hand& hand, const Places& places,
                     const ScreenMap& screen, double left, double top) {
  const double clock =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::string line = fmt::format(
      R"({{"picture":{},"clock":{:.4f},"loading":{},"playing":{},"speed":{},"achieved":{:.4f},"help":{},"panels":{},)",
      ++picture_, clock, yes(status.loading), yes(status.playing), number_text(status.speed),
      status.achieved_speed, yes(options.show_help), yes(options.show_panels));
  line += fmt::format(R"("replaying":{},"replay_result":{},"changed":{},"held":{},)", yes(status.replaying),
                      quoted(status.replay_result), yes(status.scene_changed), hand.grab());
  std::string errors, last;
  for (const Message& message : messages) {
    last = message.text;
    if (message.kind == Message::Kind::error) errors = message.text;
  }
  line += fmt::format(R"("messages":{},"last_message":{},"last_error":{})", messages.size(), quoted(last),
                      quoted(errors));
  line +=
      fmt::format(R"(,"typing":{},"dialog":{},"controls":{{)", yes(ImGui::GetIO().WantTextInput),
                  yes(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)));
  bool first = true;
  for (const auto& [path, place] : places) {
    line += fmt::format("{}{}:[{:.1f},{:.1f}]", first ? "" : ",", quoted(path), place[0], place[1]);
    first = false;
  }
  line += "}";
  if (state) {
    const Model& model = state->scene->model;
    line += fmt::format(
        R"(,"scene":{},"generation":{},"state":{},"frame":{},"steps":{},"time":{},"iterations":{},"contacts":{},"factorizations":{})",
        quoted(state->scene->name), state->scene->generation, state->number, state->frame, state->steps,
        number_text(state->time), state->scene->settings.iterations, state->statistics.active_contacts,
        state->scene->sizes.factorizations);
    line += R"(,"bodies":[)";
    for (std::size_t b = 0; b < state->center_of_mass.size(); ++b)
      line += fmt::format(R"({}{{"name":{},"center":{},"seen":{},"young_modulus":{}}})", b ? "," : "",
                          quoted(model.body(b).name), list(state->center_of_mass[b]),
                          seen(screen, state->center_of_mass[b], left, top),
                          number_text(model.body(b).material.young_modulus));
    line += R"(],"obstacles":[)";
    for (std::size_t o = 0; o < state->obstacle_pose.size(); ++o)
      line += fmt::format(R"({}{{"name":{},"origin":{},"seen":{},"x_axis":{},"force":{}}})", o ? "," : "",
                          quoted(model.obstacle(o).name), list(state->obstacle_pose[o].translation),
                          seen(screen, state->obstacle_pose[o].translation, left, top),
                          list(state->obstacle_pose[o].rotation * Vec3d{1.0, 0.0, 0.0}),
                          list(state->obstacle_wrench[o].force));
    line += R"(],"grabs":[)";
    for (std::size_t g = 0; g < state->grabs.size(); ++g) {
      const GrabView& grab = state->grabs[g];
      line += fmt::format(
          R"({}{{"number":{},"body":{},"point":{},"target":{},"force":{},"compliance":{},"pinned":{},"seen":{},"target_seen":{}}})",
          g ? "," : "", grab.number, quoted(model.body(grab.body).name), list(grab.point), list(grab.target),
          list(grab.force), number_text(grab.compliance), yes(hand.is_pinned(grab.number)),
          seen(screen, grab.point, left, top), seen(screen, grab.target, left, top));
    }
    line += "]";
  }
  line += "}\n";
  std::fwrite(line.data(), 1, line.size(), file_);
  std::fflush(file_);
}

}  // namespace sinew::viewer
