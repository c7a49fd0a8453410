// Vertex normals with creases; tessellation of obstacles.
#include "viewer/render_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::viewer {
namespace {

constexpr double kPi = std::numbers::pi;

/// Finite and small enough for float arithmetic.
bool is_drawable(const Vec3d& p) {
  constexpr double kLimit = 1e12;
  return std::abs(p.x) < kLimit && std::abs(p.y) < kLimit && std::abs(p.z) < kLimit;
}

bool is_sound(const Pose& pose) {
  for (int i = 0; i < 3; ++i)
    if (!is_finite(pose.rotation.row(i))) return false;
  return is_drawable(pose.translation);
}

double channel(double c) {
  return std::isfinite(c) ? std::clamp(c, 0.0, 1.0) : 0.5;
}

Vertex make_vertex(const Vec3d& position, const Vec3d& normal, const Vec3d& color, const Vec3d& local,
                   Pattern pattern) {
  return {{float(position.x), float(position.y), float(position.z)},
          {float(normal.x), float(normal.y), float(normal.z)},
          {float(channel(color.x)), float(channel(color.y)), float(channel(color.z))},
          {float(local.x), float(local.y), float(local.z)},
          float(static_cast<int>(pattern))};
}

/// Triangles of a surface that can be drawn, with their unit normals.
struct SoundTriangles {
  std::vector<Triangle> triangles;
  std::vector<Vec3d> normals;
};

SoundTriangles sound_triangles(const RenderSurface& surface) {
  SoundTriangles sound;
  sound.triangles.reserve(surface.triangles.size());
  sound.normals.reserve(surface.triangles.size());
  const std::size_t count = surface.points.size();
  for (const Triangle& t : surface.triangles) {
    if (std::any_of(t.begin(), t.end(), [&](Index i) {
          return i < 0 || std::size_t(i) >= count || !is_drawable(surface.points[std::size_t(i)]);
        }))
      continue;
    const Vec3d& a = surface.points[std::size_t(t[0])];
    const Vec3d& b = surface.points[std::size_t(t[1])];
    const Vec3d& c = surface.points[std::size_t(t[2])];
    const Vec3d n = normalized(cross(b - a, c - a));
    if (!is_finite(n) || squared_norm(n) == 0.0) continue;
    sound.triangles.push_back(t);
    sound.normals.push_back(n);
  }
  return sound;
}

double corner_angle(const std::vector<Vec3d>& points, const Triangle& t, int corner) {
  const Vec3d& p = points[std::size_t(t[std::size_t(corner)])];
  const Vec3d u = normalized(points[std::size_t(t[std::size_t((corner + 1) % 3)])] - p);
  const Vec3d v = normalized(points[std::size_t(t[std::size_t((corner + 2) % 3)])] - p);
  return std::atan2(norm(cross(u, v)), dot(u, v));
}

/// Wires and points thinner than this share of the mesh's size would vanish in pictures.
constexpr double kThinnest = 2e-3;

/// Rod about z from 0 to length with round ends (a ball where length is 0), of few triangles.
void append_rod(RenderSurface& surface, const Vec3d& a, const Vec3d& b, double radius) {
  constexpr int kSides = 12, kRings = 4;  // rings per half ball
  const double length = norm(b - a);
  if (!is_drawable(a) || !is_drawable(b)) return;
  const Vec3d axis = length > 0.0 ? (b - a) / length : Vec3d{0, 0, 1};
  const Vec3d aside = std::abs(axis.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
  const Vec3d u = normalized(cross(aside, axis)), v = cross(axis, u);
  const Index first = Index(surface.points.size());
  for (int ring = 0; ring <= 2 * kRings + 1; ++ring) {
    const bool upper = ring > kRings;
    const double angle = 0.5 * kPi * ((upper ? ring - 1 : ring) / double(kRings) - 1.0);
    const Vec3d center = (upper ? b : a) + radius * std::sin(angle) * axis;
    for (int side = 0; side < kSides; ++side) {
      const double turn = 2.0 * kPi * side / kSides, r = radius * std::cos(angle);
      surface.points.push_back(center + r * std::cos(turn) * u + r * std::sin(turn) * v);
      if (ring == 0) continue;
      const Index below = first + Index((ring - 1) * kSides), next = Index((side + 1) % kSides);
      const Index p = below + Index(side), q = below + next;
      surface.triangles.push_back({p, q, q + kSides});
      surface.triangles.push_back({p, q + kSides, p + kSides});
    }
  }
}

/// A mesh obstacle in the world, its edges and points as rods and balls of its thickness.
RenderSurface surface_of(const MeshShape& shape, const RenderObstacle& obstacle) {
  RenderSurface surface{{}, shape.mesh.triangles, obstacle.color};
  for (const Vec3d& p : shape.mesh.points) surface.points.push_back(obstacle.pose.apply(p));
  if (shape.edges.empty() && shape.points.empty()) return surface;
  const double radius = drawn_thickness(shape);
  const auto place = [&](Index i) {  // a copy: points grow
    return i >= 0 && std::size_t(i) < shape.mesh.points.size() ? surface.points[std::size_t(i)]
                                                               : Vec3d{NAN, NAN, NAN};
  };
  for (const std::array<Index, 2>& edge : shape.edges)
    append_rod(surface, place(edge[0]), place(edge[1]), radius);
  for (const Index point : shape.points) append_rod(surface, place(point), place(point), radius);
  return surface;
}

/// Splits all triangles into four until edges are about as long as a cell: shading at the vertices sees what
/// is near them.
void refine(RenderSurface& surface, double cell) {
  constexpr std::size_t kMostTriangles = 40000;
  while (cell > 0.0 && 4 * surface.triangles.size() <= kMostTriangles) {
    double longest2 = 0.0;
    std::vector<std::array<Index, 2>> edges;
    for (const Triangle& t : surface.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        if (low < 0 || std::size_t(high) >= surface.points.size()) return;
        edges.push_back({low, high});
        longest2 = std::max(
            longest2, squared_norm(surface.points[std::size_t(high)] - surface.points[std::size_t(low)]));
      }
    if (!(longest2 > 4.0 * cell * cell)) return;
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    const Index first = Index(surface.points.size());
    for (const auto& [a, b] : edges)
      surface.points.push_back(0.5 * (surface.points[std::size_t(a)] + surface.points[std::size_t(b)]));
    const auto middle = [&](Index a, Index b) {
      const std::array<Index, 2> edge{std::min(a, b), std::max(a, b)};
      return first + Index(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin());
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : surface.triangles) {
      const Index ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
      for (const Triangle& part : {Triangle{t[0], ab, ca}, {t[1], bc, ab}, {t[2], ca, bc}, {ab, bc, ca}})
        finer.push_back(part);
    }
    surface.triangles = std::move(finer);
  }
}

/// Where to cut [-half, half]: in cells within reach of center, and at the ends.
std::vector<double> cuts(double half, double center, double reach, double cell) {
  constexpr double kMostCells = 160.0;
  std::vector<double> at{-half};
  const double begin = std::clamp(center - reach, -half, half), end = std::clamp(center + reach, -half, half);
  const double wanted = cell > 0.0 ? std::ceil((end - begin) / cell) : 1.0;
  const int cells = int(std::clamp(wanted, 1.0, kMostCells));
  for (int i = 0; i <= cells; ++i) {
    const double x = begin + (end - begin) * i / cells;
    if (x > at.back() && x < half) at.push_back(x);
  }
  at.push_back(half);
  return at;
}

/// Grid of vertices over two lists of cuts. corner(u, v) gives the vertex; forward: u x v points outwards.
template <class Corner>
void append_grid(TriangleBatch& batch, const std::vector<double>& us, const std::vector<double>& vs,
                 bool forward, const Corner& corner) {
  const auto first = std::uint32_t(batch.vertices.size()), width = std::uint32_t(us.size());
  for (const double v : vs)
    for (const double u : us) batch.vertices.push_back(corner(u, v));
  for (std::uint32_t j = 0; j + 1 < vs.size(); ++j)
    for (std::uint32_t i = 0; i + 1 < width; ++i) {
      const std::uint32_t a = first + j * width + i, b = a + width;
      if (forward)
        batch.indices.insert(batch.indices.end(), {a, a + 1, b + 1, a, b + 1, b});
      else
        batch.indices.insert(batch.indices.end(), {a, b + 1, a + 1, a, b, b + 1});
    }
}

/// A point of a profile in the half-plane (r, z) with its normal there.
struct ProfilePoint {
  double r, z, normal_r, normal_z;
};

void append_revolved(TriangleBatch& batch, const std::vector<ProfilePoint>& profile, int segments,
                     const RenderObstacle& obstacle, const Vec3d& origin) {
  const auto first = std::uint32_t(batch.vertices.size());
  const auto rows = std::uint32_t(profile.size());
  for (int s = 0; s <= segments; ++s) {
    const double angle = 2.0 * kPi * s / segments, c = std::cos(angle), d = std::sin(angle);
    for (const ProfilePoint& p : profile) {
      const Vec3d local{p.r * c, p.r * d, p.z};
      const Vec3d normal{p.normal_r * c, p.normal_r * d, p.normal_z};
      batch.vertices.push_back(make_vertex(obstacle.pose.apply(local) - origin,
                                           obstacle.pose.rotation * normal, obstacle.color, local,
                                           Pattern::stripes));
    }
  }
  for (std::uint32_t s = 0; s < std::uint32_t(segments); ++s)
    for (std::uint32_t i = 0; i + 1 < rows; ++i) {
      if (profile[i].r == profile[i + 1].r && profile[i].z == profile[i + 1].z) continue;  // a crease
      const std::uint32_t a = first + s * rows + i, b = a + rows;
      if (profile[i].r > 0.0) batch.indices.insert(batch.indices.end(), {a, b, a + 1});
      if (profile[i + 1].r > 0.0) batch.indices.insert(batch.indices.end(), {b, b + 1, a + 1});
    }
}

/// Arc of a sphere of radius about (0, z) from latitude begin to end [rad].
void append_arc(std::vector<ProfilePoint>& profile, double radius, double z, double begin, double end,
                int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double a = begin + (end - begin) * i / steps;
    const bool pole = std::abs(a) > kPi / 2 - 1e-9;
    const double c = pole ? 0.0 : std::cos(a), s = std::sin(a);
    profile.push_back({radius * c, z + radius * s, c, s});
  }
}

/// Bottom to top, so that triangles come out counter-clockwise seen from outside.
std::vector<ProfilePoint> profile_of(const ObstacleShape& shape) {
  std::vector<ProfilePoint> profile;
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    append_arc(profile, sphere->radius, 0.0, -kPi / 2, kPi / 2, 36);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    append_arc(profile, capsule->radius, -capsule->half_length, -kPi / 2, 0.0, 18);
    append_arc(profile, capsule->radius, capsule->half_length, 0.0, kPi / 2, 18);
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    const double r = cylinder->radius, z = cylinder->half_length;
    profile = {{0, -z, 0, -1}, {r, -z, 0, -1}, {r, -z, 1, 0}, {r, z, 1, 0}, {r, z, 0, 1}, {0, z, 0, 1}};
  }
  return profile;
}

