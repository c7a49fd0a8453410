// The solids that generate_mesh knows, as signed distance functions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sinew/mesh_generation.hpp>

#include "engine/meshing/stuffing.hpp"

namespace sinew {

/// Every parameter of a shape with its value.
using ParameterValues = std::map<std::string, double>;

/// A solid ready to be filled.
struct Solid {
  DistanceFunction distance;
  Vec3d low, high;                ///< [m] bounds
  double volume = 0.0;            ///< [m^3] rough, for the first guess of the cell
  std::vector<Vec3d> cable_path;  ///< [m]
  double wall = 0.0;              ///< [m] > 0: cells above half of it would leave holes right through
};

/// One line of the table of solids.
struct SolidShape {
  std::string name, what;
  double default_vertices;
  std::vector<GeneratorParameter> parameters;  ///< without vertices and cell
  std::function<Solid(const ParameterValues&)> make;
};

const std::vector<SolidShape>& solid_shapes();

}  // namespace sinew
