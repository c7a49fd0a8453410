// A contact problem in the unknowns of an interior-point method: forces in cones, scaled so that Coulomb's
// cone is the second-order cone, and the matrix between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "engine/contact/contact_operator.hpp"

namespace sinew {

enum class ConeKind : std::uint8_t {
  second_order,  ///< three unknowns: contact with friction, x = (mu f_n, f_t1, f_t2)
  ray,           ///< one: contact without friction, x = f_n; one-sided row, x = lambda
  free3,         ///< three: held point
  free1,         ///< one: two-sided row
};

/// Unknowns that share one law.
struct ConeBlock {
  ConeKind kind = ConeKind::ray;
  std::size_t first = 0;  ///< place of its first unknown
  std::size_t of = 0;     ///< point, or scalar row
  bool row = false;
  double friction = 0.0;    ///< [1] second_order
  double compliance = 0.0;  ///< [m/N] of its own, held points and rows
  double length = 0.0;      ///< [m/N] own diagonal of the matrix, of the normal force of contacts
  int size() const { return kind == ConeKind::second_order || kind == ConeKind::free3 ? 3 : 1; }
};

class ConeUnknowns {
 public:
  explicit ConeUnknowns(const ContactProblem& problem);

  const std::vector<ConeBlock>& blocks() const { return blocks_; }
  std::size_t count() const { return direction_.size(); }

  /// S, {count, count}, symmetric: with it w = S x + w0, w the displacements that go with x, own compliances
  /// included.
  Eigen::MatrixXd matrix() const;

  /// x of the problem's forces, and w of its displacements.
  void read(Eigen::VectorXd& x, Eigen::VectorXd& w) const;
  /// Forces := x, back inside their laws; displacements follow.
  void write(const Eigen::VectorXd& x, ContactProblem& problem) const;

 private:
  /// What a unit of an unknown does: forces on points.
  struct Entry {
    std::size_t point = 0;
    Vec3d direction;
  };
  void add(const ConeBlock& block, std::vector<std::vector<Entry>> direction);

  const ContactProblem& p_;
  ContactOperator operator_;
  std::vector<ConeBlock> blocks_;
  std::vector<std::vector<Entry>> direction_;  ///< {count}
};

}  // namespace sinew
