#include "engine/contact/cone_unknowns.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/newton_step.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr double kNoFriction = 1e-9;  // [1] below, the cone is its axis

}  // namespace

ConeUnknowns::ConeUnknowns(const ContactProblem& problem) : p_(problem), operator_(problem) {
  for (std::size_t c = 0; c < p_.size(); ++c) {
    const PointLaw law = p_.law_of(c);
    if (law == PointLaw::none) continue;
    ConeBlock block;
    block.of = c;
    block.length = p_.compliance(c);
    if (law == PointLaw::held) {
      block.kind = ConeKind::free3;
      block.compliance = p_.held_compliance_of(c);
      block.length += block.compliance;
      add(block, {{{c, {1.0, 0.0, 0.0}}}, {{c, {0.0, 1.0, 0.0}}}, {{c, {0.0, 0.0, 1.0}}}});
      continue;
    }
    if (!(block.length > 0.0)) continue;  // nothing that could move
    const auto& e = p_.frame[c];
    block.friction = p_.friction[c];
    if (block.friction > kNoFriction) {
      block.kind = ConeKind::second_order;
      add(block, {{{c, (1.0 / block.friction) * e.n}}, {{c, e.t1}}, {{c, e.t2}}});
    } else {
      block.kind = ConeKind::ray;
      add(block, {{{c, e.n}}});
    }
  }
  for (std::size_t k = 0; k < p_.scalar.size(); ++k) {
    const ScalarRow& row = p_.scalar[k];
    ConeBlock block;
    block.kind = row.one_sided ? ConeKind::ray : ConeKind::free1;
    block.of = k;
    block.row = true;
    block.compliance = row.compliance;
    block.length = operator_.scalar_compliance(row) + row.compliance;
    std::vector<Entry> entries;
    for (const auto& e : row.entry) entries.push_back({static_cast<std::size_t>(e.point), e.direction});
    add(block, {entries});
  }
}

void ConeUnknowns::add(const ConeBlock& block, std::vector<std::vector<Entry>> direction) {
  blocks_.push_back(block);
  blocks_.back().first = direction_.size();
  for (auto& d : direction) direction_.push_back(std::move(d));
}

Eigen::MatrixXd ConeUnknowns::matrix() const {
  const std::size_t m = count(), rank = p_.metric.rank(), n = p_.size();
  Eigen::MatrixXd s(m, m);
  // Columns of Q belong to bodies: most products with them are zero.
  struct Share {
    std::size_t column;
    double value;
  };
  std::vector<std::vector<Share>> q(m), qm(m);
  std::vector<std::vector<Share>> by_column(rank);  // of unknowns
  std::vector<double> sum(rank), product(rank);
  const auto nonzero = [](const std::vector<double>& v, std::vector<Share>& out) {
    for (std::size_t z = 0; z < v.size(); ++z)
      if (v[z] != 0.0) out.push_back({z, v[z]});
  };
  for (std::size_t i = 0; i < m && rank > 0; ++i) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (const Entry& e : direction_[i]) p_.metric.add_to(e.point, e.direction, sum);
    nonzero(sum, q[i]);
    for (const Share& share : q[i]) by_column[share.column].push_back({i, share.value});
    p_.metric.multiply_middle(sum, product);
    for (double& v : product) v *= p_.squared_step;
    nonzero(product, qm[i]);
  }
  for_each(m, 8, [&](std::size_t i) {
    const Eigen::Index col = static_cast<Eigen::Index>(i);
    for (std::size_t j = 0; j < m; ++j) {
      double value = 0.0;
      for (const Entry& a : direction_[i])
        for (const Entry& b : direction_[j])
          value += p_.squared_step * p_.gram[a.point * n + b.point] * dot(a.direction, b.direction);
      s(static_cast<Eigen::Index>(j), col) = value;
    }
    for (const Share& share : qm[i])
      for (const Share& other : by_column[share.column])
        s(static_cast<Eigen::Index>(other.column), col) += share.value * other.value;
  });
  for (const ConeBlock& block : blocks_)
    for (int k = 0; k < block.size(); ++k) {
      const Eigen::Index i = static_cast<Eigen::Index>(block.first) + k;
      s(i, i) += block.compliance;
    }
  return s;
}

void ConeUnknowns::read(Eigen::VectorXd& x, Eigen::VectorXd& w) const {
  x.resize(static_cast<Eigen::Index>(count()));
  w.resize(x.size());
  for (const ConeBlock& block : blocks_)
    for (int k = 0; k < block.size(); ++k) {
      const Eigen::Index i = static_cast<Eigen::Index>(block.first) + k;
      if (block.row) {
        const ScalarRow& row = p_.scalar[block.of];
        x[i] = row.force;
        w[i] = scalar_value(p_, row) + row.compliance * row.force;
        continue;
      }
      const Vec3d& direction = direction_[block.first + static_cast<std::size_t>(k)].front().direction;
      x[i] = dot(direction, p_.force[block.of]) / squared_norm(direction);
      w[i] = dot(direction, p_.displacement[block.of]) + block.compliance * x[i];
    }
}

void ConeUnknowns::write(const Eigen::VectorXd& x, ContactProblem& problem) const {
  std::vector<Vec3d> next(problem.size());
  std::vector<double> lambda;
  for (const ScalarRow& row : problem.scalar) lambda.push_back(row.force);
  for (const ConeBlock& block : blocks_) {
    const Eigen::Index first = static_cast<Eigen::Index>(block.first);
    if (block.row) {
      lambda[block.of] = block.kind == ConeKind::ray ? std::max(0.0, x[first]) : x[first];
      continue;
    }
    Vec3d v{};
    for (int k = 0; k < block.size(); ++k) v[k] = x[first + k];
    if (block.kind == ConeKind::ray) v.x = std::max(0.0, v.x);
    if (block.kind == ConeKind::second_order) {
      v.x = std::max(0.0, v.x);
      const double tangential = std::hypot(v.y, v.z);
      if (tangential > v.x) {
        v.y *= v.x / tangential;
        v.z *= v.x / tangential;
      }
    }
    for (int k = 0; k < block.size(); ++k)
      next[block.of] += v[k] * direction_[block.first + static_cast<std::size_t>(k)].front().direction;
  }
  set_forces(problem, operator_, next, lambda);
}

}  // namespace sinew
