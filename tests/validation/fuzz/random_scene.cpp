#include <algorithm>
#include <cstdio>

#include "tests/validation/fuzz/random_parts.hpp"
#include "tests/validation/fuzz/scene.hpp"

namespace sinew::test {

namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// Box around a body in its place.
struct Box {
  Vec3d low, high;
};
Box box_of(const BodySpec& body) {
  Box box{body.transform.apply(body.nodes()[0]), {}};
  box.high = box.low;
  for (const Vec3d& x : body.nodes()) {
    box.low = component_min(box.low, body.transform.apply(x));
    box.high = component_max(box.high, body.transform.apply(x));
  }
  return box;
}

class SceneMaker {
 public:
  SceneMaker(std::uint64_t seed, FuzzScene& scene) : dice_(seed), scene_(scene) {}

  void make() {
    scene_.size = dice_.chance(0.6) ? dice_.log_uniform(0.05, 1.0) : dice_.log_uniform(1e-3, 30.0);
    set_settings();
    const int bodies = 1 + dice_.pick(5), obstacles = dice_.pick(6);
    scene_.text += " size " + number(scene_.size) + ":";
    for (int b = 0; b < bodies; ++b) add_body(b);
    for (int o = 0; o < obstacles; ++o) add_obstacle(o);
    if (dice_.chance(0.1)) scene_.builder.gravity(dice_.vector(20.0));
    if (bodies > 1 && dice_.chance(0.3))
      scene_.builder.add(FrictionPair{"b0", "b1", dice_.uniform(0.0, 2.0)});
    for (int b = 0; b < bodies; ++b) {
      if (dice_.chance(0.15)) add_pin(b);
      if (dice_.chance(0.15)) add_force(b);
    }
    if (dice_.chance(0.15)) scene_.builder.add(random_handle());
    add_actions();
  }

 private:
  void set_settings() {
    SimulationSettings& s = scene_.settings;
    s.time_step = dice_.chance(0.5) ? 0.01 : dice_.log_uniform(1e-4, 0.05);
    if (dice_.chance(0.4)) s.iterations = 1 + dice_.pick(20);
    if (dice_.chance(0.2)) s.tolerance = dice_.log_uniform(1e-8, 1e-1);
    if (dice_.chance(0.2)) s.history = dice_.pick(12);
    if (dice_.chance(0.15)) s.solver.scheme = ElasticScheme::admm;
    if (dice_.chance(0.15)) s.solver.global = static_cast<GlobalSolver>(dice_.pick(7));
    if (dice_.chance(0.1)) s.solver.precision = SolverPrecision::mixed;
    if (dice_.chance(0.4)) s.contact.solver = static_cast<ContactSolver>(dice_.pick(5));
    if (dice_.chance(0.3)) s.contact.delassus = dice_.chance(0.5) ? DelassusWay::gram : DelassusWay::cache;
    if (dice_.chance(0.1)) s.contact.max_sweeps = 1 + dice_.pick(50);
    if (dice_.chance(0.1)) s.contact.margin = scene_.size * dice_.log_uniform(1e-4, 0.1);
    if (dice_.chance(0.2)) s.contact.max_depenetration_speed = dice_.log_uniform(1e-2, 100.0);
    s.solver.cache = false;
    scene_.text += "h " + number(s.time_step) + " K " + std::to_string(s.iterations) + " solver " +
                   std::to_string(static_cast<int>(s.contact.solver)) + "/" +
                   std::to_string(static_cast<int>(s.contact.delassus)) + "/" +
                   std::to_string(static_cast<int>(s.solver.global)) +
                   (s.solver.scheme == ElasticScheme::admm ? " admm" : "");
  }

  double part_size() { return scene_.size * (dice_.chance(0.7) ? 1.0 : dice_.log_uniform(0.2, 3.0)); }

  void add_body(int b) {
    scene_.text += " ";
    BodySpec body = random_body(dice_, "b" + std::to_string(b), part_size(), scene_.text);
    scene_.text += "(E " + number(body.material.young_modulus) + " rho " + number(body.density) + " nu " +
                   number(body.material.poisson_ratio) + " " + std::string(to_string(body.material.kind)) +
                   ")";
    if (b > 0 && dice_.chance(0.1)) {  // the last one once more, in its place or elsewhere
      const BodySpec& last = bodies_.back();
      body = last;
      body.name = "b" + std::to_string(b);
      scene_.text += "=last";
    }
    body.transform.rotation = dice_.orientation();
    place(body);
    if (dice_.chance(0.5))
      body.velocity = dice_.chance(0.5) ? dice_.arrow(0.1, 5.0) : dice_.arrow(1.0, 100.0);
    if (dice_.chance(0.3)) body.angular_velocity = dice_.arrow(0.1, 50.0);
    scene_.text += " v " + number(norm(body.velocity));
    bodies_.push_back(body);
    boxes_.push_back(box_of(body));
    scene_.builder.add(std::move(body));
  }

