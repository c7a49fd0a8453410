// Memory of states that nobody looks at any more, for those to come.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "viewer/session/view_state.hpp"

namespace sinew::viewer {

class StatePool {
 public:
  /// A state to be filled: what is in it is old. May be called from any thread, and the state let go in any.
  std::shared_ptr<ViewState> take();

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<ViewState>> free;
  };
  static constexpr std::size_t kKept = 4;
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();  ///< states may outlive the pool
};

}  // namespace sinew::viewer
