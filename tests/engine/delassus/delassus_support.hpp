// Bodies, rows and a dense oracle for the Gram matrix.
#pragma once

#include <memory>
#include <vector>

#include "engine/delassus/point_rows.hpp"
#include "engine/precompute/assemble.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

namespace sinew::test {

/// A prepared body and its dense A_s^-1 over the internal order, zero at pinned nodes.
struct DenseBody {
  std::shared_ptr<BodyPrecomputed> prepared;
  std::size_t size = 0;
  std::vector<double> inverse;  ///< {size, size}
  double at(Index i, Index j) const { return inverse[static_cast<std::size_t>(i) * size + j]; }
};

/// pins: the first nodes of the mesh.
inline DenseBody dense_body(BodySpec spec, std::size_t pins, const SolverSettings& settings = {},
                            std::shared_ptr<Device> device = nullptr) {
  const Model model = ModelBuilder().add(std::move(spec)).build();
  const BodyData& data = model.data().bodies[0];
  DenseBody body;
  body.size = data.start_position.size();
  std::vector<char> pinned(body.size, 0);
  for (std::size_t i = 0; i < pins; ++i) pinned[i] = 1;
  body.prepared = precompute_body(data, pinned, 0.01, settings, 0.0, nullptr, device);
  std::vector<Index> index_of(body.size, -1), free_node;
  for (std::size_t i = 0; i < body.size; ++i) {
    if (pinned[i]) continue;
    index_of[i] = static_cast<Index>(free_node.size());
    free_node.push_back(static_cast<Index>(i));
  }
  const SymmetricMatrix a = assemble_system(data, index_of, static_cast<Index>(free_node.size()), 0.01);
  const std::size_t n = free_node.size();
  std::vector<double> left(n * n, 0.0), right(n * n, 0.0);  // Gauss-Jordan; A is positive definite
  for (std::size_t j = 0; j < n; ++j) {
    right[j * n + j] = 1.0;
    for (Index p = a.column_start[j]; p < a.column_start[j + 1]; ++p)
      left[j * n + a.row[p]] = left[a.row[p] * n + j] = a.value[p];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const double pivot = 1.0 / left[k * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      left[k * n + j] *= pivot;
      right[k * n + j] *= pivot;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = left[i * n + k];
      if (i == k || factor == 0.0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        left[i * n + j] -= factor * left[k * n + j];
        right[i * n + j] -= factor * right[k * n + j];
      }
    }
  }
  body.inverse.assign(body.size * body.size, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Index internal_i = body.prepared->to_internal[free_node[i]],
                  internal_j = body.prepared->to_internal[free_node[j]];
      body.inverse[static_cast<std::size_t>(internal_i) * body.size + internal_j] = right[i * n + j];
    }
  return body;
}

inline BodySpec block_spec() {
  BodySpec body;
  body.name = "block";
  body.mesh = block(3, 3, 4, 0.05);
  body.material.young_modulus = 1e5;
  return body;
}

inline std::vector<double> dense_gram(const PointRows& rows, const std::vector<DenseBody>& bodies) {
  const std::size_t count = rows.size();
  std::vector<double> gram(count * count, 0.0);
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t d = 0; d < count; ++d)
      for (std::size_t i = 0; i < rows.count(c); ++i)
        for (std::size_t j = 0; j < rows.count(d); ++j) {
          const ContactTerm &a = rows.row(c)[i], &b = rows.row(d)[j];
          if (a.body == b.body)
            gram[c * count + d] += a.weight * b.weight * bodies[a.body].at(a.node, b.node);
        }
  return gram;
}

inline std::vector<const BodyPrecomputed*> prepared_of(const std::vector<DenseBody>& bodies) {
  std::vector<const BodyPrecomputed*> result;
  for (const DenseBody& body : bodies) result.push_back(body.prepared.get());
  return result;
}

inline Index random_node(Random& random, const DenseBody& body) {
  return static_cast<Index>(random.uniform(0.0, static_cast<double>(body.size)));
}

/// A row of `terms` terms at random nodes (pinned ones and nodes inside among them), on bodies a and b in
/// turn; against an obstacle (b < 0) weights sum to 1, else to 0.
inline void add_random_row(Random& random, const std::vector<DenseBody>& bodies, Index a, Index b,
                           std::size_t terms, PointRows& rows) {
  std::vector<ContactTerm> term(terms);
  double sum = 0.0;
  for (std::size_t k = 0; k < terms; ++k) {
    term[k].body = b >= 0 && k % 2 == 1 ? b : a;
    term[k].node = random_node(random, bodies[term[k].body]);
    term[k].weight = terms == 1 ? 1.0 : random.uniform(-0.5, 1.0);
    sum += term[k].weight;
  }
  term[0].weight += (b >= 0 ? 0.0 : 1.0) - sum;
  rows.add(term.data(), terms);
}

}  // namespace sinew::test
