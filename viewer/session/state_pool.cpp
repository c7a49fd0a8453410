#include "viewer/session/state_pool.hpp"

#include <utility>

namespace sinew::viewer {

std::shared_ptr<ViewState> StatePool::take() {
  std::unique_ptr<ViewState> state;
  {
    const std::scoped_lock lock(shelf_->mutex);
    if (!shelf_->free.empty()) {
      state = std::move(shelf_->free.back());
      shelf_->free.pop_back();
    }
  }
  if (!state) state = std::make_unique<ViewState>();
  const auto put_back = [shelf = shelf_](ViewState* used) {
    std::unique_ptr<ViewState> kept(used);
    kept->scene.reset();  // a scene that is gone is not kept alive
    const std::scoped_lock lock(shelf->mutex);
    if (shelf->free.size() < kKept) shelf->free.push_back(std::move(kept));
  };
  return {state.release(), put_back};
}

}  // namespace sinew::viewer
