// One line of JSON per picture with what the window knows, for scripts and tests that drive it.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "viewer/window/form.hpp"
#include "viewer/window/hand.hpp"

namespace sinew::viewer {

class StateLog {
 public:
  explicit StateLog(const std::string& path);  ///< @throws IoError
  ~StateLog();
  StateLog(const StateLog&) = delete;
  StateLog& operator=(const StateLog&) = delete;

  /// state: null before the first scene. screen: in window units, shifted by (left, top).
  void write(const ViewState* state, const Status& status, const std::vector<Message>& messages,
             const ViewOptions& options, const Hand& hand, const Places& places, const ScreenMap& screen,
             double left, double top);

 private:
  std::FILE* file_;
  long picture_ = 0;
};

}  // namespace sinew::viewer
