// Entries of G = B A_s^-1 B^T from columns of A_s^-1 that stand on the device.
#pragma once

#include <cstddef>

#include <sinew/base/config.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// Columns of A_s^-1, by node; null where nobody asked for one. Of two nodes the column of the lesser one
/// counts: entries are symmetric to the bit and know nothing of the order in which columns were made.
struct ComplianceColumns {
  View<const double* const> column;  ///< {n} of {n} [1/kg]
  SINEW_HD double at(Index i, Index j) const { return i <= j ? column[i][j] : column[j][i]; }
};

/// The rows of B that touch one body, in the order of G.
struct GramPart {
  View<const std::size_t> row;    ///< {rows} place in G, ascending
  View<const std::size_t> start;  ///< {rows + 1}
  View<const Index> place;        ///< {terms} of the term's node in `node`
  View<const double> weight;      ///< {terms}
  View<const Index> node;         ///< {touched} ascending

  std::size_t rows() const { return row.size; }
  std::size_t touched() const { return node.size; }
};

class GramEntryOps {
 public:
  virtual ~GramEntryOps() = default;

  /// z {rows, touched} = B_b A_s^-1 over the nodes touched.
  virtual void mix_columns(const GramPart& part, const ComplianceColumns& columns, View<double> z) = 0;
  /// G {count, count} += z B_b^T, the entry of two rows from the z of the first one, written to both places.
  virtual void add_entries(const GramPart& part, View<const double> z, std::size_t count,
                           View<double> gram) = 0;
  /// diagonal {count} = G_cc
  virtual void take_diagonal(View<const double> gram, View<double> diagonal) = 0;
};

}  // namespace sinew
