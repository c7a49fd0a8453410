#include "engine/elastic/quasi_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/elastic/column_kernels.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

double block_dot(const Vec3d* a, const Vec3d* b, std::size_t n, std::vector<double>& sums) {
  return ordered_sum<double>(n, sums, [&](std::size_t i) { return dot(a[i], b[i]); });
}

namespace {

constexpr std::size_t kChunk = 3 * kSumChunk;  // numbers

/// Three of every node.
const double* numbers(const Mirrored<Vec3d>& block) {
  return &block.host().data()->x;
}

}  // namespace

void QuasiNewton::begin(std::size_t capacity, std::size_t size) {
  capacity_ = capacity;
  size_ = size;
  clear();
  pairs_.clear();
  pairs_.resize(capacity);
  for (Pair& pair : pairs_) {
    pair.s.bind(queue_);
    pair.inverse_y.bind(queue_);
    if (queue_) continue;
    pair.s.host_new(size);
    pair.inverse_y.host_new(size);
  }
  device_ = nullptr;
  sy_.assign(capacity * capacity, 0.0);
  yy_.assign(capacity * capacity, 0.0);
}

void QuasiNewton::bind(DeviceQueue* queue) {
  if (queue == queue_) return;
  queue_ = queue;
  device_ = nullptr;
  for (Pair& pair : pairs_) {
    pair.s.bind(queue);
    pair.inverse_y.bind(queue);
  }
  incoming_.s.bind(queue);
  incoming_.inverse_y.bind(queue);
}

void QuasiNewton::begin_frame(std::size_t capacity, std::size_t size, double least_precision,
                              DeviceQueue* queue) {
  bind(queue);
  const bool anew = capacity != capacity_ || size != size_;
  if (anew) begin(capacity, size);
  if (queue_ && !device_)  // the most that are fixed are three, and one is measured
    device_ = std::make_unique<DeviceColumns>(*queue_, 2 * (capacity + 4), size);
  if (anew) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (pairs_[i].precision >= least_precision) move_pair(i, kept++);
  if (kept == count_ && fixed_.empty()) return;
  device_is_old_ = true;
  count_ = kept;
  fixed_.clear();
  middle_.clear();
  if (count_ > 0) rebuild_middle();
}

void QuasiNewton::move_pair(std::size_t from, std::size_t to) {
  if (from == to) return;
  std::swap(pairs_[from], pairs_[to]);
  for (std::vector<double>* products : {&sy_, &yy_}) {
    for (std::size_t k = 0; k < capacity_; ++k)
      (*products)[to * capacity_ + k] = (*products)[from * capacity_ + k];
    for (std::size_t k = 0; k < capacity_; ++k)
      (*products)[k * capacity_ + to] = (*products)[k * capacity_ + from];
  }
}

void QuasiNewton::clear() {
  device_is_old_ = true;
  count_ = 0;
  fixed_.clear();
  middle_.clear();
}

void QuasiNewton::clear_kept(std::vector<double>& sums) {
  device_is_old_ = true;
  count_ = 0;
  middle_.clear();
  if (fixed_.empty()) return;
  measure_fixed(sums);
  rebuild_middle();
}

DeviceColumns& QuasiNewton::on_device() const {
  if (device_is_old_) {
    std::vector<const Mirrored<Vec3d>*> columns;
    for (std::size_t k = 0; k < rank(); ++k) columns.push_back(&column(k));
    device_->set(columns, middle_);
    device_is_old_ = false;
  }
  return *device_;
}

void QuasiNewton::columns_dot(const Mirrored<Vec3d>& block, std::vector<double>& result,
                              std::vector<double>& sums) const {
  if (queue_) {
    result = on_device().products(block);
    return;
  }
  columns_dot_host(block, nullptr, result, nullptr, sums);
}

/// With another block too, in one pass over the columns, if there is one.
void QuasiNewton::columns_dot_host(const Mirrored<Vec3d>& block, const Mirrored<Vec3d>* other,
                                   std::vector<double>& result, std::vector<double>* other_result,
                                   std::vector<double>& sums) const {
  const ColumnKernels& kernels = column_kernels();
  const std::vector<const double*> columns = column_numbers();
  const double* x = numbers(block);
  const double* y = other ? numbers(*other) : nullptr;
  const std::size_t k = rank(), width = other ? 2 * k : k, n = 3 * block.size();
  const std::size_t chunks = (n + kChunk - 1) / kChunk;
  sums.resize(chunks * width);
  for_each(chunks, 1, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kChunk, end = std::min(n, begin + kChunk);
    double* sum = sums.data() + chunk * width;
    if (other)
      kernels.dot_two(columns.data(), k, x, y, begin, end, sum);
    else
      kernels.dot(columns.data(), k, x, begin, end, sum);
  });
  std::vector<double> total(width, 0.0);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (std::size_t z = 0; z < width; ++z) total[z] += sums[chunk * width + z];
  if (!other) {
    result = std::move(total);
    return;
  }
  result.resize(k);
  other_result->resize(k);
  for (std::size_t z = 0; z < k; ++z) {
    result[z] = total[2 * z];
    (*other_result)[z] = total[2 * z + 1];
  }
}

