#include "benchmarks/contact_assembly.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/plain_delassus.hpp"
#include "engine/delassus/gram.hpp"
#include "engine/delassus/matrix_free.hpp"
#include "engine/meshing/structured.hpp"
#include "engine/precompute/assemble.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

constexpr double kEdge = 0.01, kTimeStep = 0.01;  // [m], [s]
constexpr std::size_t kLeastRounds = 5, kMostRounds = 50;
constexpr double kLongest = 2000.0;  // [ms] after which one round is enough
constexpr std::size_t kOther = 20;   // one point of so many is exchanged

struct Body {
  std::shared_ptr<BodyPrecomputed> prepared;
  SymmetricMatrix system;
  std::vector<Index> underside;  ///< internal nodes, nearest to the middle first
};

Body make_body(const std::string& name) {
  BodySpec spec;
  spec.name = name;
  spec.material.kind = MaterialKind::arap;
  spec.material.young_modulus = 1e6;
  if (name == "sheet") {
    spec.sheet.emplace();
    spec.sheet->mesh = make_sheet(119 * kEdge, 119 * kEdge, {119, 119});
  } else {
    spec.mesh = make_cuboid(kEdge * Vec3d{58, 58, 3}, {58, 58, 3});
  }
  const Model model = ModelBuilder().add(std::move(spec)).build();
  const BodyData& data = model.data().bodies[0];
  const std::size_t n = data.rest_position.size();
  SolverSettings settings;
  settings.cache = false;
  Body body;
  body.prepared = precompute_body(data, std::vector<char>(n, 0), kTimeStep, settings, 0.0);
  std::vector<Index> all(n);
  std::iota(all.begin(), all.end(), 0);
  body.system = assemble_system(data, all, static_cast<Index>(n), kTimeStep);
  Vec3d middle{};
  double lowest = data.rest_position[0].z;
  for (const Vec3d& x : data.rest_position) {
    middle += x / static_cast<double>(n);
    lowest = std::min(lowest, x.z);
  }
  std::vector<std::pair<double, Index>> order;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d& x = data.rest_position[i];
    if (x.z < lowest + 0.5 * kEdge)
      order.emplace_back(std::hypot(x.x - middle.x, x.y - middle.y), static_cast<Index>(i));
  }
  std::sort(order.begin(), order.end());
  for (const auto& [distance, user] : order) body.underside.push_back(body.prepared->to_internal[user]);
  return body;
}

/// In the order of the surface points, as the frame lists its contacts.
PointRows rows_of(const Body& body, std::vector<Index> nodes) {
  std::sort(nodes.begin(), nodes.end(),
            [&](Index a, Index b) { return body.prepared->to_user[a] < body.prepared->to_user[b]; });
  PointRows rows;
  for (const Index node : nodes) {
    const ContactTerm term{0, node, 1.0};
    rows.add(&term, 1);
  }
  return rows;
}

/// before() is not timed.
AssemblyTiming measure(const std::string& way, double seconds, const std::function<void()>& before,
                       const std::function<std::size_t()>& timed) {
  using Clock = std::chrono::steady_clock;
  AssemblyTiming result;
  result.way = way;
  std::vector<double> ms;
  double spent = 0.0;
  // The first rounds meet memory that the system has yet to hand out.
  while (ms.empty() || (ms.size() < kLeastRounds && spent < kLongest) ||
         (spent < 1e3 * seconds && ms.size() < kMostRounds)) {
    before();
    const auto begin = Clock::now();
    result.columns = timed();
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    spent += ms.back();
  }
  std::nth_element(ms.begin(), ms.begin() + static_cast<std::ptrdiff_t>(ms.size() / 2), ms.end());
  result.ms = ms[ms.size() / 2];
  result.rounds = static_cast<int>(ms.size());
  return result;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return worst / largest;
}

