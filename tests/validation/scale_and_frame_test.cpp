// The same scene in other units of length, turned, moved, or with a stranger far away moves the same.
//
// Lengths times s. With the step h kept, q' = s q asks for accelerations s times as large. Inertia M (q - q~)
// scales with rho s^3 s, elastic forces with E s^2, so density kept wants E' = s^2 E; gravity g' = s g,
// speeds v' = s v, forces on the body s^4; alpha, beta, h and Poisson's ratio stay. With gravity kept
// instead, time scales with root s: h' = root s h, E' = s E, v' = root s v, alpha' = alpha / root s, beta' =
// beta root s. Contact settings are lengths and speeds and scale like them.
#include "tests/support/catch.hpp"
#include "tests/support/sheets.hpp"
#include "tests/validation/bodies.hpp"

using namespace sinew;

namespace {

enum class Time { kept, follows_gravity };

/// How a scene is seen: lengths times scale, then turned, then moved.
struct Frame {
  double scale = 1.0;
  Time time = Time::kept;
  Mat3d turn = Mat3d::identity();
  Vec3d shift{};  ///< [m], after scaling
  bool stranger = false;

  double time_scale() const { return time == Time::kept ? 1.0 : std::sqrt(scale); }
  double speed() const { return scale / time_scale(); }
  double acceleration() const { return speed() / time_scale(); }
  Vec3d place(const Vec3d& x) const { return turn * (scale * x) + shift; }
};

struct Scene {
  MaterialKind kind = MaterialKind::stable_neo_hookean;
  bool sheet = false;    ///< instead of the block
  bool contact = false;  ///< dropped, spinning, on a slope; else one end pinned and swung
  int iterations = 500;
  double tolerance = 1e-13;
  int frames = 40;
};

Simulation make(const Scene& scene, const Frame& frame) {
  const double s = frame.scale, t = frame.time_scale();
  BodySpec body = test::block_body(scene.kind);
  if (scene.sheet) {
    body.mesh = {};
    body.sheet.emplace();
    body.sheet->mesh = test::sheet(4, 3, 0.08);
    body.sheet->thickness = 0.01 * s;  // bending by plate theory: E t^3
  }
  body.material.young_modulus = 2e4 * s * frame.acceleration();
  body.material.rayleigh_alpha = 0.5 / t;
  body.material.rayleigh_beta = 0.002 * t;
  body.transform.scale = {s, s, s};
  body.transform.rotation = frame.turn;
  body.transform.translation = frame.shift;
  body.velocity = frame.speed() * (frame.turn * Vec3d{0.2, -0.1, 0.0});
  body.angular_velocity = (1.0 / t) * (frame.turn * Vec3d{0.0, 3.0, 1.0});
  ModelBuilder builder;
  builder.gravity(frame.acceleration() * (frame.turn * Vec3d{0.0, 0.0, -9.81}));
  builder.add(body);
  if (scene.contact) {
    ObstacleSpec slope;
    slope.name = "slope";
    slope.shape = HalfSpaceShape{};
    slope.friction = 0.3;
    slope.pose.rotation = frame.turn * rotation_from_vector(Vec3d{0.0, 0.2, 0.0});
    slope.pose.translation = frame.place({0.0, 0.0, -0.08});
    builder.add(slope);
  } else {
    PinSpec pin;
    pin.name = "end";
    pin.body = "block";
    pin.region.shape =
        Region::Nodes{scene.sheet ? std::vector<Index>{0, 5, 10} : std::vector<Index>{0, 4, 8, 12}};
    pin.motion.keyframes = {{0.0, {}, {}}, {0.4 * t, frame.turn * (s * Vec3d{0.0, 0.05, 0.1}), {}}};
    builder.add(pin);
    ForceSpec force;
    force.name = "push";
    force.body = "block";
    force.region.shape = Region::Nodes{{3}};
    force.force = {{0.0},
                   {(s * s * s * frame.acceleration()) *
                    (frame.turn * ((scene.sheet ? 0.1 : 1.0) * Vec3d{2.0, 5.0, 0.0}))}};
    builder.add(force);
  }
  if (frame.stranger) {
    BodySpec stranger = test::block_body(scene.kind, 0.37);
    stranger.name = "stranger";
    stranger.transform.translation = {800.0, -600.0, 700.0};
    stranger.angular_velocity = {5.0, 0.0, 0.0};
    builder.add(stranger);
  }
  SimulationSettings settings;
  settings.iterations = scene.iterations;
  settings.tolerance = scene.tolerance;
  settings.time_step = 0.01 * t;
  settings.contact.tolerance = 1e-13 * s;
  settings.contact.max_sweeps = 2000;
  settings.contact.max_depenetration_speed = frame.speed();
  return Simulation(builder.build(), settings);
}

/// Largest distance over all frames between a scene in its own frame and in another one, in units of the
/// scene's own size (0.36 m).
double deviation(const Scene& scene, const Frame& frame) {
  Simulation straight = make(scene, {}), other = make(scene, frame);
  double worst = 0.0, moved = 0.0;
  std::size_t touching = 0;
  const std::vector<Vec3d> start = straight.positions(0);
  for (int n = 0; n < scene.frames; ++n) {
    touching = std::max(touching, straight.step().active_contacts);
    other.step();
    const std::vector<Vec3d> x = straight.positions(0), y = other.positions(0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, norm(y[i] - frame.place(x[i])) / frame.scale);
      moved = std::max(moved, norm(x[i] - start[i]));
    }
  }
  CHECK(moved > 0.05);  // the scene does something
  if (scene.contact) CHECK(touching > 2);
  return worst / 0.36;
}

