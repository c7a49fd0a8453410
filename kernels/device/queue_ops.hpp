// The operations of DeviceQueue over a base that can for_each() and launch(): one line each. The bodies are
// compiled once per operation file and base (emulated: .cpp files here; CUDA: .cu files in kernels/cuda).
#pragma once

#include "kernels/device/contact_queue_ops.hpp"
#include "kernels/device/queue.hpp"

namespace sinew {

// Defined in vector_kernels.hpp and its neighbours, for the emulated and the CUDA queue in files of their
// own.
namespace op {
template <class Queue>
void scale(Queue&, View<Vec3d>, View<const Vec3d>, double);
template <class Queue>
void add_scaled(Queue&, View<Vec3d>, View<const Vec3d>, double);
template <class Queue>
void products(Queue&, View<const Vec3d* const>, View<const Vec3d>, View<double>, View<double>);
template <class Queue>
void add_columns(Queue&, View<Vec3d>, View<const Vec3d* const>, View<const double>);
template <class Queue>
void sum_parts(Queue&, const SumPlanView&, View<const double>, View<double>, View<double>);
template <class Queue, class T>
void multiply_rows(Queue&, const RowMatrixView<T>&, const RowRange&, View<const Vec3<T>>, T,
                   View<const Vec3<T>>, View<Vec3<T>>);
template <class Queue, class To, class From>
void convert(Queue&, View<Vec3<To>>, View<const Vec3<From>>);
template <class Queue>
void strains(Queue&, const DeviceElements&, View<const Vec3d>, View<double>);
template <class Queue>
void evaluate_blocks(Queue&, const DeviceElements&, const DeviceMaterial&, View<const Vec3d>,
                     View<const double>, View<Vec3d>, View<double>, View<double>);
template <class Queue>
void row_lengths(Queue&, const DeviceSquares&, View<const Vec3d>, View<double>);
template <class Queue>
void evaluate_squares(Queue&, const DeviceSquares&, double, View<const double>, View<const Vec3d>,
                      View<Vec3d>, View<double>, View<double>);
template <class Queue>
void gather_gradient(Queue&, const DeviceElements&, View<const Vec3d>, const DeviceSquares&,
                     View<const Vec3d>, const DeviceInertia&, View<const Vec3d>, View<Vec3d>, View<double>);
template <class Queue>
void scan(Queue&, View<const std::uint32_t>, View<std::uint32_t>, View<unsigned char>, ScanForm);
template <class Queue>
std::size_t scan_scratch(Queue&, std::size_t);
template <class Queue>
void sort_pairs(Queue&, View<std::uint64_t>, View<std::uint32_t>, int, View<unsigned char>, ScanForm);
template <class Queue>
std::size_t sort_scratch(Queue&, std::size_t);
template <class Queue>
void way_boxes(Queue&, View<const Vec3d>, View<const Vec3d>, View<const double>, View<DeviceBox>);
template <class Queue>
void join_boxes(Queue&, View<const DeviceBox>, View<const Index>, int, View<DeviceBox>);
template <class Queue>
void morton_codes(Queue&, View<const DeviceBox>, View<std::uint64_t>, View<DeviceBox>);
template <class Queue>
void build_tree(Queue&, View<const std::uint64_t>, const BoxTreeView&);
template <class Queue>
void refit_tree(Queue&, View<const DeviceBox>, const BoxTreeView&);
template <class Queue>
void node_areas(Queue&, const BoxTreeView&, View<double>);
template <class Queue>
void count_overlaps(Queue&, const BoxTreeView&, View<const DeviceBox>, const PairRule&, View<std::uint32_t>,
                    View<double>);
template <class Queue>
void list_overlaps(Queue&, const BoxTreeView&, View<const DeviceBox>, const PairRule&,
                   View<const std::uint32_t>, View<BoxPair>);
template <class Queue>
void count_features(Queue&, const FeatureView&, const FeatureWays&, View<const BoxPair>,
                    View<const std::uint32_t>, View<std::uint32_t>, View<double>);
template <class Queue>
void list_features(Queue&, const FeatureView&, const FeatureWays&, View<const BoxPair>,
                   View<const std::uint32_t>, View<const std::uint32_t>, View<FeaturePair>);
template <class Queue>
void quotient(Queue&, View<const double>, View<const double>, View<double>);
template <class Queue>
void scale_symmetric(Queue&, View<const double>, View<const double>, View<const double>, View<double>);
template <class Queue>
void predict(Queue&, const FrameNodes&, View<Vec3d>);
template <class Queue>
void put(Queue&, View<Vec3d>, View<const Index>, View<const Vec3d>);
template <class Queue>
void put_floats(Queue&, View<float>, View<const Index>, View<const Vec3d>);
template <class Queue>
void combine(Queue&, View<Vec3d>, double, View<const Vec3d>, double, View<const Vec3d>);
template <class Queue>
void move(Queue&, View<Vec3d>, View<const Vec3d>, View<const Vec3d>, double);
template <class Queue>
void residual(Queue&, const FrameNodes&, View<const Vec3d>, View<const Vec3d>, View<const Vec3d>,
              View<const Vec3d>, View<Vec3d>, View<double>, View<double>);
template <class Queue>
void slopes(Queue&, View<const Vec3d>, View<const Vec3d>, View<const Vec3d>, View<double>, View<double>);
template <class Queue>
void pair_sums(Queue&, View<const Vec3d>, View<const Vec3d>, View<double>, View<double>);
template <class Queue>
void momentum(Queue&, View<const double>, View<const Vec3d>, View<double>, View<double>);
template <class Queue>
void remove_shift(Queue&, View<const double>, View<const double>, double, double, View<Vec3d>, View<Vec3d>,
                  View<Vec3d>);
template <class Queue>
void lost_momentum(Queue&, const FrameNodes&, View<const Vec3d>, View<const Vec3d>, View<const Vec3d>,
                   View<double>, View<double>);
template <class Queue>
void largest(Queue&, View<const Vec3d>, View<double>, View<double>);
template <class Queue>
void weigh(Queue&, View<double>, View<const double>, View<const double>, double);
template <class Queue>
void gather_points(Queue&, const DevicePoints&, View<const Vec3d* const>, View<Vec3d>);
template <class Queue>
void finish(Queue&, const FrameNodes&, View<const Vec3d>, View<const Vec3d>, View<Vec3d>, View<Vec3d>,
            View<double>, View<double>);
template <class Queue>
void count_planes(Queue&, View<const DeviceObstacle>, const PointWays&, View<std::uint32_t>);
template <class Queue>
void list_planes(Queue&, View<const DeviceObstacle>, const PointWays&, View<const std::uint32_t>,
                 View<PointPlane>);
}  // namespace op

/// Base: derived from DeviceQueue, with `for_each(n, kernel)` and `launch(blocks, kernel)`.
template <class Base>
class QueueOps final : public ContactQueueOps<Base> {
 public:
  using ContactQueueOps<Base>::ContactQueueOps;

