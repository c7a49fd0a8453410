#include "benchmarks/suite_files.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"

namespace sinew::bench {

namespace fs = std::filesystem;

namespace {

/// A number of the first processor in /proc/cpuinfo; -1 where it is not told.
int cpuinfo_number(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back()))) name.pop_back();
    if (name == key) return std::atoi(line.c_str() + colon + 1);
  }
  return -1;
}

std::string slug(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0) out += static_cast<char>(std::tolower(u));
    if (std::isalnum(u) == 0 && !out.empty() && out.back() != '-') out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

}  // namespace

std::string source_folder() {
  std::error_code code;
  for (fs::path folder = fs::current_path(code); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / "benchmarks" / "table3.csv", code)) return folder.string();
    if (folder == folder.root_path()) break;
  }
  return {};
}

std::string generation_of(int family, int model) {
  // AMD: "Processor Programming Reference" of each family.
  const auto within = [&](int low, int high) { return model >= low && model <= high; };
  if (family == 26) return "Zen 5";
  if (family == 25) return within(0x10, 0x1f) || within(0x60, 0xaf) ? "Zen 4" : "Zen 3";
  if (family == 23) return within(0x00, 0x2f) ? "Zen" : "Zen 2";
  return {};
}

std::string machine_folder(const MachineInfo& machine) {
  // Trade marks, clock rates and "16-Core Processor" say nothing that the rest does not.
  std::string name;
  for (const std::string& word : CLI::detail::split(machine.cpu, ' ')) {
    if (word == "@" || word == "CPU" || word.find("-Core") != std::string::npos) break;
    name += word.substr(0, word.find('(')) + " ";
  }
  std::string folder = slug(name);
  if (folder.empty()) folder = "unknown";
  std::string generation = machine.cpu == machine_info().cpu
                               ? generation_of(cpuinfo_number("cpu family"), cpuinfo_number("model"))
                               : std::string();
  if (machine.cpu.find("AMD") == std::string::npos) generation.clear();
  generation.erase(std::remove(generation.begin(), generation.end(), ' '), generation.end());
  if (!generation.empty()) folder += "-" + slug(generation);
  return folder + fmt::format("-{}core", machine.cores);
}

void SuiteFiles::add_options(CLI::App& command) {
  files_.add_options(command);
  command.add_flag("--save", save_, "Keep the result as RESULTS/<machine>/<suite>.json");
  command
      .add_option("--results-folder", results_folder_,
                  "RESULTS of --save; default: benchmarks/results of the source tree one stands in")
      ->type_name("RESULTS");
}

void SuiteFiles::open(const std::string& name) {
  files_.open();
  if (!save_ && results_folder_.empty()) return;
  if (results_folder_.empty()) {
    const std::string source = source_folder();
    if (source.empty())
      throw Error("--save: the current folder is in no source tree; add --results-folder RESULTS");
    results_folder_ = (fs::path(source) / "benchmarks" / "results").string();
  }
  const fs::path folder = fs::path(results_folder_) / machine_folder(machine_info());
  make_folder(folder.string());
  saved_ = (folder / (name + ".json")).string();
  AtomicFile probe(saved_);
}

void SuiteFiles::write(const SuiteResult& result, std::string_view markdown) {
  const std::string json = suite_json(result);
  files_.write(json, markdown);
  if (saved_.empty()) return;
  write_file_atomically(saved_, json + "\n");
  std::printf("saved %s\n", saved_.c_str());
}

}  // namespace sinew::bench
