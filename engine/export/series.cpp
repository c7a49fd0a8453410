#include "engine/export/series.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <sinew/mesh_io.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/export/vtu_writer.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

namespace {
void append(std::vector<float>& values, const Vec3d& v) {
  for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(v[i]));
}

VtuField reals(const char* name, int components) {
  return {name, components, false};
}
VtuField integers(const char* name) {
  return {name, 1, true};
}

std::vector<std::int32_t> number_materials(const Model& model) {
  std::vector<const Material*> distinct;
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < model.body_count(); ++i) {
    const Material& material = model.body(i).material;
    const auto found =
        std::find_if(distinct.begin(), distinct.end(), [&](const Material* m) { return *m == material; });
    numbers.push_back(static_cast<std::int32_t>(found - distinct.begin()));
    if (found == distinct.end()) distinct.push_back(&material);
  }
  return numbers;
}

// Appends triangles that use their own copy of the points.
void append_surface(SurfaceMesh& all, const std::vector<Vec3d>& points,
                    const std::vector<Triangle>& triangles) {
  const Index base = static_cast<Index>(all.points.size());
  all.points.insert(all.points.end(), points.begin(), points.end());
  for (const Triangle& t : triangles) all.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
}

// Drops points that no triangle uses (inner nodes), so that a surface file holds the surface only.
SurfaceMesh without_unused_points(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
  std::vector<Index> number(points.size(), -1);
  SurfaceMesh mesh;
  for (const Triangle& triangle : triangles) {
    Triangle renumbered{};
    for (int k = 0; k < 3; ++k) {
      Index& n = number[triangle[k]];
      if (n < 0) {
        n = static_cast<Index>(mesh.points.size());
        mesh.points.push_back(points[triangle[k]]);
      }
      renumbered[k] = n;
    }
    mesh.triangles.push_back(renumbered);
  }
  return mesh;
}

std::vector<Vec3d> moved(const std::vector<Vec3d>& points, const Pose& pose) {
  std::vector<Vec3d> result;
  result.reserve(points.size());
  for (const Vec3d& x : points) result.push_back(pose.apply(x));
  return result;
}

VtuGrid triangle_grid(const SurfaceMesh& mesh, double time) {
  VtuGrid grid;
  grid.time = time;
  grid.cell = VtuCell::triangle;
  grid.points = mesh.points;
  for (const Triangle& t : mesh.triangles)
    grid.connectivity.insert(grid.connectivity.end(), t.begin(), t.end());
  return grid;
}
}  // namespace

SeriesExporter::SeriesExporter(const Model& model, Settings settings) : settings_(std::move(settings)) {
  make_folder(settings_.folder);
  {
    const AtomicFile probe(settings_.folder + "/bodies");
  }  // says now, not after the run, that it cannot write
  take_model(model);
  if (settings_.continue_until >= 0)
    for (SeriesIndex& index : indices_) index.continue_until(settings_.continue_until);
}

void SeriesExporter::take_model(const Model& model) {
  model_ = model;
  const double inf = std::numeric_limits<double>::infinity();
  Vec3d low{inf, inf, inf}, high{-inf, -inf, -inf};
  bool embedded = false;
  for (std::size_t i = 0; i < model_.body_count(); ++i) {
    for (const Vec3d& x : model_.data().bodies[i].start_position) {
      low = component_min(low, x);
      high = component_max(high, x);
    }
    embedded = embedded || !model_.body(i).mesh.surface.empty();
  }
  material_ = number_materials(model_);
  obstacles_.clear();
  for (std::size_t i = 0; i < model_.obstacle_count(); ++i) {
    const ObstacleSpec& obstacle = model_.obstacle(i);
    const Vec3d centre = obstacle.pose.apply_inverse(0.5 * (low + high));
    obstacles_.push_back(obstacle_surface(obstacle.shape, centre, 1.5 * norm(high - low)));
  }

  if (settings_.format != SeriesFormat::vtu) return;
  const auto add = [&](const char* prefix, Part part) {
    if (std::find(parts_.begin(), parts_.end(), part) != parts_.end()) return;
    indices_.emplace_back(settings_.folder, prefix);
    parts_.push_back(part);
  };
  add("bodies", &SeriesExporter::write_bodies);
  if (embedded) add("surfaces", &SeriesExporter::write_surfaces);
  if (!obstacles_.empty()) {
    add("obstacles", &SeriesExporter::write_obstacles);
    add("contacts", &SeriesExporter::write_contacts);
  }
}

