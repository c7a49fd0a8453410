#include "engine/state/state.hpp"

#include <cstring>

#include <sinew/errors.hpp>

#include "engine/common/hash.hpp"

namespace sinew {

namespace {

constexpr std::uint64_t kMostPairs = 100;  // SimulationSettings::history
constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'T', '2'};

template <class T>
void put(std::vector<std::uint8_t>& bytes, const T* data, std::size_t count) {
  const std::size_t at = bytes.size();
  bytes.resize(at + count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data() + at, data, count * sizeof(T));
}

/// Reads in order; never past the end.
class Reader {
 public:
  Reader(const std::vector<std::uint8_t>& bytes, std::size_t end) : bytes_(bytes), end_(end) {}
  template <class T>
  void get(T* data, std::size_t count) {
    if (count > (end_ - at_) / sizeof(T))
      throw ModelError("snapshot: damaged, it ends too early; save a new one");
    if (count == 0) return;  // data may be null then
    std::memcpy(static_cast<void*>(data), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }
  std::size_t left() const { return end_ - at_; }

 private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t at_ = 0, end_;
};

/// nodes: of the body; an upper bound of every size.
QuasiNewton::Memory read_history(Reader& reader, std::uint64_t nodes) {
  std::uint64_t sizes[3] = {};
  reader.get(sizes, 3);
  if (sizes[0] > kMostPairs || sizes[1] > nodes || sizes[2] > sizes[0])
    throw ModelError("snapshot: damaged, its history does not fit the body; save a new one");
  QuasiNewton::Memory history;
  history.capacity = sizes[0];
  history.size = sizes[1];
  for (auto* vectors : {&history.steps, &history.inverse_changes}) {
    vectors->assign(sizes[2], std::vector<Vec3d>(sizes[1]));
    for (auto& vector : *vectors) reader.get(vector.data(), vector.size());
  }
  history.precision.resize(sizes[2]);
  reader.get(history.precision.data(), history.precision.size());
  for (auto* products : {&history.step_change, &history.change_change}) {
    products->resize(sizes[2] * sizes[2]);
    reader.get(products->data(), products->size());
  }
  return history;
}

}  // namespace

Snapshot write_state(const State& state, std::uint64_t model_hash) {
  Snapshot snapshot;
  auto& bytes = snapshot.bytes;
  put(bytes, kMagic, sizeof kMagic);
  put(bytes, &model_hash, 1);
  put(bytes, &state.frame, 1);
  for (const BodyState& body : state.bodies) {
    const std::uint64_t counts[2] = {body.position.size(), body.carried.size()};
    put(bytes, counts, 2);
    put(bytes, body.position.data(), body.position.size());
    put(bytes, body.velocity.data(), body.velocity.size());
    for (const CarriedForce& c : body.carried) {
      put(bytes, &c.point, 1);
      put(bytes, &c.obstacle, 1);
      put(bytes, &c.normal, 1);
      put(bytes, &c.force, 1);
    }
    const std::uint64_t corrected = body.correction.size();
    put(bytes, &corrected, 1);
    put(bytes, body.correction.data(), body.correction.size());
    const QuasiNewton::Memory history = body.history.memory();
    const std::uint64_t sizes[3] = {history.capacity, history.size, history.steps.size()};
    put(bytes, sizes, 3);
    for (const auto* vectors : {&history.steps, &history.inverse_changes})
      for (const auto& vector : *vectors) put(bytes, vector.data(), vector.size());
    put(bytes, history.precision.data(), history.precision.size());
    put(bytes, history.step_change.data(), history.step_change.size());
    put(bytes, history.change_change.data(), history.change_change.size());
  }
  const std::uint64_t checksum = Hash().add(bytes.data(), bytes.size()).value();
  put(bytes, &checksum, 1);
  return snapshot;
}

State read_state(const Snapshot& snapshot, std::uint64_t model_hash, const State& like) {
  const auto& bytes = snapshot.bytes;
  if (bytes.size() < sizeof kMagic + 3 * sizeof(std::uint64_t) ||
      std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
    throw ModelError("snapshot: not one of Sinew's, or of another version");
  const std::size_t body_end = bytes.size() - sizeof(std::uint64_t);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + body_end, sizeof checksum);
  if (checksum != Hash().add(bytes.data(), body_end).value())
    throw ModelError("snapshot: damaged (checksum differs); save a new one");
  Reader reader(bytes, body_end);
  char magic[sizeof kMagic];
  std::uint64_t hash = 0;
  State state;
  reader.get(magic, sizeof magic);
  reader.get(&hash, 1);
  if (hash != model_hash)
    throw ModelError(
        "snapshot: made with another model or other settings; restore it with those it was saved with");
  reader.get(&state.frame, 1);
  for (const BodyState& expected : like.bodies) {
    BodyState body;
    std::uint64_t counts[2] = {};
    reader.get(counts, 2);
    if (counts[0] != expected.position.size() || counts[1] > reader.left())
      throw ModelError("snapshot: made with another model; its node counts differ");
    body.position.resize(counts[0]);
    body.velocity.resize(counts[0]);
    reader.get(body.position.data(), counts[0]);
    reader.get(body.velocity.data(), counts[0]);
    body.carried.resize(counts[1]);
    for (CarriedForce& c : body.carried) {
      reader.get(&c.point, 1);
      reader.get(&c.obstacle, 1);
      reader.get(&c.normal, 1);
      reader.get(&c.force, 1);
    }
    std::uint64_t corrected = 0;
    reader.get(&corrected, 1);
    if (corrected > counts[0]) throw ModelError("snapshot: damaged; save a new one");
    body.correction.resize(corrected);
    reader.get(body.correction.data(), corrected);
    body.history.restore(read_history(reader, counts[0]));
    state.bodies.push_back(std::move(body));
  }
  if (reader.left() != 0) throw ModelError("snapshot: damaged, bytes are left over; save a new one");
  return state;
}

}  // namespace sinew
