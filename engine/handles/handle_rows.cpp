#include "engine/handles/handle_rows.hpp"

#include <algorithm>

namespace sinew {

namespace {

bool has_free_node(const Handle& handle, std::size_t k, const HandleBodies& bodies) {
  for (Index i = handle.start[k]; i < handle.start[k + 1]; ++i)
    if (handle.term[i].node < bodies.free_count[handle.term[i].body]) return true;
  return false;
}

/// Offset of a node welded to a sheet: along the triangle's normal now [m].
Vec3d weld_offset(const Handle& handle, std::size_t k, const HandleBodies& bodies) {
  const double distance = handle.local[k].x;
  if (distance == 0.0) return {};
  Vec3d x[3];
  for (int i = 0; i < 3; ++i) {
    const ContactTerm& term = handle.term[handle.start[k] + 1 + i];
    x[i] = bodies.position[term.body][term.node];
  }
  return distance * normalized(cross(x[1] - x[0], x[2] - x[0]));
}

Vec3d target_of(const Handle& handle, std::size_t k, const Pose& pose, double end_time,
                const HandleBodies& bodies) {
  switch (handle.kind) {
    case HandleKind::grab:
      return evaluate(handle.target, end_time);
    case HandleKind::hold:
    case HandleKind::attachment:
      return pose.apply(handle.local[k]);
    case HandleKind::weld:
      return weld_offset(handle, k, bodies);
    case HandleKind::cable:
      return {};
  }
  return {};
}

void add_point(const Handle& handle, std::size_t k, Index slot, HandleRows& rows) {
  rows.term.insert(rows.term.end(), handle.term.begin() + handle.start[k],
                   handle.term.begin() + handle.start[k + 1]);
  rows.start.push_back(static_cast<Index>(rows.term.size()));
  const bool held = handle.kind != HandleKind::cable;
  rows.law.push_back(held ? PointLaw::held : PointLaw::none);
  // In parallel the points give way by the compliance of the whole handle.
  rows.compliance.push_back(held ? handle.compliance * static_cast<double>(handle.size()) : 0.0);
  rows.target.emplace_back();
  rows.force.push_back(held ? handle.force[k] : Vec3d{});
  rows.handle.push_back(slot);
  rows.member.push_back(static_cast<Index>(k));
}

/// Calls visit(i, unit vector from stop i - 1 to stop i, its length) for i >= 1.
template <class Visit>
void for_each_segment(const HandleRows& rows, const CableRow& cable,
                      const std::vector<const Vec3d*>& position, Visit&& visit) {
  Vec3d before{};
  for (std::size_t i = 0; i < cable.stop.size(); ++i) {
    const CableStop& stop = cable.stop[i];
    const Vec3d x = stop.point >= 0 ? rows.point(stop.point, position) : stop.fixed;
    // Where two stops coincide the segment has no direction, and no pull.
    if (i > 0) visit(i, normalized(x - before), norm(x - before));
    before = x;
  }
}

void add_cable(const Handle& handle, Index slot, double end_time, HandleRows& rows) {
  const Index first = static_cast<Index>(rows.size());
  CableRow cable;
  cable.handle = slot;
  cable.value = evaluate(handle.value, end_time);
  cable.stop = handle.stop;
  for (CableStop& stop : cable.stop)
    if (stop.point >= 0) stop.point += first;
  for (std::size_t k = 0; k < handle.size(); ++k) add_point(handle, k, slot, rows);
  if (!handle.tension_driven) {
    cable.scalar = static_cast<Index>(rows.scalar.size());
    ScalarRow row;
    row.compliance = handle.compliance;
    row.one_sided = !handle.two_sided;
    row.force = handle.two_sided ? handle.tension : std::max(0.0, handle.tension);
    for (const CableStop& stop : cable.stop)
      if (stop.point >= 0) row.entry.push_back({stop.point, {}});
    rows.scalar.push_back(std::move(row));
  }
  rows.cable.push_back(std::move(cable));
}

void give_tension(HandleRows& rows, const CableRow& cable, const std::vector<const Vec3d*>& position) {
  for_each_segment(rows, cable, position, [&](std::size_t i, const Vec3d& along, double) {
    const CableStop &a = cable.stop[i - 1], &b = cable.stop[i];
    if (a.point >= 0) rows.force[a.point] += cable.value * along;
    if (b.point >= 0) rows.force[b.point] -= cable.value * along;
  });
}

}  // namespace

void HandleRows::clear() {
  start.assign(1, 0);
  term.clear();
  law.clear();
  target.clear();
  compliance.clear();
  force.clear();
  handle.clear();
  member.clear();
  scalar.clear();
  cable.clear();
}

Vec3d HandleRows::point(std::size_t p, const std::vector<const Vec3d*>& position) const {
  Vec3d x{};
  for (Index i = start[p]; i < start[p + 1]; ++i) x += term[i].weight * position[term[i].body][term[i].node];
  return x;
}

void collect_handle_rows(const std::vector<HandleSlot>& handles, double end_time, const HandleBodies& bodies,
                         const std::vector<char>& takes_part, HandleRows& rows) {
  rows.clear();
  for (std::size_t s = 0; s < handles.size(); ++s) {
    if (!handles[s].handle) continue;
    const Handle& handle = *handles[s].handle;
    if (handle.term.empty() || (!takes_part.empty() && !takes_part[handle.term.front().body])) continue;
    const Index slot = static_cast<Index>(s);
    std::vector<std::size_t> free;
    for (std::size_t k = 0; k < handle.size(); ++k)
      if (has_free_node(handle, k, bodies)) free.push_back(k);
    if (free.empty()) continue;
    if (handle.kind == HandleKind::cable) {
      add_cable(handle, slot, end_time, rows);
      continue;
    }
    const Pose pose = handle.pose(end_time);
    for (const std::size_t k : free) {
      add_point(handle, k, slot, rows);
      rows.target.back() = target_of(handle, k, pose, end_time, bodies);
    }
  }
  for (const CableRow& cable : rows.cable)
    if (cable.scalar < 0) give_tension(rows, cable, bodies.position);
  linearise_cables(rows, bodies.position);
}

void linearise_cables(HandleRows& rows, const std::vector<const Vec3d*>& position) {
  for (const CableRow& cable : rows.cable) {
    for (const CableStop& stop : cable.stop)
      if (stop.point >= 0) rows.target[stop.point] = rows.point(stop.point, position);
    if (cable.scalar < 0) continue;
    ScalarRow& row = rows.scalar[cable.scalar];
    std::vector<Index> entry_of;  // {stops}
    Index entries = 0;
    for (const CableStop& stop : cable.stop) entry_of.push_back(stop.point >= 0 ? entries++ : -1);
    for (ScalarRow::Entry& e : row.entry) e.direction = {};
    row.offset = cable.value;
    for_each_segment(rows, cable, position, [&](std::size_t i, const Vec3d& along, double length) {
      row.offset -= length;
      if (entry_of[i - 1] >= 0) row.entry[entry_of[i - 1]].direction += along;
      if (entry_of[i] >= 0) row.entry[entry_of[i]].direction -= along;
    });
  }
}

double cable_length(const HandleRows& rows, const CableRow& cable,
                    const std::vector<const Vec3d*>& position) {
  double sum = 0.0;
  for_each_segment(rows, cable, position, [&](std::size_t, const Vec3d&, double length) { sum += length; });
  return sum;
}

bool is_welded(const std::vector<HandleSlot>& handles, const Contact& contact) {
  const Index a = contact.key.body, b = contact.key.other_body;
  if (b < 0 || a == b) return false;
  for (const HandleSlot& slot : handles) {
    if (!slot.handle || slot.handle->kind != HandleKind::weld) continue;
    const Handle& handle = *slot.handle;
    const Index tied = handle.term[0].body, other = handle.term[1].body;
    if (!(tied == a && other == b) && !(tied == b && other == a)) continue;
    for (std::size_t k = 0; k < handle.size(); ++k)
      for (Index i = 0; i < contact.count; ++i)
        if (contact.term[i].body == tied && contact.term[i].node == handle.term[handle.start[k]].node)
          return true;
  }
  return false;
}

void store_handle_forces(const HandleRows& rows, std::span<const Vec3d> force,
                         std::span<const ScalarRow> scalar, std::vector<HandleSlot>& handles) {
  for (const CableRow& cable : rows.cable)
    handles[cable.handle].handle->tension = cable.scalar >= 0 ? scalar[cable.scalar].force : cable.value;
  for (std::size_t p = 0; p < rows.size(); ++p) {
    Vec3d total = force[p];
    Handle& handle = *handles[rows.handle[p]].handle;
    handle.force[rows.member[p]] = total;
  }
  for (std::size_t s = 0; s < rows.scalar.size(); ++s)
    for (const ScalarRow::Entry& e : rows.scalar[s].entry)
      handles[rows.handle[e.point]].handle->force[rows.member[e.point]] += scalar[s].force * e.direction;
}

}  // namespace sinew
