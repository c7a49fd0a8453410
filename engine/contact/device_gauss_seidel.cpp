#include "engine/contact/device_gauss_seidel.hpp"

#include <algorithm>

#include "engine/contact/device_contacts.hpp"
#include "engine/contact/sweep_loop.hpp"
#include "kernels/device/kernel.hpp"
#include "kernels/device/repeated_work.hpp"

namespace sinew {

namespace {

constexpr const char* kSweeps = "sweeps over contacts";

/// A sweep is groups + 1 launches, two more per scalar row, and the copy down of all forces.
class DeviceSweeper {
 public:
  explicit DeviceSweeper(DeviceContactProblem& device)
      : device_(device),
        queue_(device.queue()),
        points_(device.points()),
        groups_(block_count(points_, kSweepGroup)),
        u_(queue_.device(), points_, kSweeps),
        push_(queue_.device(), points_, kSweeps),
        z_(queue_.device(), device.rank(), kSweeps),
        weight_(queue_.device(), device.unknowns(), kSweeps),
        largest_(queue_.device(), groups_ + device.view().scalar.size, kSweeps),
        change_(queue_.device(), device.unknowns(), kSweeps),
        next_(queue_.device(), device.unknowns(), kSweeps),
        on_host_(queue_.device(), device.unknowns()),
        largest_on_host_(queue_.device(), largest_.size()) {
    queue_.copy(u_.view(), View<const Vec3d>(device_.displacement()));
    queue_.clear(z_.view());
    queue_.sweep_weights(device_.view(), weight_.view());
    std::vector<double> weight(weight_.size());
    unknown_.resize(weight.size());
    queue_.download(weight.data(), weight_.cview());
    queue_.download(unknown_.data(), View<const Vec3d>(device_.force()));
    queue_.synchronize();
    host_weight_ = std::move(weight);
  }

  const std::vector<double>& weight() const { return host_weight_; }
  const std::vector<Vec3d>& unknown() const { return unknown_; }

  /// One pass over all; waits for it. Returns the largest change of a point by its own force [m].
  double sweep() {
    sweep_.run();
    queue_.synchronize();
    std::copy_n(on_host_.data(), unknown_.size(), unknown_.begin());
    double largest = 0.0;
    for (std::size_t k = 0; k < largest_on_host_.size(); ++k)
      largest = std::max(largest, largest_on_host_[k]);
    return largest;
  }

  void set_unknowns(const std::vector<Vec3d>& next) {
    std::copy(next.begin(), next.end(), on_host_.data());
    queue_.upload(next_.view(), static_cast<const Vec3d*>(on_host_.data()));
    queue_.copy(change_.view(), next_.cview());
    queue_.add_scaled(change_.view(), View<const Vec3d>(device_.force()), -1.0);
    const ContactView all = device_.view();
    queue_.gather_forces(all, change_.cview(), push_.view());
    queue_.multiply_gram(all.gram, all.squared_step, push_.cview(), u_.cview(), u_.view(), nullptr);
    queue_.low_rank_sums(all.metric, push_.cview(), z_.cview(), z_.view(), nullptr);
    queue_.copy(device_.force(), next_.cview());
    unknown_ = next;
  }

  /// Displacements with the term of low rank go back to the problem.
  void finish() {
    queue_.add_low_rank(device_.view().metric, z_.cview(), u_.view(), nullptr);
    queue_.copy(device_.displacement(), u_.cview());
    queue_.synchronize();
  }

 private:
  void all_of_sweep() {
    const SweepView view{device_.view(),  u_.view(),      z_.view(),      weight_.cview(),
                         device_.force(), change_.view(), largest_.view()};
    for (std::size_t g = 0; g < groups_; ++g) queue_.sweep_group(view, g, g > 0 ? g - 1 : kNoSweepGroup);
    if (groups_ > 1) queue_.sweep_group(view, kNoSweepGroup, groups_ - 1);
    for (std::size_t s = 0; s < view.problem.scalar.size; ++s) queue_.sweep_scalar(view, s);
    queue_.download(on_host_.data(), View<const Vec3d>(device_.force()));
    queue_.download(largest_on_host_.data(), largest_.cview());
  }

  DeviceContactProblem& device_;
  DeviceQueue& queue_;
  std::size_t points_, groups_;
  DeviceBuffer<Vec3d> u_, push_;
  DeviceBuffer<double> z_, weight_, largest_;
  DeviceBuffer<Vec3d> change_, next_;
  PinnedBuffer<Vec3d> on_host_;
  PinnedBuffer<double> largest_on_host_;
  std::vector<double> host_weight_;
  std::vector<Vec3d> unknown_;
  RepeatedWork sweep_{queue_, [this] { all_of_sweep(); }};
};

}  // namespace

ContactReport sweep_on_device(DeviceContactProblem& device, const ContactProblem& problem,
                              const ContactSolverSettings& settings) {
  DeviceSweeper sweeper(device);
  const ContactReport report = sweep_until_done(problem, settings, sweeper);
  sweeper.finish();
  return report;
}

ContactReport solve_gauss_seidel_on_device(ContactProblem& problem, const ContactSolverSettings& settings) {
  if (problem.size() == 0) return {};
  const QueueStage stage(*settings.queue, "contact");
  DeviceContactProblem device(*settings.queue, problem, {});
  const ContactReport report = sweep_on_device(device, problem, settings);
  device.write_back(problem);
  return report;
}

}  // namespace sinew
