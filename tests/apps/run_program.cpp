#include "tests/apps/run_program.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/common/atomic_file.hpp"

namespace sinew::test {

const char* const kSmallScene = R"({
  "name": "small",
  "simulation": {"time_step": 0.01, "frames": 20, "iterations": 5},
  "bodies": [{
    "name": "bar",
    "mesh": {"generate": "bar", "size_x": 0.4, "size_y": 0.1, "size_z": 0.1, "cells_x": 8, "cells_y": 2, "cells_z": 2},
    "transform": {"translate": [0, 0, 0.06]},
    "material": {"young_modulus": 1e5}
  }],
  "obstacles": [{"name": "floor", "shape": {"half_space": {}}}],
  "output": {"export_every": 5}
})";

Program::Program(const std::string& folder, const std::vector<std::string>& arguments,
                 const std::vector<std::pair<std::string, std::string>>& environment, Limits limits)
    // Beside the folder, so that tests can list what the program itself left in it.
    : out_path_(folder + ".out"), err_path_(folder + ".err") {
  std::vector<char*> argv{const_cast<char*>(SINEW_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int out = ::open(out_path_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const int err = ::open(err_path_.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    ::dup2(out, 1);
    ::dup2(err, 2);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (limits.file_bytes > 0) {
      const rlimit limit{static_cast<rlim_t>(limits.file_bytes), static_cast<rlim_t>(limits.file_bytes)};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out);
  ::close(err);
}

Program::~Program() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code code;
  std::filesystem::remove(out_path_, code);
  std::filesystem::remove(err_path_, code);
}

bool Program::wait_for(const std::string& text, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (read_file(err_path_).find(text) != std::string::npos) return true;
    if (::waitpid(pid_, &status_, WNOHANG) == pid_) {
      ended_ = true;
      return read_file(err_path_).find(text) != std::string::npos;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

void Program::send(int signal) const {
  if (!ended_) ::kill(pid_, signal);
}

ProgramResult Program::finish() {
  if (!ended_) ::waitpid(pid_, &status_, 0);
  ended_ = true;
  ProgramResult result;
  result.status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 1000 + WTERMSIG(status_);
  result.out = read_file(out_path_);
  result.err = read_file(err_path_);
  return result;
}

ProgramResult run_sinew(const std::string& folder, const std::vector<std::string>& arguments,
                        const std::vector<std::pair<std::string, std::string>>& environment,
                        Program::Limits limits) {
  return Program(folder, arguments, environment, limits).finish();
}

}  // namespace sinew::test
