// What a Model holds behind its handle. Immutable once built.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sinew/model.hpp>

#include "engine/handles/handle.hpp"

#include "engine/collision/friction_table.hpp"

namespace sinew {

/// One body with what follows from its spec alone. Node order: the user's.
struct BodyData {
  BodySpec spec;
  std::vector<Triangle> surface_triangles;  ///< embedded points or nodes
  std::vector<double> node_mass;            ///< [kg], {node_count}: lumped, with inside fractions
  std::vector<double> tet_volume;     ///< [m^3], {tet_count}: rest volume after scaling, with inside fraction
  std::vector<double> triangle_area;  ///< [m^2], {triangle_count} of a sheet, after scaling
  std::vector<Vec3d>
      rest_position;  ///< [m], {node_count}: scaled, neither turned nor moved (shared by instances)
  std::vector<Vec3d> start_position;  ///< [m], {node_count}: after the whole transform
  std::vector<Vec3d> start_velocity;  ///< [m/s], {node_count}
  double mass = 0.0;                  ///< [kg]
  double rest_volume = 0.0;           ///< [m^3]
  double rest_area = 0.0;             ///< [m^2] of a sheet
  double diagonal = 0.0;              ///< [m] of the bounding box at the start
  double contact_thickness = 0.0;     ///< [m] offset against bodies, itself and mesh obstacles
  double shape_thickness = 0.0;       ///< [m] offset against the other obstacles
  bool self_contact = false;
};

/// Pinned nodes of one pin; a node belongs to the first pin that takes it.
struct PinData {
  PinSpec spec;
  std::size_t body = 0;
  std::vector<Index> nodes;  ///< user order, ascending
  Vec3d origin;              ///< [m]
};

struct ForceData {
  ForceSpec spec;
  std::size_t body = 0;
  std::vector<Index> nodes;   ///< user order, ascending
  std::vector<double> share;  ///< sums to 1, by node mass
};

struct HandleData {
  HandleSpec spec;
  Handle handle;  ///< as made at time 0, nodes in user order
};

class ModelData {
 public:
  Vec3d gravity{0.0, 0.0, -9.81};
  std::vector<BodyData> bodies;
  std::vector<ObstacleSpec> obstacles;  ///< mesh shapes with their thickness, closed ones facing outwards
  std::vector<PinData> pins;
  std::vector<ForceData> forces;
  std::vector<HandleData> handles;
  std::vector<FrictionTable::Pair> friction_pairs;  ///< in the order given
  std::vector<std::string> warnings;
  std::uint64_t hash = 0;  ///< of all that decides the motion; snapshots carry it
};

/// Pose of an obstacle at a time [s]: its own, then its motion about its origin.
Pose pose_at(const ObstacleSpec& spec, double time);

/// Bodies that start deep inside an obstacle and are pushed out slowly, which is rarely meant: one line each.
std::vector<std::string> overlap_warnings(const ModelData& data);

/// Indices of the named parts. what: "friction pair 2 ('a', 'b')". @throws ModelError.
FrictionTable::Pair resolve_friction_pair(const FrictionPair& pair, const ModelData& data,
                                          const std::string& what);

/// Nodes of a region in ascending order. @throws ModelError for an index out of range (named by what).
std::vector<Index> nodes_in_region(const Region& region, const BodyData& body, const std::string& what);

}  // namespace sinew
