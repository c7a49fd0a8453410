// Bodies of points against analytic obstacles.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/point_plane_ops.hpp"

namespace sinew {

struct PlaneFinder {
  View<const DeviceObstacle> obstacles;
  PointWays points;

  template <class Visit>
  SINEW_HD void visit(std::size_t p, Visit&& visit) const {
    for (std::size_t o = 0; o < obstacles.size; ++o) {
      const DeviceObstacle& obstacle = obstacles[o];
      const Vec3d start = transpose(obstacle.start_rotation) * (points.start[p] - obstacle.start_translation),
                  end = transpose(obstacle.end_rotation) * (points.end[p] - obstacle.end_translation);
      const Vec3d exit = points.exit[static_cast<std::size_t>(points.body[p]) * obstacles.size + o];
      PointPlane found{static_cast<Index>(p), static_cast<Index>(o), {}};
      if (find_plane(obstacle.shape, start, end, points.reach[p], exit, found.plane)) visit(found);
    }
  }
};

struct CountPlanesKernel {
  PlaneFinder finder;
  std::uint32_t* count;
  SINEW_HD void operator()(std::size_t p) const {
    std::uint32_t sum = 0;
    finder.visit(p, [&](const PointPlane&) { ++sum; });
    count[p] = sum;
  }
};

struct ListPlanesKernel {
  PlaneFinder finder;
  const std::uint32_t* start;
  View<PointPlane> plane;
  SINEW_HD void operator()(std::size_t p) const {
    const std::size_t end = start[p + 1];
    std::size_t at = start[p];
    if (end > plane.size || at >= end) return;
    finder.visit(p, [&](const PointPlane& found) { plane[at++] = found; });
  }
};

namespace op {

template <class Queue>
void count_planes(Queue& queue, View<const DeviceObstacle> obstacles, const PointWays& points,
                  View<std::uint32_t> count) {
  queue.for_each(count.size, CountPlanesKernel{{obstacles, points}, count.data});
}

template <class Queue>
void list_planes(Queue& queue, View<const DeviceObstacle> obstacles, const PointWays& points,
                 View<const std::uint32_t> start, View<PointPlane> plane) {
  queue.for_each(points.start.size, ListPlanesKernel{{obstacles, points}, start.data, plane});
}

}  // namespace op

}  // namespace sinew
