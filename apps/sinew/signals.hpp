// Ctrl-C and SIGTERM: the first asks for a tidy end, the second ends at once.
#pragma once

namespace sinew::app {

/// Handles SIGINT and SIGTERM while it lives; then the former behaviour comes back.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();  ///< a signal has come
};

}  // namespace sinew::app
