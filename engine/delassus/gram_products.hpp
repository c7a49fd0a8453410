// G = Y^T Y with Y = L^-1 B^T: the published way (without its factor nine, see docs/contact.md), no table of
// A_s^-1, no memory of earlier frames.
#pragma once

#include <vector>

#include "engine/delassus/point_rows.hpp"

namespace sinew {

struct BodyPrecomputed;

/// True where all bodies that the rows touch have solvers with a forward half.
bool can_multiply_columns(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies);

/// gram: {c, c}, overwritten, symmetric to the bit; an entry's bits depend on its two rows alone. Rows are
/// summed over bodies from the first to the last. Call inside Executor::run where can_multiply_columns().
void gram_by_products(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                      std::vector<double>& gram);

/// {c} G_cc alone: no products between rows.
std::vector<double> gram_diagonal(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies);

}  // namespace sinew
