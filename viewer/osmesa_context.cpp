// OpenGL in software through OSMesa: needs neither display nor driver.
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include <sinew/errors.hpp>

#include "viewer/gl_context.hpp"

namespace sinew::viewer {
namespace {

// The few declarations of GL/osmesa.h that are used; that header drags in the old GL/gl.h, which clashes with
// GL/glcorearb.h.
constexpr int kOsmesaRgba = 0x1908, kOsmesaFormat = 0x22, kOsmesaProfile = 0x33, kOsmesaCoreProfile = 0x34,
              kOsmesaMajor = 0x36, kOsmesaMinor = 0x37;

struct Osmesa {
  using Context = struct osmesa_context*;
  Context (*create)(const int* attributes, Context share) = nullptr;
  void (*destroy)(Context) = nullptr;
  GLboolean (*make_current)(Context, void* buffer, GLenum type, GLsizei width, GLsizei height) = nullptr;
  void* (*get_address)(const char*) = nullptr;

  Osmesa() {
    void* library = nullptr;
    for (const char* name : {"libOSMesa.so.8", "libOSMesa.so.6"})
      if (!library) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) throw BackendError("libOSMesa.so.8 cannot be loaded (Debian: libosmesa6)");
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      if (!function) throw BackendError(std::string("libOSMesa has no ") + name + "; update it (libosmesa6)");
    };
    get(create, "OSMesaCreateContextAttribs");
    get(destroy, "OSMesaDestroyContext");
    get(make_current, "OSMesaMakeCurrent");
    get(get_address, "OSMesaGetProcAddress");
  }
};

class OsmesaContext final : public GlContext {
 public:
  OsmesaContext() : owner_(::getpid()) {
    // OSMesa keeps one rasteriser per process, whose threads fork() does not copy: drawing in a child would
    // wait for ever.
    static std::atomic<pid_t> first_user{0};
    pid_t expected = 0;
    if (!first_user.compare_exchange_strong(expected, owner_) && expected != owner_)
      throw BackendError("OSMesa was in use before fork(): make the renderer in the child only, or use EGL");
    const int attributes[] = {
        kOsmesaFormat, kOsmesaRgba, kOsmesaProfile, kOsmesaCoreProfile, kOsmesaMajor, 3, kOsmesaMinor, 3, 0};
    context_ = osmesa_.create(attributes, nullptr);
    if (!context_) throw BackendError("OSMesa gives no OpenGL 3.3 core context; update it (libosmesa6)");
    try {
      make_current();
      load_functions(osmesa_.get_address);
    } catch (...) {
      close();
      throw;
    }
    release();
  }
  ~OsmesaContext() override { close(); }

  void make_current() override {
    if (!osmesa_.make_current(context_, buffer_.data(), GL_UNSIGNED_BYTE, kSide, kSide))
      throw BackendError("OSMesa cannot make its context current");
  }
  void release() noexcept override { osmesa_.make_current(nullptr, nullptr, 0, 0, 0); }
  std::string name() const override { return "OSMesa"; }

 private:
  void close() noexcept {
    if (owner_ != ::getpid()) return;
    release();
    if (context_) osmesa_.destroy(context_);
  }

  static constexpr int kSide = 8;  // the window that OSMesa asks for; pictures go to a framebuffer object
  Osmesa osmesa_;
  Osmesa::Context context_ = nullptr;
  std::array<unsigned char, kSide * kSide * 4> buffer_{};
  pid_t owner_;
};

}  // namespace

std::unique_ptr<GlContext> make_osmesa_context() {
  return std::make_unique<OsmesaContext>();
}

}  // namespace sinew::viewer
