#include "viewer/window/gui.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "viewer/gl_context.hpp"

namespace sinew::viewer::gui {

namespace {

namespace fs = std::filesystem;

constexpr float kFontSize = 15.0f;  // [window unit]

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Where the layout is kept; "": nowhere, because there is no home.
std::string layout_file() {
  fs::path folder = environment("XDG_CONFIG_HOME");
  if (folder.empty()) {
    const std::string home = environment("HOME");
    if (home.empty()) return "";
    folder = fs::path(home) / ".config";
  }
  folder /= "sinew";
  std::error_code code;
  fs::create_directories(folder, code);
  return code ? "" : (folder / "viewer.ini").string();
}

/// A font with hinting where the system has one; else the small one that Dear ImGui carries.
void load_font(float scale) {
  ImGuiIO& io = ImGui::GetIO();
  const float size = std::round(kFontSize * scale);
  const std::string wished = environment("SINEW_FONT");
  for (const std::string& file : {wished, std::string("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
                                  std::string("/usr/share/fonts/TTF/DejaVuSans.ttf"),
                                  std::string("/usr/share/fonts/dejavu/DejaVuSans.ttf")}) {
    std::error_code code;
    if (!file.empty() && fs::is_regular_file(file, code) &&
        io.Fonts->AddFontFromFileTTF(file.c_str(), size, nullptr, io.Fonts->GetGlyphRangesDefault()))
      return;
  }
  ImFontConfig config;
  config.SizePixels = std::round(13.0f * scale);
  io.Fonts->AddFontDefault(&config);
}

std::string& layout_path() {
  static std::string path;  // Dear ImGui keeps the pointer
  return path;
}

}  // namespace

void start(GLFWwindow* window, double scale, bool remembered) {
  const DriverMemory driver_memory;
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  layout_path() = remembered ? layout_file() : "";
  io.IniFilename = layout_path().empty() ? nullptr : layout_path().c_str();
  io.ConfigWindowsResizeFromEdges = true;
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 0.0f;
  style.FrameRounding = 3.0f;
  style.WindowBorderSize = 0.0f;
  style.Colors[ImGuiCol_WindowBg] = {0.11f, 0.11f, 0.125f, 1.0f};
  style.Colors[ImGuiCol_PopupBg] = {0.13f, 0.13f, 0.15f, 0.98f};
  style.ScaleAllSizes(static_cast<float>(scale));
  load_font(static_cast<float>(scale));
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

void stop() {
  const DriverMemory driver_memory;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void save_layout() {
  if (!layout_path().empty()) ImGui::SaveIniSettingsToDisk(layout_path().c_str());
}

void begin_picture(const std::vector<int>& keys) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
#if IMGUI_VERSION_NUM < 18700
  // It looks at what is down now; a short press between two pictures would be lost.
  ImGuiIO& io = ImGui::GetIO();
  std::vector<int> short_ones;
  for (const int key : keys)
    if (key >= 0 && key < static_cast<int>(std::size(io.KeysDown)) && !io.KeysDown[key]) {
      io.KeysDown[key] = true;
      short_ones.push_back(key);
    }
  ImGui::NewFrame();
  for (const int key : short_ones) io.KeysDown[key] = false;
#else
  static_cast<void>(keys);  // it has a queue of its own
  ImGui::NewFrame();
#endif
}

void end_picture() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace sinew::viewer::gui
