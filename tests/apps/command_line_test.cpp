// Wrong command lines: exit status 2, one line, nothing left behind.
#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/common/atomic_file.hpp"
#include "tests/apps/run_program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using test::run_sinew;

namespace {
std::set<std::string> content(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    names.insert(entry.path().string());
  return names;
}

struct WrongLine {
  std::vector<std::string> arguments;
  std::string expected;  // part of the message
};
}  // namespace

TEST_CASE("a wrong command line gives status 2 and one line that says how to mend it") {
  const test::TemporaryFolder folder;
  write_file_atomically(folder / "small.json", test::kSmallScene);
  write_file_atomically(folder / "empty.json", "");
  write_file_atomically(folder / "binary.json", std::string("\x7F\x45LF\0\xFF\n\x01", 8));
  write_file_atomically(folder / "cut.json", std::string(test::kSmallScene, 200));
  write_file_atomically(folder / "typo.json", R"({"bodeis": []})");
  write_file_atomically(folder / "file.txt", "x");
  std::filesystem::create_directory(folder / "folder");
  const std::set<std::string> before = content(folder.path());

  const std::vector<WrongLine> lines = {
      {{}, "no command given"},
      {{"runn", "small.json"}, "did you mean 'run'"},
      {{"rnu", "small.json"}, "known are run"},
      {{"--versoin"}, "did you mean --version"},
      {{"run"}, "scene"},
      {{"run", "none.json"}, "none.json"},
      {{"run", "folder"}, "folder"},
      {{"run", "empty.json"}, "empty.json"},
      {{"run", "binary.json"}, "binary.json"},
      {{"run", "cut.json"}, "cut.json"},
      {{"run", "typo.json"}, "bodies"},
      {{"run", "small.json", "more.json"}, "more.json"},
      {{"run", "small.json", "--frmes", "3"}, "did you mean --frames"},
      {{"run", "small.json", "--recording", "log"}, "unknown option --recording"},
      {{"run", "small.json", "--frames", "abc"}, "--frames"},
      {{"run", "small.json", "--frames"}, "--frames"},
      {{"run", "small.json", "--frames", "-3"}, "--frames -3"},
      {{"run", "small.json", "--frames", "99999999999999999999"}, "--frames"},
      {{"run", "small.json", "--threads", "0"}, "--threads 0"},
      {{"run", "small.json", "--threads", "two"}, "--threads"},
      {{"run", "small.json", "--every", "0"}, "--every 0"},
      {{"run", "small.json", "--backend", "cuda"}, "--backend cuda"},
      {{"run", "small.json", "--backend", "gpu"}, "did you mean"},
      {{"run", "small.json", "--hybrid"}, "only with --backend cuda or emulated"},
      {{"run", "small.json", "--backend", "cpu", "--device-times"}, "only with --backend cuda or emulated"},
      {{"run", "small.json", "--format", "ply"}, "--export"},
      {{"run", "small.json", "--export", "out", "--format", "stl"}, "vtu"},
      {{"run", "small.json", "--png", "out", "--size", "640"}, "WIDTHxHEIGHT"},
      {{"run", "small.json", "--png", "out", "--size", "4x4"}, "WIDTHxHEIGHT"},
      {{"run", "small.json", "--png", "out", "--size", "640x480x3"}, "WIDTHxHEIGHT"},
      {{"run", "small.json", "--set", "simulation.time_stp=0.1"}, "time_step"},
      {{"run", "small.json", "--set", "simulation.time_step=-1"}, "time_step"},
      {{"run", "small.json", "--set", "nothing"}, "nothing"},
      {{"run", "small.json", "--set", "simulation.frames=5", "simulation.iterations=2"}, "--set"},
      {{"run", "small.json", "--report-frames"}, "--report"},
      {{"run", "small.json", "--report", "none/report.json"}, "none/report.json"},
      {{"run", "small.json", "--report", "file.txt/report.json"}, "file.txt/report.json"},
      {{"run", "small.json", "--report", "folder"}, "folder"},
      {{"run", "small.json", "--report", "small.json"}, "same file"},
      {{"run", "small.json", "--report", "a", "--checkpoint", "./a"}, "same file"},
      {{"run", "small.json", "--export", "file.txt/out"}, "file.txt/out"},
      {{"run", "small.json", "--export", "new/deep/out", "--resume", "none"}, "none"},
      {{"run", "small.json", "--checkpoint", "none/c"}, "none/c"},
      {{"run", "small.json", "--checkpoint-every", "5"}, "--checkpoint"},
      {{"run", "small.json", "--resume", "none.ckpt"}, "none.ckpt"},
      {{"run", "small.json", "--resume", "file.txt"}, "no checkpoint"},
      {{"view", "small.json"}, "--png"},
      {{"view"}, "--png"},
      {{"bench"}, "no command given"},
      {{"bench", "lits"}, "did you mean 'list'"},
      {{"bench", "friction", "--size", "smal"}, "did you mean 'small'"},
      {{"bench", "friction", "--methods", "gs,newtn"}, "did you mean 'newton'"},
      {{"bench", "friction", "--young", "soft"}, "'soft'"},
      {{"bench", "friction", "--iterations", "0"}, "--iterations 0"},
      {{"bench", "twist", "--size", "smal"}, "did you mean 'small'"},
      {{"bench", "twist", "--material", "arp"}, "did you mean 'arap'"},
      {{"bench", "twist", "--young", "1e5,soft"}, "'soft'"},
      {{"bench", "twist", "--iterations", "0"}, "--iterations 0"},
      {{"bench", "twist", "--angle", "181"}, "--angle 181"},
      {{"bench", "twist", "--json", "none/t.json"}, "none/t.json"},
      {{"bench", "twist", "--json", "t", "--markdown", "./t"}, "same file"},
      {{"schema", "--mrkdown"}, "did you mean --markdown"},
      {{"devices", "all"}, "all"},
      {{"run", "small.json", "--sheet", "s.jpg"}, "ends in .png"},
      {{"mesh", "generate", "--lsit"}, "did you mean --list"},
      {{"mesh", "generate", "ball", "x.obj"}, "surfaces only; write .vtu, .msh or .mesh"},
      {{"mesh", "generate", "ball", "x.vtu", "--cell", "0"}, "--cell 0"},
      {{"mesh", "generate", "ball", "x.vtu", "--vertices", "0"}, "vertices is 0"},
      {{"mesh", "tetrahedralize", "x.obj", "y.stl"}, "surfaces only"},
      {{"mesh", "tetrahedralize", "x.obj", "y.vtu", "--cell", "0"}, "--cell 0"},
      {{"mesh", "tetrahedralize", "x.obj", "y.vtu", "--vertices", "10"}, "50 to 5000000"},
      {{"mesh"}, "no command given"},
      {{"mesh", "inof"}, "did you mean 'info'"},
  };
  for (const WrongLine& line : lines) {
    std::string shown = "sinew";
    for (const std::string& argument : line.arguments) shown += " " + argument;
    INFO(shown);
    const test::ProgramResult result = run_sinew(folder.path(), line.arguments);
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err.rfind("sinew: error: ", 0) == 0);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK(result.err.find(line.expected) != std::string::npos);
    CHECK(content(folder.path()) == before);
  }
}

