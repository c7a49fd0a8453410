#include "benchmarks/published_device.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <sinew/errors.hpp>

namespace sinew::bench {

namespace {

/// Rows and columns 3 i + k of A (x) I_3.
PreparedRows<double> prepare_tripled(DeviceQueue& queue, DeviceLibraries& libraries,
                                     const CsrMatrix<double>& a) {
  if (3 * a.value.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw MemoryError(fmt::format(
        "published inverse: {} entries do not fit 32-bit offsets; use fewer vertices", 3 * a.value.size()));
  std::vector<Index> row_start = {0}, column;
  std::vector<double> value;
  column.reserve(3 * a.value.size());
  value.reserve(3 * a.value.size());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < 3; ++k) {
      for (std::size_t p = a.row_start[i]; p < a.row_start[i + 1]; ++p) {
        column.push_back(3 * a.column[p] + k);
        value.push_back(a.value[p]);
      }
      row_start.push_back(static_cast<Index>(column.size()));
    }
  return prepare_rows(queue, libraries, 3 * a.rows(), row_start, column, value);
}

}  // namespace

PublishedInverse::PublishedInverse(DeviceQueue& queue, DeviceLibraries& libraries,
                                   const SparseInverse<double>& inverse)
    : queue_(queue),
      libraries_(libraries),
      place_(inverse.order().size()),
      rows_(prepare_tripled(queue, libraries, inverse.rows())),
      transposed_(prepare_tripled(queue, libraries, inverse.transposed())),
      half_(queue.device(), 3 * place_.size(), "published inverse") {
  for (std::size_t k = 0; k < place_.size(); ++k) place_[inverse.order()[k]] = static_cast<Index>(k);
}

void PublishedInverse::solve(View<const double> b, View<double> to) {
  rows_.matrix->multiply(b, half_.view());
  transposed_.matrix->multiply(half_.cview(), to);
}

DeviceCsr PublishedInverse::upload_points(const PointRows& rows,
                                          const std::vector<ContactFrame<double>>& frames) const {
  struct Entry {
    Index row, column;
    double value;
  };
  std::vector<Entry> entries;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const Vec3d direction[3] = {frames[c].n, frames[c].t1, frames[c].t2};
    for (std::size_t t = 0; t < rows.count(c); ++t) {
      const ContactTerm& term = rows.row(c)[t];
      for (Index k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m)
          entries.push_back(
              {3 * place_[term.node] + m, static_cast<Index>(3 * c) + k, term.weight * direction[k][m]});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  std::vector<Index> row_start(3 * place_.size() + 1, 0), column;
  std::vector<double> value;
  for (const Entry& e : entries) {
    ++row_start[static_cast<std::size_t>(e.row) + 1];
    column.push_back(e.column);
    value.push_back(e.value);
  }
  for (std::size_t i = 1; i < row_start.size(); ++i) row_start[i] += row_start[i - 1];
  DeviceCsr h;
  h.rows = static_cast<Index>(3 * place_.size());
  h.columns = static_cast<Index>(3 * rows.size());
  h.row_start = to_device(queue_, row_start, "contact rows");
  h.column = to_device(queue_, column, "contact rows");
  h.value = to_device(queue_, value, "contact rows");
  return h;
}

void PublishedInverse::assemble(const DeviceCsr& points, View<double> w) {
  const Index n = static_cast<Index>(3 * place_.size());
  const CsrView<double> s{n, n, rows_.row_start.cview(), rows_.column.cview(), rows_.value.cview()};
  const DeviceCsr y = libraries_.multiply(s, points.view());
  const DeviceCsr turned = libraries_.transpose(y.view());
  const DeviceCsr product = libraries_.multiply(turned.view(), y.view());
  libraries_.to_dense(product.view(), w);
}

LibraryConjugateResidual::LibraryConjugateResidual(DeviceQueue& queue, DeviceLibraries& libraries, Index size)
    : queue_(queue), libraries_(libraries), size_(size) {
  for (DeviceBuffer<double>* v : {&residual_, &product_, &direction_, &direction_product_})
    *v = DeviceBuffer<double>(queue.device(), static_cast<std::size_t>(size), "conjugate residual");
  const std::vector<double> scalars = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  scalar_ = to_device(queue, scalars, "conjugate residual");
}

void LibraryConjugateResidual::solve(View<const double> a, View<const double> b, View<double> x,
                                     int iterations) {
  const View<double> r = residual_.view(), ar = product_.view(), p = direction_.view(),
                     ap = direction_product_.view(), scalars = scalar_.view();
  const View<const double> one = scalar_.cview().part(0, 1);
  View<double> rho = scalars.part(1, 1), next = scalars.part(2, 1);
  const View<double> square = scalars.part(3, 1), alpha = scalars.part(4, 2), beta = scalars.part(6, 2);
  queue_.clear(x);
  queue_.copy(r, b);
  libraries_.multiply_dense(size_, size_, a, r, ar);
  queue_.copy<double>(p, r);
  queue_.copy<double>(ap, ar);
  libraries_.dot(r, ar, rho);
  for (int k = 0; k < iterations; ++k) {
    libraries_.dot(ap, ap, square);
    queue_.quotient(rho, square, alpha);
    libraries_.add_scaled(alpha.part(0, 1), p, x);
    libraries_.add_scaled(alpha.part(1, 1), ap, r);
    libraries_.multiply_dense(size_, size_, a, r, ar);
    libraries_.dot(r, ar, next);
    queue_.quotient(next, rho, beta);
    std::swap(rho, next);
    libraries_.scale(beta.part(0, 1), p);
    libraries_.add_scaled(one, r, p);
    libraries_.scale(beta.part(0, 1), ap);
    libraries_.add_scaled(one, ar, ap);
  }
}

}  // namespace sinew::bench
