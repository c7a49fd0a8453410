// The operations on contact problems over a base that can for_each() and launch(): see queue_ops.hpp.
#pragma once

#include "kernels/device/queue.hpp"

namespace sinew {

namespace op {
template <class Queue>
void multiply_gram(Queue&, const GramView&, double, View<const Vec3d>, View<const Vec3d>, View<Vec3d>,
                   const int*);
template <class Queue>
void project_low_rank(Queue&, const LowRankView&, double, View<Vec3d>);
template <class Queue>
void low_rank_sums(Queue&, const LowRankView&, View<const Vec3d>, View<const double>, View<double>,
                   const int*);
template <class Queue>
void set_diagonal(Queue&, View<double>, View<const double>);
template <class Queue>
void add_low_rank(Queue&, const LowRankView&, View<const double>, View<Vec3d>, const int*);
template <class Queue>
void gather_forces(Queue&, const ContactView&, View<const Vec3d>, View<Vec3d>);
template <class Queue>
void scalar_compliances(Queue&, const ContactView&);
template <class Queue>
void sweep_weights(Queue&, const ContactView&, View<double>);
template <class Queue>
void sweep_group(Queue&, const SweepView&, std::size_t, std::size_t);
template <class Queue>
void sweep_scalar(Queue&, const SweepView&, std::size_t);
template <class Queue>
void newton_unknowns(Queue&, const NewtonView&);
template <class Queue>
void newton_system(Queue&, const NewtonView&);
template <class Queue>
void krylov_forces(Queue&, const NewtonView&, int);
template <class Queue>
void krylov_product(Queue&, const NewtonView&, int);
template <class Queue>
void krylov_step(Queue&, const NewtonView&, int);
template <class Queue>
void newton_take(Queue&, const NewtonView&, int);
template <class Queue>
void newton_advance(Queue&, const NewtonView&);
template <class Queue>
void newton_measure(Queue&, const NewtonView&, bool);
template <class Queue, class T>
void multiply_rows_wide(Queue&, const RowMatrixView<T>&, const RowRange&, View<const T>, T, View<const T>,
                        View<T>);
template <class Queue, class T>
void unit_columns(Queue&, View<const Index>, View<T>);
template <class Queue, class T>
void take_columns(Queue&, View<const T>, std::size_t, View<double>);
template <class Queue>
void mix_columns(Queue&, const GramPart&, const ComplianceColumns&, View<double>);
template <class Queue>
void add_entries(Queue&, const GramPart&, View<const double>, std::size_t, View<double>);
template <class Queue>
void take_diagonal(Queue&, View<const double>, View<double>);
}  // namespace op

template <class Base>
class ContactQueueOps : public Base {
 public:
  using Base::Base;

  void multiply_gram(const GramView& gram, double factor, View<const Vec3d> f, View<const Vec3d> base,
                     View<Vec3d> to, const int* skip) override {
    op::multiply_gram<Base>(*this, gram, factor, f, base, to, skip);
  }
  void project_low_rank(const LowRankView& term, double factor, View<Vec3d> projected) override {
    op::project_low_rank<Base>(*this, term, factor, projected);
  }
  void low_rank_sums(const LowRankView& term, View<const Vec3d> f, View<const double> base, View<double> z,
                     const int* skip) override {
    op::low_rank_sums<Base>(*this, term, f, base, z, skip);
  }
  void set_diagonal(View<double> gram, View<const double> diagonal) override {
    op::set_diagonal<Base>(*this, gram, diagonal);
  }
  void add_low_rank(const LowRankView& term, View<const double> z, View<Vec3d> to, const int* skip) override {
    op::add_low_rank<Base>(*this, term, z, to, skip);
  }
  void gather_forces(const ContactView& problem, View<const Vec3d> x, View<Vec3d> to) override {
    op::gather_forces<Base>(*this, problem, x, to);
  }
  void scalar_compliances(const ContactView& problem) override {
    op::scalar_compliances<Base>(*this, problem);
  }
  void sweep_weights(const ContactView& problem, View<double> weight) override {
    op::sweep_weights<Base>(*this, problem, weight);
  }
  void sweep_group(const SweepView& sweep, std::size_t group, std::size_t previous) override {
    op::sweep_group<Base>(*this, sweep, group, previous);
  }
  void sweep_scalar(const SweepView& sweep, std::size_t row) override {
    op::sweep_scalar<Base>(*this, sweep, row);
  }
  void newton_unknowns(const NewtonView& newton) override { op::newton_unknowns<Base>(*this, newton); }
  void newton_system(const NewtonView& newton) override { op::newton_system<Base>(*this, newton); }
  void krylov_forces(const NewtonView& newton, int k) override { op::krylov_forces<Base>(*this, newton, k); }
  void krylov_product(const NewtonView& newton, int k) override {
    op::krylov_product<Base>(*this, newton, k);
  }
  void krylov_step(const NewtonView& newton, int k) override { op::krylov_step<Base>(*this, newton, k); }
  void newton_take(const NewtonView& newton, int iterations) override {
    op::newton_take<Base>(*this, newton, iterations);
  }
  void newton_advance(const NewtonView& newton) override { op::newton_advance<Base>(*this, newton); }
  void newton_measure(const NewtonView& newton, bool first) override {
    op::newton_measure<Base>(*this, newton, first);
  }
  void multiply_rows_wide(const RowMatrixView<double>& matrix, const RowRange& range, View<const double> x,
                          double sign, View<const double> base, View<double> to) override {
    op::multiply_rows_wide<Base, double>(*this, matrix, range, x, sign, base, to);
  }
  void unit_columns(View<const Index> node, View<double> to) override {
    op::unit_columns<Base, double>(*this, node, to);
  }
  void take_columns(View<const double> wide, std::size_t count, View<double> columns) override {
    op::take_columns<Base, double>(*this, wide, count, columns);
  }
  void multiply_rows_wide(const RowMatrixView<float>& matrix, const RowRange& range, View<const float> x,
                          float sign, View<const float> base, View<float> to) override {
    op::multiply_rows_wide<Base, float>(*this, matrix, range, x, sign, base, to);
  }
  void unit_columns(View<const Index> node, View<float> to) override {
    op::unit_columns<Base, float>(*this, node, to);
  }
  void take_columns(View<const float> wide, std::size_t count, View<double> columns) override {
    op::take_columns<Base, float>(*this, wide, count, columns);
  }
  void mix_columns(const GramPart& part, const ComplianceColumns& columns, View<double> z) override {
    op::mix_columns<Base>(*this, part, columns, z);
  }
  void add_entries(const GramPart& part, View<const double> z, std::size_t count,
                   View<double> gram) override {
    op::add_entries<Base>(*this, part, z, count, gram);
  }
  void take_diagonal(View<const double> gram, View<double> diagonal) override {
    op::take_diagonal<Base>(*this, gram, diagonal);
  }
};

}  // namespace sinew