TEST_CASE("mesh info says what mending can do, convert says what is left out") {
  const test::TemporaryFolder folder;
  write_file_atomically(folder / "nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const test::ProgramResult lost = run_sinew(folder.path(), {"mesh", "info", "nan.obj"});
  CHECK(lost.status == 1);
  CHECK(lost.out.find("sinew mesh repair") == std::string::npos);
  write_file_atomically(folder / "flipped.obj",
                        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n");
  const test::ProgramResult flipped = run_sinew(folder.path(), {"mesh", "info", "flipped.obj"});
  CHECK(flipped.status == 1);
  CHECK(flipped.out.find("sinew mesh repair flipped.obj flipped_repaired.obj") != std::string::npos);
  const test::ProgramResult mended =
      run_sinew(folder.path(), {"mesh", "repair", "flipped.obj", "mended.obj"});
  CHECK(mended.status == 0);
  CHECK(run_sinew(folder.path(), {"mesh", "info", "mended.obj"}).status == 0);

  CHECK(run_sinew(folder.path(), {"mesh", "generate", "block", "b.vtu", "--vertices", "27"}).status == 0);
  const test::ProgramResult converted = run_sinew(folder.path(), {"mesh", "convert", "b.vtu", "b.stl"});
  CHECK(converted.out.find("b.stl: surface only, 48 triangles") != std::string::npos);
  CHECK(run_sinew(folder.path(), {"mesh", "generate", "--list"}).out.find("to export, not to simulate") !=
        std::string::npos);
}

TEST_CASE("help, version, schema and devices") {
  const test::TemporaryFolder folder;
  for (const char* word : {"--help", "--version", "devices", "schema"}) {
    const test::ProgramResult result = run_sinew(folder.path(), {word});
    INFO(word);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    CHECK_FALSE(result.out.empty());
  }
  CHECK(run_sinew(folder.path(), {"--version"}).out.rfind("sinew 0.1.0", 0) == 0);
  const test::ProgramResult help = run_sinew(folder.path(), {"run", "--help"});
  CHECK(help.status == 0);
  for (const char* option : {"--frames", "--backend", "--threads", "--set", "--report", "--report-frames",
                             "--export", "--format", "--every", "--png", "--size", "--sheet", "--checkpoint",
                             "--checkpoint-every", "--resume", "--replay", "--quiet"})
    CHECK(help.out.find(option) != std::string::npos);
  CHECK(run_sinew(folder.path(), {"devices"}).out.find("cpu") != std::string::npos);
  CHECK(run_sinew(folder.path(), {"schema"}).out.find("\"$schema\"") != std::string::npos);
  CHECK(run_sinew(folder.path(), {"schema", "--markdown"}).out.find("# ") != std::string::npos);
}

TEST_CASE("the program links no graphics") {
  const test::TemporaryFolder folder;
  // The dynamic loader then lists the libraries instead of running the program.
  const test::ProgramResult result = run_sinew(folder.path(), {}, {{"LD_TRACE_LOADED_OBJECTS", "1"}});
  REQUIRE(result.out.find("libc.so") != std::string::npos);
  for (const char* library : {"libGL", "libEGL", "libOSMesa", "libOpenGL", "libX11", "libgbm"})
    CHECK(result.out.find(library) == std::string::npos);
}