  /// Where bodies stand above, beside or in each other: apart, exactly touching, with corners in one place,
  /// or overlapping.
  void place(BodySpec& body) {
    const double s = scene_.size;
    const Box own = box_of(body);
    if (boxes_.empty() || dice_.chance(0.25)) {  // anywhere, above the origin
      body.transform.translation = dice_.vector(s);
      if (dice_.chance(0.5)) body.transform.translation.z += s;
      if (dice_.chance(0.3)) body.transform.translation = -own.low;
      return;
    }
    const Box& other = boxes_[dice_.pick(static_cast<int>(boxes_.size()))];
    Vec3d at = other.low - own.low;  // corner in corner
    const int axis = dice_.chance(0.7) ? 2 : dice_.pick(3);
    switch (dice_.pick(6)) {
      case 0:
        at[axis] = other.high[axis] - own.low[axis];
        break;  // face on face, corners in one place
      case 1:
        at += 0.3 * dice_.vector(s);
        at[axis] = other.high[axis] - own.low[axis];
        break;
      case 2:
        at += 0.3 * dice_.vector(s);
        at[axis] = other.high[axis] - own.low[axis] + s * dice_.log_uniform(1e-6, 0.3);
        break;
      case 3:
        at[axis] = other.high[axis] - own.low[axis];
        at[(axis + 1) % 3] = other.high[(axis + 1) % 3] - own.low[(axis + 1) % 3];  // edge on edge
        break;
      case 4:
        at[axis] = other.high[axis] - own.low[axis] - s * dice_.log_uniform(1e-6, 0.3);  // overlapping
        break;
      default:
        if (dice_.chance(0.9)) at += dice_.vector(2.0 * s);
    }
    body.transform.translation = at;
  }

  void add_obstacle(int o) {
    scene_.text += " ";
    ObstacleSpec obstacle = random_obstacle(dice_, "o" + std::to_string(o), 2.0 * part_size(), scene_.text);
    const Box& box = boxes_[dice_.pick(static_cast<int>(boxes_.size()))];
    const Vec3d middle = 0.5 * (box.low + box.high);
    obstacle.pose.rotation = dice_.orientation();
    switch (dice_.pick(5)) {
      case 0:
        obstacle.pose.translation = {middle.x, middle.y, box.low.z};
        break;
      case 1:
        obstacle.pose.translation = box.low;
        break;
      case 2:
        obstacle.pose.translation = middle + dice_.vector(scene_.size);
        break;
      default:
        obstacle.pose.translation = {middle.x, middle.y,
                                     box.low.z - scene_.size * dice_.log_uniform(1e-3, 1.0)};
    }
    if (std::holds_alternative<HalfSpaceShape>(obstacle.shape) && dice_.chance(0.7)) {
      obstacle.pose.rotation = Mat3d::identity();
      double low = boxes_[0].low.z;
      for (const Box& b : boxes_) low = std::min(low, b.low.z);
      obstacle.pose.translation = {0.0, 0.0, low};
    }
    obstacle.motion = random_motion(dice_, scene_.size, 30.0);
    if (!obstacle.motion.is_static()) scene_.text += " moving";
    scene_.builder.add(std::move(obstacle));
  }

  /// Some nodes of a body: never none.
  Region region(std::size_t body) {
    const std::vector<Vec3d>& nodes = bodies_[body].nodes();
    const Index one = dice_.pick(static_cast<int>(nodes.size()));
    Region region;
    switch (dice_.pick(4)) {
      case 0:
        region.shape = Region::Nodes{{one}};
        break;
      case 1:
        region.shape = Region::HalfSpace{bodies_[body].transform.apply(nodes[one]), dice_.direction()};
        break;
      case 2:
        region.shape = Region::Ball{bodies_[body].transform.apply(nodes[one]), 0.5 * scene_.size};
        break;
      default:
        if (dice_.chance(0.2)) break;  // all of it
        region.shape = Region::Nodes{{one, (one + 1) % static_cast<Index>(nodes.size())}};
    }
    return region;
  }

