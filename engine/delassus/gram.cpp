// Contact rows B and their scalar Gram matrix G = B A_s^-1 B^T (fact 3), from the compliance cache.
#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/step/frame.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

std::size_t build_gram(BodyFrame& body, double memory_limit) {
  const BodyPrecomputed& p = *body.precomputed;
  const std::size_t count = body.contacts.size();
  const double bytes = static_cast<double>(count) * static_cast<double>(count) * sizeof(double);
  if (memory_limit > 0.0 && bytes > 0.5 * memory_limit)
    throw MemoryError("contact problem of " + std::to_string(count) + " points: needs " + human_bytes(bytes) +
                      ", allowed are " + human_bytes(0.5 * memory_limit) +
                      "; use a coarser surface or raise the memory limit");
  std::vector<Index> nodes;
  for (const Contact& contact : body.contacts) {
    const ContactPoint& point = p.points[contact.point];
    for (Index k = 0; k < point.count; ++k)
      if (point.node[k] < p.free_count) nodes.push_back(point.node[k]);
  }
  const std::size_t columns = p.compliance->require(nodes, body.compliance);
  body.problem.resize(count);
  for_each(count, 8, [&](std::size_t a) {
    const ContactPoint& pa = p.points[body.contacts[a].point];
    double* row = body.problem.gram.data() + a * count;
    for (std::size_t b = 0; b < count; ++b) {
      const ContactPoint& pb = p.points[body.contacts[b].point];
      double sum = 0.0;
      for (Index i = 0; i < pa.count; ++i) {
        if (pa.node[i] >= p.free_count) continue;
        for (Index j = 0; j < pb.count; ++j)
          if (pb.node[j] < p.free_count)
            sum += pa.weight[i] * pb.weight[j] * body.compliance.value(pa.node[i], pb.node[j]);
      }
      row[b] = sum;
    }
  });
  return columns;
}

void gather_contact_forces(const BodyFrame& body, const std::vector<Vec3d>& force,
                           std::vector<Vec3d>& nodal) {
  const BodyPrecomputed& p = *body.precomputed;
  nodal.assign(p.free_count, Vec3d{});
  for (std::size_t c = 0; c < body.contacts.size(); ++c) {
    const ContactPoint& point = p.points[body.contacts[c].point];
    for (Index k = 0; k < point.count; ++k)
      if (point.node[k] < p.free_count) nodal[point.node[k]] += point.weight[k] * force[c];
  }
}

}  // namespace sinew
