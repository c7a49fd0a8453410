#include <sinew/errors.hpp>

#include <utility>

namespace sinew {

namespace {
std::string scene_message(const std::string& file, int line, const std::string& key,
                          const std::string& what) {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (!key.empty()) text += ": " + key;
  return text + ": " + what;
}
}  // namespace

SceneError::SceneError(std::string file, int line, std::string key, const std::string& what_and_how)
    : Error(scene_message(file, line, key, what_and_how)),
      file_(std::move(file)),
      line_(line),
      key_(std::move(key)) {}

NumericalError::NumericalError(const std::string& what, long frame, std::string body, long element)
    : Error(what), frame_(frame), body_(std::move(body)), element_(element) {}

}  // namespace sinew
