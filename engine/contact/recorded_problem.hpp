// A contact problem on disk, as a solver found it: to repeat a hard one, and to compare solvers on it.
#pragma once

#include <mutex>
#include <string>

#include "engine/contact/contact_problem.hpp"

namespace sinew {

struct RecordedProblem {
  ContactProblem problem;
  double tolerance = 1e-9;  ///< [m] asked for
  double relative = 0.0;    ///< [1]
};

/// Appears under its name only when it is complete. @throws IoError.
void save_problem(const RecordedProblem& recorded, const std::string& path);

/// Magic, version, checksum, all sizes and ranges are checked. @throws IoError.
RecordedProblem load_problem(const std::string& path);

/// Writes every problem that solve_contacts() gets while it lives, as FOLDER/frame_000012_000.contact. One at
/// a time per process; islands of a frame may swap their numbers from run to run.
class ContactRecorder {
 public:
  explicit ContactRecorder(std::string folder);
  ~ContactRecorder();
  ContactRecorder(const ContactRecorder&) = delete;
  ContactRecorder& operator=(const ContactRecorder&) = delete;

  /// Of the problems to come; `on` false: they are not written.
  void begin_frame(long frame, bool on);
  long written() const { return written_; }

  /// Called by solve_contacts() before it solves.
  void record(const RecordedProblem& recorded);
  static ContactRecorder* current();

 private:
  std::string folder_;
  std::mutex mutex_;
  long frame_ = 0, in_frame_ = 0, written_ = 0;
  bool on_ = false;
};

}  // namespace sinew