class Case {
 public:
  Case(const Body& body, std::size_t points, double seconds) : body_(body), seconds_(seconds) {
    std::vector<Index> nodes(body.underside.begin(),
                             body.underside.begin() + static_cast<std::ptrdiff_t>(points));
    rows_ = rows_of(body, nodes);
    std::size_t next = points;
    for (std::size_t k = 0; k < points; k += kOther)
      if (next < body.underside.size()) nodes[k] = body.underside[next++];
    other_ = rows_of(body, nodes);
  }

  void cache() {
    add(measure(
        kCold, seconds_, [&] { body_.prepared->compliance->clear(); },
        [&] {
          GramAssembler fresh;
          std::vector<double> g;
          return assemble(fresh, rows_, DelassusWay::cache, g);
        }));
    GramAssembler warm;
    assemble(warm, other_, DelassusWay::cache, gram_);  // fills the table with the other points, too
    add(measure(
        kFullTable, seconds_, [&] { warm.reset(); },
        [&] { return assemble(warm, rows_, DelassusWay::cache, gram_); }));
    bool first = true;
    add(measure(
        kNewPoints, seconds_, [&] { first = !first; },
        [&] { return assemble(warm, first ? rows_ : other_, DelassusWay::cache, gram_); }));
    assemble(warm, rows_, DelassusWay::cache, gram_);
    add(measure(
        kSameSet, seconds_, [] {}, [&] { return assemble(warm, rows_, DelassusWay::cache, gram_); }));
  }
  void gram() {
    GramAssembler assembler;
    std::vector<double> g;
    bool first = false;
    add(measure(
        kGramWay, seconds_, [&] { first = !first; },
        [&] { return assemble(assembler, first ? rows_ : other_, DelassusWay::gram, g); }));
    assemble(assembler, rows_, DelassusWay::gram, g);
    result_.back().error = difference(g, gram_);
  }
  void matrix_free() {
    MatrixFreeDelassus free;
    add(measure(
        kMatrixFreeSetUp, seconds_, [] {},
        [&] {
          free.set(rows_, bodies());
          return 0;
        }));
    const std::size_t count = rows_.size();
    std::vector<Vec3d> v(count), out, dense(count);
    for (std::size_t c = 0; c < count; ++c) v[c] = {1.0, std::sin(double(c)), std::cos(double(c))};
    add(measure(
        kMatrixFreeProduct, seconds_, [] {},
        [&] {
          free.apply(v, out);
          return 0;
        }));
    const auto product = [&] {
      for_each(count, 16, [&](std::size_t c) {
        Vec3d sum{};
        for (std::size_t d = 0; d < count; ++d) sum += gram_[c * count + d] * v[d];
        dense[c] = sum;
      });
    };
    add(measure(
        kDenseProduct, seconds_, [] {},
        [&] {
          product();
          return 0;
        }));
    double worst = 0.0, largest = 0.0;
    for (std::size_t c = 0; c < count; ++c) {
      worst = std::max(worst, norm(out[c] - dense[c]));
      largest = std::max(largest, norm(dense[c]));
    }
    result_[result_.size() - 2].error = worst / largest;
  }
  void plain(PlainDelassus& plain) {
    const std::size_t count = rows_.size();
    std::vector<ContactFrame<double>> frames;
    for (std::size_t c = 0; c < count; ++c) {
      const Vec3d n = Vec3d{0.3, 0.2, 1.0} / norm(Vec3d{0.3, 0.2, 1.0});  // as on ground that is not level
      const Vec3d t1 = cross(n, Vec3d{1, 0, 0}) / norm(cross(n, Vec3d{1, 0, 0}));
      frames.push_back({n, t1, cross(n, t1)});
    }
    std::vector<double> w;
    add(measure(
        kPlain, seconds_, [] {},
        [&] {
          plain.assemble(rows_, frames, w);
          return 0;
        }));
    double worst = 0.0, largest = 0.0;
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t d = 0; d < count; ++d) {
        worst = std::max(worst, std::abs(w[3 * c * 3 * count + 3 * d] - gram_[c * count + d]));
        largest = std::max(largest, std::abs(gram_[c * count + d]));
      }
    result_.back().error = worst / largest;
  }
  std::vector<AssemblyTiming> result() { return std::move(result_); }

 private:
  std::vector<const BodyPrecomputed*> bodies() const { return {body_.prepared.get()}; }
  std::size_t assemble(GramAssembler& assembler, const PointRows& rows, DelassusWay way,
                       std::vector<double>& gram) const {
    return assembler.assemble(rows, bodies(), way, 0.0, gram);
  }
  void add(AssemblyTiming timing) { result_.push_back(std::move(timing)); }

  const Body& body_;
  double seconds_;
  PointRows rows_, other_;
  std::vector<double> gram_;  ///< of rows_, by the cache way
  std::vector<AssemblyTiming> result_;
};

}  // namespace

