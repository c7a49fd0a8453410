// Operations of a device beside the vendor's libraries, and the published way to do the contact part.
#pragma once

#include "benchmarks/device_study.hpp"
#include "benchmarks/problems.hpp"
#include "kernels/device/libraries.hpp"

namespace sinew::bench {

/// Delassus operator of so many points and the solve with it, as published, by libraries; the host's own way
/// to the same matrix beside the first. libraries: of the queue.
std::vector<DeviceTiming> time_published_contact(DeviceQueue& queue, DeviceLibraries& libraries,
                                                 const BenchSystem& system, std::size_t points,
                                                 double seconds);
/// The global step as published: two products with the 3n x 3n inverse. b, x: {n}, in the order of the
/// matrix; x: the solution expected.
DeviceTiming time_published_inverse(DeviceQueue& queue, DeviceLibraries& libraries, const BenchSystem& system,
                                    const std::vector<Vec3d>& b, const std::vector<Vec3d>& x, double seconds);

/// One product with the compliance of so many points: G and three components at once; by a library as a
/// product of matrices; as published with all 3c x 3c entries, up to published_points. libraries: may be
/// null.
DeviceTiming time_gram_product(DeviceQueue& queue, DeviceLibraries* libraries, std::size_t points,
                               std::size_t published_points, double seconds);

/// Columns of the inverse, G of so many points from them, Newton steps and a sweep with it, whole calls with
/// their waits.
std::vector<DeviceTiming> time_contact(DeviceQueue& queue, const BenchSystem& system, std::size_t points,
                                       double seconds);

/// Sums and products of vectors of so many numbers. libraries: may be null.
std::vector<DeviceTiming> time_vectors(DeviceQueue& queue, DeviceLibraries* libraries, std::size_t size,
                                       double seconds);
/// Scans and sorts of so many numbers.
std::vector<DeviceTiming> time_scans(DeviceQueue& queue, std::size_t size, double seconds);

}  // namespace sinew::bench