std::vector<const double*> QuasiNewton::column_numbers() const {
  std::vector<const double*> columns;
  for (std::size_t z = 0; z < rank(); ++z) columns.push_back(numbers(column(z)));
  return columns;
}

QuasiNewton::Measured QuasiNewton::measure_on_device(const Mirrored<Vec3d>& s, const Mirrored<Vec3d>& y,
                                                     const Mirrored<Vec3d>& inverse_y) {
  incoming_.s = s;
  incoming_.inverse_y = inverse_y;
  std::vector<const Mirrored<Vec3d>*> columns;
  const std::size_t dropped = count_ == capacity_ ? 1 : 0;
  for (const bool changes : {false, true}) {
    const auto of = [&](const Pair& pair) { return changes ? &pair.inverse_y : &pair.s; };
    for (std::size_t k = dropped; k < count_; ++k) columns.push_back(of(pairs_[k]));
    columns.push_back(of(incoming_));
    for (const FixedPair& pair : fixed_) columns.push_back(of(pair));
  }
  device_->set(columns, {});
  device_is_old_ = true;
  Measured m;
  m.products = device_->products_and_sums(s, y);
  const double* sums = m.products.data() + columns.size();
  m.curvature = sums[PairSums::curvature];
  m.change2 = sums[PairSums::change2];
  m.step2 = sums[PairSums::step2];
  return m;
}

QuasiNewton::Measured QuasiNewton::measure_on_host(const Mirrored<Vec3d>& s, const Mirrored<Vec3d>& y) {
  struct Sums {
    double curvature = 0.0, change2 = 0.0, step2 = 0.0;
    Sums& operator+=(const Sums& o) {
      curvature += o.curvature;
      change2 += o.change2;
      step2 += o.step2;
      return *this;
    }
  };
  const std::vector<Vec3d>&step = s.host(), &change = y.host();
  std::vector<Sums> scratch;
  const Sums sum = ordered_sum<Sums>(step.size(), scratch, [&](std::size_t i) {
    return Sums{dot(step[i], change[i]), squared_norm(change[i]), squared_norm(step[i])};
  });
  Measured m;
  m.curvature = sum.curvature;
  m.change2 = sum.change2;
  m.step2 = sum.step2;
  return m;
}

void QuasiNewton::drop_oldest() {
  std::rotate(pairs_.begin(), pairs_.begin() + 1, pairs_.end());
  for (std::size_t i = 0; i + 1 < capacity_; ++i) {
    for (std::size_t j = 0; j + 1 < capacity_; ++j) {
      sy_[i * capacity_ + j] = sy_[(i + 1) * capacity_ + j + 1];
      yy_[i * capacity_ + j] = yy_[(i + 1) * capacity_ + j + 1];
    }
  }
  --count_;
}

void QuasiNewton::push(const Mirrored<Vec3d>& s, const Mirrored<Vec3d>& y, const Mirrored<Vec3d>& inverse_y,
                       std::vector<double>& sums, double rounding, const Mirrored<Vec3d>* next,
                       std::vector<double>* next_products) {
  if (capacity_ == 0) return;
  Measured m = queue_ ? measure_on_device(s, y, inverse_y) : measure_on_host(s, y);
  if (!(m.curvature > 1e-10 * std::sqrt(m.step2 * m.change2)) || !(m.curvature > 0.0)) return;
  if (count_ == capacity_) drop_oldest();
  const std::size_t k = count_++;
  if (queue_) {
    std::swap(pairs_[k].s, incoming_.s);
    std::swap(pairs_[k].inverse_y, incoming_.inverse_y);
  } else {
    pairs_[k].s = s;
    pairs_[k].inverse_y = inverse_y;
    columns_dot_host(y, next, m.products, next_products, sums);
  }
  pairs_[k].precision = rounding > 0.0 ? std::sqrt(m.change2) / rounding : std::numeric_limits<double>::max();
  // A^-1 is symmetric, so the product with y gives both: s_i . y and y_i . A^-1 y = (A^-1 y_i) . y.
  for (std::size_t i = 0; i <= k; ++i) {
    sy_[i * capacity_ + k] = m.products[i];
    yy_[i * capacity_ + k] = yy_[k * capacity_ + i] = m.products[count_ + fixed_.size() + i];
  }
  device_is_old_ = true;
  measure_fixed(sums);
  rebuild_middle();
}

void QuasiNewton::fix(std::vector<Vec3d> s, std::vector<Vec3d> y, std::vector<Vec3d> inverse_y,
                      std::vector<double>& sums) {
  if (capacity_ == 0) return;
  FixedPair& added = fixed_.emplace_back();
  added.s = std::move(s);
  added.y = std::move(y);
  added.inverse_y = std::move(inverse_y);
  for (Mirrored<Vec3d>* block : {&added.s, &added.y, &added.inverse_y}) block->bind(queue_);
  device_is_old_ = true;
  measure_fixed(sums);
  rebuild_middle();
}

