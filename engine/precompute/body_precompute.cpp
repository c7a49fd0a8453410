#include "engine/precompute/body_precompute.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/precompute/assemble.hpp"
#include "engine/precompute/elastic_rows.hpp"
#include "host/staged_solver.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/element/shape/triangle.hpp"

namespace sinew {

namespace {

/// Elements, masses and incidence in internal order.
void fill_elements(const BodyData& body, BodyPrecomputed& p) {
  const TetMesh& mesh = body.spec.mesh;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& tet = mesh.tets[t];
    const auto& x = body.rest_position;
    p.rest_inverse.push_back(inverse(tet_edges(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]])));
    p.tets.push_back(
        {p.to_internal[tet[0]], p.to_internal[tet[1]], p.to_internal[tet[2]], p.to_internal[tet[3]]});
  }
  p.volume = body.tet_volume;
  ElementSource source;  // sheets have none: empty blocks, but every node has its (empty) list of slots
  if (!p.tets.empty())
    source = {4, 9, p.tets.size(), p.tets.front().data(), &p.rest_inverse.front().m[0][0], p.volume.data()};
  p.blocks = make_element_blocks<double>(source, p.node_count);
  p.mass.resize(p.node_count);
  for (Index i = 0; i < p.node_count; ++i) p.mass[i] = body.node_mass[p.to_user[i]];
  p.incidence_start.assign(p.node_count + 1, 0);
  for (const Tet& tet : p.tets)
    for (const Index node : tet) ++p.incidence_start[node + 1];
  std::partial_sum(p.incidence_start.begin(), p.incidence_start.end(), p.incidence_start.begin());
  p.incidence.resize(p.tets.size() * 4);
  std::vector<Index> cursor(p.incidence_start.begin(), p.incidence_start.end() - 1);
  for (std::size_t t = 0; t < p.tets.size(); ++t)
    for (int c = 0; c < 4; ++c) p.incidence[cursor[p.tets[t][c]]++] = static_cast<Index>(4 * t + c);
}

