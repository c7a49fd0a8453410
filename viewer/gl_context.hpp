// An OpenGL 3.3 core context without a window: EGL (no display needed), else OSMesa.
#pragma once

#include <memory>
#include <string>

#include "viewer/gl_functions.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace sinew::viewer {

/// LeakSanitizer does not judge memory that is taken while one of these lives. Mesa keeps tables beyond the
/// context and unloads the driver that made them, so that a suppression by name finds no name.
#if defined(__SANITIZE_ADDRESS__)
using DriverMemory = __lsan::ScopedDisabler;
#else
struct DriverMemory {
  DriverMemory() {}
};
#endif

class GlContext {
 public:
  virtual ~GlContext() = default;
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  /// Makes the context current on this thread. @throws BackendError.
  virtual void make_current() = 0;
  /// Leaves no context current, so that any thread may take it.
  virtual void release() noexcept = 0;
  virtual std::string name() const = 0;  ///< "EGL" or "OSMesa"

  const GlFunctions& gl() const { return gl_; }

 protected:
  GlContext() = default;
  /// @param get_address of the library that made the context. @throws BackendError naming what is absent.
  void load_functions(void* (*get_address)(const char*));

 private:
  GlFunctions gl_;
};

/// Scope in which a context is current.
class CurrentContext {
 public:
  explicit CurrentContext(GlContext& context) : context_(context) { context_.make_current(); }
  ~CurrentContext() { context_.release(); }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  DriverMemory driver_memory_;
  GlContext& context_;
};

/// @throws BackendError in one line where the library or a context is missing.
std::unique_ptr<GlContext> make_egl_context();
std::unique_ptr<GlContext> make_osmesa_context();

/// EGL, then OSMesa; the environment variable SINEW_RENDER_BACKEND (egl or osmesa) forces one.
/// @throws BackendError with the reasons of both.
std::unique_ptr<GlContext> make_gl_context();

}  // namespace sinew::viewer
