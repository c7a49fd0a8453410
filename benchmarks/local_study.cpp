#include "benchmarks/local_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks/local_eigen.hpp"
#include "engine/elastic/block_step.hpp"
#include "engine/meshing/structured.hpp"
#include "tests/reference/plain_local_step.hpp"
#include "tests/reference/plain_triangles.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sheets.hpp"

namespace sinew::bench {

namespace {

constexpr double kEdge = 0.01, kTimeStep = 0.01;  // [m], [s]
constexpr double kTurnMs = 20.0;                  // of one form before the next one has its turn
constexpr InstructionSet kSets[] = {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512};

double milliseconds(const std::function<void()>& f, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < times; ++k) f();
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  return passed.count() / times;
}

ElementSource source_of(const BodyPrecomputed& body) {
  if (!body.triangles.empty())
    return {3,
            4,
            body.triangles.size(),
            body.triangles.data()->data(),
            &body.triangle_inverse.data()->m[0][0],
            body.triangle_volume.data()};
  return {4,
          9,
          body.tets.size(),
          body.tets.data()->data(),
          &body.rest_inverse.data()->m[0][0],
          body.volume.data()};
}

/// What the float form needs in place of an ElasticWorkspace.
struct FloatForm {
  ElementBlocks<float> elements;
  BlockMaterial<float> material;
  AlignedVector<float> partial;
  std::vector<BlockEnergy> energy;
  std::vector<double> sums;

  explicit FloatForm(const BodyPrecomputed& body)
      : elements(make_element_blocks<float>(source_of(body), body.node_count)),
        material{static_cast<float>(body.shear_modulus), static_cast<float>(body.first_lame),
                 static_cast<float>(body.mooney_ratio), 0.0f, 0.0f},
        partial(4 * elements.node.size()),
        energy(elements.blocks.size()) {}

