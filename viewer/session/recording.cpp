#include "viewer/session/recording.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/common/solver_names.hpp"
#include "viewer/session/recorded_run.hpp"
#include "viewer/session/words.hpp"

namespace sinew::viewer {

/// Every line is with the system when write() returns.
class Recording::File {
 public:
  explicit File(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")) {
    if (!file_) fail();
  }
  ~File() {
    if (file_) std::fclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw IoError(path_ + ": cannot write the recording: " + std::strerror(errno));
  }
  std::string path_;
  std::FILE* file_;
};

namespace {

std::string end_line(const LiveSimulation& live) {
  return std::to_string(live.steps()) + " end " + hash_text(live.simulation().state_hash());
}

}  // namespace

Recording::Recording(const LiveSimulation& live, const std::string& file) {
  if (!file.empty()) file_ = std::make_unique<File>(file);
  path_ = file;
  const SimulationSettings& settings = live.simulation().settings();
  const Backend backend = settings.backend == Backend::automatic ? Backend::cpu : settings.backend;
  line("sinew recording " + std::to_string(RecordedRun::kFormat));
  line("scene " + in_quotes(live.text().label));
  line("run " + hash_text(live.simulation().run_hash()));
  line("backend " + to_string(backend) + (settings.hybrid ? " hybrid" : ""));
  for (const std::string& set : live.first_overrides()) line("set " + in_quotes(set));
}

Recording::~Recording() = default;

void Recording::add(const LiveSimulation& live, const Event& event) {
  ++events_;
  line(std::to_string(live.steps()) + " " + event_text(event));
}

void Recording::stepped(const LiveSimulation& live) {
  const std::string step = std::to_string(live.steps());
  const StepStatistics& statistics = live.simulation().statistics();
  if (statistics.cut) line(step + " iterations " + std::to_string(statistics.iterations));
  if (live.steps() % kStateEvery == 0) line(step + " state " + hash_text(live.simulation().state_hash()));
}

void Recording::finish(const LiveSimulation& live) {
  if (!file_) return;
  const std::unique_ptr<File> file = std::move(file_);
  path_.clear();
  file->write(end_line(live) + "\n");
}

std::string Recording::text(const LiveSimulation& live) const {
  return text_ + end_line(live) + "\n";
}

void Recording::line(const std::string& text) {
  text_ += text + "\n";
  if (!file_) return;
  std::unique_ptr<File> file = std::move(file_);
  const std::string path = std::exchange(path_, "");
  file->write(text + "\n");
  file_ = std::move(file);
  path_ = path;
}

}  // namespace sinew::viewer
