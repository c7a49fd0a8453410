// Entry point of libsinew_renderer.
#include "viewer/module_entry.hpp"

#include <cstdio>
#include <exception>

#include "viewer/gl_renderer.hpp"

extern "C" __attribute__((visibility("default"))) sinew::viewer::Renderer* sinew_renderer_create(
    int interface, char* message, std::size_t size) {
  using namespace sinew::viewer;
  if (interface != kModuleInterface) {
    std::snprintf(message, size, "it has interface %d, not %d; install the one of this version",
                  kModuleInterface, interface);
    return nullptr;
  }
  try {
    return new GlRenderer(make_gl_context());
  } catch (const std::exception& error) {
    std::snprintf(message, size, "%s", error.what());
    return nullptr;
  }
}
