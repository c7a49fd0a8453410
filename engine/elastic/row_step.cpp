#include "engine/elastic/row_step.hpp"

#include <cmath>

#include "kernels/element/shape/squared_row.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kRowGrain = 512;

Vec3d row_value(const SquaredRows& rows, std::size_t s, const Vec3d* x) {
  return squared_row_value(rows.start.data(), rows.node.data(), rows.coefficient.data(), s, x);
}

}  // namespace

void begin_rows(const BodyPrecomputed& body, const Vec3d* start, RowWorkspace& workspace) {
  workspace.force.resize(body.rows.size());
  if (body.beta <= 0.0) return;
  workspace.start_length.resize(body.rows.size());
  for_each(body.rows.size(), kRowGrain,
           [&](std::size_t s) { workspace.start_length[s] = norm(row_value(body.rows, s, start)); });
}

ElementEnergies add_rows(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                         RowWorkspace& workspace, Vec3d* gradient) {
  const SquaredRows& rows = body.rows;
  if (rows.size() == 0) return {};
  const double h2 = time_step * time_step, damping = body.beta / time_step;
  const ElementEnergies energies =
      ordered_sum<ElementEnergies>(rows.size(), workspace.sums, [&](std::size_t s) {
        const Vec3d y = row_value(rows, s, position);
        const double size = norm(y);
        Vec3d force{};
        ElementEnergies e;
        e.elastic = add_squared_row(rows.weight[s], rows.length[s], size, y, force);
        if (damping > 0.0)
          e.damping = add_squared_row(damping * rows.weight[s], workspace.start_length[s], size, y, force);
        workspace.force[s] = force;
        return e;
      });
  for_each(static_cast<std::size_t>(body.node_count), kRowGrain, [&](std::size_t i) {
    Vec3d sum{};
    for (Index k = body.row_incidence_start[i]; k < body.row_incidence_start[i + 1]; ++k) {
      const Index place = body.row_incidence[k];
      sum += rows.coefficient[place] * workspace.force[body.row_of_place[place]];
    }
    gradient[i] += h2 * sum;
  });
  return energies;
}

double row_energy(const BodyPrecomputed& body, const Vec3d* position, std::vector<double>& sums) {
  return ordered_sum<double>(body.rows.size(), sums, [&](std::size_t s) {
    const double stretch = norm(row_value(body.rows, s, position)) - body.rows.length[s];
    return 0.5 * body.rows.weight[s] * stretch * stretch;
  });
}

}  // namespace sinew
