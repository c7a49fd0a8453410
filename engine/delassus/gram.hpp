// The Delassus operator of an island: rows of B and their scalar Gram matrix G = B A_s^-1 B^T (fact 3),
// summed over the bodies that a row touches.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/base/solver_settings.hpp>

#include "engine/delassus/gram_entries.hpp"
#include "engine/delassus/point_rows.hpp"

namespace sinew {

struct BodyPrecomputed;

/// Keeps what the last call made: lives as long as its island, from frame to frame. An entry depends on its
/// two rows and the way alone, to the bit: neither on other rows, nor on what was there before, nor on the
/// number of threads. Of the ways, gram needs solvers with a forward half and is cache elsewhere; automatic
/// is cache, and gram where the columns would pass the budget of a table; matrix_free forms no matrix, see
/// matrix_free.hpp.
class GramAssembler {
 public:
  /// gram: {c, c} row-major [1/kg], symmetric to the bit; the same vector in every call, left as the last
  /// call made it (any other size starts afresh). bodies: by ContactTerm::body, in the same order for as long
  /// as rows are to be recognised. Terms at pinned nodes (node >= free_count) drop out. memory_limit [bytes],
  /// 0: none. Rows that equal those of the last call term by term, wherever they stood, keep their entries;
  /// the same rows in the same order cost a comparison. Call inside Executor::run. Returns the columns of
  /// A_s^-1 that were computed. @throws MemoryError with both numbers; the next call starts afresh then.
  std::size_t assemble(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                       DelassusWay way, double memory_limit, std::vector<double>& gram);

  /// Forgets the last call.
  void reset();
  std::size_t bytes() const;

 private:
  static DelassusWay choose(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                            DelassusWay way);
  bool same_bodies(const std::vector<const BodyPrecomputed*>& bodies) const;
  void match(const PointRows& rows);
  void move_entries(std::size_t count, std::vector<double>& gram);
  void keep(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies, DelassusWay asked,
            DelassusWay chosen);

  PointRows last_;                                   ///< rows that gram belongs to
  std::vector<const BodyPrecomputed*> last_bodies_;  ///< {bodies}; null where no row touches the body
  DelassusWay last_asked_ = DelassusWay::automatic, last_way_ = DelassusWay::automatic;
  std::vector<std::ptrdiff_t> old_;  ///< {c} the same row of the last call, or -1
  std::vector<double> spare_;        ///< the next matrix while entries move
  GramEntries entries_;
};

}  // namespace sinew
