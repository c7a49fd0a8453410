// How exactly a contact solver knows the friction angle: a soft block on a slope stays where mu > tan a and
// slides where mu < tan a. For every solver the largest error of mu that its verdict makes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew::bench {

/// One way to solve for contact forces.
struct FrictionMethod {
  std::string name;
  ContactSettings contact;
};
/// Non-smooth Newton, {published, exact} form x {system, mass} scaling x {fixed work, to the tolerance}; then
/// Gauss-Seidel and Newton on the active set. Fixed work as published: one step of ten iterations per solve.
const std::vector<FrictionMethod>& friction_methods();

inline constexpr double kSettle = 3.0;    ///< [s] at mu = 1, then mu is set
inline constexpr double kWatch = 4.0;     ///< [s] after which the block should rest
inline constexpr double kSeen = 1e-3;     ///< [m/s] slower passes for rest to the eye
inline constexpr double kAtRest = 1e-6;   ///< [m/s] slower is rest
inline constexpr double kNearest = 1e-3;  ///< [1] of mu*: nearer to it the exact motion takes longer to end

struct FrictionSettings {
  std::vector<double> young = {1e5, 1e6, 1e8};  ///< [Pa]
  std::vector<double> time_step = {0.01};       ///< [s]
  std::vector<FrictionMethod> methods = friction_methods();
  int iterations = 5;  ///< local-global iterations of a frame
};

/// Where a verdict on mu stops being wrong.
struct FrictionError {
  double value = 0.0;  ///< largest |mu - mu*| found at which it is wrong; least where there is none
  bool none = false;   ///< right at the nearest values tried: the error is below `value`
  bool all = false;    ///< wrong up to mu = 1, or down to mu = 0
};

/// Bisects over log |mu - mu*| to a tenth. stays(mu): the verdict; it changes once between 0 and 1.
FrictionError find_friction_error(double critical, const std::function<bool(double)>& stays);

struct FrictionCase {
  double young = 0.0, time_step = 0.0;  ///< [Pa], [s]
  std::string method;
  FrictionError seen, at_rest;  ///< by kSeen and kAtRest
  double speed = 0.0;           ///< [m/s] at the end where nothing should move: mu = 1
  double unconverged = 0.0;     ///< [1] share of frames that stopped short of the tolerance
  double ms = 0.0;              ///< per frame, mean
  long frames = 0;
};

/// progress: called with a line after every case. Cases run side by side, one per thread, each on one thread.
/// Call inside Executor::run.
std::vector<FrictionCase> run_friction_study(const FrictionSettings& settings,
                                             const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
