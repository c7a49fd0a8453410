#include "apps/sinew/signals.hpp"

#include <csignal>

#include <unistd.h>

namespace sinew::app {

namespace {
// A signal handler can reach nothing but globals; these two are the program's only ones.
volatile std::sig_atomic_t g_requested = 0;
struct sigaction g_former[2];
constexpr int kSignals[2] = {SIGINT, SIGTERM};

void on_signal(int number) {
  if (g_requested) ::_exit(128 + number);
  g_requested = 1;
  constexpr char kText[] = "\nsinew: finishing this frame; once more ends at once\n";
  const ssize_t ignored = ::write(STDERR_FILENO, kText, sizeof kText - 1);  // printf is not allowed here
  (void)ignored;
}
}  // namespace

InterruptGuard::InterruptGuard() {
  g_requested = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // writes in progress go on
  for (int i = 0; i < 2; ++i) {
    ::sigaction(kSignals[i], nullptr, &g_former[i]);
    // Started in the background by a script: the shell wants Ctrl-C not to reach us.
    if (g_former[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < 2; ++i) ::sigaction(kSignals[i], &g_former[i], nullptr);
}

bool InterruptGuard::requested() {
  return g_requested != 0;
}

}  // namespace sinew::app
