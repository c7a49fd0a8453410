#include "benchmarks/bench_command.hpp"

#include <cstdio>
#include <string>

#include "benchmarks/compare.hpp"
#include "benchmarks/contact.hpp"
#include "benchmarks/device.hpp"
#include "benchmarks/friction.hpp"
#include "benchmarks/global.hpp"
#include "benchmarks/local.hpp"
#include "benchmarks/materials.hpp"
#include "benchmarks/memory.hpp"
#include "benchmarks/peer_problems.hpp"
#include "benchmarks/scaling.hpp"
#include "benchmarks/table3.hpp"
#include "benchmarks/twist.hpp"

namespace sinew::bench {

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> cases = {
      {"compare", "Two results of one suite: ratios with their confidence, hashes, accuracy",
       add_compare_case},
      {"contact",
       "Delassus operator of contacts beside the published way; with files: every solver on recorded "
       "problems",
       add_contact_case},
      {"device", "Operations of a CUDA device beside the host's, and beside copying the same bytes",
       add_device_case},
      {"friction",
       "Error of every contact solver in the friction at which a block on a slope starts to slide",
       add_friction_case},
      {"global", "Global step: the staged inverse beside every other way to solve the same system",
       add_global_case},
      {"local", "Local step: blocks of packs beside a straightforward Eigen version", add_local_case},
      {"materials", "Iterations and ms of every material to 1e-3 and 1e-6 of the exact frame",
       add_materials_case},
      {"memory", "Bytes of the prepared inverse for every row of the published memory tables",
       add_memory_case},
      {"problems", "Problems that other programs were measured on: bars, cloth, slope, rollers",
       add_problems_case},
      {"scaling", "Frames against vertices of a body without contact, and against the number of contacts",
       add_scaling_case},
      {"table3",
       "The scenes of the published table: times beside the published ones, and how exact frames are",
       add_table3_case},
      {"twist", "Convergence of every global solver: a bar with its ends turned against each other",
       add_twist_case, "convergence"},
  };
  return cases;
}

void add_bench_command(CLI::App& app) {
  CLI::App* bench = app.add_subcommand("bench", "Measure this machine; tables, JSON and Markdown");
  bench->require_subcommand(1);
  bench->add_subcommand("list", "The studies that can be run")->callback([] {
    for (const BenchCase& c : bench_cases()) {
      std::printf("%-11s  %s\n", c.name, c.what);
      if (*c.second_name != '\0') std::printf("%-11s  the same as %s\n", c.second_name, c.name);
    }
  });
  for (const BenchCase& c : bench_cases()) {
    CLI::App* command = bench->add_subcommand(c.name, c.what);
    if (*c.second_name != '\0') command->alias(c.second_name);
    c.add(*command);
  }
}

}  // namespace sinew::bench
