// The one C function between the loader and the renderer module.
#pragma once

#include <cstddef>

namespace sinew::viewer {

class Renderer;

/// Raised whenever renderer.hpp changes, so that an old module is refused instead of crashing.
inline constexpr int kModuleInterface = 1;
inline constexpr const char* kModuleEntry = "sinew_renderer_create";
inline constexpr const char* kModuleFile = "libsinew_renderer.so";

/// Null on failure, with one line in message (size bytes). Ownership goes to the caller.
using ModuleEntry = Renderer* (*)(int interface, char* message, std::size_t size);

}  // namespace sinew::viewer