  void add_pin(int b) {
    scene_.text += " pin b" + std::to_string(b);
    PinSpec pin;
    pin.name = "p" + std::to_string(b);
    pin.body = "b" + std::to_string(b);
    pin.region = region(b);
    pin.motion = random_motion(dice_, scene_.size, 10.0);
    scene_.builder.add(std::move(pin));
  }

  void add_force(int b) {
    scene_.has_forces = true;
    ForceSpec force;
    force.name = "f" + std::to_string(b);
    force.body = "b" + std::to_string(b);
    force.region = region(b);
    const double weight =
        10.0 * bodies_[b].density * std::pow(scene_.size, 3) * (bodies_[b].sheet ? 0.01 : 0.1);
    force.force = {{0.0, 0.2}, {dice_.vector(weight), dice_.vector(weight * dice_.log_uniform(0.1, 30.0))}};
    scene_.builder.add(std::move(force));
  }

  BodyPoint point(std::size_t body) {
    BodyPoint p;
    p.body = "b" + std::to_string(body);
    const std::vector<Vec3d>& nodes = bodies_[body].nodes();
    p.nearest_to = bodies_[body].transform.apply(nodes[dice_.pick(static_cast<int>(nodes.size()))]) +
                   dice_.vector(0.1 * scene_.size);
    return p;
  }

  double compliance() { return dice_.chance(0.5) ? 0.0 : dice_.log_uniform(1e-8, 1.0); }

  HandleSpec random_handle() {
    const int count = static_cast<int>(bodies_.size()), b = dice_.pick(count);
    const std::string body = "b" + std::to_string(b), name = "h" + std::to_string(handles_++);
    scene_.text += " handle " + body;
    switch (dice_.pick(count > 1 ? 5 : 4)) {
      case 0: {
        GrabSpec grab{name, point(b), {}, compliance()};
        if (dice_.chance(0.5))
          grab.target = {{0.0, 0.1}, {*grab.point.nearest_to, dice_.vector(scene_.size)}};
        return grab;
      }
      case 1:
        return HoldSpec{name, body, region(b), random_motion(dice_, scene_.size, 5.0), {}, compliance()};
      case 2: {
        AttachmentSpec attachment{name,        body, region(b), {}, random_motion(dice_, scene_.size, 5.0),
                                  compliance()};
        attachment.frame = {dice_.rotation(), boxes_[b].low};
        return attachment;
      }
      case 3: {
        CableSpec cable;
        cable.name = name;
        const int points = 2 + dice_.pick(3);
        for (int k = 0; k < points; ++k) {
          if (k > 0 && dice_.chance(0.3))
            cable.points.push_back(boxes_[b].high + dice_.vector(scene_.size));
          else
            cable.points.push_back(point(dice_.pick(count)));
        }
        if (dice_.chance(0.3))
          cable.tension = {{0.0}, {dice_.log_uniform(1e-3, 1e3)}};
        else if (dice_.chance(0.5))
          cable.length = {{0.0}, {scene_.size * dice_.log_uniform(0.1, 3.0)}};
        cable.two_sided = dice_.chance(0.3);
        cable.compliance = compliance();
        return cable;
      }
      default:
        return WeldSpec{name, body, region(b), "b" + std::to_string((b + 1) % count), compliance()};
    }
  }

  void add_actions() {
    if (dice_.chance(0.5)) return;
    const int count = 1 + dice_.pick(6);
    for (int k = 0; k < count; ++k) {
      Action action;
      action.frame = dice_.pick(40);
      action.kind = static_cast<ActionKind>(dice_.chance(0.4) ? 0 : dice_.pick(6));
      action.body = dice_.pick(static_cast<int>(bodies_.size()));
      if (action.kind == ActionKind::add_handle) action.handle = random_handle();
      action.vector = dice_.vector(scene_.size);
      action.value =
          action.kind == ActionKind::body_friction ? dice_.uniform(0.0, 2.0) : dice_.log_uniform(1e-6, 1.0);
      scene_.actions.push_back(action);
    }
    std::stable_sort(scene_.actions.begin(), scene_.actions.end(),
                     [](const Action& a, const Action& b) { return a.frame < b.frame; });
  }

  Dice dice_;
  FuzzScene& scene_;
  std::vector<BodySpec> bodies_;
  std::vector<Box> boxes_;
  int handles_ = 0;
};

}  // namespace

FuzzScene random_scene(std::uint64_t seed) {
  FuzzScene scene;
  SceneMaker(seed, scene).make();
  return scene;
}

}  // namespace sinew::test
