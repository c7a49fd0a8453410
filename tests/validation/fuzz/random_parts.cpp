#include "tests/validation/fuzz/random_parts.hpp"

#include <sinew/mesh_generation.hpp>

#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

namespace sinew::test {

namespace {

void scale_points(std::vector<Vec3d>& points, double factor) {
  for (Vec3d& x : points) x *= factor;
}

/// Rescaled so that its box has the diagonal `size`.
void bring_to_size(std::vector<Vec3d>& points, double size) {
  Vec3d low = points[0], high = low;
  for (const Vec3d& x : points) {
    low = component_min(low, x);
    high = component_max(high, x);
  }
  scale_points(points, size / norm(high - low));
}

SurfaceMesh box_surface(const Vec3d& half) {
  SurfaceMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TetMesh generated(const char* shape, double vertices, double size) {
  TetMesh mesh = generate_mesh(shape, {{"vertices", vertices}}).mesh;
  bring_to_size(mesh.nodes, size);
  return mesh;
}

TetMesh random_tets(Dice& dice, double size, std::string& text) {
  switch (dice.pick(8)) {
    case 0: {
      text += "tet";
      TetMesh mesh;
      mesh.nodes = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
      mesh.tets = {{0, 1, 2, 3}};
      return mesh;
    }
    case 1:
      text += "ball";
      return generated("ball", 200.0, size);
    case 2: {
      text += "embedded";
      const TetMesh fine = generated("ball", 200.0, size);
      SurfaceMesh surface;
      surface.points = fine.nodes;
      surface.triangles = boundary_triangles(fine);
      TetrahedralizeSettings settings;
      settings.vertices = 60;
      return tetrahedralize(surface, settings);
    }
    default: {
      const Index n[3] = {1 + dice.pick(3), 1 + dice.pick(3), 1 + dice.pick(4)};
      text += "block" + std::to_string(n[0]) + std::to_string(n[1]) + std::to_string(n[2]);
      return block(n[0], n[1], n[2], size / std::max({n[0], n[1], n[2]}));
    }
  }
}

void make_sheet(Dice& dice, double size, BodySpec& body) {
  const Index n[2] = {1 + dice.pick(8), 1 + dice.pick(8)};
  Sheet& sheet = body.sheet.emplace();
  sheet.mesh = test::sheet(n[0], n[1], size / std::max(n[0], n[1]));
  sheet.thickness = size * dice.log_uniform(1e-4, 2e-2);
  if (dice.chance(0.3)) sheet.area_density = dice.log_uniform(0.01, 10.0);
  sheet.bending.model = static_cast<BendingModel>(dice.pick(3));
  sheet.bending.flat_rest = dice.chance(0.5);
  if (dice.chance(0.2)) sheet.strain_limit = dice.uniform(0.0, 0.3);
  body.material.kind = kTriangleMaterialKinds[dice.pick(4)];
}

MeshShape random_mesh_shape(Dice& dice, double size, std::string& text) {
  MeshShape shape;
  switch (dice.pick(5)) {
    case 0:
      text += "box mesh";
      shape.mesh = box_surface({0.5 * size, 0.4 * size, 0.5 * size * dice.log_uniform(0.02, 1.0)});
      break;
    case 1:
      text += "open mesh";
      shape.mesh = sheet(1 + dice.pick(4), 1 + dice.pick(4), 0.4 * size);
      break;
    case 2: {
      text += "ball mesh";
      const TetMesh ball = generated("ball", 200.0, size);
      shape.mesh.points = ball.nodes;
      shape.mesh.triangles = boundary_triangles(ball);
      break;
    }
    case 3: {
      text += "wires";
      const int count = 1 + dice.pick(4);
      for (int i = 0; i < count; ++i) {
        shape.mesh.points.push_back({-size, 0.3 * size * i, 0.0});
        shape.mesh.points.push_back({size, 0.3 * size * i, 0.0});
        shape.edges.push_back({2 * i, 2 * i + 1});
      }
      break;
    }
    default: {
      text += "spikes";
      const int count = 1 + dice.pick(9);
      for (int i = 0; i < count; ++i) {
        shape.mesh.points.push_back({0.3 * size * (i % 3), 0.3 * size * (i / 3), 0.0});
        shape.points.push_back(i);
      }
    }
  }
  if (dice.chance(0.5)) shape.thickness = size * dice.log_uniform(1e-4, 0.1);
  return shape;
}

}  // namespace

BodySpec random_body(Dice& dice, const std::string& name, double size, std::string& text) {
  BodySpec body;
  body.name = name;
  body.material.kind = kTetMaterialKinds[dice.pick(7)];
  body.material.young_modulus = dice.log_uniform(1e2, 1e11);
  body.material.poisson_ratio = dice.chance(0.1) ? 0.499 : dice.uniform(0.0, 0.499);
  body.material.mooney_ratio = dice.uniform(0.0, 1.0);
  if (dice.chance(0.2)) body.material.rayleigh_alpha = dice.log_uniform(1e-3, 10.0);
  if (dice.chance(0.5)) body.material.rayleigh_beta = dice.chance(0.5) ? 0.0 : dice.log_uniform(1e-4, 0.1);
  body.density = dice.log_uniform(1.0, 2e4);
  body.friction = dice.chance(0.2) ? 0.0 : dice.uniform(0.0, 2.0);
  if (dice.chance(0.3))
    make_sheet(dice, size, body);
  else
    body.mesh = random_tets(dice, size, text);
  if (body.sheet) text += "sheet" + std::to_string(body.sheet->mesh.points.size());
  if (dice.chance(0.15) && !body.sheet)
    for (int k = 0; k < 3; ++k) body.transform.scale[k] = dice.log_uniform(0.3, 3.0);
  if (dice.chance(0.2)) body.contact_thickness = dice.chance(0.3) ? 0.0 : size * dice.log_uniform(1e-5, 0.03);
  if (dice.chance(0.3)) body.self_contact = dice.chance(0.5);
  const Index nodes = static_cast<Index>(body.nodes().size());
  if (dice.chance(0.1))
    body.springs.push_back({{0, nodes - 1}, dice.log_uniform(1e-2, 1e6), dice.uniform(0.0, 2.0 * size)});
  return body;
}

Motion random_motion(Dice& dice, double size, double fastest) {
  Motion motion;
  if (dice.chance(0.6)) return motion;
  if (dice.chance(0.5)) motion.velocity = dice.arrow(1e-3, fastest);
  if (dice.chance(0.5)) motion.spin = dice.arrow(1e-2, 30.0);
  if (dice.chance(0.3)) {
    for (int k = 0; k < 3; ++k)
      motion.keyframes.push_back({0.1 * k, k == 0 ? Vec3d{} : dice.vector(size), dice.vector(0.5)});
  }
  return motion;
}

ObstacleSpec random_obstacle(Dice& dice, const std::string& name, double size, std::string& text) {
  ObstacleSpec obstacle;
  obstacle.name = name;
  obstacle.friction = dice.chance(0.2) ? 0.0 : dice.uniform(0.0, 2.0);
  switch (dice.pick(8)) {
    case 0:
      obstacle.shape = SphereShape{size * dice.log_uniform(0.05, 1.0)};
      break;
    case 1:
      obstacle.shape = BoxShape{{size * dice.log_uniform(0.01, 1.0), size * dice.log_uniform(0.1, 1.0),
                                 size * dice.log_uniform(0.1, 1.0)}};
      break;
    case 2:
      obstacle.shape = CapsuleShape{size * dice.log_uniform(0.02, 0.5), dice.chance(0.1) ? 0.0 : 0.5 * size};
      break;
    case 3:
      obstacle.shape = CylinderShape{size * dice.log_uniform(0.02, 0.5), size * dice.log_uniform(0.02, 1.0)};
      break;
    case 4:
      obstacle.shape = HalfSpaceShape{};
      break;
    default:
      obstacle.shape = random_mesh_shape(dice, size, text);
      break;
  }
  if (!std::holds_alternative<MeshShape>(obstacle.shape)) text += std::string(to_string(obstacle.shape));
  return obstacle;
}

}  // namespace sinew::test