/// Nodes to the places where they appear, ascending: the fixed order of a gather. node_at: {places}.
void list_places(const std::vector<Index>& node_at, Index node_count, std::vector<Index>& start,
                 std::vector<Index>& places) {
  start.assign(node_count + 1, 0);
  for (const Index node : node_at) ++start[node + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  places.resize(node_at.size());
  std::vector<Index> cursor(start.begin(), start.end() - 1);
  for (std::size_t p = 0; p < node_at.size(); ++p) places[cursor[node_at[p]]++] = static_cast<Index>(p);
}

void fill_sheet(const BodyData& body, BodyPrecomputed& p) {
  const Sheet& sheet = *body.spec.sheet;
  if (sheet.strain_limit) {
    p.largest_stretch = 1.0 + *sheet.strain_limit;
    p.limit_stiffness = Sheet::kStrainLimitFactor * p.element_weight;
  }
  std::vector<Index> corners;
  for (std::size_t t = 0; t < sheet.mesh.triangles.size(); ++t) {
    const Triangle& v = sheet.mesh.triangles[t];
    const auto& x = body.rest_position;
    p.triangle_inverse.push_back(triangle_rest_inverse(x[v[0]], x[v[1]], x[v[2]]));
    p.triangle_volume.push_back(body.triangle_area[t] * sheet.thickness);
    p.triangles.push_back({p.to_internal[v[0]], p.to_internal[v[1]], p.to_internal[v[2]]});
    corners.insert(corners.end(), p.triangles.back().begin(), p.triangles.back().end());
  }
  list_places(corners, p.node_count, p.triangle_incidence_start, p.triangle_incidence);
  p.blocks = make_element_blocks<double>({3, 4, p.triangles.size(), corners.data(),
                                          &p.triangle_inverse.data()->m[0][0], p.triangle_volume.data()},
                                         p.node_count);
}

void fill_rows(const BodyData& body, BodyPrecomputed& p) {
  p.rows = renumbered(elastic_rows(body), p.to_internal);
  if (p.rows.size() == 0) return;
  list_places(p.rows.node, p.node_count, p.row_incidence_start, p.row_incidence);
  p.row_of_place.resize(p.rows.node.size());
  for (std::size_t s = 0; s < p.rows.size(); ++s)
    for (Index k = p.rows.start[s]; k < p.rows.start[s + 1]; ++k) p.row_of_place[k] = static_cast<Index>(s);
}

void fill_contact_points(const BodyData& body, BodyPrecomputed& p) {
  const TetMesh& mesh = body.spec.mesh;
  // A point that its free nodes hardly carry cannot be moved by a force on it: it is as good as pinned.
  constexpr double kLeastFreeWeight = 1e-2, kLeastWeight = 1e-6;
  const auto add = [&](const ContactPoint& point) {
    double free_weight = 0.0;
    for (Index k = 0; k < point.count; ++k)
      if (point.node[k] < p.free_count) free_weight += std::abs(point.weight[k]);
    if (free_weight >= kLeastFreeWeight) p.points.push_back(point);
  };
  if (!mesh.surface.empty()) {
    for (std::size_t i = 0; i < mesh.surface.tet.size(); ++i) {
      ContactPoint point;
      point.surface_point = static_cast<Index>(i);
      for (int k = 0; k < 4; ++k) {
        if (std::abs(mesh.surface.weights[i][k]) < kLeastWeight) continue;
        point.node[point.count] = p.to_internal[mesh.tets[mesh.surface.tet[i]][k]];
        point.weight[point.count++] = mesh.surface.weights[i][k];
      }
      add(point);
    }
    return;
  }
  std::vector<char> on_surface(p.node_count, 0);
  for (const Triangle& t : body.surface_triangles)
    for (const Index node : t) on_surface[node] = 1;
  for (Index i = 0; i < p.node_count; ++i)
    if (on_surface[i]) add({i, 1, {p.to_internal[i], 0, 0, 0}, {1.0, 0.0, 0.0, 0.0}});
  std::vector<char> in_solid(p.node_count, 0);
  for (const Tet& t : mesh.tets)
    for (const Index node : t) in_solid[node] = 1;
  for (Index i = 0; i < p.node_count; ++i)
    if (in_solid[i] && !on_surface[i] && p.to_internal[i] < p.free_count)
      p.inner.push_back({i, 1, {p.to_internal[i], 0, 0, 0}, {1.0, 0.0, 0.0, 0.0}});
}

/// One entry of the disk cache as the solvers see it.
class CacheStore final : public SolverStore {
 public:
  CacheStore(DiskCache* cache, const SymmetricMatrix& system, const SolverSettings& settings)
      : cache_(cache && cache->enabled() && system.size >= kLeastKept ? cache : nullptr) {
    if (cache_) key_ = cache_key(system, settings);
  }
  bool wanted() const { return cache_ != nullptr; }
  bool hit() const { return hit_; }
  bool load(const std::function<void(ByteReader&)>& read) override { return hit_ = cache_->load(key_, read); }
  void store(const std::function<void(ByteWriter&)>& write) override { cache_->store(key_, write); }

 private:
  static constexpr Index kLeastKept = 2000;  // smaller systems are prepared as fast as a file is read
  DiskCache* cache_;
  CacheKey key_;
  bool hit_ = false;
};

}  // namespace

std::size_t BodyPrecomputed::bytes() const {
  return (solver ? solver->sizes().bytes : 0) +
         tets.size() * (sizeof(Tet) + sizeof(Mat3d) + sizeof(double) + 4 * sizeof(Index)) +
         triangles.size() * (sizeof(Triangle) + 4 * sizeof(double) + 3 * sizeof(Index)) +
         rows.size() * (2 * sizeof(double) + sizeof(Index)) +
         rows.node.size() * (sizeof(double) + 3 * sizeof(Index)) + blocks.bytes() +
         mass.size() * (sizeof(double) + 5 * sizeof(Index)) +
         (points.size() + inner.size()) * sizeof(ContactPoint) + (compliance ? compliance->bytes() : 0);
}

namespace {

bool same_sheet(const BodySpec& a, const BodySpec& b) {
  if (!a.sheet || !b.sheet) return !a.sheet && !b.sheet;
  const Bending &x = a.sheet->bending, &y = b.sheet->bending;
  return a.sheet->mesh.triangles == b.sheet->mesh.triangles && a.sheet->thickness == b.sheet->thickness &&
         a.sheet->area_density == b.sheet->area_density && x.model == y.model && x.stiffness == y.stiffness &&
         x.flat_rest == y.flat_rest && a.sheet->strain_limit == b.sheet->strain_limit;
}

bool same_springs(const std::vector<Spring>& a, const std::vector<Spring>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Spring& x, const Spring& y) {
    return x.nodes == y.nodes && x.stiffness == y.stiffness && x.rest_length == y.rest_length;
  });
}

}  // namespace

