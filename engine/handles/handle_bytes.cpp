#include "engine/handles/handle_bytes.hpp"

#include <cstring>
#include <type_traits>

#include <sinew/errors.hpp>

namespace sinew {

namespace {

[[noreturn]] void damaged() {
  throw ModelError("snapshot: damaged, its handles do not fit; save a new one");
}

class Writer {
 public:
  template <class T>
  void value(const T& x) {
    static_assert(std::has_unique_object_representations_v<T> || sizeof(T) % sizeof(double) == 0);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &x, sizeof(T));
  }
  template <class T>
  void list(const std::vector<T>& v) {
    value(static_cast<std::uint64_t>(v.size()));
    for (const T& x : v) value(x);
  }
  void text(const std::string& s) { list(std::vector<char>(s.begin(), s.end())); }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}
  template <class T>
  void value(T& x) {
    if (sizeof(T) > bytes_.size() - at_) damaged();
    std::memcpy(static_cast<void*>(&x), bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
  }
  template <class T>
  void list(std::vector<T>& v) {
    v.resize(count(sizeof(T)));
    for (T& x : v) value(x);
  }
  void text(std::string& s) {
    std::vector<char> letters;
    list(letters);
    s.assign(letters.begin(), letters.end());
  }
  std::size_t count(std::size_t least_size) {
    std::uint64_t n = 0;
    value(n);
    if (n > (bytes_.size() - at_) / least_size) damaged();
    return static_cast<std::size_t>(n);
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0;
};

/// The one list of fields, for both ways.
template <class Stream, class AnyHandle>
void fields(Stream& s, AnyHandle& h) {
  s.text(h.name);
  s.value(h.kind);
  s.value(h.compliance);
  s.list(h.start);
  s.list(h.term);
  s.list(h.target.times);
  s.list(h.target.values);
  s.value(h.frame);
  s.list(h.motion.keyframes);
  s.value(h.motion.velocity);
  s.value(h.motion.spin);
  s.value(h.origin);
  s.list(h.local);
  s.list(h.value.times);
  s.list(h.value.values);
  s.value(h.tension_driven);
  s.value(h.two_sided);
  s.list(h.force);
  s.value(h.tension);
}

void check(const Handle& h, const std::vector<Index>& node_count) {
  bool good = h.kind <= HandleKind::cable && !h.start.empty() && h.start.front() == 0 &&
              h.start.back() == static_cast<Index>(h.term.size()) && h.local.size() == h.size() &&
              h.force.size() == h.size() && h.target.times.size() == h.target.values.size() &&
              h.value.times.size() == h.value.values.size();
  for (std::size_t k = 0; good && k < h.size(); ++k) good = h.start[k] <= h.start[k + 1];
  for (const ContactTerm& term : h.term)
    good = good && term.body >= 0 && static_cast<std::size_t>(term.body) < node_count.size() &&
           term.node >= 0 && term.node < node_count[term.body];
  for (const CableStop& stop : h.stop)
    good = good && stop.point >= -1 && stop.point < static_cast<Index>(h.size());
  if (h.kind == HandleKind::grab) good = good && !h.target.times.empty();
  if (h.kind == HandleKind::cable) good = good && !h.value.times.empty();
  if (!good) damaged();
}

}  // namespace

std::vector<std::uint8_t> handle_bytes(const std::vector<HandleSlot>& handles) {
  Writer writer;
  writer.value(static_cast<std::uint64_t>(handles.size()));
  for (const HandleSlot& slot : handles) {
    writer.value(slot.generation);
    writer.value(static_cast<std::uint8_t>(slot.handle.has_value()));
    if (!slot.handle) continue;
    fields(writer, *slot.handle);
    writer.value(static_cast<std::uint64_t>(slot.handle->stop.size()));
    for (const CableStop& stop : slot.handle->stop) {  // by field: the struct has padding
      writer.value(stop.point);
      writer.value(stop.fixed);
    }
  }
  return writer.take();
}

std::vector<HandleSlot> read_handle_bytes(const std::vector<std::uint8_t>& bytes,
                                          const std::vector<Index>& node_count) {
  Reader reader(bytes);
  std::vector<HandleSlot> handles(reader.count(sizeof(std::uint32_t) + 1));
  for (HandleSlot& slot : handles) {
    std::uint8_t lives = 0;
    reader.value(slot.generation);
    reader.value(lives);
    if (!lives) continue;
    Handle& handle = slot.handle.emplace();
    fields(reader, handle);
    handle.stop.resize(reader.count(sizeof(Index) + sizeof(Vec3d)));
    for (CableStop& stop : handle.stop) {
      reader.value(stop.point);
      reader.value(stop.fixed);
    }
    check(handle, node_count);
  }
  if (!reader.at_end()) damaged();
  return handles;
}

}  // namespace sinew