  void scale(View<Vec3d> to, View<const Vec3d> from, double factor) override {
    op::scale<Base>(*this, to, from, factor);
  }
  void add_scaled(View<Vec3d> to, View<const Vec3d> from, double factor) override {
    op::add_scaled<Base>(*this, to, from, factor);
  }
  void products(View<const Vec3d* const> columns, View<const Vec3d> r, View<double> result,
                View<double> scratch) override {
    op::products<Base>(*this, columns, r, result, scratch);
  }
  void add_columns(View<Vec3d> to, View<const Vec3d* const> columns, View<const double> factor) override {
    op::add_columns<Base>(*this, to, columns, factor);
  }
  void sum_parts(const SumPlanView& plan, View<const double> values, View<double> result,
                 View<double> scratch) override {
    op::sum_parts<Base>(*this, plan, values, result, scratch);
  }
  void multiply_rows(const RowMatrixView<double>& matrix, const RowRange& range, View<const Vec3<double>> x,
                     double sign, View<const Vec3<double>> base, View<Vec3<double>> to) override {
    op::multiply_rows<Base, double>(*this, matrix, range, x, sign, base, to);
  }
  void multiply_rows(const RowMatrixView<float>& matrix, const RowRange& range, View<const Vec3<float>> x,
                     float sign, View<const Vec3<float>> base, View<Vec3<float>> to) override {
    op::multiply_rows<Base, float>(*this, matrix, range, x, sign, base, to);
  }
  void convert(View<Vec3<float>> to, View<const Vec3<double>> from) override {
    op::convert<Base, float, double>(*this, to, from);
  }
  void convert(View<Vec3<double>> to, View<const Vec3<float>> from) override {
    op::convert<Base, double, float>(*this, to, from);
  }
  void strains(const DeviceElements& elements, View<const Vec3d> position, View<double> strain) override {
    op::strains<Base>(*this, elements, position, strain);
  }
  void evaluate_blocks(const DeviceElements& elements, const DeviceMaterial& material,
                       View<const Vec3d> position, View<const double> start_strain, View<Vec3d> partial,
                       View<double> elastic, View<double> damping) override {
    op::evaluate_blocks<Base>(*this, elements, material, position, start_strain, partial, elastic, damping);
  }
  void row_lengths(const DeviceSquares& rows, View<const Vec3d> position, View<double> length) override {
    op::row_lengths<Base>(*this, rows, position, length);
  }
  void evaluate_squares(const DeviceSquares& rows, double beta_over_h, View<const double> start_length,
                        View<const Vec3d> position, View<Vec3d> force, View<double> elastic,
                        View<double> damping) override {
    op::evaluate_squares<Base>(*this, rows, beta_over_h, start_length, position, force, elastic, damping);
  }
  void gather_gradient(const DeviceElements& elements, View<const Vec3d> partial, const DeviceSquares& rows,
                       View<const Vec3d> row_force, const DeviceInertia& inertia, View<const Vec3d> position,
                       View<Vec3d> gradient, View<double> node_energy) override {
    op::gather_gradient<Base>(*this, elements, partial, rows, row_force, inertia, position, gradient,
                              node_energy);
  }
  void scan(View<const std::uint32_t> count, View<std::uint32_t> start, View<unsigned char> scratch,
            ScanForm form) override {
    op::scan<Base>(*this, count, start, scratch, form);
  }
  std::size_t scan_scratch(std::size_t n) override { return op::scan_scratch<Base>(*this, n); }
  void sort_pairs(View<std::uint64_t> key, View<std::uint32_t> value, int key_bits,
                  View<unsigned char> scratch, ScanForm form) override {
    op::sort_pairs<Base>(*this, key, value, key_bits, scratch, form);
  }
  std::size_t sort_scratch(std::size_t n) override { return op::sort_scratch<Base>(*this, n); }
  void way_boxes(View<const Vec3d> start, View<const Vec3d> end, View<const double> inflation,
                 View<DeviceBox> box) override {
    op::way_boxes<Base>(*this, start, end, inflation, box);
  }
  void join_boxes(View<const DeviceBox> from, View<const Index> index, int corners,
                  View<DeviceBox> box) override {
    op::join_boxes<Base>(*this, from, index, corners, box);
  }
  void morton_codes(View<const DeviceBox> box, View<std::uint64_t> code, View<DeviceBox> scratch) override {
    op::morton_codes<Base>(*this, box, code, scratch);
  }
  void build_tree(View<const std::uint64_t> code, const BoxTreeView& tree) override {
    op::build_tree<Base>(*this, code, tree);
  }
  void refit_tree(View<const DeviceBox> box, const BoxTreeView& tree) override {
    op::refit_tree<Base>(*this, box, tree);
  }
  void node_areas(const BoxTreeView& tree, View<double> area) override {
    op::node_areas<Base>(*this, tree, area);
  }
  void count_overlaps(const BoxTreeView& tree, View<const DeviceBox> query, const PairRule& rule,
                      View<std::uint32_t> count, View<double> number) override {
    op::count_overlaps<Base>(*this, tree, query, rule, count, number);
  }
  void list_overlaps(const BoxTreeView& tree, View<const DeviceBox> query, const PairRule& rule,
                     View<const std::uint32_t> start, View<BoxPair> pair) override {
    op::list_overlaps<Base>(*this, tree, query, rule, start, pair);
  }
  void count_features(const FeatureView& features, const FeatureWays& ways, View<const BoxPair> pair,
                      View<const std::uint32_t> total, View<std::uint32_t> count,
                      View<double> number) override {
    op::count_features<Base>(*this, features, ways, pair, total, count, number);
  }
  void list_features(const FeatureView& features, const FeatureWays& ways, View<const BoxPair> pair,
                     View<const std::uint32_t> total, View<const std::uint32_t> start,
                     View<FeaturePair> feature) override {
    op::list_features<Base>(*this, features, ways, pair, total, start, feature);
  }
  void quotient(View<const double> a, View<const double> b, View<double> to) override {
    op::quotient<Base>(*this, a, b, to);
  }
  void scale_symmetric(View<const double> w, View<const double> s, View<const double> e,
                       View<double> to) override {
    op::scale_symmetric<Base>(*this, w, s, e, to);
  }
  void predict(const FrameNodes& nodes, View<Vec3d> predicted) override {
    op::predict<Base>(*this, nodes, predicted);
  }
  void put(View<Vec3d> to, View<const Index> node, View<const Vec3d> value) override {
    op::put<Base>(*this, to, node, value);
  }
  void put_floats(View<float> to, View<const Index> node, View<const Vec3d> value) override {
    op::put_floats<Base>(*this, to, node, value);
  }
  void combine(View<Vec3d> to, double a, View<const Vec3d> x, double b, View<const Vec3d> y) override {
    op::combine<Base>(*this, to, a, x, b, y);
  }
  void move(View<Vec3d> trial, View<const Vec3d> position, View<const Vec3d> direction,
            double length) override {
    op::move<Base>(*this, trial, position, direction, length);
  }
  void residual(const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
                View<const Vec3d> gradient, View<const Vec3d> contact, View<Vec3d> residual,
                View<double> sums, View<double> scratch) override {
    op::residual<Base>(*this, nodes, position, predicted, gradient, contact, residual, sums, scratch);
  }
  void slopes(View<const Vec3d> gradient, View<const Vec3d> contact, View<const Vec3d> direction,
              View<double> sums, View<double> scratch) override {
    op::slopes<Base>(*this, gradient, contact, direction, sums, scratch);
  }
  void pair_sums(View<const Vec3d> step, View<const Vec3d> change, View<double> sums,
                 View<double> scratch) override {
    op::pair_sums<Base>(*this, step, change, sums, scratch);
  }
  void momentum(View<const double> mass, View<const Vec3d> v, View<double> sums,
                View<double> scratch) override {
    op::momentum<Base>(*this, mass, v, sums, scratch);
  }
  void remove_shift(View<const double> mass, View<const double> momentum, double inverse_mass, double damped,
                    View<Vec3d> step, View<Vec3d> inverse_change, View<Vec3d> change) override {
    op::remove_shift<Base>(*this, mass, momentum, inverse_mass, damped, step, inverse_change, change);
  }
  void lost_momentum(const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
                     View<const Vec3d> contact, View<double> sums, View<double> scratch) override {
    op::lost_momentum<Base>(*this, nodes, position, predicted, contact, sums, scratch);
  }
  void largest(View<const Vec3d> x, View<double> sums, View<double> scratch) override {
    op::largest<Base>(*this, x, sums, scratch);
  }
  void weigh(View<double> to, View<const double> middle, View<const double> inner, double scale) override {
    op::weigh<Base>(*this, to, middle, inner, scale);
  }
  void gather_points(const DevicePoints& points, View<const Vec3d* const> columns, View<Vec3d> to) override {
    op::gather_points<Base>(*this, points, columns, to);
  }
  void finish(const FrameNodes& nodes, View<const Vec3d> position, View<const Vec3d> predicted,
              View<Vec3d> velocity, View<Vec3d> correction, View<double> sums,
              View<double> scratch) override {
    op::finish<Base>(*this, nodes, position, predicted, velocity, correction, sums, scratch);
  }
  void count_planes(View<const DeviceObstacle> obstacles, const PointWays& points,
                    View<std::uint32_t> count) override {
    op::count_planes<Base>(*this, obstacles, points, count);
  }
  void list_planes(View<const DeviceObstacle> obstacles, const PointWays& points,
                   View<const std::uint32_t> start, View<PointPlane> plane) override {
    op::list_planes<Base>(*this, obstacles, points, start, plane);
  }
};

}  // namespace sinew

