#include "engine/meshing/shapes.hpp"

#include <cmath>
#include <numbers>

#include <sinew/errors.hpp>

#include "engine/meshing/sdf.hpp"

namespace sinew {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kLeast = 1e-4, kMost = 1e3;  // [m] bounds of every length

GeneratorParameter metres(const char* name, double value, const char* what) {
  return {name, "m", value, kLeast, kMost, what};
}

[[noreturn]] void refuse(const std::string& shape, const std::string& what) {
  throw MeshError(shape + ": " + what);
}

Solid make_ball(const ParameterValues& v) {
  const double r = v.at("radius");
  return {[=](const Vec3d& p) { return sdf::sphere(p, {}, r); },
          {-r, -r, -r},
          {r, r, r},
          4.0 / 3.0 * kPi * r * r * r,
          {}};
}

Solid make_hollow_ball(const ParameterValues& v) {
  const double r = v.at("radius"), wall = v.at("wall");
  if (wall > 0.95 * r)
    refuse("hollow_ball", "wall must be at most 0.95 radius; make it thinner or use the shape 'ball'");
  const double middle = r - 0.5 * wall;
  return {[=](const Vec3d& p) { return std::abs(norm(p) - middle) - 0.5 * wall; },
          {-r, -r, -r},
          {r, r, r},
          4.0 * kPi * middle * middle * wall,
          {},
          wall};
}

Solid make_torus(const ParameterValues& v) {
  const double r = v.at("radius"), tube = v.at("tube_radius"), outer = r + tube;
  if (tube > 0.9 * r)
    refuse("torus", "tube_radius must be at most 0.9 radius, or the hole closes; make it smaller");
  return {[=](const Vec3d& p) { return sdf::torus(p, r, tube); },
          {-outer, -outer, -tube},
          {outer, outer, tube},
          2.0 * kPi * kPi * r * tube * tube,
          {}};
}

Solid make_cylinder(const ParameterValues& v) {
  const double r = v.at("radius"), half = 0.5 * v.at("height");
  return {[=](const Vec3d& p) { return sdf::cylinder(p, r, half); },
          {-r, -r, -half},
          {r, r, half},
          2.0 * kPi * r * r * half,
          {}};
}

Solid make_capsule(const ParameterValues& v) {
  const double r = v.at("radius"), half = 0.5 * v.at("length");
  return {[=](const Vec3d& p) {
            return sdf::capsule(p, {0.0, 0.0, -half}, {0.0, 0.0, half}, r);
          },
          {-r, -r, -half - r},
          {r, r, half + r},
          kPi * r * r * (2.0 * half + 4.0 / 3.0 * r),
          {}};
}

// Proportions in units of the height; front is -y, feet at z = 0.
Solid make_gingerbread(const ParameterValues& v) {
  const double height = v.at("height"), half = 0.5 * v.at("thickness");
  if (half > 0.25 * height || half < 0.02 * height)
    refuse("gingerbread", "thickness must lie between 0.04 and 0.5 of the height; change one of them");
  const double edge = 0.6 * half;
  const auto distance = [=](const Vec3d& p) {
    const sdf::Point2 q = {std::abs(p.x) / height, p.z / height};
    double d = sdf::length(q.x, q.y - 0.825) - 0.172;
    d = sdf::smooth_union(d, sdf::rounded_cone(q, {0.0, 0.60}, {0.0, 0.36}, 0.125, 0.155), 0.06);
    d = sdf::smooth_union(d, sdf::rounded_cone(q, {0.06, 0.575}, {0.315, 0.60}, 0.075, 0.082), 0.05);
    d = sdf::smooth_union(d, sdf::rounded_cone(q, {0.07, 0.33}, {0.175, 0.098}, 0.088, 0.096), 0.05);
    return sdf::rounded_corner(d * height, std::abs(p.y) - half, edge);
  };
  return {distance,
          {-0.42 * height, -half, -0.01 * height},
          {0.42 * height, half, 1.01 * height},
          0.36 * height * height * 2.0 * half * 0.95,
          {}};
}

// Proportions in units of the height; looks along +x, feet at z = 0.
Solid make_creature(const ParameterValues& v) {
  const double height = v.at("height");
  const auto distance = [=](const Vec3d& at) {
    const Vec3d p = {at.x / height, std::abs(at.y) / height, at.z / height};  // the two sides are alike
    double d = sdf::rounded_cone(p, {-0.17, 0.0, 0.44}, {0.15, 0.0, 0.46}, 0.150, 0.135);
    double neck = sdf::rounded_cone(p, {0.22, 0.0, 0.50}, {0.34, 0.0, 0.70}, 0.085, 0.062);
    neck = sdf::smooth_union(neck, sdf::rounded_cone(p, {0.34, 0.0, 0.70}, {0.39, 0.0, 0.89}, 0.062, 0.060),
                             0.03);
    neck = sdf::smooth_union(neck, sdf::rounded_cone(p, {0.40, 0.0, 0.92}, {0.53, 0.0, 0.885}, 0.078, 0.056),
                             0.04);
    d = sdf::smooth_union(d, neck, 0.10);
    double tail = sdf::rounded_cone(p, {-0.26, 0.0, 0.43}, {-0.46, 0.0, 0.33}, 0.095, 0.058);
    tail = sdf::smooth_union(tail, sdf::rounded_cone(p, {-0.46, 0.0, 0.33}, {-0.66, 0.0, 0.33}, 0.058, 0.034),
                             0.03);
    d = sdf::smooth_union(d, tail, 0.08);
    double legs = sdf::rounded_cone(p, {0.16, 0.085, 0.38}, {0.17, 0.105, 0.06}, 0.078, 0.066);
    legs = std::min(legs, sdf::rounded_cone(p, {-0.18, 0.09, 0.38}, {-0.20, 0.11, 0.06}, 0.084, 0.068));
    d = sdf::smooth_union(d, legs, 0.06);
    return sdf::smooth_difference(d, p.z, 0.015) * height;  // flat soles
  };
  return {distance,
          {-0.71 * height, -0.20 * height, -0.01 * height},
          {0.60 * height, 0.20 * height, 1.01 * height},
          0.055 * height * height * height,
          {}};
}

// Proportions in units of the height; stands on two legs, looks along +x. Slender: most vertices of its mesh
// lie on the surface.
Solid make_raptor(const ParameterValues& v) {
  const double height = v.at("height");
  const auto distance = [=](const Vec3d& at) {
    const Vec3d p = {at.x / height, std::abs(at.y) / height, at.z / height};  // the two sides are alike
    double d = sdf::rounded_cone(p, {-0.10, 0.0, 0.55}, {0.13, 0.0, 0.60}, 0.076, 0.056);
    double neck = sdf::rounded_cone(p, {0.17, 0.0, 0.64}, {0.27, 0.0, 0.80}, 0.036, 0.026);
    neck = sdf::smooth_union(neck, sdf::rounded_cone(p, {0.27, 0.0, 0.80}, {0.30, 0.0, 0.93}, 0.026, 0.024),
                             0.02);
    neck = sdf::smooth_union(neck, sdf::rounded_cone(p, {0.31, 0.0, 0.945}, {0.47, 0.0, 0.915}, 0.042, 0.022),
                             0.02);
    d = sdf::smooth_union(d, neck, 0.05);
    double tail = sdf::rounded_cone(p, {-0.18, 0.0, 0.56}, {-0.50, 0.0, 0.60}, 0.046, 0.027);
    tail = sdf::smooth_union(tail, sdf::rounded_cone(p, {-0.50, 0.0, 0.60}, {-1.10, 0.0, 0.70}, 0.027, 0.016),
                             0.02);
    d = sdf::smooth_union(d, tail, 0.05);
    double leg = sdf::rounded_cone(p, {-0.06, 0.065, 0.50}, {0.03, 0.095, 0.31}, 0.045, 0.026);
    leg = sdf::smooth_union(
        leg, sdf::rounded_cone(p, {0.03, 0.095, 0.31}, {-0.12, 0.100, 0.16}, 0.025, 0.020), 0.015);
    leg = sdf::smooth_union(
        leg, sdf::rounded_cone(p, {-0.12, 0.100, 0.16}, {-0.09, 0.100, 0.03}, 0.020, 0.020), 0.015);
    leg = sdf::smooth_union(
        leg, sdf::rounded_cone(p, {-0.12, 0.100, 0.018}, {0.05, 0.105, 0.012}, 0.025, 0.018), 0.015);
    d = sdf::smooth_union(d, leg, 0.03);
    double arm = sdf::rounded_cone(p, {0.14, 0.055, 0.56}, {0.18, 0.075, 0.46}, 0.024, 0.018);
    arm = sdf::smooth_union(arm, sdf::rounded_cone(p, {0.18, 0.075, 0.46}, {0.26, 0.065, 0.47}, 0.018, 0.015),
                            0.01);
    d = sdf::smooth_union(d, arm, 0.02);
    return sdf::smooth_difference(d, p.z, 0.01) * height;  // flat soles
  };
  return {distance,
          {-1.13 * height, -0.15 * height, -0.01 * height},
          {0.51 * height, 0.15 * height, 1.01 * height},
          0.015 * height * height * height,
          {}};
}

// Proportions in units of the length; looks along +x, belly near z = 0.
Solid make_newt(const ParameterValues& v) {
  const double size = v.at("length");
  const auto distance = [=](const Vec3d& at) {
    const Vec3d p = at / size;
    const Vec3d m = {p.x, std::abs(p.y), p.z};
    double d = sdf::rounded_cone(p, {-0.05, 0.0, 0.128}, {0.08, 0.0, 0.130}, 0.126, 0.130);
    double head = sdf::rounded_cone(p, {0.275, 0.0, 0.145}, {0.355, 0.0, 0.130}, 0.090, 0.066);
    head = sdf::smooth_union(head, sdf::sphere(m, {0.300, 0.050, 0.222}, 0.030), 0.02);  // eyes
    d = sdf::smooth_union(d, head, 0.05);
    double tail = sdf::rounded_cone(p, {-0.12, 0.0, 0.105}, {-0.28, 0.03, 0.075}, 0.085, 0.056);
    tail = sdf::smooth_union(
        tail, sdf::rounded_cone(p, {-0.28, 0.03, 0.075}, {-0.42, 0.02, 0.05}, 0.056, 0.038), 0.02);
    tail = sdf::smooth_union(
        tail, sdf::rounded_cone(p, {-0.42, 0.02, 0.05}, {-0.54, -0.05, 0.04}, 0.038, 0.024), 0.02);
    d = sdf::smooth_union(d, tail, 0.05);
    double legs = sdf::rounded_cone(m, {0.13, 0.08, 0.09}, {0.18, 0.185, 0.07}, 0.042, 0.034);
    legs = sdf::smooth_union(
        legs, sdf::rounded_cone(m, {0.18, 0.185, 0.07}, {0.235, 0.215, 0.033}, 0.034, 0.036), 0.02);
    double hind = sdf::rounded_cone(m, {-0.09, 0.07, 0.09}, {-0.13, 0.18, 0.07}, 0.044, 0.035);
    hind = sdf::smooth_union(
        hind, sdf::rounded_cone(m, {-0.13, 0.18, 0.07}, {-0.085, 0.22, 0.033}, 0.035, 0.036), 0.02);
    d = sdf::smooth_union(d, std::min(legs, hind), 0.03);
    return sdf::smooth_difference(d, p.z, 0.01) * size;  // flat belly and soles
  };
  return {distance,
          {-0.57 * size, -0.27 * size, -0.01 * size},
          {0.44 * size, 0.27 * size, 0.26 * size},
          0.025 * size * size * size,
          {}};
}

// Base at x = 0, tip at +x, notches on the palm side (-z), where the cable runs. Pulled, it closes the
// notches.
Solid make_finger(const ParameterValues& v) {
  const double length = v.at("length"), width = v.at("width"), height = v.at("height");
  const int notches = static_cast<int>(v.at("notches"));
  if (width > length || height > 0.5 * length || width < 0.05 * length || height < 0.05 * length)
    refuse("gripper_finger",
           "width must lie between 0.05 and 1 and height between 0.05 and 0.5 of the length; change one of "
           "them");
  const double pitch = length / (notches + 1.3);
  const double radius = 0.22 * std::min(pitch, height);  // of the notch at the palm
  const auto local_height = [=](double x) { return height * (1.0 - 0.4 * x / length); };
  const auto distance = [=](const Vec3d& p) {
    const double h = local_height(p.x);
    // Back at z = 0, palm at z = -h(x); the slope makes the distance a little too large, by less than 3 %.
    const double profile = std::max(std::abs(p.z + 0.5 * h) - 0.5 * h, -p.x);
    const double round_tip = 0.45 * local_height(length);
    double d = sdf::rounded_corner(profile, p.x - length, round_tip);
    d = sdf::rounded_corner(d, std::abs(p.y) - 0.5 * width, 0.18 * std::min(width, height));
    double cuts = 1e9;
    for (int i = 0; i < notches; ++i) {
      const double x = (i + 1.0) * pitch, hx = local_height(x);
      cuts = std::min(cuts, sdf::rounded_cone(sdf::Point2{p.x, p.z}, {x, -0.55 * hx}, {x, -1.1 * hx},
                                              0.6 * radius, 1.1 * radius));
    }
    return sdf::smooth_difference(d, cuts, 0.08 * height);
  };
  Solid solid = {
      distance, {0.0, -0.5 * width, -height}, {length, 0.5 * width, 0.0}, 0.65 * length * width * height, {}};
  for (int i = 0; i <= notches; ++i) {
    const double x = i == 0 ? 0.0 : (i + 0.5) * pitch;
    if (i == 1) solid.cable_path.push_back({0.5 * pitch, 0.0, -0.75 * local_height(0.5 * pitch)});
    solid.cable_path.push_back({x, 0.0, -0.75 * local_height(x)});
  }
  return solid;
}

}  // namespace

