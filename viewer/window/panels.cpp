#include "viewer/window/panels.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

namespace sinew::viewer {

namespace {

constexpr double kMessageSeconds = 10.0;  // without panels, a message stays so long
constexpr float kLeastWindow = 56.0f;     // [font size] narrower ones show the picture alone
constexpr float kLeftWidth = 21.0f, kRightWidth = 23.0f, kLeastWidth = 12.0f;  // in font sizes

/// A window that sticks to one side between the bars; its width is the user's and is remembered.
void begin_side(const char* title, bool right, float top, float height) {
  const ImGuiIO& io = ImGui::GetIO();
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowPos({right ? io.DisplaySize.x : 0.0f, top}, ImGuiCond_Always,
                          {right ? 1.0f : 0.0f, 0.0f});
  ImGui::SetNextWindowSize({font * (right ? kRightWidth : kLeftWidth), height}, ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints({kLeastWidth * font, height},
                                      {std::max(kLeastWidth * font, io.DisplaySize.x * 0.45f), height});
  ImGui::Begin(title, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse);
}

void hint(const char* text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

}  // namespace

Panels::Panels() = default;

void Panels::apply(const PanelInput& input, const std::optional<Edit>& edit) {
  if (edit) input.session->set_parameter(edit->path, edit->value);
}

Wishes Panels::draw(const PanelInput& input, ViewOptions& options) {
  Wishes wishes;
  form_.places().clear();
  if (input.state && input.state->scene->generation != generation_) {
    generation_ = input.state->scene->generation;
    unsettled_ = true;
  }
  const std::uint64_t message = input.messages->empty() ? 0 : input.messages->back().number;
  if (message != last_message_) {
    last_message_ = message;
    message_until_ = ImGui::GetTime() + kMessageSeconds;
    unsettled_ = true;
  }
  if (unsettled_ && !input.status->loading) {
    unsettled_ = false;
    form_.settle();
  }
  const ImGuiIO& io = ImGui::GetIO();
  draw_menu(input, options, wishes);
  const float bar = ImGui::GetFrameHeight();
  area_ = {0.0, bar, io.DisplaySize.x, std::max(1.0f, io.DisplaySize.y - bar)};
  const bool wide = io.DisplaySize.x >= kLeastWindow * ImGui::GetFontSize();
  if (options.show_panels && wide) {
    const float bottom = ImGui::GetTextLineHeightWithSpacing() * 1.6f;
    const float height = std::max(1.0f, io.DisplaySize.y - bar - bottom);
    begin_side("Scene", false, bar, height);
    draw_controls(input, options);
    draw_hand(input, options);
    draw_bodies(input, options);
    draw_obstacles(input, options);
    draw_scene_settings(input);
    const float left = ImGui::GetWindowWidth();
    ImGui::End();
    begin_side("Insight", true, bar, height);
    draw_times(input);
    draw_numbers(input);
    draw_view(input, options);
    draw_inspected(input, options);
    const float right = ImGui::GetWindowWidth();
    ImGui::End();
    ImGui::SetNextWindowPos({0.0f, io.DisplaySize.y - bottom});
    ImGui::SetNextWindowSize({io.DisplaySize.x, bottom});
    ImGui::Begin("Messages##bar", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    draw_messages(input);
    ImGui::End();
    area_ = {left, bar, std::max(1.0f, io.DisplaySize.x - left - right), height};
  } else if (!input.messages->empty() && input.messages->back().kind != Message::Kind::info &&
             ImGui::GetTime() < message_until_) {
    ImGui::SetNextWindowPos({0.0f, io.DisplaySize.y}, ImGuiCond_Always, {0.0f, 1.0f});
    ImGui::Begin("Messages##alone", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    draw_messages(input);
    ImGui::End();
  }
  draw_legend(input, options);
  draw_help(options);
  draw_files(wishes);
  draw_save(input);
  return wishes;
}

void Panels::draw_menu(const PanelInput& input, ViewOptions& options, Wishes& wishes) {
  if (!ImGui::BeginMainMenuBar()) return;
  if (ImGui::BeginMenu("File")) {
    if (ImGui::MenuItem("Open...", "Ctrl+O")) browsing_ = true;
    if (ImGui::MenuItem("Reload", "Ctrl+R", false, input.state != nullptr)) input.session->reload();
    if (ImGui::MenuItem("Save scene as...", "Ctrl+S", false, input.state != nullptr))
      ask_for_scene_name(*input.state);
    if (ImGui::MenuItem("Save recording as...", nullptr, false, input.state != nullptr)) {
      saving_recording_ = saving_ = true;
      file_name_ = input.state->scene->name + ".sinewlog";
    }
    if (ImGui::MenuItem("Save picture", "P")) wishes.screenshot = "";
    ImGui::Separator();
    if (ImGui::MenuItem("Quit", "Ctrl+Q")) wishes.quit = true;
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("View")) {
    if (ImGui::MenuItem("Frame all", "F")) wishes.frame_all = true;
    ImGui::Separator();
    constexpr std::pair<const char*, StandardView> kViews[] = {
        {"Front", StandardView::front}, {"Back", StandardView::back}, {"Left", StandardView::left},
        {"Right", StandardView::right}, {"Top", StandardView::top},   {"Bottom", StandardView::bottom},
        {"Oblique", StandardView::iso}};
    int key = 1;
    for (const auto& [name, view] : kViews)
      if (ImGui::MenuItem(name, std::to_string(key++).c_str())) wishes.view = view;
    ImGui::Separator();
    ImGui::MenuItem("Panels", "Tab", &options.show_panels);
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Help")) {
    ImGui::MenuItem("Keys and mouse", "F1", &options.show_help);
    ImGui::Separator();
    ImGui::TextUnformatted(input.graphics.c_str());
    if (input.state) ImGui::Text("computed by %s", input.state->scene->backend.c_str());
    ImGui::EndMenu();
  }
  const Status& status = *input.status;
  std::string text;
  if (status.loading)
    text = fmt::format("{} ({:.0f} s)", status.loading_what.empty() ? "loading" : status.loading_what,
                       status.loading_seconds);
  else if (status.replaying && input.state)
    text = fmt::format("replaying {} of {}", input.state->steps, status.replay_steps);
  else if (status.scene_changed)
    text = "changed";
  if (text.empty() && input.state && !input.state->statistics.contact_converged)
    text = "contact did not converge in this frame; R resets";
  if (!text.empty()) {
    ImGui::Separator();
    ImGui::TextColored({1.0f, 0.8f, 0.3f, 1.0f}, "%s", text.c_str());
  }
  ImGui::EndMainMenuBar();
}

void Panels::draw_controls(const PanelInput& input, ViewOptions&) {
  const Status& status = *input.status;
  if (input.state) {
    ImGui::TextUnformatted(input.state->scene->name.c_str());
    hint(input.state->scene->path.c_str());
    ImGui::SameLine();
    ImGui::TextDisabled("frame %ld, %.2f s", input.state->frame, input.state->time);
  } else {
    ImGui::TextUnformatted(status.loading ? "loading" : "no scene: File, Open, or drop a file here");
  }
  if (ImGui::Button(status.playing ? "Pause" : "Play")) {
    if (status.playing)
      input.session->pause();
    else
      input.session->play();
  }
  hint("Space");
  ImGui::SameLine();
  if (ImGui::Button("Step")) input.session->step();
  hint("Period: one frame");
  ImGui::SameLine();
  if (ImGui::Button("Reset")) input.session->reset();
  hint("R: back to time 0, bit for bit a fresh start");
  constexpr std::pair<const char*, double> kSpeeds[] = {
      {"1/10", 0.1}, {"1/4", 0.25}, {"1/2", 0.5}, {"real time", 1.0}, {"max", 0.0}};
  bool first = true;
  for (const auto& [name, speed] : kSpeeds) {
    if (!first) ImGui::SameLine(0.0f, ImGui::GetStyle().ItemInnerSpacing.x);
    first = false;
    if (ImGui::RadioButton(name, status.speed == speed)) input.session->set_speed(speed);
  }
  if (status.playing) {
    const bool late = status.speed > 0.0 && status.achieved_speed < 0.95 * status.speed;
    ImGui::TextColored(late ? ImVec4{1.0f, 0.6f, 0.2f, 1.0f} : ImVec4{0.6f, 0.8f, 0.6f, 1.0f},
                       "%.2f of real time, %.0f frames/s%s", status.achieved_speed, status.steps_per_second,
                       late ? ": behind" : "");
  } else {
    ImGui::TextDisabled("paused");
  }
  if (!status.replay_result.empty()) ImGui::TextWrapped("Replay: %s", status.replay_result.c_str());
}

void Panels::draw_hand(const PanelInput& input, ViewOptions& options) {
  if (!ImGui::CollapsingHeader("Hand", ImGuiTreeNodeFlags_DefaultOpen)) return;
  float compliance = static_cast<float>(options.compliance_mm);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.5f);
  if (ImGui::SliderFloat("compliance [mm/N]", &compliance, 0.0f, 1000.0f, "%.4g",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp)) {
    options.compliance_mm = static_cast<double>(compliance);
    if (input.hand->holds() == Hand::Holds::body)
      input.session->set_grab_compliance(input.hand->grab(), options.compliance_mm * 1e-3);
  }
  hint("How far a grab gives way per newton. 0: the point is where the hand is, whatever the body weighs.");
  if (!input.state) return;
  for (const GrabView& grab : input.state->grabs) {
    ImGui::PushID(grab.number);
    if (ImGui::SmallButton("let go")) input.hand->unpin(grab.number);
    ImGui::SameLine();
    ImGui::Text("%s: %s%s", input.state->scene->model.body(grab.body).name.c_str(),
                force_text(norm(grab.force)).c_str(), input.hand->is_pinned(grab.number) ? ", pinned" : "");
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("force (%.4g, %.4g, %.4g) N\n%.4g mm from the hand, compliance %.4g mm/N",
                        grab.force.x, grab.force.y, grab.force.z, 1e3 * norm(grab.target - grab.point),
                        1e3 * grab.compliance);
    float softness = static_cast<float>(1e3 * grab.compliance);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1.0f);
    if (ImGui::SliderFloat("##softness", &softness, 0.0f, 1000.0f, "%.3g mm/N",
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
      input.session->set_grab_compliance(grab.number, 1e-3 * static_cast<double>(softness));
    ImGui::PopID();
  }
  if (input.state->grabs.size() > 1 && ImGui::SmallButton("let go of all")) input.hand->unpin_all();
}

}  // namespace sinew::viewer
