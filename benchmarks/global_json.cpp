#include <cmath>

#include <sinew/version.hpp>

#include "benchmarks/global_report.hpp"
#include "benchmarks/loaded_libraries.hpp"
#include "host/staged_kernels.hpp"

namespace sinew::bench {

namespace {

/// Left out where it was not measured.
void measured(JsonWriter& json, const char* key, double value) {
  if (value >= 0.0) json.number(key, value);
}

void write_sizes(JsonWriter& json, const LinearSolver::Sizes& sizes) {
  json.integer("stages", sizes.stages);
  json.integer("stored_entries", static_cast<long long>(sizes.stored_entries));
  json.integer("bytes", static_cast<long long>(sizes.bytes));
}

void write_solver(JsonWriter& json, const SolverResult& s, double staged_ms, int threads) {
  json.begin_object();
  json.text("name", s.kind.name);
  json.text("what", s.kind.what);
  json.boolean("built", s.built());
  if (!s.built()) {
    json.text("why_not", s.why_not);
    json.end_object();
    return;
  }
  write_sizes(json, s.sizes);
  json.number("prepare_s", s.prepare_s);
  if (!s.kind.incomplete) json.number("relative_error", s.error);
  if (s.iterations >= 0) json.integer("iterations", s.iterations);
  if (const double ratio = s.best(threads, 1) / staged_ms; ratio > 0.0) json.number("ratio_to_staged", ratio);
  json.begin_array("timings");
  for (const Timing& t : s.timings) {
    json.begin_object();
    json.integer("threads", t.threads);
    json.integer("instances", t.blocks);
    json.integer("solves", static_cast<long long>(t.ms.size()));
    json.number("best_ms", t.best());
    json.number("median_ms", t.median());
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_preparation(JsonWriter& json, const Preparation& p) {
  json.begin_object("preparation");
  measured(json, "order_s", p.order_s);
  measured(json, "factor_s", p.factor_s);
  measured(json, "structure_s", p.structure_s);
  measured(json, "inverse_s", p.inverse_s);
  measured(json, "total_s", p.total_s);
  measured(json, "simplicial_total_s", p.simplicial_total_s);
  measured(json, "supernodal_total_s", p.supernodal_total_s);
  measured(json, "cache_store_s", p.store_s);
  measured(json, "second_start_s", p.second_start_s);
  if (p.cache_bytes > 0.0) json.number("cache_bytes", p.cache_bytes);
  json.end_object();
}

void write_problem(JsonWriter& json, const GlobalResult& r, int threads) {
  json.begin_object();
  json.text("name", r.name);
  json.text("shape", r.shape);
  json.integer("vertices", r.vertices);
  json.integer("elements", static_cast<long long>(r.elements));
  json.integer("nnz_A_lower", static_cast<long long>(r.nnz_matrix));
  json.integer("nnz_L", static_cast<long long>(r.nnz_factor));
  json.begin_array("nnz_stages");
  for (const double entries : r.nnz_stages) json.integer({}, std::llround(entries));
  json.end_array();
  json.begin_object("staged");
  write_sizes(json, r.staged);
  json.integer("bytes_float", static_cast<long long>(r.staged_float.bytes));
  json.end_object();
  json.number("published_form_bytes", r.published_form_bytes);
  if (r.published_MB > 0.0) {
    json.number("published_MB", r.published_MB);
    json.number("published_over_staged", 1e6 * r.published_MB / static_cast<double>(r.staged.bytes));
  }
  write_preparation(json, r.preparation);
  json.text("reference", r.reference);
  const SolverResult* staged = r.solver("staged");
  const double staged_ms = staged ? staged->best(threads, 1) : -1.0;
  json.begin_array("solvers");
  for (const SolverResult& s : r.solvers) write_solver(json, s, staged_ms, threads);
  json.end_array();
  json.end_object();
}

}  // namespace

std::string global_json(const std::vector<GlobalResult>& results, const std::vector<Goal>& goals,
                        const GlobalSettings& settings) {
  JsonWriter json;
  json.begin_object();
  json.text("study", "global");
  json.text("version", version_string());
  write_machine(json, settings.threads);
  json.begin_object("libraries");
  json.text("factor", factor_library_name(FactorLibrary::automatic));
  json.text("eigen", factor_library_name(FactorLibrary::eigen));
  json.text("blas", blas_name());
  json.text("metis", metis_name());
  json.text("staged_products", staged_kernels_name());
  json.end_object();
  json.number("seconds_per_problem", settings.seconds);
  json.number("memory_limit_bytes", settings.memory_limit);
  json.begin_array("problems");
  for (const GlobalResult& r : results) write_problem(json, r, settings.threads);
  json.end_array();
  json.begin_array("verdict");
  for (const Goal& g : goals) {
    json.begin_object();
    json.text("goal", g.what);
    json.text("judged_on", g.where);
    measured(json, "measured", g.measured);
    json.number("at_most", g.limit);
    if (!g.unit.empty()) json.text("unit", g.unit);
    json.text("verdict", to_string(g.verdict));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.str();
}

}  // namespace sinew::bench