const AssemblyTiming& AssemblyCase::of(const std::string& way) const {
  return *std::find_if(timings.begin(), timings.end(), [&](const AssemblyTiming& t) { return t.way == way; });
}

const std::vector<std::string>& assembly_bodies() {
  static const std::vector<std::string> names = {"sheet", "slab"};
  return names;
}

std::vector<AssemblyCase> run_assembly_study(const std::string& name,
                                             const std::vector<std::size_t>& constraints,
                                             std::size_t plain_limit, double seconds,
                                             const std::function<void(const std::string&)>& progress) {
  progress(name + ": preparing");
  const Body body = make_body(name);
  std::optional<PlainDelassus> plain;
  std::vector<AssemblyCase> cases;
  for (const std::size_t count : constraints) {
    const std::size_t points = (count + 2) / 3;
    if (points > body.underside.size())
      throw Error(fmt::format("--constraints {}: the {} has {} points below, at most {} constraints", count,
                              name, body.underside.size(), 3 * body.underside.size()));
    progress(fmt::format("{}: {} constraints", name, count));
    Case measured(body, points, seconds);
    measured.cache();
    measured.gram();
    measured.matrix_free();
    if (count <= plain_limit) {
      if (!plain) plain.emplace(body.system, *body.prepared);
      measured.plain(*plain);
    }
    cases.push_back({name, static_cast<std::size_t>(body.prepared->node_count), points, measured.result()});
  }
  return cases;
}

Table assembly_table(const std::vector<AssemblyCase>& cases) {
  Table table({"body", "constraints", "way", "ms", "rounds", "columns", "difference", "times gram"});
  for (const AssemblyCase& c : cases)
    for (const AssemblyTiming& t : c.timings) {
      const bool assembly = t.way != kMatrixFreeProduct && t.way != kDenseProduct;
      table.add({c.body, fmt::format("{}", 3 * c.points), t.way, fmt::format("{:.3f}", t.ms),
                 fmt::format("{}", t.rounds), fmt::format("{}", t.columns),
                 t.error < 0.0 ? "" : fmt::format("{:.0e}", t.error),
                 assembly ? fmt::format("{:.3g}", c.of(kGramWay).ms / t.ms) : ""});
    }
  return table;
}

void write_assembly(JsonWriter& json, const std::vector<AssemblyCase>& cases) {
  json.begin_array("assembly");
  for (const AssemblyCase& c : cases) {
    json.begin_object();
    json.text("body", c.body);
    json.integer("vertices", static_cast<long long>(c.vertices));
    json.integer("points", static_cast<long long>(c.points));
    json.integer("constraints", static_cast<long long>(3 * c.points));
    json.begin_array("ways");
    for (const AssemblyTiming& t : c.timings) {
      json.begin_object();
      json.text("way", t.way);
      json.number("ms_median", t.ms);
      json.integer("rounds", t.rounds);
      json.integer("columns", static_cast<long long>(t.columns));
      if (t.error >= 0.0) json.number("difference", t.error);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace sinew::bench
