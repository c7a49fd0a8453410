#include "viewer/window/form.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "engine/scene/scene_text.hpp"

namespace sinew::viewer {

namespace {

using Kind = ValueForm::Kind;

std::string tooltip(const Key& key, const std::string& path) {
  std::string text = key.text;
  const std::string bounds = bounds_text(key);
  if (!bounds.empty()) text += "\nBounds: " + bounds;
  if (!key.default_value.empty()) text += "\nBy default: " + key.default_value;
  return text + "\n" + path;
}

void explain(const Key& key, const std::string& path) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28.0f);
  ImGui::TextUnformatted(tooltip(key, path).c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// Smallest number that a control may give: open bounds are left out by a little.
double lowest(const ValueBounds& bounds) {
  if (!bounds.min_open) return bounds.min;
  return bounds.min + std::max(1e-12, std::abs(bounds.min) * 1e-12);
}

bool drag_number(const char* label, double* values, int count, const Key& key) {
  double largest = 0.0;
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::abs(values[i]));
  const float speed = static_cast<float>(std::max(largest, 1e-3) * 0.01);
  const double low = lowest(key.bounds), high = key.bounds.max;
  return ImGui::DragScalarN(label, ImGuiDataType_Double, values, count, speed,
                            std::isfinite(low) ? &low : nullptr, std::isfinite(high) ? &high : nullptr,
                            "%.6g");  // typed values are checked with the scene, and told
}

JsonNode number_node(double value) {
  JsonNode node;
  node.kind = JsonNode::Kind::number;
  node.number = value;
  return node;
}

bool is_simple(Kind kind) {
  return kind == Kind::boolean || kind == Kind::integer || kind == Kind::number || kind == Kind::text ||
         kind == Kind::vector3;
}

}  // namespace

void note_place(Places& places, const std::string& path, bool left_end) {
  if (!ImGui::IsItemVisible()) return;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const double middle_y = 0.5 * static_cast<double>(min.y + max.y);
  const double x = left_end ? static_cast<double>(min.x) + 0.5 * static_cast<double>(max.y - min.y)
                            : static_cast<double>(min.x) + 0.2 * static_cast<double>(max.x - min.x);
  places[path] = {x, middle_y};
}

void Form::settle() {
  std::erase_if(pending_, [&](const auto& pending) { return pending.first != active_; });
}

std::optional<Edit> Form::draw_key(const Key& key, const JsonNode* value, const std::string& path) {
  const Kind kind = key.forms.front().kind;
  JsonNode now;
  if (const auto found = pending_.find(path); found != pending_.end())
    now = found->second;
  else if (value)
    now = *value;
  else
    now = parse_override_value(key.default_value, -1);
  const std::string unit = key.unit_name.empty() || key.unit_name == "1"
                               ? key.name
                               : fmt::format("{} [{}]", key.name, key.unit_name);
  const std::string label = unit + "##" + path;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.45f);
  bool edited = false, finished = false;
  switch (kind) {
    case Kind::boolean:
      finished = ImGui::Checkbox(label.c_str(), &now.boolean);
      now.kind = JsonNode::Kind::boolean;
      break;
    case Kind::integer: {
      double number = now.number;
      const double low = key.bounds.min, high = key.bounds.max;
      edited = ImGui::DragScalar(label.c_str(), ImGuiDataType_Double, &number, 0.1f,
                                 std::isfinite(low) ? &low : nullptr, std::isfinite(high) ? &high : nullptr,
                                 "%.0f");
      now = number_node(std::round(number));
      finished = ImGui::IsItemDeactivatedAfterEdit();
      break;
    }
    case Kind::number:
      if (now.kind != JsonNode::Kind::number) return std::nullopt;  // in another of its forms
      edited = drag_number(label.c_str(), &now.number, 1, key);
      finished = ImGui::IsItemDeactivatedAfterEdit();
      break;
    case Kind::vector3: {
      if (now.kind != JsonNode::Kind::list || now.items.size() != 3) return std::nullopt;
      double numbers[3] = {now.items[0].number, now.items[1].number, now.items[2].number};
      edited = drag_number(label.c_str(), numbers, 3, key);
      finished = ImGui::IsItemDeactivatedAfterEdit();
      for (int i = 0; i < 3; ++i) now.items[static_cast<std::size_t>(i)] = number_node(numbers[i]);
      break;
    }
    case Kind::text: {
      if (key.choices.empty()) return std::nullopt;
      if (ImGui::BeginCombo(label.c_str(), now.text.c_str())) {
        for (const std::string& choice : key.choices)
          if (ImGui::Selectable(choice.c_str(), choice == now.text) && choice != now.text) {
            now.text = choice;
            finished = true;
          }
        ImGui::EndCombo();
      }
      now.kind = JsonNode::Kind::text;
      break;
    }
    default:
      return std::nullopt;
  }
  note_place(places_, path, false);
  if (ImGui::IsItemActive())
    active_ = path;
  else if (active_ == path)
    active_.clear();
  explain(key, path);
  if (edited || finished) pending_[path] = now;
  if (!finished) return std::nullopt;
  return Edit{path, write_json_line(now)};
}

std::optional<Edit> Form::draw(const ObjectType& type, const JsonNode* node, const std::string& path) {
  std::optional<Edit> edit;
  for (const Key& key : type.keys) {
    const std::string key_path = join_path(path, key.name);
    const JsonNode* value = node ? node->find(key.name) : nullptr;
    const ValueForm& form = key.forms.front();
    std::optional<Edit> here;
    if (form.kind == Kind::object && form.object) {
      // Objects that the scene leaves out are offered where all of their keys have defaults.
      const bool optional = std::none_of(form.object->keys.begin(), form.object->keys.end(),
                                         [](const Key& k) { return k.required; });
      if (!value && (!optional || !form.object->choices.empty() || form.object->keys.empty())) continue;
      if (value && value->kind != JsonNode::Kind::object) continue;
      const bool open = ImGui::TreeNode((key.name + "##" + key_path).c_str());
      note_place(places_, key_path, true);
      if (open) {
        here = draw(*form.object, value, key_path);
        ImGui::TreePop();
      }
    } else if (is_simple(form.kind) && (value || !key.default_value.empty())) {
      here = draw_key(key, value, key_path);
    }
    if (here) edit = here;
  }
  return edit;
}

}  // namespace sinew::viewer
