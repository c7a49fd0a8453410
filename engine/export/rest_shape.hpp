// Rest shape of a body in the world, as exporters need it.
#pragma once

#include <vector>

#include <sinew/model.hpp>

namespace sinew {

struct RestShape {
  std::vector<Vec3d> positions;  ///< [m], {nodes}, after the body's transform
  std::vector<double>
      node_weight;                 ///< [m^3], {nodes}, a quarter of each cell's filled volume: mass / density
  std::vector<double> tet_volume;  ///< [m^3], {tets}, of the whole cell
};
RestShape rest_shape(const BodySpec& body);

}  // namespace sinew
