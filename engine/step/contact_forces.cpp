// Forces of an island's contacts and handles: solved for in the metric of the step, and what they do to it.
#include <algorithm>
#include <map>
#include <span>

#include "engine/step/stepper.hpp"

namespace sinew {

namespace {

constexpr double kEarlyContact =
    0.01;  // share of the first sweep's change at which early contact solves stop

}  // namespace

// 7. lambda from the gaps and slips at q + d.
void Stepper::contact_step(Island& island) {
  if (island.rows.size() == 0) return;
  use_metric(island);
  int iterations = 0;
  for (const std::size_t b : island.bodies) iterations = std::max(iterations, bodies_[b].iterations);
  // The forces of all but the last iteration only steer the next one.
  solve_contacts(island, &BodyFrame::trial, iterations < settings_.iterations ? kEarlyContact : 0.0);
}

/// Rows of Z at the contact points, bodies side by side.
void Stepper::use_metric(Island& island) const {
  ContactProblem& problem = island.problem;
  std::vector<std::size_t>& block = island.metric_block;
  block.assign(bodies_.size(), 0);
  problem.metric.clear();
  for (const std::size_t b : island.bodies) {
    block[b] = problem.metric.blocks();
    problem.metric.add_block(bodies_[b].metric->rank(), bodies_[b].metric->middle());
  }
  const std::vector<MetricRows> of_devices = metric_rows_of_devices(island);
  std::vector<std::size_t> next(of_devices.size(), 0);
  for (std::size_t r = 0; r < island.rows.size(); ++r) {
    problem.metric.add_point();
    for (std::size_t k = 0; k < of_devices.size(); ++k) {
      const MetricRows& rows = of_devices[k];
      if (next[k] == rows.row.size() || rows.row[next[k]] != r) continue;
      const std::size_t rank = bodies_[rows.body].metric->rank();
      std::copy_n(rows.value.begin() + static_cast<std::ptrdiff_t>(next[k]++ * rank), rank,
                  problem.metric.columns(block[rows.body]));
    }
    for (std::size_t k = island.rows.start[r]; k < island.rows.start[r + 1]; ++k) {
      const ContactTerm& term = island.rows.term[k];
      const BodyFrame& f = bodies_[term.body];
      if (f.device || term.node >= f.precomputed->free_count || f.metric->rank() == 0) continue;
      Vec3d* row = problem.metric.columns(block[term.body]);
      for (std::size_t z = 0; z < f.metric->rank(); ++z)
        row[z] += term.weight * f.metric->column(z).host()[term.node];
    }
  }
}

/// Rows of Z at the points that move bodies on a device.
std::vector<Stepper::MetricRows> Stepper::metric_rows_of_devices(const Island& island) const {
  std::vector<MetricRows> all;
  for (const std::size_t b : island.bodies) {
    const BodyFrame& f = bodies_[b];
    if (!f.device || f.metric->rank() == 0) continue;
    BodyRows rows = rows_of_body(island.rows, b, f.precomputed->free_count);
    std::vector<Vec3d> value = f.metric->at_points(f.device->points(rows));
    all.push_back({b, std::move(rows.row), std::move(value)});
  }
  return all;
}

void Stepper::solve_contacts(Island& island, Mirrored<Vec3d> BodyFrame::*position, double relative) {
  island.exact = relative == 0.0;
  island.changed = false;
  ContactProblem& problem = island.problem;
  island.previous_force = island.total_force;
  island.previous_own = problem.force;
  island.previous_scalar.clear();
  for (const ScalarRow& row : problem.scalar) island.previous_scalar.push_back(row.force);
  if (island.rows.size() == 0) return;
  const std::vector<const Vec3d*> places = this->places(island, position);
  const auto place = [&](Index b) { return places[b]; };
  const std::size_t first = island.contacts.size();
  for (std::size_t i = 0; i < first; ++i) {
    const Contact& contact = contacts_.contacts[island.contacts[i]];
    problem.displacement[i] = contact.displacement(weighted_point(contact, contact.count, place));
  }
  for (std::size_t p = 0; p < island.handles.size(); ++p)
    problem.displacement[first + p] = island.handles.point(p, places) - island.handles.target[p];
  ContactProblem& solved = island.elimination_used ? island.reduced : problem;
  if (island.elimination_used) island.elimination.reduce(problem, solved);
  const ContactReport report = solve_island(island, solved, relative);
  if (island.elimination_used) island.elimination.recover(solved, problem);
  island.sweeps += report.sweeps;
  island.newton_steps += report.newton_steps;
  island.products += report.products;
  island.converged = report.converged;
  island.contacts_solved = island.rows.size();
  keep_forces(island);
}

/// For islands that form anew, and for the end of the frame.
void Stepper::keep_forces(Island& island) {
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    contacts_.force[island.contacts[i]] = island.problem.force[i];
  if (island.handles.size() == 0) return;
  store_handle_forces(island.handles, std::span(island.problem.force).subspan(island.contacts.size()),
                      island.problem.scalar, contacts_.handles);
}

void Stepper::restore_forces(Island& island) {
  island.problem.force = island.previous_own;
  for (std::size_t s = 0; s < island.problem.scalar.size(); ++s)
    island.problem.scalar[s].force = island.previous_scalar[s];
  keep_forces(island);
}

void Stepper::drop_forces(Island& island) {
  std::fill(island.problem.force.begin(), island.problem.force.end(), Vec3d{});
  for (ScalarRow& row : island.problem.scalar) row.force = 0.0;
  keep_forces(island);
  gather_forces(island);
}

/// A shortened step takes its share of the change of forces only: those of the whole step may be of any size
/// where elements resist, and would make the next step start from there.
void Stepper::take_share_of_forces(Island& island, double share) {
  ContactProblem& problem = island.problem;
  if (problem.size() == 0 || share >= 1.0) return;
  for (std::size_t c = 0; c < problem.size(); ++c)
    problem.force[c] = (1.0 - share) * island.previous_own[c] + share * problem.force[c];
  for (std::size_t s = 0; s < problem.scalar.size(); ++s)
    problem.scalar[s].force = (1.0 - share) * island.previous_scalar[s] + share * problem.scalar[s].force;
  keep_forces(island);
  gather_forces(island);
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    if (f.inverse_before.empty()) continue;
    add_scaled(f, f.inverse_before, 1.0 - share, f.inverse_change);
  }
}

