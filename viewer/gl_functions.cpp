// The function table of a context.
#include "viewer/gl_functions.hpp"

#include <sinew/errors.hpp>

namespace sinew::viewer {

GlFunctions load_gl_functions(void* (*get_address)(const char*), const std::string& source) {
  GlFunctions gl;
#define SINEW_GL_LOAD(TYPE, Name)                                         \
  gl.Name = reinterpret_cast<PFNGL##TYPE##PROC>(get_address("gl" #Name)); \
  if (!gl.Name) throw BackendError(source + " brings no gl" #Name "; OpenGL 3.3 core is needed");
  SINEW_GL_FUNCTIONS(SINEW_GL_LOAD)
#undef SINEW_GL_LOAD
  return gl;
}

}  // namespace sinew::viewer