/// Every material, of blocks and of sheets, with contact and without.
template <class F>
void for_each_scene(F&& f) {
  for (const bool contact : {false, true}) {
    for (const MaterialKind kind : kTetMaterialKinds) f(Scene{.kind = kind, .contact = contact});
    for (const MaterialKind kind : kTriangleMaterialKinds)
      f(Scene{.kind = kind, .sheet = true, .contact = contact});
  }
}

std::string label(const Scene& scene, const Frame& frame) {
  return std::string(to_string(scene.kind)) + (scene.sheet ? ", sheet" : "") +
         (scene.contact ? ", contact" : ", pinned") + ", scale " + std::to_string(frame.scale) +
         (frame.time == Time::kept ? "" : ", gravity kept");
}

}  // namespace

TEST_CASE("a scene 10 times as large or as small moves the same", "[scene]") {
  for_each_scene([](const Scene& scene) {
    for (const Time time : {Time::kept, Time::follows_gravity}) {
      for (const double s : {0.1, 10.0}) {
        const Frame frame{.scale = s, .time = time};
        INFO(label(scene, frame));
        CHECK(deviation(scene, frame) < 1e-12);  // found: 5e-14
      }
    }
  });
}

TEST_CASE("a scene 4 times as large or as small moves the same to the bit") {
  // Powers of two leave every mantissa alone (of four: the factor takes roots of masses, s^3): any constant
  // with a unit hidden in the solvers would show.
  for_each_scene([](Scene scene) {
    scene.iterations = 5;
    scene.tolerance = 0.0;
    scene.frames = 30;
    for (const double s : {0.25, 4.0}) {
      const Frame frame{.scale = s};
      INFO(label(scene, frame));
      // Detection holds lengths of 1e-9 m of its own (a point on a surface, or under it): found 7e-15.
      CHECK(deviation(scene, frame) <= (scene.contact ? 1e-13 : 0.0));
    }
  });
}

TEST_CASE("a scene turned as a whole, or moved, moves the same", "[scene]") {
  const Mat3d turn = rotation_from_vector(Vec3d{0.4, 1.1, -0.6});
  for_each_scene([&](const Scene& scene) {
    INFO(label(scene, {}));
    CHECK(deviation(scene, {.turn = turn}) < 1e-12);  // found: 4e-14
    // 1 km away coordinates are rounded to 1e-13 m, which is 3e-13 of the size; velocities, their
    // differences over h, to 1e-11 m/s. Found: 3e-10.
    CHECK(deviation(scene, {.shift = {300.0, -800.0, 500.0}}) < 1e-8);
  });
}

TEST_CASE("a stranger far away changes no bit") {
  for_each_scene([](Scene scene) {
    scene.iterations = 5;
    scene.tolerance = 0.0;
    INFO(label(scene, {}));
    CHECK(deviation(scene, {.stranger = true}) == 0.0);
  });
}
