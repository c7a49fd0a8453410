#include "engine/precompute/body_precompute.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/precompute/assemble.hpp"
#include "host/staged_solver.hpp"
#include "kernels/element/shape/tet.hpp"

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
         mass.size() * (sizeof(double) + 3 * sizeof(Index)) + points.size() * sizeof(ContactPoint) +
         (compliance ? compliance->bytes() : 0);
}

bool same_precompute(const BodyData& a, const std::vector<char>& pinned_a, const BodyData& b,
                     const std::vector<char>& pinned_b) {
  const Material &m = a.spec.material, &o = b.spec.material;
  return m.kind == o.kind && a.spec.mesh.surface.empty() == b.spec.mesh.surface.empty() &&
         m.young_modulus == o.young_modulus && m.poisson_ratio == o.poisson_ratio &&
         m.rayleigh_alpha == o.rayleigh_alpha && m.rayleigh_beta == o.rayleigh_beta &&
         a.spec.density == b.spec.density && a.spec.mesh.tets == b.spec.mesh.tets &&
         a.rest_position == b.rest_position && a.tet_volume == b.tet_volume && pinned_a == pinned_b &&
         a.spec.mesh.surface.tet == b.spec.mesh.surface.tet &&
         a.spec.mesh.surface.weights == b.spec.mesh.surface.weights;
}

std::shared_ptr<BodyPrecomputed> precompute_body(const BodyData& body, const std::vector<char>& pinned,
                                                 double time_step, const SolverSettings& settings,
                                                 double memory_limit, DiskCache* cache) {
  auto result = std::make_shared<BodyPrecomputed>();
  BodyPrecomputed& p = *result;
  const Material& material = body.spec.material;
  p.node_count = static_cast<Index>(body.rest_position.size());
  p.kind = material.kind;
  p.shear_modulus = material.shear_modulus();
  p.first_lame = material.kind == MaterialKind::arap ? 0.0 : material.first_lame();
  p.alpha = material.rayleigh_alpha;
  p.beta = material.rayleigh_beta;
  p.element_weight = rest_weight(material);

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
    p.solver = make_linear_solver(system, settings, memory_limit, store.wanted() ? &store : nullptr);
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