// Explicit instantiations of one operation file for one queue.
#define SINEW_VECTOR_OPS(Queue)                                                                           \
  template void sinew::op::scale<Queue>(Queue&, View<Vec3d>, View<const Vec3d>, double);                  \
  template void sinew::op::add_scaled<Queue>(Queue&, View<Vec3d>, View<const Vec3d>, double);             \
  template void sinew::op::products<Queue>(Queue&, View<const Vec3d* const>, View<const Vec3d>,           \
                                           View<double>, View<double>);                                   \
  template void sinew::op::add_columns<Queue>(Queue&, View<Vec3d>, View<const Vec3d* const>,              \
                                              View<const double>);                                        \
  template void sinew::op::sum_parts<Queue>(Queue&, const SumPlanView&, View<const double>, View<double>, \
                                            View<double>);

#define SINEW_ROW_MATRIX_OPS(Queue)                                                                          \
  template void sinew::op::multiply_rows<Queue, double>(Queue&, const RowMatrixView<double>&,                \
                                                        const RowRange&, View<const Vec3<double>>, double,   \
                                                        View<const Vec3<double>>, View<Vec3<double>>);       \
  template void sinew::op::multiply_rows<Queue, float>(Queue&, const RowMatrixView<float>&, const RowRange&, \
                                                       View<const Vec3<float>>, float,                       \
                                                       View<const Vec3<float>>, View<Vec3<float>>);          \
  template void sinew::op::convert<Queue, float, double>(Queue&, View<Vec3<float>>,                          \
                                                         View<const Vec3<double>>);                          \
  template void sinew::op::convert<Queue, double, float>(Queue&, View<Vec3<double>>, View<const Vec3<float>>);

