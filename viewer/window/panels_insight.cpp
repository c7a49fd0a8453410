// Times, accuracy, what is shown, and the numbers of a picked point.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/live/color_map.hpp"
#include "viewer/window/panels.hpp"

namespace sinew::viewer {

namespace {

ImU32 to_color(const Vec3d& linear) {
  const Vec3d shown = display_color(linear);
  return ImGui::ColorConvertFloat4ToU32(
      {static_cast<float>(shown.x), static_cast<float>(shown.y), static_cast<float>(shown.z), 1.0f});
}

// After Okabe and Ito (2008): told apart by colour-blind eyes too.
constexpr ImU32 kStageColors[kStages] = {IM_COL32(86, 180, 233, 255),  IM_COL32(0, 114, 178, 255),
                                         IM_COL32(0, 158, 115, 255),   IM_COL32(150, 150, 150, 255),
                                         IM_COL32(240, 228, 66, 255),  IM_COL32(213, 94, 0, 255),
                                         IM_COL32(204, 121, 167, 255), IM_COL32(230, 159, 0, 255)};
constexpr ImU32 kRest = IM_COL32(90, 90, 90, 255);

/// 1, 2 or 5 times a power of ten, at least x.
double rounded_up(double x) {
  if (!(x > 0.0)) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double step : {1.0, 2.0, 5.0})
    if (x <= step * power) return step * power;
  return 10.0 * power;
}

void plot_stages(const History& history, double budget_ms) {
  const auto& frames = history.frames();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, 8.0f * ImGui::GetFontSize()};
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, IM_COL32(24, 24, 28, 255));
  const double top = rounded_up(1.1 * history.quantile_ms(0.99));
  const float step = size.x / static_cast<float>(History::kLength);
  const auto height = [&](double ms) {
    return at.y + size.y * (1.0f - static_cast<float>(std::min(1.0, ms / top)));
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const float left = at.x + size.x - step * static_cast<float>(frames.size() - i);
    double sum = 0.0;
    const std::array<double, kStages> stages = stages_of(frames[i].ms);
    for (std::size_t s = 0; s < kStages; ++s) {
      if (stages[s] <= 0.0) continue;
      draw.AddRectFilled({left, height(sum + stages[s])}, {left + step, height(sum)}, kStageColors[s]);
      sum += stages[s];
    }
    if (frames[i].ms.frame > sum)
      draw.AddRectFilled({left, height(frames[i].ms.frame)}, {left + step, height(sum)}, kRest);
  }
  const auto line = [&](double ms, ImU32 color) {
    if (ms > 0.0 && ms < top) draw.AddLine({at.x, height(ms)}, {at.x + size.x, height(ms)}, color);
  };
  line(history.quantile_ms(0.5), IM_COL32(255, 255, 255, 160));
  line(history.quantile_ms(0.99), IM_COL32(255, 120, 120, 200));
  line(budget_ms, IM_COL32(120, 255, 120, 200));
  draw.AddText({at.x + 4.0f, at.y + 2.0f}, IM_COL32(200, 200, 200, 255),
               fmt::format("{:.3g} ms", top).c_str());
  ImGui::Dummy(size);
}

const char* state_name(ContactState state) {
  return state == ContactState::stick ? "sticks" : state == ContactState::slip ? "slips" : "open";
}

void row(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

std::string triple(const Vec3d& v, double factor, const char* unit) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g}) {}", factor * v.x, factor * v.y, factor * v.z, unit);
}

}  // namespace

void Panels::draw_times(const PanelInput& input) {
  if (!ImGui::CollapsingHeader("Time per frame", ImGuiTreeNodeFlags_DefaultOpen)) return;
  const double budget = input.state ? input.state->scene->settings.budget_ms : 0.0;
  plot_stages(*input.history, budget);
  ImGui::Text("median %.2f ms, p99 %.2f ms", input.history->quantile_ms(0.5),
              input.history->quantile_ms(0.99));
  if (input.state) ImGui::Text("real time: %.4g ms", 1e3 * input.state->scene->settings.time_step);
  const std::array<double, kStages> now = input.history->frames().empty()
                                              ? std::array<double, kStages>{}
                                              : stages_of(input.history->frames().back().ms);
  for (std::size_t s = 0; s < kStages; ++s) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = 0.7f * ImGui::GetFontSize();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 0.2f * side}, {at.x + side, at.y + 1.2f * side},
                                              kStageColors[s]);
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    ImGui::Text("%-8s %6.2f", std::string(kStageNames[s]).c_str(), now[s]);
    if (s % 2 == 0 && s + 1 < kStages) ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.5f);
  }
}

