// Owners of OpenGL objects; they are made and destroyed while their context is current.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "viewer/gl_functions.hpp"

namespace sinew::viewer {

/// One name made by glGen<Kind>s, given back by glDelete<Kind>s.
#define SINEW_GL_OWNER(Kind, Kinds)                                                   \
  class Gl##Kind {                                                                    \
   public:                                                                            \
    Gl##Kind() = default;                                                             \
    explicit Gl##Kind(const GlFunctions& gl) : gl_(&gl) { gl.Gen##Kinds(1, &name_); } \
    ~Gl##Kind() {                                                                     \
      if (name_) gl_->Delete##Kinds(1, &name_);                                       \
    }                                                                                 \
    Gl##Kind(Gl##Kind&& o) noexcept : gl_(o.gl_), name_(std::exchange(o.name_, 0)) {} \
    Gl##Kind& operator=(Gl##Kind&& o) noexcept {                                      \
      std::swap(gl_, o.gl_);                                                          \
      std::swap(name_, o.name_);                                                      \
      return *this;                                                                   \
    }                                                                                 \
    GLuint name() const { return name_; }                                             \
                                                                                      \
   private:                                                                           \
    const GlFunctions* gl_ = nullptr;                                                 \
    GLuint name_ = 0;                                                                 \
  };
SINEW_GL_OWNER(Buffer, Buffers)
SINEW_GL_OWNER(VertexArray, VertexArrays)
SINEW_GL_OWNER(Framebuffer, Framebuffers)
SINEW_GL_OWNER(Renderbuffer, Renderbuffers)
SINEW_GL_OWNER(Texture, Textures)
SINEW_GL_OWNER(Sampler, Samplers)
#undef SINEW_GL_OWNER

/// A linked program; attributes of Vertex have the locations 0 to 4.
class GlProgram {
 public:
  GlProgram() = default;
  /// @throws BackendError with the first line of the compiler's log.
  GlProgram(const GlFunctions& gl, const std::string& vertex_source, const std::string& fragment_source);
  ~GlProgram();
  GlProgram(GlProgram&& o) noexcept : gl_(o.gl_), name_(std::exchange(o.name_, 0)) {}
  GlProgram& operator=(GlProgram&& o) noexcept {
    std::swap(gl_, o.gl_);
    std::swap(name_, o.name_);
    return *this;
  }

  void use() const { gl_->UseProgram(name_); }
  /// Location of a uniform; -1, which OpenGL ignores, where the compiler dropped it.
  GLint at(const char* uniform) const { return gl_->GetUniformLocation(name_, uniform); }

 private:
  const GlFunctions* gl_ = nullptr;
  GLuint name_ = 0;
};

}  // namespace sinew::viewer