  void evaluate(const LocalProblem& p, const LocalKernels<float>& kernels, std::vector<Vec3d>& gradient) {
    const BodyPrecomputed& body = *p.body;
    evaluate_blocks<float>(elements,
                           kernels.of(elements).evaluate[material_number(body.kind, elements.corners)],
                           material, p.position.data(), nullptr, partial.data(), energy.data());
    ordered_sum<double>(gradient.size(), sums, [&](std::size_t i) {
      const Vec3d from_start = p.position[i] - p.start[i];
      gradient[i] =
          body.mass[i] * from_start + kTimeStep * kTimeStep * gather_node(elements, partial.data(), i);
      return 0.5 * body.mass[i] * squared_norm(from_start);
    });
  }
};

/// Every array of one evaluation once: elements, positions for the blocks, sums of blocks written and read,
/// and the arrays of the nodes.
double bytes_of(const BodyPrecomputed& body) {
  const ElementBlocks<double>& e = body.blocks;
  const double lanes = static_cast<double>(e.volume.size()), slots = static_cast<double>(e.node.size());
  return lanes * (e.rest_values * 8 + 8 + e.corners * 2) + slots * (4 + 32 + 32 + 4) +
         body.node_count * (5.0 * 24 + 8 + 4);
}

double measure_bandwidth(double bytes) {
  const std::size_t count = static_cast<std::size_t>(bytes / 8.0);
  AlignedVector<double> numbers(count, 1.0);
  constexpr std::size_t kChunk = 4096;
  std::vector<double> sums((count + kChunk - 1) / kChunk);
  double best = 1e300;
  for (int repeat = 0; repeat < 30; ++repeat) {
    best = std::min(best, milliseconds(
                              [&] {
                                for_each(sums.size(), 4, [&](std::size_t chunk) {
                                  double s[8] = {};
                                  const std::size_t end = std::min(count, (chunk + 1) * kChunk) / 8 * 8;
                                  for (std::size_t i = chunk * kChunk; i < end; i += 8)
                                    for (int k = 0; k < 8; ++k) s[k] += numbers[i + k];
                                  sums[chunk] =
                                      ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
                                });
                              },
                              4));
  }
  return 1e-6 * bytes / best;
}

/// Turned by 1 rad, every node displaced by up to 5 % of an edge.
LocalProblem prepared(BodySpec spec) {
  ModelBuilder builder;
  builder.add(std::move(spec));
  const Model model = builder.build();
  const BodyData& data = model.data().bodies[0];
  LocalProblem p;
  p.body = precompute_body(data, std::vector<char>(data.rest_position.size(), 0), kTimeStep, SolverSettings{},
                           0.0);
  test::Random random(1);
  const Mat3d turn = rotation_from_vector(Vec3d{0.6, 0.0, 0.8});
  for (const Index user : p.body->to_user) {
    p.start.push_back(data.rest_position[user]);
    p.position.push_back(turn * (p.start.back() + random.vector(0.05 * kEdge)));
  }
  return p;
}

LocalCase measure(const LocalProblem& p, double seconds) {
  const BodyPrecomputed& body = *p.body;
  const ElasticInput input{kTimeStep, p.start.data(), p.start.data()};
  std::vector<Vec3d> gradient(p.start.size());
  EigenWorkspace eigen = make_eigen_workspace(body);
  EigenSheetWorkspace eigen_sheet = make_eigen_sheet_workspace(body);
  reference::PlainWorkspace plain;
  reference::begin_plain_frame(body, p.start.data(), plain);
  reference::PlainTriangleWorkspace plain_sheet;
  reference::begin_plain_triangles(body, p.start.data(), plain_sheet);
  ElasticWorkspace workspace;
  begin_elastic_frame(body, p.start.data(), workspace);
  FloatForm narrow(body);

  LocalCase result{body.kind, {}};
  std::vector<std::function<void()>> forms;
  const auto add = [&](std::string name, bool is_double, std::function<void()> form) {
    result.timings.push_back({std::move(name), is_double, {}});
    forms.push_back(std::move(form));
  };
  const bool sheet = !body.triangles.empty();
  add(kEigenName, true, [&] {
    if (sheet)
      evaluate_eigen(body, input, p.position.data(), eigen_sheet, gradient.data());
    else
      evaluate_eigen(body, input, p.position.data(), eigen, gradient.data());
  });
  add(kPlainName, true, [&] {
    reference::evaluate_plain(body, input, p.position.data(), plain, gradient.data());  // of a sheet: inertia
    if (sheet)
      reference::add_plain_triangles(body, kTimeStep, p.position.data(), plain_sheet, gradient.data());
  });
  for (const InstructionSet set : kSets) {
    if (!available(set)) continue;
    add(local_kernels<double>(set).name, true, [&, set] {
      workspace.kernels = &local_kernels<double>(set);
      evaluate_elastic(body, input, p.position.data(), workspace, gradient.data());
    });
  }
  for (const InstructionSet set : kSets) {
    if (!available(set)) continue;
    const LocalKernels<float>& kernels = local_kernels<float>(set);
    add(fmt::format("{}, float", kernels.name), false, [&] { narrow.evaluate(p, kernels, gradient); });
  }

  std::vector<int> times;
  for (const auto& form : forms) {
    form();
    times.push_back(std::max(1, static_cast<int>(kTurnMs / milliseconds(form, 2))));
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  do {
    for (std::size_t k = 0; k < forms.size(); ++k)
      result.timings[k].ms.push_back(milliseconds(forms[k], times[k]));
  } while (std::chrono::steady_clock::now() < end || result.timings[0].ms.size() < 3);
  return result;
}

}  // namespace

LocalProblem make_local_problem(std::size_t tets, MaterialKind kind) {
  const Index side =
      std::max<Index>(1, static_cast<Index>(std::lround(std::cbrt(static_cast<double>(tets) / 12.0))));
  const Index length =
      std::max<Index>(1, static_cast<Index>(std::lround(static_cast<double>(tets) / (6.0 * side * side))));
  BodySpec spec;
  spec.name = "bar";
  spec.mesh = make_cuboid(kEdge * Vec3d{double(length), double(side), double(side)}, {length, side, side});
  spec.material.kind = kind;
  spec.material.young_modulus = 1e6;
  spec.material.poisson_ratio = 0.45;
  spec.material.rayleigh_beta = 0.0;
  return prepared(std::move(spec));
}

LocalProblem make_local_sheet(std::size_t triangles, MaterialKind kind) {
  const Index side =
      std::max<Index>(1, static_cast<Index>(std::lround(std::sqrt(0.5 * static_cast<double>(triangles)))));
  BodySpec spec = test::sheet_body("sheet", test::sheet(side, side, kEdge), kind);
  spec.sheet->bending.model = BendingModel::none;
  spec.material.young_modulus = 1e6;
  spec.material.poisson_ratio = 0.45;
  spec.material.rayleigh_beta = 0.0;
  return prepared(std::move(spec));
}

double LocalTiming::quantile(double share) const {
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const double at = share * static_cast<double>(sorted.size() - 1);
  const std::size_t low = static_cast<std::size_t>(at), high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

const LocalTiming* LocalCase::find(const std::string& name) const {
  for (const LocalTiming& t : timings)
    if (t.name == name) return &t;
  return nullptr;
}

const LocalTiming& LocalCase::best() const {
  const LocalTiming* best = &timings.front();
  for (const LocalTiming& t : timings)
    if (t.is_double && t.quantile(0.5) < best->quantile(0.5)) best = &t;
  return *best;
}

LocalStudy run_local_study(int corners, std::size_t elements, const std::vector<MaterialKind>& materials,
                           double seconds, const std::function<void(const std::string&)>& progress) {
  LocalStudy study;
  progress("preparing");
  LocalProblem problem = corners == 3 ? make_local_sheet(elements, materials.front())
                                      : make_local_problem(elements, materials.front());
  const BodyPrecomputed& body = *problem.body;
  study.corners = corners;
  study.elements = corners == 3 ? body.triangles.size() : body.tets.size();
  study.vertices = static_cast<std::size_t>(body.node_count);
  study.blocks = body.blocks.blocks.size();
  study.slots = body.blocks.node.size();
  study.bytes = bytes_of(body);
  study.bandwidth_GB_s = measure_bandwidth(study.bytes);
  for (const MaterialKind kind : materials) {
    progress(std::string(to_string(kind)));
    problem.body->kind = kind;  // elements, masses and order are the same for all materials
    study.cases.push_back(measure(problem, seconds));
  }
  return study;
}

}  // namespace sinew::bench
