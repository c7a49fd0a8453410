// Compiling and linking of shaders.
#include "viewer/gl_objects.hpp"

#include <sinew/errors.hpp>

namespace sinew::viewer {
namespace {

std::string first_line(const char* log) {
  const std::string text = log;
  return text.substr(0, text.find('\n'));
}

GLuint compile(const GlFunctions& gl, GLenum kind, const std::string& source) {
  const GLuint shader = gl.CreateShader(kind);
  const char* text = source.c_str();
  gl.ShaderSource(shader, 1, &text, nullptr);
  gl.CompileShader(shader);
  GLint good = 0;
  gl.GetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (!good) {
    char log[1024] = "";
    gl.GetShaderInfoLog(shader, sizeof log, nullptr, log);
    gl.DeleteShader(shader);
    throw BackendError("the OpenGL driver refuses a shader: " + first_line(log) +
                       "; try SINEW_RENDER_BACKEND=osmesa");
  }
  return shader;
}

}  // namespace

GlProgram::GlProgram(const GlFunctions& gl, const std::string& vertex_source,
                     const std::string& fragment_source)
    : gl_(&gl) {
  const GLuint vertex = compile(gl, GL_VERTEX_SHADER, vertex_source);
  GLuint fragment = 0;
  try {
    fragment = compile(gl, GL_FRAGMENT_SHADER, fragment_source);
  } catch (...) {
    gl.DeleteShader(vertex);
    throw;
  }
  name_ = gl.CreateProgram();
  gl.AttachShader(name_, vertex);
  gl.AttachShader(name_, fragment);
  const std::array names{"a_position", "a_normal", "a_color", "a_local", "a_pattern"};
  for (std::size_t i = 0; i < names.size(); ++i) gl.BindAttribLocation(name_, GLuint(i), names[i]);
  gl.BindFragDataLocation(name_, 0, "o_color");
  gl.LinkProgram(name_);
  gl.DeleteShader(vertex);
  gl.DeleteShader(fragment);
  GLint good = 0;
  gl.GetProgramiv(name_, GL_LINK_STATUS, &good);
  if (!good) {
    char log[1024] = "";
    gl.GetProgramInfoLog(name_, sizeof log, nullptr, log);
    gl.DeleteProgram(std::exchange(name_, 0));
    throw BackendError("the OpenGL driver cannot link a program: " + first_line(log) +
                       "; try SINEW_RENDER_BACKEND=osmesa");
  }
}

GlProgram::~GlProgram() {
  if (name_) gl_->DeleteProgram(name_);
}

}  // namespace sinew::viewer
