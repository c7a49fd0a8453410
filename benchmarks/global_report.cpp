#include "benchmarks/global_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include <sinew/version.hpp>

#include "benchmarks/loaded_libraries.hpp"
#include "engine/common/text.hpp"
#include "host/staged_kernels.hpp"

namespace sinew::bench {

namespace {

const char* const kNothing = "-";

/// Three significant digits without exponent.
std::string three_digits(double value) {
  if (!std::isfinite(value) || value < 0.0) return kNothing;
  if (value >= 100.0) return fmt::format("{:.0f}", value);
  if (value >= 10.0) return fmt::format("{:.1f}", value);
  if (value >= 1.0) return fmt::format("{:.2f}", value);
  return fmt::format("{:.3f}", value);
}

std::string best_and_median(const Timing* timing) {
  if (!timing || timing->ms.empty()) return kNothing;
  return three_digits(timing->best()) + " / " + three_digits(timing->median());
}

std::string millions(double entries) {
  return fmt::format("{:.{}f}", entries / 1e6, entries < 1e6 ? 3 : entries < 1e7 ? 2 : 1);
}

std::string megabytes(double bytes) {
  return three_digits(bytes / 1e6);
}

std::string error_text(const SolverResult& solver) {
  if (solver.kind.incomplete) return "incomplete";
  if (solver.error == 0.0) return "reference";
  if (solver.error < 0.0) return kNothing;
  return fmt::format("{:.1e}", solver.error);
}

std::string solver_note(const SolverResult& solver) {
  if (solver.iterations >= 0) return fmt::format("{}, {} iterations", solver.kind.name, solver.iterations);
  if (solver.kind.stages == 0) return fmt::format("{}, K = {}", solver.kind.name, solver.sizes.stages);
  return solver.kind.name;
}

}  // namespace

Table solver_table(const GlobalResult& result, int threads) {
  const std::string many = fmt::format("{} threads", threads);
  std::vector<std::string> header = {"solver", "ms, 1 thread"};
  if (threads > 1) header.push_back("ms, " + many);
  header.insert(header.end(), {"/ staged", fmt::format("ms, {} instances, each", kInstances), "entries [M]",
                               "MB", "rel. error"});
  Table table(header);
  const SolverResult* staged = result.solver("staged");
  const double unit = staged ? staged->best(threads, 1) : -1.0;
  for (const SolverResult& s : result.solvers) {
    if (!s.built()) {
      table.add({s.kind.name, s.why_not});
      continue;
    }
    std::vector<std::string> row = {solver_note(s), best_and_median(s.timing(1, 1))};
    if (threads > 1) row.push_back(best_and_median(s.timing(threads, 1)));
    const double ratio = s.best(threads, 1) / unit;
    row.push_back(ratio > 0.0 ? fmt::format("{:.2f}", ratio) : kNothing);
    row.push_back(best_and_median(s.timing(threads, kInstances)));
    row.push_back(millions(static_cast<double>(s.sizes.stored_entries)));
    row.push_back(megabytes(static_cast<double>(s.sizes.bytes)));
    row.push_back(error_text(s));
    table.add(row);
  }
  return table;
}

Table nonzeros_table(const std::vector<GlobalResult>& results) {
  std::vector<std::string> header = {"problem", "vertices", "elements", "nnz(L) [M]"};
  for (int k = 1; k <= SolverSettings::kMostStages; ++k) header.push_back(fmt::format("K = {}", k));
  header.insert(header.end(), {"K taken", "stored [M]", "stored / nnz(L)"});
  Table table(header);
  for (const GlobalResult& r : results) {
    std::vector<std::string> row = {r.name, std::to_string(r.vertices), std::to_string(r.elements),
                                    millions(static_cast<double>(r.nnz_factor))};
    for (const double entries : r.nnz_stages) row.push_back(millions(entries));
    row.push_back(std::to_string(r.staged.stages));
    row.push_back(millions(static_cast<double>(r.staged.stored_entries)));
    row.push_back(fmt::format(
        "{:.2f}", static_cast<double>(r.staged.stored_entries) / static_cast<double>(r.nnz_factor)));
    table.add(row);
  }
  return table;
}

Table memory_table(const std::vector<GlobalResult>& results) {
  Table table({"problem", "staged [MB]", "in float [MB]", "S of 3n by count [MB]", "published S [MB]",
               "published / staged"});
  for (const GlobalResult& r : results) {
    const double staged = static_cast<double>(r.staged.bytes);
    table.add({r.name, megabytes(staged), megabytes(static_cast<double>(r.staged_float.bytes)),
               megabytes(r.published_form_bytes),
               r.published_MB > 0.0 ? fmt::format("{:.1f}", r.published_MB) : kNothing,
               r.published_MB > 0.0 ? fmt::format("{:.1f}", 1e6 * r.published_MB / staged) : kNothing});
  }
  return table;
}

Table preparation_table(const std::vector<GlobalResult>& results) {
  Table table({"problem", "order [s]", "factor [s]", "stages [s]", "inverse [s]", "cold start [s]",
               "with simplicial [s]", "with supernodal [s]", "cache written [s]", "cache [MB]",
               "second start [s]"});
  for (const GlobalResult& r : results) {
    const Preparation& p = r.preparation;
    table.add({r.name, three_digits(p.order_s), three_digits(p.factor_s), three_digits(p.structure_s),
               three_digits(p.inverse_s), three_digits(p.total_s), three_digits(p.simplicial_total_s),
               three_digits(p.supernodal_total_s), three_digits(p.store_s),
               p.cache_bytes > 0.0 ? megabytes(p.cache_bytes) : kNothing, three_digits(p.second_start_s)});
  }
  return table;
}

Table goal_table(const std::vector<Goal>& goals) {
  Table table({"goal", "measured", "at most", "verdict", "judged on"});
  for (const Goal& g : goals) {
    const auto figure = [&](double value) {
      std::string text =
          value != 0.0 && value < 1e-3 ? fmt::format("{:.1e}", value) : fmt::format("{:.3g}", value);
      return g.unit.empty() ? text : text + " " + g.unit;
    };
    table.add({g.what, g.measured >= 0.0 ? figure(g.measured) : kNothing, figure(g.limit),
               to_string(g.verdict), g.where});
  }
  return table;
}

std::string problem_line(const GlobalResult& result) {
  return fmt::format("{}: {} vertices, {} elements, {} M nonzeros in the factor", result.name,
                     result.vertices, result.elements, millions(static_cast<double>(result.nnz_factor)));
}

std::string library_line() {
  return fmt::format("{}, {}, BLAS: {}, METIS: {}, staged products: {}",
                     factor_library_name(FactorLibrary::automatic), factor_library_name(FactorLibrary::eigen),
                     blas_name(), metis_name(), staged_kernels_name());
}

std::string global_markdown(const std::vector<GlobalResult>& results, const std::vector<Goal>& goals,
                            int threads) {
  std::string text = "# Global step\n\n" + machine_line(threads) + ".\n\n" + library_line() + ".\n\n";
  text +=
      "Times: best / median of the solves of one run, three right-hand sides each, solvers taking turns; the "
      "ratio is that of the best times with the most threads each solver can use. Entries and MB: all that a "
      "solve reads, index arrays included. Errors: 2-norm, relative to CHOLMOD's solution (Eigen's where it "
      "is not built in) "
      "refined with residuals in extended precision.\n\n";
  text += "## Time per global step\n\n";
  for (const GlobalResult& r : results)
    text += fmt::format("{}.\n\n{}\n", problem_line(r), solver_table(r, threads).markdown());
  text += "## Nonzeros\n\nMillions; K = 1 to 6 without padding, 'stored' is what the solver holds.\n\n" +
          nonzeros_table(results).markdown();
  text +=
      "\n## Memory\n\nDouble unless said otherwise, all index arrays counted, 1 MB = 10^6 bytes. 'S of 3n by "
      "count' is one copy of S in compressed rows for this mesh.\n\n" +
      memory_table(results).markdown();
  text +=
      "\n## Start\n\nSeconds of wall time: the parts of a cold start with the default factor, their sum, "
      "whole starts with CHOLMOD's two factors.\n\n" +
      preparation_table(results).markdown();
  text += "\n## Verdict\n\n" + goal_table(goals).markdown();
  return text;
}

}  // namespace sinew::bench
