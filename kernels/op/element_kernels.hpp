// Bodies of the local step on a device: one block of threads for a block of elements, one thread an element.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/element/material/kelvin_voigt.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/material/membrane/kelvin_voigt.hpp"
#include "kernels/element/material/membrane/strain_limit.hpp"
#include "kernels/element/shape/squared_row.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/element/shape/triangle.hpp"
#include "kernels/op/element_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {

/// Linear tetrahedra: numbers of an element stand kDeviceLanes apart.
struct DeviceTet {
  static constexpr int kCorners = 4, kRest = 9, kStrains = 6;
  using Gradient = Mat3d;
  using Rest = Mat3d;
  using Strain = Mat3d;
  static SINEW_HD Rest rest(const double* p) {
    Mat3d m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = p[(3 * i + j) * kDeviceLanes];
    return m;
  }
  static SINEW_HD Gradient deformation(const Vec3d* x, const Rest& r) {
    return tet_deformation_gradient(x[0], x[1], x[2], x[3], r);
  }
  static SINEW_HD Gradient corner_gradients(const Gradient& stress, const Rest& r, double volume) {
    return tet_corner_gradients(stress, r, volume);
  }
  static SINEW_HD double add_limit(const DeviceMaterial&, const Gradient&, Gradient&) { return 0.0; }
  static SINEW_HD Strain load(const double* p) {
    Mat3d e;
    e(0, 0) = p[0];
    e(1, 1) = p[kDeviceLanes];
    e(2, 2) = p[2 * kDeviceLanes];
    e(0, 1) = e(1, 0) = p[3 * kDeviceLanes];
    e(0, 2) = e(2, 0) = p[4 * kDeviceLanes];
    e(1, 2) = e(2, 1) = p[5 * kDeviceLanes];
    return e;
  }
  static SINEW_HD void store(const Strain& e, double* p) {
    p[0] = e(0, 0);
    p[kDeviceLanes] = e(1, 1);
    p[2 * kDeviceLanes] = e(2, 2);
    p[3 * kDeviceLanes] = e(0, 1);
    p[4 * kDeviceLanes] = e(0, 2);
    p[5 * kDeviceLanes] = e(1, 2);
  }
};

/// Linear triangles in space.
struct DeviceTriangle {
  static constexpr int kCorners = 3, kRest = 4, kStrains = 3;
  using Gradient = Mat32d;
  using Rest = Mat2d;
  using Strain = PlaneStrain<double>;
  static SINEW_HD Rest rest(const double* p) {
    Mat2d m;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) m(i, j) = p[(2 * i + j) * kDeviceLanes];
    return m;
  }
  static SINEW_HD Gradient deformation(const Vec3d* x, const Rest& r) {
    return triangle_deformation_gradient(x[0], x[1], x[2], r);
  }
  static SINEW_HD Gradient corner_gradients(const Gradient& stress, const Rest& r, double volume) {
    return triangle_corner_gradients(stress, r, volume);
  }
  static SINEW_HD double add_limit(const DeviceMaterial& m, const Gradient& f, Gradient& stress) {
    return m.limit_stiffness > 0.0 ? add_strain_limit(m.limit_stiffness, m.largest_stretch, f, stress) : 0.0;
  }
  static SINEW_HD Strain load(const double* p) { return {p[0], p[kDeviceLanes], p[2 * kDeviceLanes]}; }
  static SINEW_HD void store(const Strain& e, double* p) {
    p[0] = e.xx;
    p[kDeviceLanes] = e.xy;
    p[2 * kDeviceLanes] = e.yy;
  }
};

/// Element t of a block: its pack and lane, and F from the positions of the block's nodes.
template <class Shape>
struct DeviceElement {
  std::size_t pack;
  int lane;
  double volume = 0.0;
  typename Shape::Rest rest;
  typename Shape::Gradient f;

  SINEW_HD DeviceElement(const DeviceElements& e, const DeviceBlock& b, int t, const Vec3d* node)
      : pack(static_cast<std::size_t>(b.first_pack + t / kDeviceLanes)), lane(t % kDeviceLanes) {
    const std::uint16_t* corner = e.corner.data + pack * Shape::kCorners * kDeviceLanes + lane;
    Vec3d x[Shape::kCorners];
    for (int c = 0; c < Shape::kCorners; ++c) x[c] = node[corner[c * kDeviceLanes]];
    rest = Shape::rest(e.rest.data + pack * Shape::kRest * kDeviceLanes + lane);
    f = Shape::deformation(x, rest);
    volume = e.volume[pack * kDeviceLanes + lane];
  }
};

