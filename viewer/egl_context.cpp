// OpenGL through EGL without a display: surfaceless platform, then devices, then the default display.
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include <sinew/errors.hpp>

#include "viewer/gl_context.hpp"

namespace sinew::viewer {
namespace {

/// libEGL's own functions; the library stays loaded for the life of the process, as Mesa expects.
struct Egl {
  decltype(&eglGetProcAddress) GetProcAddress = nullptr;
  decltype(&eglGetDisplay) GetDisplay = nullptr;
  decltype(&eglInitialize) Initialize = nullptr;
  decltype(&eglTerminate) Terminate = nullptr;
  decltype(&eglBindAPI) BindAPI = nullptr;
  decltype(&eglQueryString) QueryString = nullptr;
  decltype(&eglChooseConfig) ChooseConfig = nullptr;
  decltype(&eglCreateContext) CreateContext = nullptr;
  decltype(&eglDestroyContext) DestroyContext = nullptr;
  decltype(&eglCreatePbufferSurface) CreatePbufferSurface = nullptr;
  decltype(&eglDestroySurface) DestroySurface = nullptr;
  decltype(&eglMakeCurrent) MakeCurrent = nullptr;

  Egl() {
    void* library = ::dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) throw BackendError("libEGL.so.1 cannot be loaded (Debian: libegl1)");
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      if (!function) throw BackendError(std::string("libEGL.so.1 has no ") + name + "; update it (libegl1)");
    };
    get(GetProcAddress, "eglGetProcAddress");
    get(GetDisplay, "eglGetDisplay");
    get(Initialize, "eglInitialize");
    get(Terminate, "eglTerminate");
    get(BindAPI, "eglBindAPI");
    get(QueryString, "eglQueryString");
    get(ChooseConfig, "eglChooseConfig");
    get(CreateContext, "eglCreateContext");
    get(DestroyContext, "eglDestroyContext");
    get(CreatePbufferSurface, "eglCreatePbufferSurface");
    get(DestroySurface, "eglDestroySurface");
    get(MakeCurrent, "eglMakeCurrent");
  }
};

bool has_word(const char* list, const char* word) {
  if (!list) return false;
  const std::size_t length = std::strlen(word);
  for (const char* at = list; (at = std::strstr(at, word)) != nullptr; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

/// EGL displays belong to the process: the last renderer terminates them. Mesa's worker threads do not
/// survive fork(), so a child never takes over its parent's display.
struct SharedDisplay {
  Egl egl;
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLConfig config = nullptr;
  bool surfaceless = false;
  pid_t owner = ::getpid();

  ~SharedDisplay() {
    if (display != EGL_NO_DISPLAY && owner == ::getpid()) egl.Terminate(display);
  }

  /// True where OpenGL contexts can be made on it; otherwise it is terminated again.
  bool try_display(EGLDisplay candidate) {
    if (candidate == EGL_NO_DISPLAY || !egl.Initialize(candidate, nullptr, nullptr)) return false;
    surfaceless = has_word(egl.QueryString(candidate, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                             surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_NONE};
    EGLint count = 0;
    if (egl.BindAPI(EGL_OPENGL_API) && egl.ChooseConfig(candidate, wanted, &config, 1, &count) && count > 0) {
      const EGLContext probe = egl.CreateContext(candidate, config, EGL_NO_CONTEXT, kContextAttributes);
      if (probe != EGL_NO_CONTEXT) {
        egl.DestroyContext(candidate, probe);
        display = candidate;
        return true;
      }
    }
    egl.Terminate(candidate);
    return false;
  }

  /// @param inherited displays that a parent process had in use when it forked: never touched here.
  void open(const std::vector<EGLDisplay>& inherited) {
    const auto try_new = [&](EGLDisplay candidate) {
      return std::find(inherited.begin(), inherited.end(), candidate) == inherited.end() &&
             try_display(candidate);
    };
    const char* client = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto platform_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
        has_word(client, "EGL_EXT_platform_base") ? egl.GetProcAddress("eglGetPlatformDisplayEXT") : nullptr);
    if (platform_display) {
      if (has_word(client, "EGL_MESA_platform_surfaceless") &&
          try_new(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)))
        return;
      const auto query_devices =
          reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl.GetProcAddress("eglQueryDevicesEXT"));
      EGLint count = 0;
      if (has_word(client, "EGL_EXT_platform_device") && query_devices && query_devices(0, nullptr, &count) &&
          count > 0) {
        std::vector<EGLDeviceEXT> devices(std::size_t(count), nullptr);
        if (!query_devices(count, devices.data(), &count)) count = 0;
        for (EGLint i = 0; i < count; ++i)
          if (try_new(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[std::size_t(i)], nullptr))) return;
      }
    }
    if (try_new(egl.GetDisplay(EGL_DEFAULT_DISPLAY))) return;
    if (!inherited.empty())
      throw BackendError("EGL was in use before fork(): make the renderer in the child only");
    throw BackendError("EGL gives no OpenGL 3.3 core context (Debian: libgl1-mesa-dri brings drivers)");
  }

  static constexpr EGLint kContextAttributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                                  3,
                                                  EGL_CONTEXT_MINOR_VERSION,
                                                  3,
                                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                                  EGL_NONE};
};

