#include "engine/contact/constrained_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Core>

#include "engine/contact/dense_columns.hpp"

namespace sinew {

namespace {
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
}

double ConstrainedInverse::work(std::size_t rank) const {
  const double n = static_cast<double>(binding_.size()), m = static_cast<double>(m_);
  const double columns = static_cast<double>(inverse_.size());
  return (columns * m + n * n * (n / 3.0 + static_cast<double>(rank))) / 3.0;
}

void ConstrainedInverse::set(std::vector<Binding> bindings, std::size_t m, const LowRankUpdate& update,
                             const std::function<void(SplitVectors&)>& solve) {
  binding_ = std::move(bindings);
  m_ = m;
  const std::size_t n = binding_.size();
  std::vector<std::size_t> place;
  column_of_.resize(n);
  for (std::size_t j = 0; j < n; ++j) {  // bindings of one place follow each other
    if (place.empty() || place.back() != binding_[j].place) place.push_back(binding_[j].place);
    column_of_[j] = place.size() - 1;
  }
  inverse_.resize(place.size() * m);
  SplitVectors x;
  for (std::size_t first = 0; first < place.size(); first += 3) {
    x.assign(m, 0.0);
    std::vector<double>* part[] = {&x.x, &x.y, &x.z};
    const std::size_t count = std::min<std::size_t>(3, place.size() - first);
    for (std::size_t k = 0; k < count; ++k) (*part[k])[place[first + k]] = 1.0;
    solve(x);
    for (std::size_t k = 0; k < count; ++k)
      std::copy(part[k]->begin(), part[k]->end(), inverse_.begin() + (first + k) * m);
  }
  lu_.resize(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      lu_[i * n + j] =
          inverse_[column_of_[j] * m + binding_[i].place] * dot(binding_[i].row, binding_[j].column);
  if (n > 0 && update.rank() > 0) {
    const Eigen::Index rank = static_cast<Eigen::Index>(update.rank()), count = static_cast<Eigen::Index>(n);
    RowMajor seen(count, rank), pushed(count, rank);
    for (std::size_t j = 0; j < n; ++j) {
      update.put_at(binding_[j].place, binding_[j].row, seen.row(j).data());
      update.put_at(binding_[j].place, binding_[j].column, pushed.row(j).data());
    }
    const Eigen::Map<const RowMajor> inside(update.middle().data(), rank, rank);
    Eigen::Map<RowMajor>(lu_.data(), count, count).noalias() -= seen * (inside * pushed.transpose());
  }
  for (std::size_t i = 0; i < n; ++i) lu_[i * n + i] += binding_[i].diagonal;
  factor();
}

/// Rows are exchanged for the largest pivot; bindings that follow from others get no displacement.
void ConstrainedInverse::factor() {
  constexpr double kVanishing = 1e-13;  // of the row's largest entry
  const std::size_t n = binding_.size();
  std::vector<double> size(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) size[i] = std::max(size[i], std::abs(lu_[i * n + j]));
  swap_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    const auto share = [&](std::size_t i) {
      return size[i] > 0.0 ? std::abs(lu_[i * n + k]) / size[i] : 0.0;
    };
    for (std::size_t i = k + 1; i < n; ++i)
      if (share(i) > share(best)) best = i;
    swap_[k] = best;
    if (best != k) {
      std::swap_ranges(lu_.begin() + best * n, lu_.begin() + (best + 1) * n, lu_.begin() + k * n);
      std::swap(size[best], size[k]);
    }
    double* row = lu_.data() + k * n;
    if (!(share(k) > kVanishing)) {
      row[k] = 0.0;
      continue;
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      double* other = lu_.data() + i * n;
      const double factor = other[k] / row[k];
      other[k] = factor;
      if (factor != 0.0) subtract_rows(row, n, 1, other, k + 1, n, &factor, 1);
    }
  }
}

void ConstrainedInverse::solve_dense(std::vector<double>& w) const {
  const std::size_t n = binding_.size();
  for (std::size_t k = 0; k < n; ++k) std::swap(w[k], w[swap_[k]]);
  for (std::size_t k = 0; k < n; ++k) {
    if (lu_[k * n + k] == 0.0) continue;
    for (std::size_t i = k + 1; i < n; ++i) w[i] -= lu_[i * n + k] * w[k];
  }
  for (std::size_t k = n; k-- > 0;) {
    double sum = w[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= lu_[k * n + j] * w[j];
    w[k] = lu_[k * n + k] == 0.0 ? 0.0 : sum / lu_[k * n + k];
  }
}

void ConstrainedInverse::apply(const LowRankUpdate& update, SplitVectors& x) const {
  const std::size_t n = binding_.size();
  if (n == 0) return;
  std::vector<double> w(n);
  for (std::size_t j = 0; j < n; ++j) w[j] = -dot(binding_[j].row, x.at(binding_[j].place));
  solve_dense(w);
  std::vector<double> z(update.rank(), 0.0);
  for (std::size_t j = 0; j < n;) {
    const std::size_t column = column_of_[j];
    Vec3d push{};
    for (; j < n && column_of_[j] == column; ++j) push += w[j] * binding_[j].column;
    const double* inverse = inverse_.data() + column * m_;
    for (std::size_t i = 0; i < m_; ++i) {
      x.x[i] += inverse[i] * push.x;
      x.y[i] += inverse[i] * push.y;
      x.z[i] += inverse[i] * push.z;
    }
    if (z.empty()) continue;
    const std::vector<double> seen = update.at(binding_[j - 1].place, push);
    for (std::size_t k = 0; k < z.size(); ++k) z[k] += seen[k];
  }
  if (!z.empty()) update.subtract(update.inside(z), x);
}

}  // namespace sinew
