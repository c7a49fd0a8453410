// Bodies of the operations of a frame.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/frame_items.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {

/// Sums and maxima over items: `item(i, value)` adds to value[0 .. kSums - 1] and raises the kMaxima behind.
template <class Item>
struct SumItemsKernel {
  static constexpr int kThreads = 128, kSums = Item::kSums, kValues = Item::kSums + Item::kMaxima;
  static_assert(kValues <= static_cast<int>(FrameOps::kMostSums));
  struct Shared {
    double part[kValues][kThreads];
  };
  Item item;
  std::size_t size;
  double* partial;  ///< {blocks, kValues}

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    auto& part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t first = block.index() * kSumItems;
      const std::size_t end = first + kSumItems < size ? first + kSumItems : size;
      double value[kValues];
      for (int k = 0; k < kValues; ++k) value[k] = 0.0;
      for (std::size_t i = first + static_cast<std::size_t>(t); i < end; i += kThreads) item(i, value);
      for (int k = 0; k < kValues; ++k) part[k][t] = value[k];
    });
    join(block, part);
    block.threads([&](int t) {
      if (t < kValues) partial[block.index() * kValues + static_cast<std::size_t>(t)] = part[t][0];
    });
  }
  template <class Block, class Part>
  SINEW_HD static void join(Block& block, Part& part) {
    for (int half = kThreads / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t >= half) return;
        for (int k = 0; k < kSums; ++k) part[k][t] += part[k][t + half];
        for (int k = kSums; k < kValues; ++k) raise_to(part[k][t], part[k][t + half]);
      });
  }
};

/// One block: the partial values of all blocks of SumItemsKernel.
template <class Item>
struct FinishItemsKernel {
  using First = SumItemsKernel<Item>;
  static constexpr int kThreads = First::kThreads, kSums = First::kSums, kValues = First::kValues;
  using Shared = typename First::Shared;
  const double* partial;
  std::size_t blocks;
  double* result;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    auto& part = block.shared().part;
    block.threads([&](int t) {
      for (int k = 0; k < kValues; ++k) {
        double value = 0.0;
        for (std::size_t b = static_cast<std::size_t>(t); b < blocks; b += kThreads) {
          const double x = partial[b * kValues + static_cast<std::size_t>(k)];
          if (k < kSums)
            value += x;
          else
            raise_to(value, x);
        }
        part[k][t] = value;
      }
    });
    First::join(block, part);
    block.threads([&](int t) {
      if (t < kValues) result[t] = part[t][0];
    });
  }
};

struct PutKernel {
  Vec3d* to;
  const Index* node;
  const Vec3d* value;
  SINEW_HD void operator()(std::size_t k) const { to[node[k]] = value[k]; }
};

struct PutFloatsKernel {
  float* to;
  const Index* node;
  const Vec3d* value;
  SINEW_HD void operator()(std::size_t k) const {
    float* at = to + 3 * static_cast<std::size_t>(node[k]);
    at[0] = static_cast<float>(value[k].x);
    at[1] = static_cast<float>(value[k].y);
    at[2] = static_cast<float>(value[k].z);
  }
};

struct CombineKernel {
  Vec3d* to;
  double a;
  const Vec3d* x;
  double b;
  const Vec3d* y;  ///< may be null
  SINEW_HD void operator()(std::size_t i) const {
    Vec3d sum = a * x[i];
    if (y) sum += b * y[i];
    to[i] = sum;
  }
};

struct MoveKernel {
  Vec3d* trial;
  const Vec3d* position;
  const Vec3d* direction;
  std::size_t moving;
  double length;
  SINEW_HD void operator()(std::size_t i) const {
    trial[i] = i < moving ? position[i] + length * direction[i] : position[i];
  }
};

struct SlopeItem {
  static constexpr int kSums = 2, kMaxima = 0;
  const Vec3d* gradient;
  const Vec3d* contact;
  const Vec3d* direction;
  SINEW_HD void operator()(std::size_t i, double* value) const {
    value[SlopeSums::gradient] += dot(gradient[i], direction[i]);
    value[SlopeSums::contact] += dot(contact[i], direction[i]);
  }
};

struct PairItem {
  static constexpr int kSums = 3, kMaxima = 0;
  const Vec3d* step;
  const Vec3d* change;
  SINEW_HD void operator()(std::size_t i, double* value) const {
    value[PairSums::curvature] += dot(step[i], change[i]);
    value[PairSums::change2] += squared_norm(change[i]);
    value[PairSums::step2] += squared_norm(step[i]);
  }
};

struct MomentumItem {
  static constexpr int kSums = 3, kMaxima = 0;
  const double* mass;
  const Vec3d* v;
  SINEW_HD void operator()(std::size_t i, double* value) const {
    value[0] += mass[i] * v[i].x;
    value[1] += mass[i] * v[i].y;
    value[2] += mass[i] * v[i].z;
  }
};

struct RemoveShiftKernel {
  const double* mass;
  const double* momentum;
  double inverse_mass, damped;
  Vec3d* step;
  Vec3d* inverse_change;
  Vec3d* change;
  SINEW_HD void operator()(std::size_t i) const {
    const Vec3d shift = inverse_mass * Vec3d{momentum[0], momentum[1], momentum[2]};
    step[i] -= shift;
    inverse_change[i] -= shift;
    change[i] -= (damped * mass[i]) * shift;
  }
};