std::shared_ptr<SharedDisplay> shared_display() {
  static std::mutex mutex;
  static std::weak_ptr<SharedDisplay> current;
  const std::lock_guard lock(mutex);
  std::shared_ptr<SharedDisplay> shared = current.lock();
  if (shared && shared->owner == ::getpid()) return shared;
  static std::vector<EGLDisplay> inherited;
  if (shared) inherited.push_back(shared->display);
  shared = std::make_shared<SharedDisplay>();
  shared->open(inherited);
  current = shared;
  return shared;
}

class EglContext final : public GlContext {
 public:
  EglContext() : shared_(shared_display()) {
    const Egl& egl = shared_->egl;
    egl.BindAPI(EGL_OPENGL_API);
    context_ = egl.CreateContext(shared_->display, shared_->config, EGL_NO_CONTEXT,
                                 SharedDisplay::kContextAttributes);
    if (context_ == EGL_NO_CONTEXT) throw BackendError("EGL gives no further OpenGL context");
    try {
      if (!shared_->surfaceless) {
        const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        surface_ = egl.CreatePbufferSurface(shared_->display, shared_->config, size);
      }
      make_current();
      static const Egl functions = egl;  // load_functions wants a plain function
      load_functions(
          [](const char* name) { return reinterpret_cast<void*>(functions.GetProcAddress(name)); });
    } catch (...) {
      close();
      throw;
    }
    release();
  }
  ~EglContext() override { close(); }

  void make_current() override {
    shared_->egl.BindAPI(EGL_OPENGL_API);
    if (!shared_->egl.MakeCurrent(shared_->display, surface_, surface_, context_))
      throw BackendError("EGL cannot make its context current; is the renderer in use on another thread?");
  }
  void release() noexcept override {
    shared_->egl.MakeCurrent(shared_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  std::string name() const override { return "EGL"; }

 private:
  void close() noexcept {
    if (shared_->owner != ::getpid()) return;  // a forked copy: it belongs to the parent
    release();
    if (surface_ != EGL_NO_SURFACE) shared_->egl.DestroySurface(shared_->display, surface_);
    if (context_ != EGL_NO_CONTEXT) shared_->egl.DestroyContext(shared_->display, context_);
  }

  std::shared_ptr<SharedDisplay> shared_;
  EGLContext context_ = EGL_NO_CONTEXT;
  EGLSurface surface_ = EGL_NO_SURFACE;
};

}  // namespace

std::unique_ptr<GlContext> make_egl_context() {
  return std::make_unique<EglContext>();
}

}  // namespace sinew::viewer
