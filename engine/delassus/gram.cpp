#include <sinew/errors.hpp>
#include "engine/common/text.hpp"
#include "engine/delassus/gram.hpp"
#include "kernels/runtime/executor.hpp"
namespace sinew {
std::size_t GramAssembler::assemble(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies, DelassusWayTmp, double, std::vector<double>& gram) {
  std::vector<std::vector<Index>> nodes(bodies.size());
  for (const auto& t : rows.term) if (t.node < bodies[t.body]->free_count) nodes[t.body].push_back(t.node);
  std::size_t columns = 0;
  views_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) if (!nodes[b].empty()) columns += bodies[b]->compliance->require(nodes[b], views_[b]);
  const std::size_t n = rows.size();
  gram.resize(n * n);
  for_each(n, 8, [&](std::size_t a) {
    for (std::size_t b = 0; b < n; ++b) {
      double sum = 0.0;
      for (std::size_t i = rows.start[a]; i < rows.start[a + 1]; ++i)
        for (std::size_t j = rows.start[b]; j < rows.start[b + 1]; ++j) {
          const auto &s = rows.term[i], &t = rows.term[j];
          if (s.body == t.body && s.node < bodies[s.body]->free_count && t.node < bodies[s.body]->free_count)
            sum += s.weight * t.weight * views_[s.body].value(s.node, t.node);
        }
      gram[a * n + b] = sum;
    }
  });
  return columns;
}
}
