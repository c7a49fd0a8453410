// Typed errors that cross the API. Every message is one line: what, where, how to mend it.
#pragma once

#include <stdexcept>
#include <string>

namespace sinew {

/// Base of every error that the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A scene file that cannot be used. The message already carries "file:line: key".
class SceneError : public Error {
 public:
  SceneError(std::string file, int line, std::string key, const std::string& what_and_how);
  const std::string& file() const { return file_; }
  int line() const { return line_; }  ///< 1-based; 0 where no line is known
  const std::string& key() const { return key_; }

 private:
  std::string file_;
  int line_;
  std::string key_;
};

/// A mesh file that cannot be read, or a mesh that cannot be simulated.
class MeshError : public Error {
 public:
  using Error::Error;
};

/// A model whose parts do not fit together (unknown body, value out of range, empty region).
class ModelError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be written or read for a reason outside its content (disk full, permission).
class IoError : public Error {
 public:
  using Error::Error;
};

/// More memory needed than is allowed or present; the message carries both numbers.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// A part that this build or machine lacks (renderer, CUDA), or a library call that failed.
class BackendError : public Error {
 public:
  using Error::Error;
};

/// NaN or divergence inside a frame. The simulation stays at the last good frame.
class NumericalError : public Error {
 public:
  NumericalError(const std::string& what, long frame, std::string body, long element);
  long frame() const { return frame_; }
  const std::string& body() const { return body_; }
  long element() const { return element_; }  ///< -1 where no element is known

 private:
  long frame_;
  std::string body_;
  long element_;
};

}  // namespace sinew