void QuasiNewton::turn(const Mat3d& r) {
  const auto turn_all = [&](Mirrored<Vec3d>& turned) {
    std::vector<Vec3d>& block = turned.edit();
    for_each(block.size(), kSumChunk, [&](std::size_t i) { block[i] = r * block[i]; });
  };
  device_is_old_ = true;
  for (std::size_t k = 0; k < count_; ++k) {
    turn_all(pairs_[k].s);
    turn_all(pairs_[k].inverse_y);
  }
  for (FixedPair& p : fixed_) {
    turn_all(p.s);
    turn_all(p.y);
    turn_all(p.inverse_y);
  }
}

void QuasiNewton::measure_fixed(std::vector<double>& sums) {
  const std::size_t all = count_ + fixed_.size();
  std::vector<double> products;
  for (FixedPair& p : fixed_) {
    columns_dot(p.y, products, sums);
    p.step_change.assign(products.begin(), products.begin() + static_cast<std::ptrdiff_t>(all));
    p.change_change.assign(products.begin() + static_cast<std::ptrdiff_t>(all), products.end());
  }
}

QuasiNewton::Memory QuasiNewton::memory() const {
  Memory result{capacity_, size_, {}, {}, {}, {}, {}};
  for (std::size_t i = 0; i < count_; ++i) {
    result.steps.push_back(pairs_[i].s.host());
    result.inverse_changes.push_back(pairs_[i].inverse_y.host());
    result.precision.push_back(pairs_[i].precision);
    for (std::size_t j = 0; j < count_; ++j) {
      result.step_change.push_back(sy_[i * capacity_ + j]);
      result.change_change.push_back(yy_[i * capacity_ + j]);
    }
  }
  return result;
}

void QuasiNewton::restore(const Memory& memory) {
  begin(memory.capacity, memory.size);
  count_ = memory.steps.size();
  for (std::size_t i = 0; i < count_; ++i) {
    pairs_[i].s = memory.steps[i];
    pairs_[i].inverse_y = memory.inverse_changes[i];
    pairs_[i].precision = memory.precision[i];
    for (std::size_t j = 0; j < count_; ++j) {
      sy_[i * capacity_ + j] = memory.step_change[i * count_ + j];
      yy_[i * capacity_ + j] = memory.change_change[i * count_ + j];
    }
  }
  if (count_ > 0) rebuild_middle();
}

void QuasiNewton::rebuild_middle() {
  device_is_old_ = true;
  const std::size_t m = count_ + fixed_.size(), rank = 2 * m;
  const auto sy = [&](std::size_t i, std::size_t j) {  // i <= j
    return j < count_ ? sy_[i * capacity_ + j] : fixed_[j - count_].step_change[i];
  };
  const auto yy = [&](std::size_t i, std::size_t j) {
    if (i < count_ && j < count_) return yy_[i * capacity_ + j];
    return j < count_ ? fixed_[i - count_].change_change[j] : fixed_[j - count_].change_change[i];
  };
  // R^-1 by back substitution, column by column.
  std::vector<double> inverse_r(m * m, 0.0), product(m * m, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::size_t k = i + 1; k <= j; ++k) sum -= sy(i, k) * inverse_r[k * m + j];
      inverse_r[i * m + j] = sum / sy(i, i);
    }
  }
  for (std::size_t i = 0; i < m; ++i)  // (D + Y^T A^-1 Y) R^-1
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < m; ++k)
        product[i * m + j] += (yy(i, k) + (i == k ? sy(i, i) : 0.0)) * inverse_r[k * m + j];
  middle_.assign(rank * rank, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < m; ++k) sum += inverse_r[k * m + i] * product[k * m + j];
      middle_[i * rank + j] = sum;
      middle_[i * rank + m + j] = -inverse_r[j * m + i];
      middle_[(m + i) * rank + j] = -inverse_r[i * m + j];
    }
  }
}

void QuasiNewton::add_low_rank(const Mirrored<Vec3d>& r, double scale, Mirrored<Vec3d>& sum,
                               std::vector<double>& sums, const std::vector<double>* products) const {
  const std::size_t k = rank();
  if (k == 0) return;
  if (queue_) return on_device().add_low_rank(r, scale, sum);
  std::vector<double> inner, weight(k, 0.0);
  if (products && products->size() == k)
    inner = *products;
  else
    columns_dot(r, inner, sums);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) weight[i] += scale * middle_[i * k + j] * inner[j];
  const std::vector<const double*> columns = column_numbers();
  double* out = &sum.edit().data()->x;
  const std::size_t n = 3 * sum.size(), chunks = (n + kChunk - 1) / kChunk;
  for_each(chunks, 1, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kChunk;
    column_kernels().add(columns.data(), k, weight.data(), begin, std::min(n, begin + kChunk), out);
  });
}

}  // namespace sinew