/// Places of the block's nodes into shared memory.
template <class Block>
SINEW_HD void load_block_nodes(Block& block, const DeviceElements& e, const DeviceBlock& b,
                               const Vec3d* position, Vec3d* node, int threads) {
  block.threads([&](int t) {
    for (Index k = t; k < b.node_count; k += threads) node[k] = position[e.node[b.first_slot + k]];
  });
}

template <class Shape>
struct StrainKernel {
  static constexpr int kThreads = kDeviceBlockElements;
  struct Shared {
    Vec3d node[kDeviceBlockNodes];
  };
  DeviceElements elements;
  const Vec3d* position;
  double* strain;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    const DeviceBlock b = elements.block[block.index()];
    Vec3d* node = block.shared().node;
    load_block_nodes(block, elements, b, position, node, kThreads);
    block.threads([&](int t) {
      if (t >= (b.end_pack - b.first_pack) * kDeviceLanes) return;
      const DeviceElement<Shape> e(elements, b, t, node);
      Shape::store(green_strain(e.f), strain + e.pack * Shape::kStrains * kDeviceLanes + e.lane);
    });
  }
};

/// Gradients of the corners meet in shared memory (41 kB of it with tetrahedra), so that a node of a block
/// costs one write and not one for every corner.
template <class Shape, class M>
struct EvaluateBlockKernel {
  static constexpr int kThreads = kDeviceBlockElements;
  struct Shared {
    Vec3d node[kDeviceBlockNodes];
    Vec3d gradient[kThreads * Shape::kCorners];
    double elastic[kThreads], damping[kThreads];
  };
  DeviceElements elements;
  DeviceMaterial material;
  const Vec3d* position;
  const double* start_strain;  ///< may be null
  Vec3d* partial;
  double *elastic, *damping;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    const DeviceBlock b = elements.block[block.index()];
    Shared& s = block.shared();
    load_block_nodes(block, elements, b, position, s.node, kThreads);
    block.threads([&](int t) {
      s.elastic[t] = s.damping[t] = 0.0;
      if (t < (b.end_pack - b.first_pack) * kDeviceLanes) evaluate(b, t, s);
    });
    block.threads([&](int t) {
      for (Index k = t; k < b.node_count; k += kThreads) {
        const Index slot = b.first_slot + k;
        Vec3d sum{};
        for (Index c = elements.corner_start[slot]; c < elements.corner_start[slot + 1]; ++c) {
          const int place = elements.corner_of_slot[c];  // 4 * element + corner
          sum += s.gradient[(place % 4) * kThreads + place / 4];
        }
        partial[slot] = sum;
      }
    });
    sum_pairwise(block, s.elastic, kThreads);
    sum_pairwise(block, s.damping, kThreads);
    block.threads([&](int t) {
      if (t == 0) elastic[block.index()] = s.elastic[0];
      if (t == 1) damping[block.index()] = s.damping[0];
    });
  }

 private:
  SINEW_HD void evaluate(const DeviceBlock& b, int t, Shared& s) const {
    const DeviceElement<Shape> e(elements, b, t, s.node);
    const ElasticParameters<double> params{material.shear_modulus, material.first_lame,
                                           material.mooney_ratio};
    typename Shape::Gradient stress;
    double density = M::energy_and_stress(params, e.f, stress);
    density += Shape::add_limit(material, e.f, stress);
    s.elastic[t] = e.volume * density;
    if (start_strain) {
      const double* strain = start_strain + e.pack * Shape::kStrains * kDeviceLanes + e.lane;
      s.damping[t] = e.volume * add_kelvin_voigt(material.damping_mu, material.damping_lambda, e.f,
                                                 Shape::load(strain), stress);
    }
    const auto g = Shape::corner_gradients(stress, e.rest, e.volume);
    Vec3d first{};
    for (int c = 1; c < Shape::kCorners; ++c) {
      s.gradient[c * kThreads + t] = g.column(c - 1);
      first -= g.column(c - 1);
    }
    s.gradient[t] = first;
  }
};

inline SINEW_HD Vec3d square_value(const DeviceSquares& rows, std::size_t s, const Vec3d* x) {
  return squared_row_value(rows.start.data, rows.node.data, rows.coefficient.data, s, x);
}