/// Straight pieces of a profile cut into cells, so that shading at the vertices sees what is near them.
std::vector<ProfilePoint> refined(const std::vector<ProfilePoint>& profile, double center,
                                  const Tessellation& fineness) {
  std::vector<ProfilePoint> fine;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    fine.push_back(profile[i]);
    if (i + 1 == profile.size()) break;
    const ProfilePoint &a = profile[i], &b = profile[i + 1];
    const double half = 0.5 * std::hypot(b.r - a.r, b.z - a.z);
    if (half <= fineness.cell) continue;
    const double middle = b.z > a.z ? center - 0.5 * (a.z + b.z) : 0.0;  // along the piece, from its middle
    const std::vector<double> at = cuts(half, middle, fineness.reach, fineness.cell);
    for (std::size_t k = 1; k + 1 < at.size(); ++k) {
      const double s = 0.5 + 0.5 * at[k] / half;
      fine.push_back({a.r + s * (b.r - a.r), a.z + s * (b.z - a.z),
                      a.normal_r + s * (b.normal_r - a.normal_r),
                      a.normal_z + s * (b.normal_z - a.normal_z)});
    }
  }
  return fine;
}

bool has_size(const ObstacleShape& shape) {
  const auto good = [](double x) { return x >= 0.0 && x < 1e12; };
  if (const auto* s = std::get_if<SphereShape>(&shape)) return good(s->radius) && s->radius > 0.0;
  if (const auto* s = std::get_if<CapsuleShape>(&shape))
    return good(s->radius) && s->radius > 0.0 && good(s->half_length);
  if (const auto* s = std::get_if<CylinderShape>(&shape))
    return good(s->radius) && s->radius > 0.0 && good(s->half_length);
  if (const auto* s = std::get_if<BoxShape>(&shape))
    return good(s->half_extents.x) && good(s->half_extents.y) && good(s->half_extents.z);
  return false;
}