#define SINEW_ELEMENT_OPS(Queue)                                                                             \
  template void sinew::op::strains<Queue>(Queue&, const DeviceElements&, View<const Vec3d>, View<double>);   \
  template void sinew::op::evaluate_blocks<Queue>(Queue&, const DeviceElements&, const DeviceMaterial&,      \
                                                  View<const Vec3d>, View<const double>, View<Vec3d>,        \
                                                  View<double>, View<double>);                               \
  template void sinew::op::row_lengths<Queue>(Queue&, const DeviceSquares&, View<const Vec3d>,               \
                                              View<double>);                                                 \
  template void sinew::op::evaluate_squares<Queue>(Queue&, const DeviceSquares&, double, View<const double>, \
                                                   View<const Vec3d>, View<Vec3d>, View<double>,             \
                                                   View<double>);                                            \
  template void sinew::op::gather_gradient<Queue>(                                                           \
      Queue&, const DeviceElements&, View<const Vec3d>, const DeviceSquares&, View<const Vec3d>,             \
      const DeviceInertia&, View<const Vec3d>, View<Vec3d>, View<double>);

#define SINEW_SCAN_OPS(Queue)                                                                       \
  template void sinew::op::scan<Queue>(Queue&, View<const std::uint32_t>, View<std::uint32_t>,      \
                                       View<unsigned char>, ScanForm);                              \
  template std::size_t sinew::op::scan_scratch<Queue>(Queue&, std::size_t);                         \
  template void sinew::op::sort_pairs<Queue>(Queue&, View<std::uint64_t>, View<std::uint32_t>, int, \
                                             View<unsigned char>, ScanForm);                        \
  template std::size_t sinew::op::sort_scratch<Queue>(Queue&, std::size_t);

