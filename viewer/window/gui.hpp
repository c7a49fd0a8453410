// Dear ImGui on a window: font, colours, where the layout is remembered.
#pragma once

#include <vector>

struct GLFWwindow;

namespace sinew::viewer::gui {

/// scale: of the display's content, 1 on a usual one.
/// remembered: the layout is read from the user's configuration and written there.
void start(GLFWwindow* window, double scale, bool remembered);
void stop();
void save_layout();
/// keys: GLFW's numbers of those pressed since the last picture; one that is up again already counts too.
void begin_picture(const std::vector<int>& keys);
void end_picture();  ///< draws into the framebuffer that is bound

}  // namespace sinew::viewer::gui