void append_box(TriangleBatch& batch, const Vec3d& half, const RenderObstacle& obstacle,
                const Tessellation& fineness) {
  const Vec3d center = obstacle.pose.apply_inverse(fineness.focus);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = -1; side <= 1; side += 2) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3d local, normal;
      normal[axis] = side;
      local[axis] = side * half[axis];
      append_grid(batch, cuts(half[u], center[u], fineness.reach, fineness.cell),
                  cuts(half[v], center[v], fineness.reach, fineness.cell), side > 0, [&](double a, double b) {
                    local[u] = a;
                    local[v] = b;
                    return make_vertex(obstacle.pose.apply(local) - fineness.origin,
                                       obstacle.pose.rotation * normal, obstacle.color, local, Pattern::none);
                  });
    }
}

}  // namespace

void append_surface(TriangleBatch& batch, const RenderSurface& surface, const Vec3d& origin) {
  const SoundTriangles sound = sound_triangles(surface);
  constexpr std::uint32_t kLargestStar =
      512;  // points with more triangles are drawn flat: the sum is quadratic
  const double cos_crease = std::cos(kCreaseAngleDeg * kPi / 180.0);
  // Corners of each point, in the order of the triangles (counting sort).
  std::vector<std::uint32_t> start(surface.points.size() + 1, 0);
  for (const Triangle& t : sound.triangles)
    for (Index i : t) ++start[std::size_t(i) + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<std::uint32_t> corners(sound.triangles.size() * 3), fill(start);
  for (std::size_t t = 0; t < sound.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      corners[fill[std::size_t(sound.triangles[t][k])]++] = std::uint32_t(3 * t + k);

  std::vector<double> angle(corners.size());
  for (std::size_t t = 0; t < sound.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      angle[3 * t + std::size_t(k)] = corner_angle(surface.points, sound.triangles[t], k);

  const std::size_t first_index = batch.indices.size();
  batch.indices.resize(first_index + corners.size());
  std::vector<std::pair<Vec3d, std::uint32_t>> made;  // normals of this point and their vertices
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    made.clear();
    const bool fan = start[p + 1] - start[p] > kLargestStar;
    for (std::uint32_t i = start[p]; i < start[p + 1]; ++i) {
      const Vec3d& own = sound.normals[corners[i] / 3];
      Vec3d sum;
      for (std::uint32_t j = start[p]; !fan && j < start[p + 1]; ++j) {
        const Vec3d& other = sound.normals[corners[j] / 3];
        if (dot(own, other) >= cos_crease) sum += angle[corners[j]] * other;
      }
      const Vec3d normal = squared_norm(sum) > 0.0 ? normalized(sum) : own;
      const auto same =
          std::find_if(made.begin(), made.end(), [&](const auto& m) { return m.first == normal; });
      std::uint32_t vertex = 0;
      if (same != made.end()) {
        vertex = same->second;
      } else {
        vertex = std::uint32_t(batch.vertices.size());
        batch.vertices.push_back(
            make_vertex(surface.points[p] - origin, normal, surface.color, {}, Pattern::none));
        made.emplace_back(normal, vertex);
      }
      batch.indices[first_index + corners[i]] = vertex;
    }
  }
}

double drawn_thickness(const MeshShape& shape) {
  const std::vector<Vec3d>& points = shape.mesh.points;
  Vec3d low = points.empty() ? Vec3d{} : points[0], high = low;
  for (const Vec3d& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  return std::max(shape.thickness, kThinnest * norm(high - low));
}

void append_obstacle(TriangleBatch& batch, const RenderObstacle& obstacle, const Tessellation& fineness) {
  if (!is_sound(obstacle.pose)) return;
  if (const auto* mesh = std::get_if<MeshShape>(&obstacle.shape)) {
    RenderSurface surface = surface_of(*mesh, obstacle);
    refine(surface, fineness.cell);
    return append_surface(batch, surface, fineness.origin);
  }
  if (!has_size(obstacle.shape)) return;
  if (const auto* box = std::get_if<BoxShape>(&obstacle.shape))
    return append_box(batch, box->half_extents, obstacle, fineness);
  const double center = obstacle.pose.apply_inverse(fineness.focus).z;
  append_revolved(batch, refined(profile_of(obstacle.shape), center, fineness), 72, obstacle,
                  fineness.origin);
}

void append_plane(TriangleBatch& batch, const Pose& pose, const Vec3d& color, Pattern pattern,
                  const Tessellation& fineness, double half_side, double period) {
  if (!is_sound(pose)) return;
  Vec3d foot = pose.apply_inverse(fineness.origin);
  foot.z = 0.0;
  const double phase_x = std::fmod(foot.x, period), phase_y = std::fmod(foot.y, period);
  const Vec3d focus = pose.apply_inverse(fineness.focus) - foot;
  const auto lines = [&](double center) { return cuts(half_side, center, fineness.reach, fineness.cell); };
  append_grid(batch, lines(focus.x), lines(focus.y), true, [&](double x, double y) {
    return make_vertex(pose.apply(foot + Vec3d{x, y, 0.0}) - fineness.origin, pose.rotation.column(2), color,
                       {x + phase_x, y + phase_y, 0.0}, pattern);
  });
}

std::vector<Vec3d> hull_points(const RenderObstacle& obstacle) {
  std::vector<Vec3d> points;
  if (!is_sound(obstacle.pose)) return points;
  if (const auto* mesh = std::get_if<MeshShape>(&obstacle.shape))
    return used_points(surface_of(*mesh, obstacle));
  if (!has_size(obstacle.shape)) return points;
  if (const auto* box = std::get_if<BoxShape>(&obstacle.shape)) {
    for (int k = 0; k < 8; ++k)
      points.push_back(obstacle.pose.apply({(k & 1 ? 1.0 : -1.0) * box->half_extents.x,
                                            (k & 2 ? 1.0 : -1.0) * box->half_extents.y,
                                            (k & 4 ? 1.0 : -1.0) * box->half_extents.z}));
    return points;
  }
  for (const ProfilePoint& p : profile_of(obstacle.shape))
    for (int s = 0; s < 16; ++s) {
      const double angle = 2.0 * kPi * s / 16;
      points.push_back(obstacle.pose.apply({p.r * std::cos(angle), p.r * std::sin(angle), p.z}));
    }
  return points;
}

std::vector<Vec3d> used_points(const RenderSurface& surface) {
  std::vector<char> used(surface.points.size(), 0);
  for (const Triangle& t : sound_triangles(surface).triangles)
    for (Index i : t) used[std::size_t(i)] = 1;
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) points.push_back(surface.points[i]);
  return points;
}

}  // namespace sinew::viewer
