// The command line. Every failure is one line on stderr; exit status 2 for bad input, 3 for a diverged frame.
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include <CLI/CLI.hpp>

#include <sinew/errors.hpp>
#include <sinew/scene.hpp>
#include <sinew/version.hpp>

#include "apps/sinew/cache_command.hpp"
#include "apps/sinew/cli_errors.hpp"
#include "apps/sinew/devices.hpp"
#include "apps/sinew/mesh_commands.hpp"
#include "apps/sinew/run_command.hpp"
#include "apps/sinew/view_command.hpp"
#include "benchmarks/bench_command.hpp"

namespace {
using namespace sinew;

constexpr int kBadInput = 2, kDiverged = 3;

int fail(const std::string& message, int status = kBadInput) {
  std::fprintf(stderr, "sinew: error: %s\n", app::single_line(message).c_str());
  return status;
}

void add_simple_commands(CLI::App& cli) {
  cli.add_subcommand("devices", "What this machine has to compute and draw with")->callback([] {
    std::fputs(app::describe_devices().c_str(), stdout);
  });
  CLI::App* schema = cli.add_subcommand("schema", "JSON Schema of scene files, with units");
  const auto markdown = std::make_shared<bool>(false);
  schema->add_flag("--markdown", *markdown, "The same as a document (Markdown)");
  schema->callback([markdown] {
    const std::string text = *markdown ? scene_documentation() : scene_json_schema();
    std::fputs(text.c_str(), stdout);
    if (!text.empty() && text.back() != '\n') std::fputc('\n', stdout);
  });
}

int run(int argc, char** argv) {
  CLI::App cli("Sinew: soft bodies in frictional contact", "sinew");
  cli.set_version_flag("--version", std::string("sinew ") + version_string());
  cli.require_subcommand(1);
  int exit_status = 0;
  app::add_run_command(cli, exit_status);
  add_mesh_commands(cli, exit_status);
  app::add_cache_command(cli);
  bench::add_bench_command(cli);
  add_simple_commands(cli);
  cli.add_subcommand("view", "Window: take soft bodies in your hand (sinew view --help)");

  // Whatever follows is the viewer's to read; the subcommand above it is there for the help.
  if (argc > 1 && std::string(argv[1]) == "view") app::run_viewer(argc, argv);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return cli.exit(error);  // --help, --version
    return fail(app::one_line(cli, error));
  }
  return exit_status;
}
}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an ordinary write error
  try {
    return run(argc, argv);
  } catch (const NumericalError& error) {
    return fail(error.what(), kDiverged);
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use a coarser mesh or close other programs");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