std::vector<std::string> SeriesExporter::entry_points() const {
  std::vector<std::string> result;
  for (const SeriesIndex& index : indices_) result.push_back(index.path());
  if (settings_.format == SeriesFormat::vtu) return result;
  const char* extension = settings_.format == SeriesFormat::ply ? "ply" : "obj";
  result.push_back(fmt::format("{}/bodies_*.{}", settings_.folder, extension));
  if (!obstacles_.empty()) result.push_back(fmt::format("{}/obstacles_*.{}", settings_.folder, extension));
  return result;
}

void SeriesExporter::write(const Simulation& simulation, long number, double time) {
  if (&simulation.model().data() != &model_.data()) take_model(simulation.model());
  number_ = number;
  time_ = time;
  if (settings_.format == SeriesFormat::vtu)
    write_vtu_files(simulation);
  else
    write_surface_files(simulation);
  ++steps_;
}

void SeriesExporter::write_vtu_files(const Simulation& simulation) {
  // All data files first: no index may name a file that is not there.
  for (std::size_t i = 0; i < parts_.size(); ++i)
    (this->*parts_[i])(simulation, indices_[i].data_path(number_));
  for (SeriesIndex& index : indices_) index.add(number_, time_);
}

void SeriesExporter::write_surface_files(const Simulation& simulation) {
  const char* extension = settings_.format == SeriesFormat::ply ? "ply" : "obj";
  const auto path = [&](const char* prefix) {
    return fmt::format("{}/{}_{:06d}.{}", settings_.folder, prefix, number_, extension);
  };
  SurfaceMesh bodies;
  for (std::size_t i = 0; i < model_.body_count(); ++i) {
    const SurfaceMesh surface =
        without_unused_points(simulation.surface_points(i), model_.surface_triangles(i));
    append_surface(bodies, surface.points, surface.triangles);
  }
  write_mesh(path("bodies"), bodies);
  if (obstacles_.empty()) return;
  SurfaceMesh obstacles;
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const SurfaceMesh& local = obstacles_[i].mesh;
    append_surface(obstacles, moved(local.points, simulation.obstacle_pose(i)), local.triangles);
  }
  write_mesh(path("obstacles"), obstacles);
}

void SeriesExporter::write_bodies(const Simulation& simulation, const std::string& path) const {
  VtuGrid grid;
  grid.time = time_;
  VtuField velocity = reals("velocity", 3), displacement = reals("displacement", 3);
  VtuField ratio = reals("volume_ratio", 1), inside = reals("inside_fraction", 1);
  VtuField body = integers("body"), material = integers("material");
  for (std::size_t b = 0; b < model_.body_count(); ++b) {
    const BodyData& data = model_.data().bodies[b];
    const TetMesh& mesh = data.spec.mesh;
    const std::vector<Vec3d> x = simulation.positions(b);
    const auto base = static_cast<std::int64_t>(grid.points.size());
    grid.points.insert(grid.points.end(), x.begin(), x.end());
    for (const Vec3d& v : simulation.velocities(b)) append(velocity.reals, v);
    for (std::size_t n = 0; n < x.size(); ++n) append(displacement.reals, x[n] - data.start_position[n]);
    for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
      const Tet& tet = mesh.tets[t];
      for (const Index node : tet) grid.connectivity.push_back(base + node);
      body.integers.push_back(static_cast<std::int32_t>(b));
      material.integers.push_back(material_[b]);
      const double filled = mesh.inside_fraction.empty() ? 1.0 : mesh.inside_fraction[t];
      const double volume = filled * tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
      ratio.reals.push_back(static_cast<float>(volume / data.tet_volume[t]));
      inside.reals.push_back(static_cast<float>(filled));
      grid.mixed.push_back(VtuCell::tetrahedron);
    }
    if (!data.spec.sheet) continue;
    const std::vector<Triangle>& triangles = data.spec.sheet->mesh.triangles;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      const Triangle& v = triangles[t];
      for (const Index node : v) grid.connectivity.push_back(base + node);
      body.integers.push_back(static_cast<std::int32_t>(b));
      material.integers.push_back(material_[b]);
      const double area = 0.5 * norm(cross(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]));
      ratio.reals.push_back(static_cast<float>(area / data.triangle_area[t]));  // the thickness is held
      inside.reals.push_back(1.0f);
      grid.mixed.push_back(VtuCell::triangle);
    }
  }
  grid.point_fields = {std::move(velocity), std::move(displacement)};
  grid.cell_fields = {std::move(body), std::move(material), std::move(ratio), std::move(inside)};
  write_vtu(path, grid);
}

