// What steps of the Newton solver read and write, on the host and on a device.
#pragma once

#include <algorithm>
#include <iterator>

#include "kernels/device/kernel.hpp"
#include "tests/kernels/device/contact_problem.hpp"

namespace sinew::test {

struct HostNewton {
  using Vectors = std::vector<Vec3d>;

  int published = 0, search = 0;
  Complementarity function = Complementarity::fischer_burmeister;
  double relative = 0.0;
  std::vector<double> scaling, part;
  Vectors displacement, force, kept_displacement, kept_force, lambda, share, e, scale, x, r, ar, p, ap, step,
      push, move;
  std::vector<KrylovState> krylov;
  std::vector<NewtonOutcome> outcome;

  /// A third of the contacts has no force; others stay away from zero, where a row says nothing about its
  /// last digits.
  explicit HostNewton(const HostContacts& contacts)
      : scaling(random_numbers(contacts.points, 50, 0.5, 1.0)),
        part(newton_parts(contacts.unknowns())),
        displacement(random_vectors(contacts.points, 51)),
        krylov(2),
        outcome(1) {
    const std::size_t n = contacts.unknowns();
    for (std::size_t c = 16; c < scaling.size(); c += 17) scaling[c] = 0.0;
    std::uint64_t seed = 60;
    for (Vectors* v : {&kept_force, &share, &e, &scale, &x, &r, &ar, &p, &ap, &step})
      *v = random_vectors(n, ++seed);
    for (Vectors* v : {&kept_displacement, &push, &move}) *v = random_vectors(contacts.points, ++seed);
    for (Vectors* v : {&share, &e, &scale})
      for (Vec3d& a : *v) a = {0.2 + std::abs(a.x), 0.2 + std::abs(a.y), 0.2 + std::abs(a.z)};
    force = forces(contacts, 80);
    lambda = forces(contacts, 81);
    for (std::size_t c = 0; c < contacts.points; ++c) force[c] = contacts.world(c, force[c]);
    for (std::size_t i = contacts.points; i < n; ++i)
      for (Vectors* v : {&r, &ar, &p, &ap, &x, &step}) (*v)[i].y = (*v)[i].z = 0.0;
  }

 private:
  static Vectors forces(const HostContacts& contacts, std::uint64_t seed) {
    Vectors f = random_vectors(contacts.unknowns(), seed);
    for (std::size_t i = 0; i < f.size(); ++i) {
      f[i].x = i % 3 == 0 ? 0.0 : 0.3 + std::abs(f[i].x);
      if (i % 3 == 0 || i >= contacts.points) f[i].y = f[i].z = 0.0;
    }
    return f;
  }
};

class DeviceNewton {
 public:
  DeviceNewton(DeviceQueue& queue, DeviceContacts& contacts, const HostNewton& host)
      : queue_(queue),
        contacts_(contacts),
        host_(host),
        scaling_(to_device(queue, host.scaling, "test")),
        part_(to_device(queue, host.part, "test")),
        krylov_(to_device(queue, host.krylov, "test")),
        outcome_(to_device(queue, host.outcome, "test")) {
    for (const auto array : kArrays) arrays_.push_back(to_device(queue, host.*array, "test"));
  }

  NewtonView view() {
    using H = HostNewton;
    NewtonView v;
    v.problem = contacts_.view();
    v.scaling = scaling_.cview();
    v.published = host_.published;
    v.search = host_.search;
    v.function = host_.function;
    v.relative = host_.relative;
    v.displacement = of(&H::displacement);
    v.force = of(&H::force);
    v.kept_displacement = of(&H::kept_displacement);
    v.kept_force = of(&H::kept_force);
    v.lambda = of(&H::lambda);
    v.share = of(&H::share);
    v.e = of(&H::e);
    v.scale = of(&H::scale);
    v.x = of(&H::x);
    v.r = of(&H::r);
    v.ar = of(&H::ar);
    v.p = of(&H::p);
    v.ap = of(&H::ap);
    v.step = of(&H::step);
    v.push = of(&H::push);
    v.move = of(&H::move);
    v.part = part_.view();
    v.krylov = krylov_.view();
    v.outcome = outcome_.view();
    return v;
  }
  /// All as it stands on the device.
  HostNewton now() const {
    HostNewton n = host_;
    for (std::size_t k = 0; k < arrays_.size(); ++k) n.*kArrays[k] = download(queue_, arrays_[k]);
    n.part = download(queue_, part_);
    n.krylov = download(queue_, krylov_);
    n.outcome = download(queue_, outcome_);
    CHECK(same_bits(download(queue_, scaling_), host_.scaling));
    return n;
  }
  HostNewton::Vectors get(HostNewton::Vectors HostNewton::*array) const {
    return download(queue_, arrays_[place_of(array)]);
  }
  void set(HostNewton::Vectors HostNewton::*array, const HostNewton::Vectors& values) {
    queue_.upload(of(array), values.data());
    queue_.synchronize();
  }

  static constexpr HostNewton::Vectors HostNewton::*kArrays[] = {&HostNewton::displacement,
                                                                 &HostNewton::force,
                                                                 &HostNewton::kept_displacement,
                                                                 &HostNewton::kept_force,
                                                                 &HostNewton::lambda,
                                                                 &HostNewton::share,
                                                                 &HostNewton::e,
                                                                 &HostNewton::scale,
                                                                 &HostNewton::x,
                                                                 &HostNewton::r,
                                                                 &HostNewton::ar,
                                                                 &HostNewton::p,
                                                                 &HostNewton::ap,
                                                                 &HostNewton::step,
                                                                 &HostNewton::push,
                                                                 &HostNewton::move};

 private:
  static std::size_t place_of(HostNewton::Vectors HostNewton::*array) {
    return static_cast<std::size_t>(std::find(std::begin(kArrays), std::end(kArrays), array) - kArrays);
  }
  View<Vec3d> of(HostNewton::Vectors HostNewton::*array) { return arrays_[place_of(array)].view(); }

  DeviceQueue& queue_;
  DeviceContacts& contacts_;
  const HostNewton& host_;
  DeviceBuffer<double> scaling_, part_;
  std::vector<DeviceBuffer<Vec3d>> arrays_;
  DeviceBuffer<KrylovState> krylov_;
  DeviceBuffer<NewtonOutcome> outcome_;
};

/// Arrays other than those named have kept their bits.
inline void check_others_unchanged(const HostNewton& before, const HostNewton& after,
                                   const std::vector<HostNewton::Vectors HostNewton::*>& changed) {
  for (const auto array : DeviceNewton::kArrays)
    if (std::find(changed.begin(), changed.end(), array) == changed.end())
      CHECK(same_bits(before.*array, after.*array));
}
/// And those named are the same.
inline void check_same_bits(const HostNewton& a, const HostNewton& b) {
  check_others_unchanged(a, b, {});
  CHECK(same_bits(a.outcome, b.outcome));
}

inline std::vector<ContactSize> newton_sizes(const Device& device) {
  std::vector<ContactSize> sizes;
  for (const std::size_t n : kSizes) {
    sizes.push_back({n, 0, 0});
    sizes.push_back({n, 5, 0});
  }
  sizes.push_back({1000, large_size(device), 0});
  return sizes;
}

}  // namespace sinew::test
