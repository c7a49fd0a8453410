// Choice of the context and its function table.
#include "viewer/gl_context.hpp"

#include <cstdlib>

#include <sinew/errors.hpp>

namespace sinew::viewer {

void GlContext::load_functions(void* (*get_address)(const char*)) {
  gl_ = load_gl_functions(get_address, name());
}

std::unique_ptr<GlContext> make_gl_context() {
  const DriverMemory driver_memory;
  const char* variable = std::getenv("SINEW_RENDER_BACKEND");
  const std::string wish = variable ? variable : "";
  if (wish == "egl") return make_egl_context();
  if (wish == "osmesa") return make_osmesa_context();
  if (!wish.empty())
    throw BackendError("SINEW_RENDER_BACKEND is '" + wish + "'; set it to egl or osmesa, or leave it unset");
  std::string reason;
  try {
    return make_egl_context();
  } catch (const BackendError& error) {
    reason = error.what();
  }
  try {
    return make_osmesa_context();
  } catch (const BackendError& error) {
    throw BackendError("no off-screen OpenGL: " + reason + "; " + error.what());
  }
}

}  // namespace sinew::viewer
