// What the threads of a session share: commands in; states, messages and status out.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "viewer/session/view_state.hpp"

namespace sinew::viewer {

class Player;

/// Every function returns at once, but the two that say that they wait. All may be called from any thread.
class Board {
 public:
  using Command = std::function<void(Player&)>;
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::size_t kMessages = 300;  ///< kept

  /// at_end: is carried out even where it was still waiting when the end was asked for.
  void post(Command command, bool at_end = false);
  std::vector<Command> take_commands();  ///< once the end was asked for: those that are carried out at it
  void say(Message::Kind kind, const std::string& text);  ///< newlines become spaces
  std::vector<Message> messages() const;
  void show(std::shared_ptr<const ViewState> state);
  std::shared_ptr<const ViewState> latest() const;
  void set_status(const Status& status);
  Status status() const;

  void wake();                 ///< there is something new for the simulation's thread
  void wait_until(Time time);  ///< waits for that, a command or the end, but not longer than until then

  void ask_to_end();
  bool ending() const;
  void threads_begin(int count);
  void thread_ends();
  bool wait_for_threads(double seconds);  ///< true when all have ended

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_, ended_;
  struct Waiting {
    Command command;
    bool at_end = false;
  };
  std::vector<Waiting> commands_;
  std::deque<Message> messages_;
  std::uint64_t said_ = 0;  ///< messages so far
  std::shared_ptr<const ViewState> latest_;
  Status status_;
  bool woken_ = false, ending_ = false;
  int threads_ = 0;
  const Time begin_ = std::chrono::steady_clock::now();
};

}  // namespace sinew::viewer
