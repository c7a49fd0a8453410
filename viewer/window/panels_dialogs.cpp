// Help, choice of a file, name of a file.
#include <algorithm>
#include <filesystem>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "viewer/window/panels.hpp"

namespace sinew::viewer {

namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, const char*> kHelp[] = {
    {"Left button on a body", "take it: the point under the cursor follows the hand"},
    {"  wheel meanwhile", "nearer, farther"},
    {"  Shift when letting go", "pin it where it is; take the mark again to move it"},
    {"Left button on a movable obstacle", "move it; with Ctrl turn it"},
    {"Left button elsewhere, right button", "turn the view"},
    {"Middle button", "shift the view"},
    {"Wheel", "zoom towards the cursor"},
    {"Alt + click, or I", "numbers of a point or a contact"},
    {"", ""},
    {"Space", "play, pause"},
    {"Period", "one frame"},
    {"R", "reset to time 0"},
    {"[  ]", "slower, faster"},
    {"Backspace", "let go of all"},
    {"F", "frame all"},
    {"1 to 7", "front, back, left, right, top, bottom, oblique"},
    {"C  N  M  W  X", "contact forces, normals, colour map, wireframe, cut"},
    {"P", "save a picture"},
    {"Ctrl + O, R, S, Q", "open, reload, save the scene, quit"},
    {"Tab", "panels"},
    {"F1", "this page"}};

bool escape_pressed() {
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
}

bool is_scene(const fs::path& path) {
  return path.extension() == ".json" || path.extension() == ".sinewlog";
}

}  // namespace

void Panels::draw_help(ViewOptions& options) {
  if (!options.show_help) return;
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetNextWindowPos({io.DisplaySize.x * 0.5f, io.DisplaySize.y * 0.5f}, ImGuiCond_Appearing,
                          {0.5f, 0.5f});
  if (ImGui::Begin("Keys and mouse", &options.show_help,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
      for (const auto& [key, what] : kHelp) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(key);
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(what);
      }
      ImGui::EndTable();
    }
  }
  ImGui::End();
}

void Panels::draw_files(Wishes& wishes) {
  if (browsing_) {
    browsing_ = false;
    ImGui::OpenPopup("Open a scene or a recording");
  }
  ImGui::SetNextWindowSize({36.0f * ImGui::GetFontSize(), 26.0f * ImGui::GetFontSize()}, ImGuiCond_Appearing);
  bool open = true;
  if (!ImGui::BeginPopupModal("Open a scene or a recording", &open, ImGuiWindowFlags_NoSavedSettings)) return;
  std::error_code code;
  const fs::path folder = fs::absolute(folder_, code);
  ImGui::TextWrapped("%s", folder.lexically_normal().c_str());
  std::vector<fs::path> folders, files;
  // Neither a folder that cannot be read nor an entry that goes away meanwhile is an error here.
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, code), end;
       !code && it != end; it.increment(code)) {
    std::error_code of_entry;
    if (it->path().filename().string().front() == '.') continue;
    if (it->is_directory(of_entry))
      folders.push_back(it->path().filename());
    else if (is_scene(it->path()))
      files.push_back(it->path().filename());
  }
  std::sort(folders.begin(), folders.end());
  std::sort(files.begin(), files.end());
  ImGui::BeginChild("files", {0.0f, -2.0f * ImGui::GetFrameHeightWithSpacing()}, true);
  std::optional<fs::path> chosen;
  if (ImGui::Selectable("..", false, ImGuiSelectableFlags_DontClosePopups))
    folder_ = folder.parent_path().string();
  for (const fs::path& name : folders)
    if (ImGui::Selectable((name.string() + "/").c_str(), false, ImGuiSelectableFlags_DontClosePopups))
      folder_ = (folder / name).string();
  for (const fs::path& name : files)
    if (ImGui::Selectable(name.c_str(), false, ImGuiSelectableFlags_DontClosePopups)) chosen = folder / name;
  ImGui::EndChild();
  ImGui::SetNextItemWidth(-1.0f);
  if (ImGui::InputTextWithHint("##path", "or a path", &file_name_, ImGuiInputTextFlags_EnterReturnsTrue) &&
      !file_name_.empty())
    chosen = fs::path(file_name_).is_absolute() ? fs::path(file_name_) : folder / file_name_;
  if (ImGui::Button("Cancel") || !open || escape_pressed()) ImGui::CloseCurrentPopup();
  if (chosen) {
    (chosen->extension() == ".sinewlog" ? wishes.replay : wishes.open) = chosen->lexically_normal().string();
    file_name_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void Panels::ask_for_scene_name(const ViewState& state) {
  const fs::path path(state.scene->path);
  file_name_ = (path.parent_path() / (path.stem().string() + "_changed.json")).string();
  saving_ = true;
  saving_recording_ = false;
}

void Panels::draw_save(const PanelInput& input) {
  if (saving_) {
    saving_ = false;
    ImGui::OpenPopup("Save as");
  }
  ImGui::SetNextWindowSize({32.0f * ImGui::GetFontSize(), 0.0f}, ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal("Save as", nullptr, ImGuiWindowFlags_NoSavedSettings)) return;
  ImGui::TextUnformatted(saving_recording_ ? "All that was done since the scene was opened."
                                           : "The scene with its changed values; comments are not kept.");
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1.0f);
  const bool entered = ImGui::InputText("##name", &file_name_, ImGuiInputTextFlags_EnterReturnsTrue);
  std::error_code code;
  const bool exists = !file_name_.empty() && fs::exists(file_name_, code);
  ImGui::TextColored({1.0f, 0.8f, 0.3f, 1.0f}, exists ? "This file exists and is replaced." : " ");
  if ((ImGui::Button("Save") || entered) && !file_name_.empty()) {
    if (saving_recording_)
      input.session->save_recording(file_name_);
    else
      input.session->save_scene(file_name_);
    file_name_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel") || escape_pressed()) {
    file_name_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace sinew::viewer