void Stepper::gather_forces(Island& island) {
  island.total_force = island.problem.force;
  for (const ScalarRow& row : island.problem.scalar)
    for (const ScalarRow::Entry& e : row.entry) island.total_force[e.point] += row.force * e.direction;
  gather(island, island.total_force, 1.0, &BodyFrame::contact_nodal);
}

void Stepper::gather(const Island& island, const std::vector<Vec3d>& force, double scale,
                     Mirrored<Vec3d> BodyFrame::*nodal) {
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    f.next_residual.reset();
    if (f.device)
      gather_for_device(island, force, scale, b, f.*nodal);
    else
      (f.*nodal).assign(f.precomputed->free_count, Vec3d{});
  }
  for (std::size_t r = 0; r < island.rows.size(); ++r) {
    const Vec3d value = scale * force[r];
    for (std::size_t k = island.rows.start[r]; k < island.rows.start[r + 1]; ++k) {
      const ContactTerm& term = island.rows.term[k];
      BodyFrame& f = bodies_[term.body];
      if (!f.device && term.node < f.precomputed->free_count)
        (f.*nodal).edit()[term.node] += term.weight * value;
    }
  }
}

/// The same for a body on a device: what is not zero goes up.
void Stepper::gather_for_device(const Island& island, const std::vector<Vec3d>& force, double scale,
                                std::size_t b, Mirrored<Vec3d>& nodal) {
  BodyFrame& f = bodies_[b];
  const BodyRows rows = rows_of_body(island.rows, b, f.precomputed->free_count);
  std::map<Index, Vec3d> sum;
  for (std::size_t r = 0; r < rows.row.size(); ++r)
    for (std::size_t k = rows.start[r]; k < rows.start[r + 1]; ++k)
      sum[rows.node[k]] += rows.weight[k] * (scale * force[rows.row[r]]);
  std::vector<Index> node;
  std::vector<Vec3d> value;
  for (const auto& [at, x] : sum) {
    node.push_back(at);
    value.push_back(x);
  }
  f.device->scatter(node, value, static_cast<std::size_t>(f.precomputed->free_count), nodal);
}

/// inverse_change := h^2 H^T (lambda - lambda_k), still to be solved for.
void Stepper::change_forces(Island& island) {
  if (island.rows.size() == 0) return;
  gather_forces(island);
  std::vector<Vec3d>& change = island.force_change;
  change.resize(island.rows.size());
  for (std::size_t r = 0; r < change.size(); ++r)
    change[r] = island.total_force[r] - island.previous_force[r];
  gather(island, change, h() * h(), &BodyFrame::change_nodal);
  for (const std::size_t b : island.bodies) bodies_[b].inverse_change = bodies_[b].change_nodal;
}

// 8. d += h^2 B H^T (lambda - lambda_k)
void Stepper::correct(Island& island) {
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    f.inverse_before = f.inverse_residual;
    if (island.rows.size() == 0) continue;
    add_scaled(f, f.direction, 1.0, f.inverse_change);
    add_scaled(f, f.inverse_before, -1.0, f.inverse_change);
    f.metric->add_low_rank(f.change_nodal, 1.0, f.direction, f.sums);
  }
}

}  // namespace sinew
