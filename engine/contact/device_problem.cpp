#include "engine/contact/device_problem.hpp"

namespace sinew {

namespace {
constexpr const char* kContacts = "contacts";
}

DeviceContactProblem::DeviceContactProblem(DeviceQueue& queue, const ContactProblem& problem,
                                           const std::vector<double>& scaling)
    : queue_(queue),
      points_(problem.size()),
      rows_(problem.scalar.size()),
      squared_step_(problem.squared_step) {
  UploadBatch batch(queue);
  take_gram(batch, problem);
  take_points(batch, problem, scaling);
  take_metric(batch, problem.metric);
  take_rows(batch, problem.scalar);
  batch.finish();
  queue_.project_low_rank(view().metric, squared_step_, projected_.view());
  queue_.scalar_compliances(view());
}

DeviceContactProblem::~DeviceContactProblem() {
  try {
    queue_.synchronize();
  } catch (...) {  // whoever waits next is told
  }
}

void DeviceContactProblem::take_gram(UploadBatch& batch, const ContactProblem& problem) {
  if (!problem.device_gram.data) {
    own_copy_ = batch.borrow(problem.gram, "matrix of the contacts");
    gram_ = own_copy_.view();
    return;
  }
  gram_ = problem.device_gram;
  diagonal_ = batch.borrow(problem.gram_diagonal, kContacts);
  queue_.set_diagonal(gram_, diagonal_.cview());
}

void DeviceContactProblem::take_points(UploadBatch& batch, const ContactProblem& problem,
                                       const std::vector<double>& scaling) {
  std::vector<PointLaw> law(points_);
  std::vector<double> held(points_), r(points_);
  for (std::size_t c = 0; c < points_; ++c) {
    law[c] = problem.law_of(c);
    held[c] = problem.held_compliance_of(c);
    r[c] = scaling.empty() ? problem.compliance(c) : scaling[c];
  }
  std::vector<Vec3d> force = problem.force;
  for (const ScalarRow& row : problem.scalar) force.push_back({row.force, 0.0, 0.0});
  law_ = batch.add(std::move(law), kContacts);
  frame_ = batch.borrow(problem.frame, kContacts);
  friction_ = batch.borrow(problem.friction, kContacts);
  held_ = batch.add(std::move(held), kContacts);
  scaling_ = batch.add(std::move(r), kContacts);
  displacement_ = batch.borrow(problem.displacement, kContacts);
  force_ = batch.add(std::move(force), kContacts);
}

void DeviceContactProblem::take_metric(UploadBatch& batch, const LowRankTerm& metric) {
  if (metric.rank() == 0) return;
  std::vector<std::size_t> row{0};
  std::vector<LowRankSegment> segment;
  std::vector<std::vector<LowRankUse>> by_block(metric.blocks());
  for (std::size_t c = 0; c < points_; ++c) {
    for (const LowRankTerm::Segment& s : metric.row(c)) {
      segment.push_back({metric.begin(s.block), s.first, metric.width(s.block),
                         static_cast<std::size_t>(metric.middle(s.block) - metric.middle(0))});
      by_block[s.block].push_back({c, s.first});
    }
    row.push_back(segment.size());
  }
  std::vector<LowRankUse> use;
  std::vector<LowRankColumn> column;
  std::size_t middles = 0;
  for (std::size_t b = 0; b < metric.blocks(); ++b) {
    const std::size_t first = use.size(), end = first + by_block[b].size();
    use.insert(use.end(), by_block[b].begin(), by_block[b].end());
    for (std::size_t k = 0; k < metric.width(b); ++k) column.push_back({first, end, k});
    middles += metric.width(b) * metric.width(b);
  }
  std::vector<double> middle(metric.middle(0), metric.middle(0) + middles);
  metric_row_ = batch.add(std::move(row), kContacts);
  segment_ = batch.add(std::move(segment), kContacts);
  metric_use_ = batch.add(std::move(use), kContacts);
  column_ = batch.add(std::move(column), kContacts);
  q_ = batch.borrow(metric.vectors(), kContacts);
  middle_ = batch.add(std::move(middle), kContacts);
  projected_ = DeviceBuffer<Vec3d>(queue_.device(), q_.size(), kContacts);
  z_ = DeviceBuffer<double>(queue_.device(), column_.size(), kContacts);
}

void DeviceContactProblem::take_rows(UploadBatch& batch, const std::vector<ScalarRow>& scalar) {
  if (scalar.empty()) return;
  std::vector<DeviceScalarRow> rows;
  std::vector<DeviceScalarEntry> entry;
  std::vector<std::vector<DeviceScalarUse>> by_point(points_);
  for (const ScalarRow& s : scalar) {
    rows.push_back({entry.size(), entry.size() + s.entry.size(), s.offset, s.compliance, s.one_sided});
    for (const ScalarRow::Entry& e : s.entry) {
      entry.push_back({static_cast<std::size_t>(e.point), e.direction});
      by_point[e.point].push_back({rows.size() - 1, e.direction});
    }
  }
  std::vector<std::size_t> use_start{0};
  std::vector<DeviceScalarUse> use;
  for (const auto& uses : by_point) {
    use.insert(use.end(), uses.begin(), uses.end());
    use_start.push_back(use.size());
  }
  scalar_ = batch.add(std::move(rows), kContacts);
  entry_ = batch.add(std::move(entry), kContacts);
  use_start_ = batch.add(std::move(use_start), kContacts);
  use_ = batch.add(std::move(use), kContacts);
  own_gram_ = DeviceBuffer<double>(queue_.device(), rows_, kContacts);
  own_ = DeviceBuffer<double>(queue_.device(), rows_, kContacts);
}

ContactView DeviceContactProblem::view() {
  return {squared_step_,
          {points_, gram_},
          {metric_row_.cview(), segment_.cview(), metric_use_.cview(), column_.cview(), q_.cview(),
           middle_.cview(), projected_.cview()},
          law_.cview(),
          frame_.cview(),
          friction_.cview(),
          held_.cview(),
          scalar_.cview(),
          entry_.cview(),
          use_start_.cview(),
          use_.cview(),
          own_gram_.view(),
          own_.view()};
}

void DeviceContactProblem::apply(View<const Vec3d> f, View<Vec3d> to, const int* skip) {
  const ContactView all = view();
  queue_.multiply_gram(all.gram, squared_step_, f, {}, to, skip);
  if (rank() == 0) return;
  queue_.low_rank_sums(all.metric, f, {}, z_.view(), skip);
  queue_.add_low_rank(all.metric, z_.cview(), to, skip);
}

void DeviceContactProblem::write_back(ContactProblem& problem) {
  std::vector<Vec3d> force(unknowns());
  queue_.download(problem.displacement.data(), displacement_.cview());
  queue_.download(force.data(), force_.cview());
  queue_.synchronize();
  for (std::size_t s = 0; s < rows_; ++s) problem.scalar[s].force = force[points_ + s].x;
  force.resize(points_);
  problem.force = std::move(force);
}

}  // namespace sinew
