#include "engine/handles/resolve_handle.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/handles/surface_places.hpp"
#include "engine/model/model_checks.hpp"

namespace sinew {

namespace {

constexpr double kSoftest = 1e6;      // [m/N]
constexpr double kMostWeight = 20.0;  // of a node in the place of a welded point

class Resolver {
 public:
  Resolver(const HandlePlaces& places, std::string what) : places_(places), what_(std::move(what)) {}

  Handle operator()(const GrabSpec& spec) const {
    Handle handle = start(spec, HandleKind::grab);
    const Vec3d x = add_point(spec.point, handle);
    handle.target = spec.target;
    if (handle.target.times.empty() && handle.target.values.empty()) handle.target = {{0.0}, {x}};
    check_path(handle.target, what_);
    return handle;
  }

  Handle operator()(const HoldSpec& spec) const {
    Handle handle = start(spec, HandleKind::hold);
    Vec3d origin{};
    const std::vector<Vec3d> x = add_region(spec.body, spec.region, handle);
    for (const Vec3d& p : x) origin += p / static_cast<double>(x.size());
    if (spec.origin) origin = *spec.origin;
    if (!is_finite(origin)) throw ModelError(what_ + ": origin is not finite");
    put_into_frame({Mat3d::identity(), origin}, spec.motion, x, handle);
    return handle;
  }

  Handle operator()(const AttachmentSpec& spec) const {
    Handle handle = start(spec, HandleKind::attachment);
    check_pose(spec.frame, what_ + ": its frame");
    const std::vector<Vec3d> x = add_region(spec.body, spec.region, handle);
    put_into_frame(spec.frame, spec.motion, x, handle);
    return handle;
  }

  Handle operator()(const WeldSpec& spec) const {
    Handle handle = start(spec, HandleKind::weld);
    const std::size_t b = body(spec.body_b);
    if (body(spec.body_a) == b)
      throw ModelError(what_ + ": both sides are body '" + spec.body_b + "'; name two bodies");
    const std::vector<Vec3d> x = add_region(spec.body_a, spec.region, handle);
    const std::vector<ContactTerm> node = handle.term;
    const BodyPlaces surface(places_.bodies[b], static_cast<Index>(b), *places_.position[b]);
    handle.term.clear();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const BodyPlaces::Place place = surface.at(x[k]);
      handle.term.push_back(node[k]);
      for (const ContactTerm& term : place.terms) {
        if (!(std::abs(term.weight) <= kMostWeight))
          throw ModelError(what_ + ": node " + std::to_string(node[k].node) + " of body '" + spec.body_a +
                           "' is " + std::to_string(place.distance) + " m away from body '" + spec.body_b +
                           "', too far for its cells; move them together or choose a smaller region");
        handle.term.push_back({term.body, term.node, -term.weight});
      }
      handle.start[k + 1] = static_cast<Index>(handle.term.size());
      handle.local[k] = {place.offset, 0.0, 0.0};
    }
    return handle;
  }

  Handle operator()(const CableSpec& spec) const {
    Handle handle = start(spec, HandleKind::cable);
    if (spec.points.size() < 2) throw ModelError(what_ + ": needs at least 2 points; add some");
    Vec3d before{};
    double length = 0.0;
    for (std::size_t i = 0; i < spec.points.size(); ++i) {
      Vec3d x{};
      if (const auto* fixed = std::get_if<Vec3d>(&spec.points[i])) {
        if (!is_finite(*fixed)) throw ModelError(what_ + ": a fixed point is not finite");
        x = *fixed;
        handle.stop.push_back({-1, x});
      } else {
        handle.stop.push_back({static_cast<Index>(handle.size()), {}});
        x = add_point(std::get<BodyPoint>(spec.points[i]), handle);
      }
      if (i > 0) length += norm(x - before);
      before = x;
    }
    if (handle.size() == 0) throw ModelError(what_ + ": touches no body; add a point of one");
    const bool has_length = !spec.length.values.empty() || !spec.length.times.empty();
    handle.tension_driven = !spec.tension.values.empty() || !spec.tension.times.empty();
    if (has_length && handle.tension_driven)
      throw ModelError(what_ + ": has both a length and a tension; give one of them");
    handle.two_sided = spec.two_sided;
    handle.value = handle.tension_driven ? spec.tension
                   : has_length          ? spec.length
                                         : ScalarPath{{0.0}, {length}};
    check_scalar_path(handle.value, handle.tension_driven ? "tension" : "length",
                      handle.tension_driven ? "N" : "m");
    return handle;
  }

 private:
  template <class Spec>
  Handle start(const Spec& spec, HandleKind kind) const {
    check_range(what_, "compliance", spec.compliance, 0.0, kSoftest, "m/N");
    Handle handle;
    handle.name = spec.name;
    handle.kind = kind;
    handle.compliance = spec.compliance;
    return handle;
  }

  std::size_t body(const std::string& name) const {
    std::vector<std::string> names;
    for (std::size_t b = 0; b < places_.bodies.size(); ++b) {
      names.push_back(places_.bodies[b].spec.name);
      if (names.back() == name) return b;
    }
    throw ModelError(what_ + ": no body is named '" + name + "'" + suggestion(name, names));
  }