#define SINEW_BOX_TREE_OPS(Queue)                                                                     \
  template void sinew::op::way_boxes<Queue>(Queue&, View<const Vec3d>, View<const Vec3d>,             \
                                            View<const double>, View<DeviceBox>);                     \
  template void sinew::op::join_boxes<Queue>(Queue&, View<const DeviceBox>, View<const Index>, int,   \
                                             View<DeviceBox>);                                        \
  template void sinew::op::morton_codes<Queue>(Queue&, View<const DeviceBox>, View<std::uint64_t>,    \
                                               View<DeviceBox>);                                      \
  template void sinew::op::build_tree<Queue>(Queue&, View<const std::uint64_t>, const BoxTreeView&);  \
  template void sinew::op::refit_tree<Queue>(Queue&, View<const DeviceBox>, const BoxTreeView&);      \
  template void sinew::op::node_areas<Queue>(Queue&, const BoxTreeView&, View<double>);               \
  template void sinew::op::count_overlaps<Queue>(Queue&, const BoxTreeView&, View<const DeviceBox>,   \
                                                 const PairRule&, View<std::uint32_t>, View<double>); \
  template void sinew::op::list_overlaps<Queue>(Queue&, const BoxTreeView&, View<const DeviceBox>,    \
                                                const PairRule&, View<const std::uint32_t>, View<BoxPair>);