struct LargestItem {
  static constexpr int kSums = 0, kMaxima = 1;
  const Vec3d* x;
  SINEW_HD void operator()(std::size_t i, double* value) const { raise_to(value[0], squared_norm(x[i])); }
};

struct WeighKernel {
  double* to;
  const double* middle;
  const double* inner;
  std::size_t rank;
  double scale;
  SINEW_HD void operator()(std::size_t k) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < rank; ++j) sum += scale * middle[k * rank + j] * inner[j];
    to[k] = sum;
  }
};

struct GatherPointsKernel {
  DevicePoints points;
  const Vec3d* const* column;
  std::size_t columns;
  Vec3d* to;
  SINEW_HD void operator()(std::size_t at) const {
    const std::size_t r = at / columns;
    const Vec3d* x = column[at % columns];
    Vec3d sum{};
    for (std::size_t k = points.start.data[r]; k < points.start.data[r + 1]; ++k)
      sum += points.weight.data[k] * x[points.node.data[k]];
    to[at] = sum;
  }
};

namespace op {

/// Sums and maxima of an item over [0, n).
template <class Queue, class Item>
void sum_items(Queue& queue, std::size_t n, const Item& item, View<double> sums, View<double> scratch) {
  const std::size_t blocks = block_count(n, kSumItems);
  queue.launch(blocks, SumItemsKernel<Item>{item, n, scratch.data});
  queue.launch(1, FinishItemsKernel<Item>{scratch.data, blocks, sums.data});
}

template <class Queue>
void predict(Queue& queue, const FrameNodes& nodes, View<Vec3d> predicted) {
  queue.for_each(predicted.size, PredictKernel{nodes, predicted.data});
}
template <class Queue>
void put(Queue& queue, View<Vec3d> to, View<const Index> node, View<const Vec3d> value) {
  queue.for_each(node.size, PutKernel{to.data, node.data, value.data});
}
template <class Queue>
void put_floats(Queue& queue, View<float> to, View<const Index> node, View<const Vec3d> value) {
  queue.for_each(node.size, PutFloatsKernel{to.data, node.data, value.data});
}
template <class Queue>
void combine(Queue& queue, View<Vec3d> to, double a, View<const Vec3d> x, double b, View<const Vec3d> y) {
  queue.for_each(to.size, CombineKernel{to.data, a, x.data, b, y.data});
}
template <class Queue>
void move(Queue& queue, View<Vec3d> trial, View<const Vec3d> position, View<const Vec3d> direction,
          double length) {
  queue.for_each(trial.size, MoveKernel{trial.data, position.data, direction.data, direction.size, length});
}
template <class Queue>
void residual(Queue& queue, const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
              View<const Vec3d> gradient, View<const Vec3d> contact, View<Vec3d> residual, View<double> sums,
              View<double> scratch) {
  sum_items(queue, residual.size,
            ResidualItem{nodes, position.data, predicted.data, gradient.data, contact.data, residual.data},
            sums, scratch);
}
template <class Queue>
void slopes(Queue& queue, View<const Vec3d> gradient, View<const Vec3d> contact, View<const Vec3d> direction,
            View<double> sums, View<double> scratch) {
  sum_items(queue, direction.size, SlopeItem{gradient.data, contact.data, direction.data}, sums, scratch);
}
template <class Queue>
void pair_sums(Queue& queue, View<const Vec3d> step, View<const Vec3d> change, View<double> sums,
               View<double> scratch) {
  sum_items(queue, step.size, PairItem{step.data, change.data}, sums, scratch);
}
template <class Queue>
void momentum(Queue& queue, View<const double> mass, View<const Vec3d> v, View<double> sums,
              View<double> scratch) {
  sum_items(queue, v.size, MomentumItem{mass.data, v.data}, sums, scratch);
}
template <class Queue>
void remove_shift(Queue& queue, View<const double> mass, View<const double> momentum, double inverse_mass,
                  double damped, View<Vec3d> step, View<Vec3d> inverse_change, View<Vec3d> change) {
  queue.for_each(step.size, RemoveShiftKernel{mass.data, momentum.data, inverse_mass, damped, step.data,
                                              inverse_change.data, change.data});
}
template <class Queue>
void lost_momentum(Queue& queue, const FrameNodes& nodes, View<const Vec3d> position,
                   View<const Vec3d> predicted, View<const Vec3d> contact, View<double> sums,
                   View<double> scratch) {
  sum_items(queue, contact.size, LostMomentumItem{nodes, position.data, predicted.data, contact.data}, sums,
            scratch);
}
template <class Queue>
void largest(Queue& queue, View<const Vec3d> x, View<double> sums, View<double> scratch) {
  sum_items(queue, x.size, LargestItem{x.data}, sums, scratch);
}
template <class Queue>
void weigh(Queue& queue, View<double> to, View<const double> middle, View<const double> inner, double scale) {
  queue.for_each(to.size, WeighKernel{to.data, middle.data, inner.data, to.size, scale});
}
template <class Queue>
void gather_points(Queue& queue, const DevicePoints& points, View<const Vec3d* const> columns,
                   View<Vec3d> to) {
  queue.for_each(points.size() * columns.size,
                 GatherPointsKernel{points, columns.data, columns.size, to.data});
}
template <class Queue>
void finish(Queue& queue, const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
            View<Vec3d> velocity, View<Vec3d> correction, View<double> sums, View<double> scratch) {
  sum_items(queue, position.size,
            FinishItem{nodes, position.data, predicted.data, velocity.data, correction.data, correction.size},
            sums, scratch);
}

}  // namespace op

}  // namespace sinew