#define SINEW_GRAM_OPS(Queue)                                                                               \
  template void sinew::op::multiply_gram<Queue>(Queue&, const GramView&, double, View<const Vec3d>,         \
                                                View<const Vec3d>, View<Vec3d>, const int*);                \
  template void sinew::op::project_low_rank<Queue>(Queue&, const LowRankView&, double, View<Vec3d>);        \
  template void sinew::op::low_rank_sums<Queue>(Queue&, const LowRankView&, View<const Vec3d>,              \
                                                View<const double>, View<double>, const int*);              \
  template void sinew::op::set_diagonal<Queue>(Queue&, View<double>, View<const double>);                   \
  template void sinew::op::add_low_rank<Queue>(Queue&, const LowRankView&, View<const double>, View<Vec3d>, \
                                               const int*);

#define SINEW_CONTACT_OPS(Queue)                                                                             \
  template void sinew::op::gather_forces<Queue>(Queue&, const ContactView&, View<const Vec3d>, View<Vec3d>); \
  template void sinew::op::scalar_compliances<Queue>(Queue&, const ContactView&);                            \
  template void sinew::op::sweep_weights<Queue>(Queue&, const ContactView&, View<double>);                   \
  template void sinew::op::sweep_group<Queue>(Queue&, const SweepView&, std::size_t, std::size_t);           \
  template void sinew::op::sweep_scalar<Queue>(Queue&, const SweepView&, std::size_t);

#define SINEW_NEWTON_OPS(Queue)                                                   \
  template void sinew::op::newton_unknowns<Queue>(Queue&, const NewtonView&);     \
  template void sinew::op::newton_system<Queue>(Queue&, const NewtonView&);       \
  template void sinew::op::krylov_forces<Queue>(Queue&, const NewtonView&, int);  \
  template void sinew::op::krylov_product<Queue>(Queue&, const NewtonView&, int); \
  template void sinew::op::krylov_step<Queue>(Queue&, const NewtonView&, int);    \
  template void sinew::op::newton_take<Queue>(Queue&, const NewtonView&, int);    \
  template void sinew::op::newton_advance<Queue>(Queue&, const NewtonView&);      \
  template void sinew::op::newton_measure<Queue>(Queue&, const NewtonView&, bool);

#define SINEW_GRAM_ENTRY_OPS(Queue)                                                                     \
  template void sinew::op::mix_columns<Queue>(Queue&, const GramPart&, const ComplianceColumns&,        \
                                              View<double>);                                            \
  template void sinew::op::add_entries<Queue>(Queue&, const GramPart&, View<const double>, std::size_t, \
                                              View<double>);                                            \
  template void sinew::op::take_diagonal<Queue>(Queue&, View<const double>, View<double>);

#define SINEW_WIDE_OPS_OF(Queue, T)                                                                       \
  template void sinew::op::multiply_rows_wide<Queue, T>(Queue&, const RowMatrixView<T>&, const RowRange&, \
                                                        View<const T>, T, View<const T>, View<T>);        \
  template void sinew::op::unit_columns<Queue, T>(Queue&, View<const Index>, View<T>);                    \
  template void sinew::op::take_columns<Queue, T>(Queue&, View<const T>, std::size_t, View<double>);

#define SINEW_WIDE_OPS(Queue)      \
  SINEW_WIDE_OPS_OF(Queue, double) \
  SINEW_WIDE_OPS_OF(Queue, float)
