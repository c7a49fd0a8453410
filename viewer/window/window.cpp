#include "viewer/window/window.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <dlfcn.h>
#include <link.h>

#include <cstring>
#endif

#include <algorithm>
#include <cstdlib>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "viewer/gl_context.hpp"

namespace sinew::viewer {

namespace {

constexpr const char* kWithoutWindow = "'sinew run SCENE.json --png DIR' draws without a window";

std::string glfw_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "unknown reason";
}

bool set_in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

#if defined(__SANITIZE_ADDRESS__)
/// Drivers keep tables for the life of the process; LeakSanitizer can tell whose they are, and that they are
/// to be passed over, only while the driver is loaded.
void keep_drivers() {
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        if (std::strstr(info->dlpi_name, "_dri"))
          static_cast<void>(::dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE));
        return 0;
      },
      nullptr);
}
#endif

}  // namespace

Window* Window::of(GLFWwindow* window) {
  return static_cast<Window*>(glfwGetWindowUserPointer(window));
}

void Window::add(InputEvent event) {
  event.arrived = seconds();
  // Where the cursor was then; to ask for it gives where it is now, maybe many events later.
  if (event.kind == InputEvent::Kind::move) {
    x_ = event.x;
    y_ = event.y;
  } else {
    event.x = x_;
    event.y = y_;
  }
  events_.push_back(std::move(event));
}

Window::Window(int width, int height, const std::string& title) {
  const DriverMemory driver_memory;
  if (!glfwInit()) {
    const std::string reason = glfw_error();
    const bool display = set_in_environment("DISPLAY") || set_in_environment("WAYLAND_DISPLAY");
    throw BackendError(fmt::format(
        "no window: {}; {}", display ? reason : "no display (neither DISPLAY nor WAYLAND_DISPLAY is set)",
        kWithoutWindow));
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, 0);  // the renderer smooths by itself, and panels need none
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string reason = glfw_error();
    glfwTerminate();
    throw BackendError(
        fmt::format("no window: OpenGL 3.3 is needed, but {} (on Debian and Ubuntu, libgl1-mesa-dri draws in "
                    "software); {}",
                    reason, kWithoutWindow));
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
#define SINEW_LOAD(TYPE, Name) gl_.Name = reinterpret_cast<PFNGL##TYPE##PROC>(glfwGetProcAddress("gl" #Name));
  SINEW_GL_FUNCTIONS(SINEW_LOAD)
#undef SINEW_LOAD

  // Set before those of Dear ImGui, which pass events on to them.
  glfwSetWindowUserPointer(window_, this);
  glfwGetCursorPos(window_, &x_, &y_);
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
    InputEvent event;
    event.kind = action == GLFW_PRESS ? InputEvent::Kind::press : InputEvent::Kind::release;
    event.button = button;
    event.mods = mods;
    of(w)->add(event);
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    InputEvent event;
    event.x = x;
    event.y = y;
    of(w)->add(event);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double steps) {
    InputEvent event;
    event.kind = InputEvent::Kind::wheel;
    event.wheel = steps;
    of(w)->add(event);
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int mods) {
    if (action == GLFW_RELEASE) return;
    InputEvent event;
    event.kind = InputEvent::Kind::key;
    event.key = key;
    event.repeated = action == GLFW_REPEAT;
    event.mods = mods;
    of(w)->add(event);
  });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    InputEvent event;
    event.kind = InputEvent::Kind::drop;
    event.paths.assign(paths, paths + count);
    of(w)->add(event);
  });
}

Window::~Window() {
  const DriverMemory driver_memory;
#if defined(__SANITIZE_ADDRESS__)
  keep_drivers();
#endif
  if (window_) glfwDestroyWindow(window_);
  glfwTerminate();
}

std::string Window::description() const {
  const auto text = [&](GLenum name) {
    const GLubyte* s = gl_.GetString(name);
    return std::string(s ? reinterpret_cast<const char*>(s) : "?");
  };
  return fmt::format("{}, OpenGL {}", text(GL_RENDERER), text(GL_VERSION));
}

bool Window::should_close() const {
  return glfwWindowShouldClose(window_);
}
void Window::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}
void Window::set_title(const std::string& title) {
  glfwSetWindowTitle(window_, title.c_str());
}
void Window::poll(double wait) {
  if (wait > 0.0)
    glfwWaitEventsTimeout(wait);
  else
    glfwPollEvents();
}
bool Window::has_more_than_moves() const {
  return std::any_of(events_.begin(), events_.end(),
                     [](const InputEvent& event) { return event.kind != InputEvent::Kind::move; });
}
std::vector<InputEvent> Window::take_events() {
  return std::exchange(events_, {});
}
void Window::swap() {
  glfwSwapBuffers(window_);
}
double Window::seconds() const {
  return glfwGetTime();
}
void Window::size(int& width, int& height) const {
  glfwGetWindowSize(window_, &width, &height);
}
void Window::pixel_size(int& width, int& height) const {
  glfwGetFramebufferSize(window_, &width, &height);
}
double Window::content_scale() const {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  int units = 0, pixels = 0, ignored = 0;
  size(units, ignored);
  pixel_size(pixels, ignored);
  const double per_unit = units > 0 && pixels > 0 ? static_cast<double>(pixels) / units : 1.0;
  return x > 0.0f ? std::max(1.0, static_cast<double>(x) / per_unit) : 1.0;
}

}  // namespace sinew::viewer