bool same_precompute(const BodyData& a, const std::vector<char>& pinned_a, const BodyData& b,
                     const std::vector<char>& pinned_b) {
  return a.spec.material == b.spec.material && a.spec.mesh.surface.empty() == b.spec.mesh.surface.empty() &&
         a.spec.density == b.spec.density && a.spec.mesh.tets == b.spec.mesh.tets &&
         same_sheet(a.spec, b.spec) && same_springs(a.spec.springs, b.spec.springs) &&
         a.rest_position == b.rest_position && a.tet_volume == b.tet_volume && pinned_a == pinned_b &&
         a.spec.mesh.surface.tet == b.spec.mesh.surface.tet &&
         a.spec.mesh.surface.weights == b.spec.mesh.surface.weights;
}

bool same_preparation(const SimulationSettings& a, const SimulationSettings& b) {
  const SolverSettings &s = a.solver, &t = b.solver;
  const auto on_host = [](Backend backend) {
    return backend == Backend::automatic || backend == Backend::cpu;
  };
  return a.time_step == b.time_step &&
         (a.backend == b.backend || (on_host(a.backend) && on_host(b.backend))) && s.global == t.global &&
         s.stages == t.stages && s.precision == t.precision && s.refinement_steps == t.refinement_steps &&
         s.factor == t.factor && s.preconditioner == t.preconditioner && s.pcg_tolerance == t.pcg_tolerance &&
         s.pcg_max_iterations == t.pcg_max_iterations;
}

std::vector<std::vector<char>> pinned_nodes(const ModelData& model) {
  std::vector<std::vector<char>> pinned;
  for (const BodyData& body : model.bodies) pinned.emplace_back(body.start_position.size(), 0);
  for (const PinData& pin : model.pins)
    for (const Index node : pin.nodes) pinned[pin.body][node] = 1;
  return pinned;
}

std::shared_ptr<BodyPrecomputed> precompute_body(const BodyData& body, const std::vector<char>& pinned,
                                                 double time_step, const SolverSettings& settings,
                                                 double memory_limit, DiskCache* cache,
                                                 std::shared_ptr<Device> device) {
  auto result = std::make_shared<BodyPrecomputed>();
  BodyPrecomputed& p = *result;
  const Material& material = body.spec.material;
  p.node_count = static_cast<Index>(body.rest_position.size());
  p.kind = material.kind;
  p.shear_modulus = material.shear_modulus();
  p.first_lame = material.kind == MaterialKind::arap ? 0.0 : material.first_lame();
  p.mooney_ratio = material.mooney_ratio;
  p.alpha = material.rayleigh_alpha;
  p.beta = material.rayleigh_beta;
  p.element_weight = body.spec.sheet ? membrane_weight(material) : rest_weight(material);

  std::vector<Index> index_of(p.node_count, -1), free_node;
  for (Index i = 0; i < p.node_count; ++i) {
    if (pinned[i]) continue;
    index_of[i] = static_cast<Index>(free_node.size());
    free_node.push_back(i);
  }
  p.free_count = static_cast<Index>(free_node.size());
  if (p.free_count > 0) {
    const SymmetricMatrix system = assemble_system(body, index_of, p.free_count, time_step);
    for (Index j = 0; j < system.size; ++j) {
      const double diagonal = system.value[system.column_start[j]];
      p.diagonal_norm += diagonal * diagonal;
    }
    p.diagonal_norm = std::sqrt(p.diagonal_norm);
    CacheStore store(cache, system, settings);
    p.solver = make_linear_solver(system, settings, memory_limit, store.wanted() ? &store : nullptr,
                                  std::move(device));
    p.from_cache = store.hit();
  }
  p.to_user.reserve(p.node_count);
  if (p.solver)
    for (const Index k : p.solver->order()) p.to_user.push_back(free_node[k]);
  for (Index i = 0; i < p.node_count; ++i)
    if (pinned[i]) p.to_user.push_back(i);
  p.to_internal.resize(p.node_count);
  for (Index i = 0; i < p.node_count; ++i) p.to_internal[p.to_user[i]] = i;

  fill_elements(body, p);
  if (body.spec.sheet) fill_sheet(body, p);
  fill_rows(body, p);
  fill_contact_points(body, p);
  std::vector<Index> contact_nodes;
  for (const ContactPoint& point : p.points)
    for (Index k = 0; k < point.count; ++k)
      if (point.node[k] < p.free_count) contact_nodes.push_back(point.node[k]);
  p.compliance =
      std::make_unique<ComplianceCache>(p.solver.get(), std::move(contact_nodes), 0.25 * memory_limit);
  return result;
}

}  // namespace sinew