const std::vector<SolidShape>& solid_shapes() {
  static const std::vector<SolidShape> table = {
      {"ball", "ball about the origin", 5000, {metres("radius", 0.25, "radius")}, make_ball},
      {"hollow_ball",
       "ball with a hollow, about the origin",
       6000,
       {metres("radius", 0.25, "outer radius"),
        metres("wall", 0.05, "thickness of the wall, at most 0.95 radius")},
       make_hollow_ball},
      {"torus",
       "ring about the z axis, centred on the origin",
       5000,
       {metres("radius", 0.25, "from the centre to the middle of the tube"),
        metres("tube_radius", 0.08, "radius of the tube, at most 0.9 radius")},
       make_torus},
      {"cylinder",
       "cylinder along z, centred on the origin",
       5000,
       {metres("radius", 0.15, "radius"), metres("height", 0.5, "length along z")},
       make_cylinder},
      {"capsule",
       "rod along z with round ends, centred on the origin",
       5000,
       {metres("radius", 0.1, "radius"), metres("length", 0.3, "between the centres of the round ends")},
       make_capsule},
      {"gingerbread",
       "flat man, upright, feet at z = 0, facing -y",
       5000,
       {metres("height", 0.3, "height"), metres("thickness", 0.04, "thickness, 0.04 to 0.5 of the height")},
       make_gingerbread},
      {"creature",
       "long-necked animal on four legs, feet at z = 0, looking along +x",
       8000,
       {metres("height", 0.8, "height of the head")},
       make_creature},
      {"raptor",
       "slender animal on two legs with a long tail, soles at z = 0, looking along +x",
       8000,
       {metres("height", 0.4, "height of the head")},
       make_raptor},
      {"newt",
       "round-bodied newt with tail and legs, belly at z = 0, looking along +x",
       8000,
       {metres("length", 0.5, "from nose to tail")},
       make_newt},
      {"gripper_finger",
       "notched finger for a cable, base at x = 0, tip at +x, palm towards -z",
       5000,
       {metres("length", 0.1, "from base to tip"),
        metres("width", 0.022, "extent along y"),
        metres("height", 0.02, "extent along z at the base; 0.6 of it at the tip"),
        {"notches", "1", 5, 2, 12, "number of notches, whole"}},
       make_finger},
  };
  return table;
}

}  // namespace sinew
