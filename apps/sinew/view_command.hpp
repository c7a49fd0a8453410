// `sinew view`: starts the program of the viewer, which alone links window libraries.
#pragma once

namespace sinew::app {

/// Replaces this process by sinew-view with the arguments behind "view". @throws BackendError, in one line,
/// where this build has none or its libraries are missing; what to do without a window.
[[noreturn]] void run_viewer(int argc, char** argv);

}  // namespace sinew::app
