// From the state of the simulation and the options to what the renderer draws.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "viewer/live/live_frame.hpp"
#include "viewer/window/cut.hpp"
#include "viewer/window/hand.hpp"
#include "viewer/window/view_options.hpp"

namespace sinew::viewer {

/// Range of the colour map, lowest and highest.
struct ValueRange {
  double min = 0.0, max = 1.0;
};
/// Over the visible bodies: symmetric stress and strain start at 0. The same bounds for constant values, a
/// little apart.
ValueRange value_range(const ViewState& state, const ViewOptions& options);

/// Length in metres of an arrow of one newton: the largest force gets a sixth of the scene's size.
double arrow_length_per_newton(const ViewState& state, const ViewOptions& options);

/// The contact nearest to a place; null where there is none.
const ContactForce* nearest_contact(const ViewState& state, const Vec3d& x);

/// A quantity that colours can show: its word on the command line, its name and unit in legends.
struct ShownQuantity {
  SurfaceQuantity quantity;
  const char* word;
  const char* name;
  const char* unit;
};
/// In the order of menus.
inline constexpr std::array<ShownQuantity, 4> kQuantities = {{
    {SurfaceQuantity::von_mises_stress, "stress", "von Mises stress", "Pa"},
    {SurfaceQuantity::principal_strain, "strain", "largest principal strain", "1"},
    {SurfaceQuantity::speed, "speed", "speed", "m/s"},
    {SurfaceQuantity::displacement, "displacement", "displacement", "m"},
}};
/// Null for none.
const ShownQuantity* find_quantity(std::optional<SurfaceQuantity> quantity);

/// The state must outlive the frame: it borrows points and values. arrow_length: [m/N].
LiveFrame live_frame(const ViewState& state, const ViewOptions& options, const Hand& hand,
                     double arrow_length);

/// Force in the unit that reads best: "3.20 N", "12.5 mN", "1.2 kN".
std::string force_text(double newton);

}  // namespace sinew::viewer
