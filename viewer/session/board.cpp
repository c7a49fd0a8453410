#include "viewer/session/board.hpp"

#include <utility>

namespace sinew::viewer {

void Board::post(Command command, bool at_end) {
  const std::scoped_lock lock(mutex_);
  commands_.push_back({std::move(command), at_end});
  wake_.notify_all();
}

std::vector<Board::Command> Board::take_commands() {
  const std::scoped_lock lock(mutex_);
  std::vector<Command> taken;
  for (Waiting& waiting : std::exchange(commands_, {}))
    if (waiting.at_end || !ending_) taken.push_back(std::move(waiting.command));
  return taken;
}

void Board::say(Message::Kind kind, const std::string& text) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
  Message message{kind, text, seconds.count(), 0};
  for (char& c : message.text)
    if (c == '\n' || c == '\r') c = ' ';
  const std::scoped_lock lock(mutex_);
  message.number = ++said_;
  messages_.push_back(std::move(message));
  if (messages_.size() > kMessages) messages_.pop_front();
}

std::vector<Message> Board::messages() const {
  const std::scoped_lock lock(mutex_);
  return {messages_.begin(), messages_.end()};
}

void Board::show(std::shared_ptr<const ViewState> state) {
  const std::scoped_lock lock(mutex_);
  latest_.swap(state);  // the old one is let go after the lock
}

std::shared_ptr<const ViewState> Board::latest() const {
  const std::scoped_lock lock(mutex_);
  return latest_;
}

void Board::set_status(const Status& status) {
  const std::scoped_lock lock(mutex_);
  status_ = status;
}

Status Board::status() const {
  const std::scoped_lock lock(mutex_);
  return status_;
}

void Board::wake() {
  const std::scoped_lock lock(mutex_);
  woken_ = true;
  wake_.notify_all();
}

void Board::wait_until(Time time) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, time, [&] { return woken_ || ending_ || !commands_.empty(); });
  woken_ = false;
}

void Board::ask_to_end() {
  const std::scoped_lock lock(mutex_);
  ending_ = true;
  wake_.notify_all();
}

bool Board::ending() const {
  const std::scoped_lock lock(mutex_);
  return ending_;
}

void Board::threads_begin(int count) {
  const std::scoped_lock lock(mutex_);
  threads_ += count;
}

void Board::thread_ends() {
  const std::scoped_lock lock(mutex_);
  --threads_;
  ended_.notify_all();
}

bool Board::wait_for_threads(double seconds) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return threads_ == 0; });
}

}  // namespace sinew::viewer