struct RowLengthKernel {
  DeviceSquares rows;
  const Vec3d* position;
  double* length;
  SINEW_HD void operator()(std::size_t s) const { length[s] = norm(square_value(rows, s, position)); }
};

struct EvaluateSquaresKernel {
  DeviceSquares rows;
  double beta_over_h;
  const double* start_length;  ///< may be null
  const Vec3d* position;
  Vec3d* force;
  double *elastic, *damping;
  SINEW_HD void operator()(std::size_t s) const {
    const Vec3d y = square_value(rows, s, position);
    const double size = norm(y);
    Vec3d f{};
    elastic[s] = add_squared_row(rows.weight[s], rows.length[s], size, y, f);
    damping[s] =
        start_length ? add_squared_row(beta_over_h * rows.weight[s], start_length[s], size, y, f) : 0.0;
    force[s] = f;
  }
};

struct GatherGradientKernel {
  DeviceElements elements;
  const Vec3d* partial;
  DeviceSquares rows;
  const Vec3d* row_force;
  DeviceInertia inertia;
  const Vec3d* position;
  Vec3d* gradient;
  double* node_energy;

  SINEW_HD void operator()(std::size_t i) const {
    Vec3d force{};
    for (Index k = elements.slot_start[i]; k < elements.slot_start[i + 1]; ++k)
      force += partial[elements.slot[k]];
    if (rows.start.size > 1) {
      Vec3d sum{};
      for (Index k = rows.incidence_start[i]; k < rows.incidence_start[i + 1]; ++k) {
        const Index place = rows.incidence[k];
        sum += rows.coefficient[place] * row_force[rows.row_of_place[place]];
      }
      force += sum;
    }
    const double h = inertia.time_step;
    const Vec3d from_predicted = position[i] - inertia.predicted[i],
                from_start = position[i] - inertia.start[i];
    gradient[i] = inertia.mass[i] * (from_predicted + inertia.h_alpha * from_start) + (h * h) * force;
    node_energy[i] =
        0.5 * inertia.mass[i] * (squared_norm(from_predicted) + inertia.h_alpha * squared_norm(from_start));
  }
};

namespace op {

template <class Queue>
void strains(Queue& queue, const DeviceElements& elements, View<const Vec3d> position, View<double> strain) {
  if (elements.corners == 3)
    queue.launch(elements.block.size, StrainKernel<DeviceTriangle>{elements, position.data, strain.data});
  else
    queue.launch(elements.block.size, StrainKernel<DeviceTet>{elements, position.data, strain.data});
}

template <class Queue>
void evaluate_blocks(Queue& queue, const DeviceElements& elements, const DeviceMaterial& material,
                     View<const Vec3d> position, View<const double> start_strain, View<Vec3d> partial,
                     View<double> elastic, View<double> damping) {
  const auto launch = [&](auto shape, auto m) {
    queue.launch(elements.block.size, EvaluateBlockKernel<decltype(shape), decltype(m)>{
                                          elements, material, position.data, start_strain.data, partial.data,
                                          elastic.data, damping.data});
  };
  if (elements.corners == 3)
    with_triangle_material(material.kind, [&](auto m) { launch(DeviceTriangle{}, m); });
  else
    with_tet_material(material.kind, [&](auto m) { launch(DeviceTet{}, m); });
}

template <class Queue>
void row_lengths(Queue& queue, const DeviceSquares& rows, View<const Vec3d> position, View<double> length) {
  queue.for_each(length.size, RowLengthKernel{rows, position.data, length.data});
}

template <class Queue>
void evaluate_squares(Queue& queue, const DeviceSquares& rows, double beta_over_h,
                      View<const double> start_length, View<const Vec3d> position, View<Vec3d> force,
                      View<double> elastic, View<double> damping) {
  queue.for_each(force.size, EvaluateSquaresKernel{rows, beta_over_h, start_length.data, position.data,
                                                   force.data, elastic.data, damping.data});
}

template <class Queue>
void gather_gradient(Queue& queue, const DeviceElements& elements, View<const Vec3d> partial,
                     const DeviceSquares& rows, View<const Vec3d> row_force, const DeviceInertia& inertia,
                     View<const Vec3d> position, View<Vec3d> gradient, View<double> node_energy) {
  queue.for_each(gradient.size, GatherGradientKernel{elements, partial.data, rows, row_force.data, inertia,
                                                     position.data, gradient.data, node_energy.data});
}

}  // namespace op

}  // namespace sinew