void Panels::draw_numbers(const PanelInput& input) {
  if (!input.state || !ImGui::CollapsingHeader("Numbers", ImGuiTreeNodeFlags_DefaultOpen)) return;
  const StepStatistics& s = input.state->statistics;
  if (!ImGui::BeginTable("numbers", 2)) return;
  row("contacts", fmt::format("{} of {} press", s.active_contacts, s.contacts));
  row("deepest penetration", fmt::format("{:.3g} mm", 1e3 * s.max_penetration_m));
  row("creep", fmt::format("{:.3g} m/s", s.max_creep_m_s));
  row("contact law",
      fmt::format("{:.2g} m{}", s.complementarity_residual_m, s.contact_converged ? "" : ", not converged"));
  row("residual", fmt::format("{:.1e}, {} iterations", s.residual, s.iterations));
  row("kinetic energy", fmt::format("{:.4g} J", s.energy.kinetic));
  row("elastic energy", fmt::format("{:.4g} J", s.energy.elastic));
  row("gravity", fmt::format("{:.4g} J", s.energy.gravity));
  row("total", fmt::format("{:.6g} J", s.energy.total()));
  ImGui::EndTable();
}

void Panels::draw_view(const PanelInput& input, ViewOptions& options) {
  if (!ImGui::CollapsingHeader("Show", ImGuiTreeNodeFlags_DefaultOpen)) return;
  ImGui::Checkbox("contact forces", &options.contacts);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("C; green sticks, orange slips");
  ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.5f);
  ImGui::Checkbox("contact normals", &options.normals);
  ImGui::Checkbox("wireframe", &options.wireframe);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.5f);
  ImGui::Checkbox("shadows", &options.shadows);
  ImGui::Checkbox("centres of mass", &options.centers);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x * 0.5f);
  ImGui::Checkbox("obstacle forces", &options.obstacle_forces);
  if (options.contacts) {
    float factor = static_cast<float>(options.arrow_factor);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.5f);
    if (ImGui::SliderFloat("length of arrows", &factor, 0.1f, 10.0f, "%.2g", ImGuiSliderFlags_Logarithmic))
      options.arrow_factor = static_cast<double>(factor);
    if (input.arrow_length > 0.0) ImGui::TextDisabled("%.3g mm per newton", 1e3 * input.arrow_length);
  }
  constexpr const char* kNone = "body";
  const ShownQuantity* chosen = find_quantity(options.color_by);
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.6f);
  if (ImGui::BeginCombo("colour", chosen ? chosen->name : kNone)) {
    if (ImGui::Selectable(kNone, !chosen)) options.color_by.reset();
    for (const ShownQuantity& shown : kQuantities)
      if (ImGui::Selectable(shown.name, &shown == chosen)) options.color_by = shown.quantity;
    ImGui::EndCombo();
  }
  if (options.color_by) {
    ImGui::Checkbox("range by itself", &options.automatic_range);
    if (!options.automatic_range) {
      ImGui::InputDouble("lowest", &options.range_min, 0.0, 0.0, "%.4g");
      ImGui::InputDouble("highest", &options.range_max, 0.0, 0.0, "%.4g");
    }
  }
  ImGui::Checkbox("cut", &options.cut);
  if (options.cut) {
    ImGui::SameLine();
    ImGui::Checkbox("whole tetrahedra", &options.cut_whole);
    for (int axis = 0; axis < 3; ++axis) {
      if (axis > 0) ImGui::SameLine();
      ImGui::RadioButton(std::string(1, static_cast<char>('x' + axis)).c_str(), &options.cut_axis, axis);
    }
    ImGui::SameLine();
    ImGui::Checkbox("other side", &options.cut_flip);
    float place = static_cast<float>(options.cut_place);
    if (ImGui::SliderFloat("place", &place, 0.0f, 1.0f, "%.3f"))
      options.cut_place = static_cast<double>(place);
  }
}

