#include "host/device_inverse.hpp"

namespace sinew {

template <class T>
DeviceInverse<T>::DeviceInverse(DeviceQueue& queue, const StagedRows<T>& rows)
    : size_(rows.forward_inside.rows()),
      stages_(rows.stages),
      forward_outside_(upload(queue, rows.forward_outside)),
      forward_inside_(upload(queue, rows.forward_inside)),
      backward_outside_(upload(queue, rows.backward_outside)),
      backward_inside_(upload(queue, rows.backward_inside)) {}

template <class T>
typename DeviceInverse<T>::Matrix DeviceInverse<T>::upload(DeviceQueue& queue, const RowMatrix<T>& matrix) {
  constexpr const char* kWhat = "staged inverse";
  return {to_device(queue, matrix.value_start, kWhat), to_device(queue, matrix.index_start, kWhat),
          to_device(queue, matrix.index, kWhat), to_device(queue, matrix.value, kWhat)};
}

template <class T>
std::size_t DeviceInverse<T>::bytes() const {
  return forward_outside_.bytes() + forward_inside_.bytes() + backward_outside_.bytes() +
         backward_inside_.bytes();
}

template <class T>
typename DeviceInverse<T>::Workspace DeviceInverse<T>::make_workspace(Device& device) const {
  const auto n = static_cast<std::size_t>(size_);
  return {{device, n, "global step"}, {device, n, "global step"}};
}

template <class T>
typename DeviceInverse<T>::WideWorkspace DeviceInverse<T>::make_wide_workspace(Device& device) const {
  const std::size_t n = static_cast<std::size_t>(size_) * kWideColumns;
  constexpr const char* kWhat = "columns of the inverse";
  return {{device, n, kWhat}, {device, n, kWhat}, {device, n, kWhat}};
}

/// b becomes A^-1 b; right, y: work space.
template <class T>
template <class Vectors, class Product>
void DeviceInverse<T>::solve(Vectors b, Vectors right, Vectors y, Product&& product) const {
  const Vectors none;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    if (s > 0)  // r_s = b_s - sum L_st y_t
      product(forward_outside_, stages_[s].forward_outside, y, T(-1), b, right);
    product(forward_inside_, stages_[s].forward_inside, s > 0 ? right : b, T(1), none, y);
  }
  for (std::size_t s = stages_.size(); s-- > 0;) {
    const bool top = s + 1 == stages_.size();
    if (!top)  // z_s = y_s - sum L_ts^T x_t
      product(backward_outside_, stages_[s].backward_outside, b, T(-1), y, right);
    product(backward_inside_, stages_[s].backward_inside, top ? y : right, T(1), none, b);
  }
}

template <class T>
void DeviceInverse<T>::apply(DeviceQueue& queue, View<Vec3<T>> b, Workspace& workspace) const {
  solve(b, workspace.right.view(), workspace.solution.view(),
        [&](const Matrix& matrix, const RowRange& range, View<Vec3<T>> x, T sign, View<Vec3<T>> base,
            View<Vec3<T>> to) { queue.multiply_rows(matrix.view(), range, x, sign, base, to); });
}

template <class T>
void DeviceInverse<T>::columns(DeviceQueue& queue, View<const Index> node, View<double> columns,
                               WideWorkspace& workspace) const {
  queue.unit_columns(node, workspace.block.view());
  solve(workspace.block.view(), workspace.right.view(), workspace.solution.view(),
        [&](const Matrix& matrix, const RowRange& range, View<T> x, T sign, View<T> base, View<T> to) {
          queue.multiply_rows_wide(matrix.view(), range, x, sign, base, to);
        });
  queue.take_columns(workspace.block.cview(), node.size, columns);
}

template class DeviceInverse<float>;
template class DeviceInverse<double>;

}  // namespace sinew
