// Entries of G = B A_s^-1 B^T from tables of A_s^-1: all of them, or those of new rows only.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/delassus/compliance_cache.hpp"
#include "engine/delassus/point_rows.hpp"

namespace sinew {

struct BodyPrecomputed;

/// Two sparse-dense products per body, with every sum in an order that the two rows alone decide: of two rows
/// the lesser one (term by term) is multiplied with the table first, z = w_c T, and the other one picks from
/// z. The table of the nodes touched stands contiguous, new rows' nodes first: all rows meet the new nodes,
/// new rows meet all nodes, and nothing else is read.
class GramEntries {
 public:
  /// is_new: {c}. Writes G_cd and G_dc where c or d is new; returns the columns computed.
  std::size_t compute(const PointRows& rows, const std::vector<char>& is_new,
                      const std::vector<const BodyPrecomputed*>& bodies, std::vector<double>& gram);
  std::size_t bytes() const;

 private:
  /// Rows that touch one body, from the least to the greatest, and the table of their nodes.
  struct Part {
    const BodyPrecomputed* body = nullptr;
    std::vector<std::size_t> row;
    std::vector<std::size_t> new_row;    ///< places in `row` of new rows
    std::vector<std::size_t> start{0};   ///< {rows + 1}
    std::vector<Index> node;             ///< {terms}, later: its place in the table
    std::vector<double> weight;          ///< {terms}
    std::size_t touched = 0, fresh = 0;  ///< nodes; of them touched by new rows
    std::vector<double> wide;            ///< {fresh, touched}
    std::vector<double> narrow;          ///< {touched - fresh, fresh}
    const double* table_row(Index place) const;
  };
  void sort_rows(const PointRows& rows);
  void split(const PointRows& rows, const std::vector<char>& is_new,
             const std::vector<const BodyPrecomputed*>& bodies);
  static std::size_t fill_table(Part& part, const std::vector<char>& is_new);
  void multiply(const Part& part, const std::vector<char>& is_new, double* gram) const;
  void mirror(const std::vector<char>& is_new, double* gram) const;

  std::vector<std::size_t> order_;  ///< rows from the least to the greatest
  std::vector<std::size_t> rank_;   ///< {c} its inverse
  std::vector<Part> parts_;         ///< bodies that rows touch, ascending
};

}  // namespace sinew
