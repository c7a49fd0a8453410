// Elements of random numbers on the host and on a device.
#pragma once

#include "tests/kernels/device/random_arrays.hpp"
#include "tests/support/devices.hpp"

namespace sinew::test {

inline constexpr std::size_t kElementLanes = kDeviceLanes;

/// Elements between nodes that are near in number, in blocks of 256 and a last one that is short, with
/// fillers in its last pack.
struct HostElements {
  std::size_t count, dim, corners, strains, nodes;
  std::vector<DeviceBlock> block;
  std::vector<std::uint16_t> corner;
  std::vector<double> rest, volume;
  std::vector<Index> node, corner_start{0}, slot_start{0}, slot;
  std::vector<std::uint16_t> corner_of_slot;

  HostElements(std::size_t n, int corners_of_one)
      : count(n),
        dim(static_cast<std::size_t>(corners_of_one) - 1),
        corners(dim + 1),
        strains(dim == 3 ? 6 : 3),
        nodes(n / 3 + 5) {
    Random random(n + corners);
    std::vector<std::vector<Index>> slots_of(nodes);
    for (std::size_t first = 0; first < n; first += kDeviceBlockElements) {
      const std::size_t end = std::min<std::size_t>(n, first + kDeviceBlockElements);
      const std::size_t packs = (end - first + kElementLanes - 1) / kElementLanes, first_slot = node.size();
      const std::size_t near = std::min<std::size_t>(nodes, first % 1024 == 256 ? kDeviceBlockNodes : 90);
      const auto begin = static_cast<Index>(volume.size() / kElementLanes);
      block.push_back({begin, begin + static_cast<Index>(packs), static_cast<Index>(first_slot),
                       static_cast<Index>(near)});
      std::vector<std::vector<std::uint16_t>> corners_at(near);
      corner.resize(corner.size() + packs * corners * kElementLanes, 0);
      rest.resize(rest.size() + packs * dim * dim * kElementLanes, 0.0);
      volume.resize(volume.size() + packs * kElementLanes, 0.0);
      for (std::size_t k = 0; k < near; ++k) {
        node.push_back(static_cast<Index>((first / 3 + k) % nodes));
        slots_of[node.back()].push_back(static_cast<Index>(first_slot + k));
      }
      for (std::size_t e = first; e < end; ++e) {
        const std::size_t pack = static_cast<std::size_t>(begin) + (e - first) / kElementLanes,
                          lane = e % kElementLanes;
        for (std::size_t c = 0; c < corners; ++c) {
          const auto local = static_cast<std::uint16_t>(
              (static_cast<std::size_t>(random.uniform(0.0, static_cast<double>(near) - 1e-6)) + c) % near);
          corner[(pack * corners + c) * kElementLanes + lane] = local;
          corners_at[local].push_back(static_cast<std::uint16_t>(4 * (e - first) + c));
        }
        for (std::size_t k = 0; k < dim * dim; ++k)
          rest[(pack * dim * dim + k) * kElementLanes + lane] =
              random.uniform() + (k % (dim + 1) == 0 ? 1.0 : 0.0);
        volume[pack * kElementLanes + lane] = random.uniform(0.5, 2.0);
      }
      for (const std::vector<std::uint16_t>& list : corners_at) {
        corner_of_slot.insert(corner_of_slot.end(), list.begin(), list.end());
        corner_start.push_back(static_cast<Index>(corner_of_slot.size()));
      }
    }
    for (const std::vector<Index>& list : slots_of) {
      slot.insert(slot.end(), list.begin(), list.end());
      slot_start.push_back(static_cast<Index>(slot.size()));
    }
  }
  std::size_t pack_of(std::size_t e) const {  // full blocks before it
    return e / kElementLanes;
  }
  std::size_t slot_of(std::size_t e, std::size_t c) const {
    return static_cast<std::size_t>(block[e / kDeviceBlockElements].first_slot) +
           corner[(pack_of(e) * corners + c) * kElementLanes + e % kElementLanes];
  }
};

struct ElementsOnDevice {
  DeviceBuffer<DeviceBlock> block;
  DeviceBuffer<std::uint16_t> corner;
  DeviceBuffer<double> rest, volume;
  DeviceBuffer<Index> node, corner_start;
  DeviceBuffer<std::uint16_t> corner_of_slot;
  DeviceBuffer<Index> slot_start, slot;
  DeviceElements view;

  ElementsOnDevice(DeviceQueue& queue, const HostElements& h)
      : block(to_device(queue, h.block, "test")),
        corner(to_device(queue, h.corner, "test")),
        rest(to_device(queue, h.rest, "test")),
        volume(to_device(queue, h.volume, "test")),
        node(to_device(queue, h.node, "test")),
        corner_start(to_device(queue, h.corner_start, "test")),
        corner_of_slot(to_device(queue, h.corner_of_slot, "test")),
        slot_start(to_device(queue, h.slot_start, "test")),
        slot(to_device(queue, h.slot, "test")),
        view{static_cast<int>(h.corners),
             block.view(),
             corner.view(),
             rest.view(),
             volume.view(),
             node.view(),
             corner_start.view(),
             corner_of_slot.view(),
             slot_start.view(),
             slot.view()} {}
};

/// Relative to the size of what is expected, or one.
inline double error_of(double got, long double expected) {
  return static_cast<double>(std::abs(got - expected) / (1.0L + std::abs(expected)));
}

}  // namespace sinew::test
