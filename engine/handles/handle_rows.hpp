// Rows of all handles in one frame: points for the Gram matrix and the contact solvers, scalar rows of
// cables.
#pragma once

#include <span>
#include <vector>

#include "engine/collision/contact.hpp"
#include "engine/contact/contact_problem.hpp"
#include "engine/handles/handle.hpp"

namespace sinew {

/// Bodies as rows see them.
struct HandleBodies {
  std::vector<Index> free_count;       ///< {bodies} nodes from here on are pinned (internal order)
  std::vector<const Vec3d*> position;  ///< {bodies} [m], internal order, at the frame's start
};

/// A cable during the frame.
struct CableRow {
  Index handle = 0;             ///< slot
  std::vector<CableStop> stop;  ///< point: row of HandleRows
  double value = 0.0;           ///< [m] length or [N] tension at the frame's end
  Index scalar = -1;            ///< its place in HandleRows::scalar; -1: driven by tension
};

/// U of a point = x - target, its force acts on x. Points with law none belong to cables: those driven by a
/// length act through scalar rows, those driven by tension have their force given, constant for the frame.
struct HandleRows {
  std::vector<Index> start{0};     ///< {points + 1}
  std::vector<ContactTerm> term;   ///< of all points
  std::vector<PointLaw> law;       ///< {points} held or none
  std::vector<Vec3d> target;       ///< {points} [m] at the frame's end; none: where the cable was linearised
  std::vector<double> compliance;  ///< {points} [m/N]
  std::vector<Vec3d> force;        ///< {points} [N] warm start of held points; given force of the others
  std::vector<Index> handle, member;  ///< {points} slot of the handle and number of the point in it
  std::vector<ScalarRow> scalar;      ///< cables driven by a length; their entries refer to these points
  std::vector<CableRow> cable;

  std::size_t size() const { return law.size(); }
  void clear();
  /// x [m] of a point; position: {bodies}, internal order.
  Vec3d point(std::size_t p, const std::vector<const Vec3d*>& position) const;
};

/// Rows of the handles at the end of the frame [s]; only of handles whose first body takes part (empty: all).
/// Points without a free node, and cables without one, are left out. Cables are linearised at the frame's
/// start.
void collect_handle_rows(const std::vector<HandleSlot>& handles, double end_time, const HandleBodies& bodies,
                         const std::vector<char>& takes_part, HandleRows& rows);

/// Directions, offsets and targets of the length-driven cables at the iterate: with x = target + U,
/// value = (length wanted) - (length at x) to first order.
void linearise_cables(HandleRows& rows, const std::vector<const Vec3d*>& position);

/// Length of a cable [m].
double cable_length(const HandleRows& rows, const CableRow& cable, const std::vector<const Vec3d*>& position);

/// Calls unite(a, b) for bodies that a handle ties together.
template <class Unite>
void link_bodies(const std::vector<HandleSlot>& handles, Unite&& unite) {
  for (const HandleSlot& slot : handles) {
    if (!slot.handle) continue;
    for (const ContactTerm& term : slot.handle->term) unite(slot.handle->term.front().body, term.body);
  }
}

/// True for a contact between two bodies at a node that a weld ties to the other one: the weld has its place.
bool is_welded(const std::vector<HandleSlot>& handles, const Contact& contact);

/// After the frame: forces of the points and the scalar rows (in the order of rows) go into the handles, as
/// output and warm start. Left out points get zero.
void store_handle_forces(const HandleRows& rows, std::span<const Vec3d> force,
                         std::span<const ScalarRow> scalar, std::vector<HandleSlot>& handles);

}  // namespace sinew
