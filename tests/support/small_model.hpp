// A small model for export tests: one or two cubes of 0.1 m above a floor and beside a turning roller.
#pragma once

#include <string>

#include <sinew/simulation.hpp>

namespace sinew::test {

/// Cube of edge 0.1 m made of five tetrahedra, lower corner at the origin.
inline TetMesh cube_mesh() {
  TetMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.nodes.push_back({0.1 * (i & 1), 0.1 * (i >> 1 & 1), 0.1 * (i >> 2 & 1)});
  mesh.tets = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}};
  for (Tet& t : mesh.tets)
    if (tet_volume(mesh.nodes[t[0]], mesh.nodes[t[1]], mesh.nodes[t[2]], mesh.nodes[t[3]]) < 0)
      std::swap(t[2], t[3]);
  return mesh;
}

inline BodySpec cube(const std::string& name, const Vec3d& corner, double young_modulus = 1e5) {
  BodySpec body;
  body.name = name;
  body.mesh = cube_mesh();
  body.transform.translation = corner;
  body.material.young_modulus = young_modulus;
  return body;
}

/// Cube "soft" on the floor, cube "stiff" in the air, a floor and a roller that turns about its axis z.
inline Model small_model() {
  ModelBuilder builder;
  builder.add(cube("soft", {0.0, 0.0, 0.0}));
  builder.add(cube("stiff", {0.5, 0.0, 0.3}, 1e6));
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, 0.5, {}});
  ObstacleSpec roller{"roller", CylinderShape{0.05, 0.2}, {}, {}, 0.5, {}};
  roller.pose.translation = {0.0, 1.0, 1.0};
  roller.motion.spin = {0.0, 0.0, 3.0};
  builder.add(roller);
  return builder.build();
}

}  // namespace sinew::test
