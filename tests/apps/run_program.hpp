// Runs the real `sinew` program as a child process.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace sinew::test {

struct ProgramResult {
  int status = -1;  ///< exit status, or 1000 + signal
  std::string out, err;
};

/// A running program; its output goes to two files in the folder, which is also where it works.
class Program {
 public:
  struct Limits {
    long file_bytes = 0;  ///< > 0: largest file that it may write
  };
  Program(const std::string& folder, const std::vector<std::string>& arguments,
          const std::vector<std::pair<std::string, std::string>>& environment, Limits limits);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Waits until stderr holds the text. False after the given time or when the program has ended before.
  bool wait_for(const std::string& text, double seconds = 60.0);
  void send(int signal) const;
  ProgramResult finish();  ///< waits for the end

 private:
  std::string out_path_, err_path_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

ProgramResult run_sinew(const std::string& folder, const std::vector<std::string>& arguments,
                        const std::vector<std::pair<std::string, std::string>>& environment = {},
                        Program::Limits limits = {});

/// A bar that falls on a floor: 81 nodes, 20 frames.
extern const char* const kSmallScene;

}  // namespace sinew::test