  Vec3d end_point(std::size_t b, Handle& handle) const {
    Vec3d x{};
    for (Index i = handle.start.back(); i < static_cast<Index>(handle.term.size()); ++i)
      x += handle.term[i].weight * (*places_.position[b])[handle.term[i].node];
    handle.start.push_back(static_cast<Index>(handle.term.size()));
    handle.local.emplace_back();
    handle.force.emplace_back();
    return x;
  }

  /// Adds a point; returns where it is [m].
  Vec3d add_point(const BodyPoint& point, Handle& handle) const {
    const std::size_t b = body(point.body);
    const BodyData& data = places_.bodies[b];
    const int ways = (point.surface_point >= 0) + (point.triangle >= 0) + point.nearest_to.has_value();
    if (ways != 1)
      throw ModelError(what_ + ": its point of body '" + point.body +
                       "' needs exactly one of surface_point, triangle and nearest_to");
    std::vector<ContactTerm> terms;
    if (point.surface_point >= 0) {
      check_index("surface point", point.surface_point, surface_point_count(data), point.body);
      add_surface_point(data, static_cast<Index>(b), point.surface_point, 1.0, terms);
    } else {
      Index triangle = point.triangle;
      Vec3d weight = point.barycentric;
      if (point.nearest_to) {
        if (!is_finite(*point.nearest_to)) throw ModelError(what_ + ": nearest_to is not finite");
        const TrianglePlace place = nearest_place(
            data.surface_triangles, surface_positions(data, *places_.position[b]), *point.nearest_to);
        triangle = place.triangle;
        weight = place.barycentric;
      }
      check_index("triangle", triangle, data.surface_triangles.size(), point.body);
      if (!(std::abs(weight.x + weight.y + weight.z - 1.0) <= 1e-6))
        throw ModelError(what_ + ": the barycentric weights of its point of body '" + point.body +
                         "' do not sum to 1");
      for (int k = 0; k < 3; ++k)
        add_surface_point(data, static_cast<Index>(b), data.surface_triangles[triangle][k], weight[k], terms);
    }
    handle.term.insert(handle.term.end(), terms.begin(), terms.end());
    return end_point(b, handle);
  }

  void check_index(const char* kind, Index index, std::size_t count, const std::string& name) const {
    if (index < 0 || static_cast<std::size_t>(index) >= count)
      throw ModelError(what_ + ": " + kind + " " + std::to_string(index) + " does not exist; body '" + name +
                       "' has " + std::to_string(count) + ", counted from 0");
  }

  /// Adds the nodes of a region; returns where they are [m].
  std::vector<Vec3d> add_region(const std::string& name, const Region& region, Handle& handle) const {
    const std::size_t b = body(name);
    const std::vector<Index> nodes = nodes_in_region(region, places_.bodies[b], what_);
    if (nodes.empty())
      throw ModelError(what_ + ": its region holds no node of body '" + name +
                       "'; make it larger or move it");
    std::vector<Vec3d> x;
    for (const Index node : nodes) {
      handle.term.push_back({static_cast<Index>(b), node, 1.0});
      x.push_back(end_point(b, handle));
    }
    return x;
  }

  /// Points stay where they are at this moment and move with the change of the motion since then.
  void put_into_frame(const Pose& frame, const Motion& motion, const std::vector<Vec3d>& x,
                      Handle& handle) const {
    check_motion(motion, what_);
    handle.motion = motion;
    handle.origin = frame.translation;
    handle.frame = frame;
    if (!motion.is_static()) {
      const Pose now = evaluate(motion, handle.origin, places_.time);
      handle.frame = {transpose(now.rotation) * frame.rotation, now.apply_inverse(frame.translation)};
    }
    for (std::size_t k = 0; k < x.size(); ++k) handle.local[k] = frame.apply_inverse(x[k]);
  }

  void check_scalar_path(const ScalarPath& path, const char* field, const char* unit) const {
    if (path.times.empty() || path.times.size() != path.values.size())
      throw ModelError(what_ + ": " + field + " needs as many times as values, at least one");
    for (std::size_t i = 0; i < path.times.size(); ++i) {
      if (!std::isfinite(path.times[i]) || (i > 0 && !(path.times[i] > path.times[i - 1])))
        throw ModelError(what_ + ": the times of its " + field + " must grow");
      check_range(what_, field, path.values[i], 0.0, 1e12, unit);
    }
  }

  const HandlePlaces& places_;
  std::string what_;
};

}  // namespace

std::string describe(const HandleSpec& spec) {
  return std::string(to_string(static_cast<HandleKind>(spec.index()))) + " '" + name_of(spec) + "'";
}

void check_pose(const Pose& pose, const std::string& what) {
  const Mat3d& r = pose.rotation;
  bool good = is_finite(pose.translation) && dot(cross(r.column(0), r.column(1)), r.column(2)) > 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      good = good && std::abs(dot(r.column(i), r.column(j)) - (i == j ? 1.0 : 0.0)) <= 1e-6;
  if (!good) throw ModelError(what + " is no rigid pose; give a rotation and a finite place");
}

Handle resolve_handle(const HandleSpec& spec, const HandlePlaces& places) {
  return std::visit(Resolver(places, describe(spec)), spec);
}

}  // namespace sinew
