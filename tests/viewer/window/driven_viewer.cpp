#include "tests/viewer/window/driven_viewer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.hpp"

namespace sinew::test {

namespace {

namespace fs = std::filesystem;

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path ? path : "");
  std::error_code code;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / program, code)) return true;
  return false;
}

/// Starts a program with its output thrown away or sent to files; returns its process.
pid_t start(std::vector<std::string> words,
            const std::vector<std::pair<std::string, std::string>>& environment, const std::string& folder,
            const std::string& error_file, int keep = -1) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid > 0) return pid;
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(126);
  const int nothing = ::open("/dev/null", O_RDWR);
  const int errors =
      error_file.empty() ? nothing : ::open(error_file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  ::dup2(nothing, 0);
  ::dup2(nothing, 1);
  ::dup2(errors, 2);
  if (keep >= 0) ::fcntl(keep, F_SETFD, 0);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

void rest(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::string whole_number(double x) {
  return std::to_string(std::lround(x));
}

bool parse(const std::string& line, Json::Value& value) {
  std::string problems;
  const std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
  return reader->parse(line.data(), line.data() + line.size(), &value, &problems);
}

}  // namespace

std::string missing_for_window() {
  for (const char* program : {"Xvfb", "xdotool"})
    if (!on_path(program)) return std::string(program) + " is not installed";
  return "";
}

VirtualDisplay::VirtualDisplay() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  pid_ = start(
      {"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0", "1280x800x24", "-nolisten", "tcp"}, {},
      "", "", ends[1]);
  ::close(ends[1]);
  std::string number;
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1 && letter != '\n') number += letter;
  ::close(ends[0]);
  if (number.empty()) throw std::runtime_error("Xvfb did not start");
  name_ = ":" + number;
}
VirtualDisplay::~VirtualDisplay() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

DrivenViewer::DrivenViewer(const std::string& folder, std::vector<std::string> arguments)
    : log_(folder + "/state.log"), error_file_(folder + "/errors.txt") {
  std::vector<std::string> words{SINEW_VIEW_PROGRAM, "--state-log", log_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_ = start(
      words,
      {{"DISPLAY", display_.name()}, {"XDG_CONFIG_HOME", folder + "/config"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}},
      folder, error_file_);
}
DrivenViewer::~DrivenViewer() {
  if (ended_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

Json::Value DrivenViewer::state() const {
  // The last whole line, without reading all of a long log.
  std::ifstream file(log_, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  constexpr std::streamoff kTail = 1 << 16;
  const std::streamoff from = std::max<std::streamoff>(0, size - kTail);
  std::string text(static_cast<std::size_t>(size - from), '\0');
  file.seekg(from);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const std::size_t end = text.rfind('\n');
  if (end == std::string::npos) return {};
  const std::size_t begin = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
  Json::Value value;
  if (!parse(text.substr(first, end - first), value)) return {};
  return value;
}

std::vector<Json::Value> DrivenViewer::states() const {
  std::ifstream file(log_);
  std::vector<Json::Value> all;
  Json::Value value;
  for (std::string line; std::getline(file, line);)
    if (parse(line, value)) all.push_back(value);
  return all;
}

Json::Value DrivenViewer::wait(const std::string& what, const Condition& condition, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  Json::Value now;
  const Json::Value begin = state();
  const Json::Int64 after = begin.isNull() ? 0 : begin["picture"].asInt64();
  while (std::chrono::steady_clock::now() < end) {
    now = state();
    if (!now.isNull() && now["picture"].asInt64() > after && condition(now)) return now;
    if (has_ended()) break;
    rest(5);
  }
  Json::StreamWriterBuilder writer;
  writer["indentation"] = "";
  FAIL("never came: " << what << "; last state " << Json::writeString(writer, now)
                      << "; errors: " << errors());
  return {};
}

void DrivenViewer::xdotool(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{"xdotool"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const pid_t pid = start(words, {{"DISPLAY", display_.name()}}, "", "");
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("xdotool " + arguments.front() + " failed");
}

void DrivenViewer::move_to(double x, double y) {
  x = std::clamp(x, 0.0, 1279.0);  // the display's
  y = std::clamp(y, 0.0, 799.0);
  xdotool({"mousemove", whole_number(x), whole_number(y)});
  x_ = x;
  y_ = y;
}
void DrivenViewer::move_slowly_to(double x, double y, int steps) {
  const double from_x = x_, from_y = y_;
  for (int i = 1; i <= steps; ++i) {
    move_to(from_x + (x - from_x) * i / steps, from_y + (y - from_y) * i / steps);
    rest(10);
  }
}

std::array<double, 2> DrivenViewer::place_of(const std::string& path) {
  const Json::Value now =
      wait("the control " + path, [&](const Json::Value& s) { return s["controls"].isMember(path); });
  const Json::Value& place = now["controls"][path];
  return {place[0].asDouble(), place[1].asDouble()};
}

bool DrivenViewer::has_ended() {
  if (ended_) return true;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
  ended_ = true;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return true;
}
int DrivenViewer::finish(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!has_ended() && std::chrono::steady_clock::now() < end) rest(5);
  return has_ended() ? status_ : -1;
}
std::string DrivenViewer::errors() const {
  std::ifstream file(error_file_);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::array<double, 3> vector_of(const Json::Value& list) {
  return {list[0].asDouble(), list[1].asDouble(), list[2].asDouble()};
}
double distance(const Json::Value& a, const Json::Value& b) {
  double sum = 0.0;
  for (Json::ArrayIndex i = 0; i < a.size(); ++i) sum += std::pow(a[i].asDouble() - b[i].asDouble(), 2);
  return std::sqrt(sum);
}

}  // namespace sinew::test