void SeriesExporter::write_surfaces(const Simulation& simulation, const std::string& path) const {
  SurfaceMesh all;
  VtuField body = integers("body");
  for (std::size_t b = 0; b < model_.body_count(); ++b) {
    const std::vector<Triangle>& triangles = model_.surface_triangles(b);
    const SurfaceMesh surface = without_unused_points(simulation.surface_points(b), triangles);
    append_surface(all, surface.points, surface.triangles);
    body.integers.insert(body.integers.end(), triangles.size(), static_cast<std::int32_t>(b));
  }
  VtuGrid grid = triangle_grid(all, time_);
  grid.cell_fields = {std::move(body)};
  write_vtu(path, grid);
}

void SeriesExporter::write_obstacles(const Simulation& simulation, const std::string& path) const {
  VtuGrid grid;
  grid.time = time_;
  VtuField number = integers("obstacle"), stripe = integers("stripe");
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    const ObstacleSurface& local = obstacles_[i];
    const auto base = static_cast<std::int64_t>(grid.points.size());
    const std::vector<Vec3d> points = moved(local.mesh.points, simulation.obstacle_pose(i));
    grid.points.insert(grid.points.end(), points.begin(), points.end());
    const auto add = [&](VtuCell kind, std::span<const Index> nodes, std::int32_t cell_stripe) {
      grid.mixed.push_back(kind);
      for (const Index node : nodes) grid.connectivity.push_back(base + node);
      number.integers.push_back(static_cast<std::int32_t>(i));
      stripe.integers.push_back(cell_stripe);
    };
    for (std::size_t t = 0; t < local.stripe.size(); ++t)
      add(VtuCell::triangle, local.mesh.triangles[t], local.stripe[t]);
    for (const std::array<Index, 2>& edge : local.edges) add(VtuCell::line, edge, 0);
    for (const Index& point : local.points) add(VtuCell::vertex, {&point, 1}, 0);
  }
  grid.cell_fields = {std::move(number), std::move(stripe)};
  write_vtu(path, grid);
}

void SeriesExporter::write_contacts(const Simulation& simulation, const std::string& path) const {
  VtuGrid grid;
  grid.time = time_;
  grid.cell = VtuCell::vertex;
  VtuField force = reals("force", 3), normal = reals("normal", 3);
  VtuField normal_force = reals("normal_force", 1), gap = reals("gap", 1);
  VtuField state = integers("state"), body = integers("body"), obstacle = integers("obstacle"),
           other_body = integers("other_body");
  for (const ContactForce& contact : simulation.contact_forces()) {
    grid.connectivity.push_back(static_cast<std::int64_t>(grid.points.size()));
    grid.points.push_back(contact.position);
    append(force.reals, contact.normal_force * contact.normal + contact.tangential_force);
    append(normal.reals, contact.normal);
    normal_force.reals.push_back(static_cast<float>(contact.normal_force));
    gap.reals.push_back(static_cast<float>(contact.gap));
    state.integers.push_back(static_cast<std::int32_t>(contact.state));
    body.integers.push_back(contact.body);
    obstacle.integers.push_back(contact.obstacle);
    other_body.integers.push_back(contact.other_body);
  }
  grid.point_fields = {std::move(force), std::move(normal), std::move(normal_force), std::move(gap),
                       std::move(state), std::move(body),   std::move(obstacle),     std::move(other_body)};
  write_vtu(path, grid);
}

}  // namespace sinew