#define SINEW_FEATURE_PAIR_OPS(Queue)                                                            \
  template void sinew::op::count_features<Queue>(Queue&, const FeatureView&, const FeatureWays&, \
                                                 View<const BoxPair>, View<const std::uint32_t>, \
                                                 View<std::uint32_t>, View<double>);             \
  template void sinew::op::list_features<Queue>(Queue&, const FeatureView&, const FeatureWays&,  \
                                                View<const BoxPair>, View<const std::uint32_t>,  \
                                                View<const std::uint32_t>, View<FeaturePair>);

#define SINEW_DENSE_OPS(Queue)                                                                            \
  template void sinew::op::quotient<Queue>(Queue&, View<const double>, View<const double>, View<double>); \
  template void sinew::op::scale_symmetric<Queue>(Queue&, View<const double>, View<const double>,         \
                                                  View<const double>, View<double>);

#define SINEW_FRAME_OPS(Queue)                                                                               \
  template void sinew::op::predict<Queue>(Queue&, const FrameNodes&, View<Vec3d>);                          \
  template void sinew::op::put<Queue>(Queue&, View<Vec3d>, View<const Index>, View<const Vec3d>);            \
  template void sinew::op::put_floats<Queue>(Queue&, View<float>, View<const Index>, View<const Vec3d>);     \
  template void sinew::op::combine<Queue>(Queue&, View<Vec3d>, double, View<const Vec3d>, double,            \
                                          View<const Vec3d>);                                                \
  template void sinew::op::move<Queue>(Queue&, View<Vec3d>, View<const Vec3d>, View<const Vec3d>, double);   \
  template void sinew::op::residual<Queue>(Queue&, const FrameNodes&, View<const Vec3d>, View<const Vec3d>, \
                                           View<const Vec3d>, View<const Vec3d>, View<Vec3d>, View<double>,  \
                                           View<double>);                                                    \
  template void sinew::op::slopes<Queue>(Queue&, View<const Vec3d>, View<const Vec3d>, View<const Vec3d>,    \
                                         View<double>, View<double>);                                        \
  template void sinew::op::pair_sums<Queue>(Queue&, View<const Vec3d>, View<const Vec3d>, View<double>,      \
                                            View<double>);                                                   \
  template void sinew::op::momentum<Queue>(Queue&, View<const double>, View<const Vec3d>, View<double>,      \
                                           View<double>);                                                    \
  template void sinew::op::remove_shift<Queue>(Queue&, View<const double>, View<const double>, double,       \
                                               double, View<Vec3d>, View<Vec3d>, View<Vec3d>);               \
  template void sinew::op::lost_momentum<Queue>(Queue&, const FrameNodes&, View<const Vec3d>,               \
                                                View<const Vec3d>, View<const Vec3d>, View<double>,          \
                                                View<double>);                                               \
  template void sinew::op::largest<Queue>(Queue&, View<const Vec3d>, View<double>, View<double>);            \
  template void sinew::op::weigh<Queue>(Queue&, View<double>, View<const double>, View<const double>,        \
                                        double);                                                             \
  template void sinew::op::gather_points<Queue>(Queue&, const DevicePoints&, View<const Vec3d* const>,       \
                                                View<Vec3d>);                                                \
  template void sinew::op::finish<Queue>(Queue&, const FrameNodes&, View<const Vec3d>, View<const Vec3d>,   \
                                         View<Vec3d>, View<Vec3d>, View<double>, View<double>);

#define SINEW_POINT_PLANE_OPS(Queue)                                                                 \
  template void sinew::op::count_planes<Queue>(Queue&, View<const DeviceObstacle>, const PointWays&, \
                                               View<std::uint32_t>);                                 \
  template void sinew::op::list_planes<Queue>(Queue&, View<const DeviceObstacle>, const PointWays&,  \
                                              View<const std::uint32_t>, View<PointPlane>);