void Panels::draw_inspected(const PanelInput& input, ViewOptions& options) {
  if (!ImGui::CollapsingHeader("Picked", ImGuiTreeNodeFlags_DefaultOpen)) return;
  if (!input.state || !options.inspected) {
    ImGui::TextDisabled("Alt + click or I: a point or a contact");
    return;
  }
  const ViewState& state = *input.state;
  const Inspected& picked = *options.inspected;
  const Model& model = state.scene->model;
  if (!ImGui::BeginTable("picked", 2)) return;
  if (picked.contact) {
    const ContactForce* c = nearest_contact(state, picked.position);
    if (!c) {
      row("contact", "gone");
    } else {
      const std::string other = c->obstacle >= 0 ? model.obstacle(static_cast<std::size_t>(c->obstacle)).name
                                                 : model.body(static_cast<std::size_t>(c->other_body)).name;
      row("contact", fmt::format("{} on {}, {}", model.body(static_cast<std::size_t>(c->body)).name, other,
                                 state_name(c->state)));
      row("position", triple(c->position, 1.0, "m"));
      row("normal", triple(c->normal, 1.0, ""));
      row("gap", fmt::format("{:.4g} mm", 1e3 * c->gap));
      row("normal force", force_text(c->normal_force));
      row("tangential force", triple(c->tangential_force, 1.0, "N"));
      row("friction mu", fmt::format("{:.3g}, {:.3g} of it used", c->friction,
                                     c->friction * c->normal_force > 0.0
                                         ? norm(c->tangential_force) / (c->friction * c->normal_force)
                                         : 0.0));
      row("slip in this frame", fmt::format("{:.3g} mm", 1e3 * norm(c->slip)));
    }
  } else {
    const auto point = static_cast<std::size_t>(picked.surface_point);
    row("body", model.body(picked.body).name);
    row("surface point", std::to_string(picked.surface_point));
    row("position", triple(picked.position, 1.0, "m"));
    if (options.color_by && state.quantity == options.color_by && picked.body < state.values.size() &&
        point < state.values[picked.body].size())
      row(find_quantity(options.color_by)->name,
          fmt::format("{:.5g} {}", state.values[picked.body][point], find_quantity(options.color_by)->unit));
    for (const ContactForce& c : state.contacts)
      if (c.body == static_cast<Index>(picked.body) && c.surface_point == picked.surface_point)
        row("contact", fmt::format("{}, {}", force_text(c.normal_force), state_name(c.state)));
  }
  ImGui::EndTable();
  if (ImGui::SmallButton("clear")) options.inspected.reset();
}

void Panels::draw_messages(const PanelInput& input) {
  const std::vector<Message>& messages = *input.messages;
  if (messages.empty()) {
    ImGui::TextDisabled("F1: keys and mouse");
    return;
  }
  const Message& last = messages.back();
  const ImVec4 color = last.kind == Message::Kind::error     ? ImVec4{1.0f, 0.45f, 0.4f, 1.0f}
                       : last.kind == Message::Kind::warning ? ImVec4{1.0f, 0.8f, 0.3f, 1.0f}
                                                             : ImVec4{0.8f, 0.8f, 0.8f, 1.0f};
  ImGui::TextColored(color, "%s", last.text.c_str());
  if (ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    const std::size_t first = messages.size() > 20 ? messages.size() - 20 : 0;
    for (std::size_t i = first; i < messages.size(); ++i)
      ImGui::Text("%7.1f s  %s", messages[i].seconds, messages[i].text.c_str());
    ImGui::EndTooltip();
  }
}

void Panels::draw_legend(const PanelInput& input, const ViewOptions& options) {
  if (!input.state || !options.color_by || input.state->quantity != options.color_by) return;
  const ValueRange range = value_range(*input.state, options);
  ImDrawList& draw = *ImGui::GetBackgroundDrawList();
  const float font = ImGui::GetFontSize();
  const float width = 14.0f * font, height = 0.8f * font;
  const float left = static_cast<float>(area_.left + 0.5 * area_.width) - 0.5f * width;
  const float top = static_cast<float>(area_.top + area_.height) - 3.5f * font;
  constexpr int kSteps = 64;
  for (int i = 0; i < kSteps; ++i)
    draw.AddRectFilled({left + width * static_cast<float>(i) / kSteps, top},
                       {left + width * static_cast<float>(i + 1) / kSteps, top + height},
                       to_color(color_of((i + 0.5) / kSteps)));
  const auto text = [&](float x, float align, float y, const std::string& s) {
    const float w = ImGui::CalcTextSize(s.c_str()).x;
    draw.AddText({x - align * w + 1.0f, y + 1.0f}, IM_COL32(0, 0, 0, 180), s.c_str());
    draw.AddText({x - align * w, y}, IM_COL32(255, 255, 255, 255), s.c_str());
  };
  text(left, 0.0f, top + height, fmt::format("{:.3g}", range.min));
  text(left + width, 1.0f, top + height, fmt::format("{:.3g}", range.max));
  text(left + 0.5f * width, 0.5f, top - 1.3f * font,
       fmt::format("{} [{}]", find_quantity(options.color_by)->name, find_quantity(options.color_by)->unit));
}

}  // namespace sinew::viewer
