#include "engine/delassus/matrix_free.hpp"

#include "engine/delassus/gram_products.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

bool wants_operator(DelassusWay way, std::size_t rows, double memory_limit) {
  if (way == DelassusWay::matrix_free) return true;
  if (way != DelassusWay::automatic || !(memory_limit > 0.0)) return false;
  return static_cast<double>(rows) * static_cast<double>(rows) * sizeof(double) > 0.5 * memory_limit;
}

void MatrixFreeDelassus::set(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies) {
  rows_ = rows;
  parts_.clear();
  part_of_.assign(bodies.size(), -1);
  const auto is_free = [&](const ContactTerm& t) { return t.node < bodies[t.body]->free_count; };
  for (const ContactTerm& t : rows.term)
    if (is_free(t)) part_of_[t.body] = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (part_of_[b] < 0) continue;
    part_of_[b] = static_cast<std::ptrdiff_t>(parts_.size());
    Part& part = parts_.emplace_back();
    part.body = b;
    part.solver = bodies[b]->solver.get();
    part.workspace = part.solver->make_workspace();
    part.nodal.resize(static_cast<std::size_t>(bodies[b]->free_count));
    part.start.assign(part.nodal.size() + 1, 0);
  }
  const auto each_term = [&](auto&& visit) {
    for (std::size_t c = 0; c < rows.size(); ++c)
      for (std::size_t k = rows.start[c]; k < rows.start[c + 1]; ++k)
        if (is_free(rows.term[k])) visit(c, rows.term[k], parts_[part_of_[rows.term[k].body]]);
  };
  each_term([](std::size_t, const ContactTerm& t, Part& part) { ++part.start[t.node + 1]; });
  for (Part& part : parts_) {
    for (std::size_t i = 1; i < part.start.size(); ++i) part.start[i] += part.start[i - 1];
    part.row.resize(part.start.back());
    part.weight.resize(part.start.back());
  }
  each_term([](std::size_t c, const ContactTerm& t, Part& part) {
    const std::size_t place = part.start[t.node]++;
    part.row[place] = c;
    part.weight[place] = t.weight;
  });
  for (Part& part : parts_) {
    for (std::size_t i = part.start.size() - 1; i > 0; --i) part.start[i] = part.start[i - 1];
    part.start[0] = 0;
  }
  for (ContactTerm& t : rows_.term)
    if (!is_free(t)) t.weight = 0.0;  // at rest, whatever acts on it
  diagonal_ = gram_diagonal(rows, bodies);
}

void MatrixFreeDelassus::apply(const std::vector<Vec3d>& v, std::vector<Vec3d>& out) const {
  for_each(parts_.size(), 1, [&](std::size_t k) {
    Part& part = parts_[k];
    for_each(part.nodal.size(), 256, [&](std::size_t i) {
      Vec3d sum{};
      for (std::size_t p = part.start[i]; p < part.start[i + 1]; ++p) sum += part.weight[p] * v[part.row[p]];
      part.nodal[i] = sum;
    });
    Vec3d* block = part.nodal.data();
    part.solver->solve(&block, 1, *part.workspace);
  });
  out.resize(rows_.size());
  for_each(rows_.size(), 64, [&](std::size_t c) {
    Vec3d sum{};
    for (std::size_t k = rows_.start[c]; k < rows_.start[c + 1]; ++k) {
      const ContactTerm& t = rows_.term[k];
      if (t.weight != 0.0) sum += t.weight * parts_[part_of_[t.body]].nodal[t.node];
    }
    out[c] = sum;
  });
}

}  // namespace sinew
