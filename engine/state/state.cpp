#include "engine/state/state.hpp"

#include <cstring>

#include <sinew/errors.hpp>

#include "engine/common/hash.hpp"
#include "engine/handles/handle_bytes.hpp"

namespace sinew {

namespace {

constexpr std::uint64_t kMostPairs = 100;  // SimulationSettings::history
constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'S', 'T', '4'};

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

/// What contact carries, field by field: structures have gaps.
void put_contacts(std::vector<std::uint8_t>& bytes, const State& state) {
  const std::uint64_t carried = state.carried.size();
  put(bytes, &carried, 1);
  for (const CarriedForce& c : state.carried) {
    const Index key[6] = {c.key.body,      static_cast<Index>(c.key.feature),
                          c.key.feature_a, c.key.other_body,
                          c.key.obstacle,  c.key.feature_b};
    put(bytes, key, 6);
    put(bytes, &c.normal, 1);
    put(bytes, &c.force, 1);
  }
  put(bytes, state.body_friction.data(), state.body_friction.size());
  put(bytes, state.obstacle_friction.data(), state.obstacle_friction.size());
}

void put_moved(std::vector<std::uint8_t>& bytes, const State& state) {
  for (const std::optional<MovedObstacle>& moved : state.moved) {
    const std::uint8_t set = moved.has_value();
    put(bytes, &set, 1);
    if (!moved) continue;
    put(bytes, &moved->now, 1);
    put(bytes, &moved->next, 1);
  }
}

void read_moved(Reader& reader, const State& like, State& state) {
  for (std::size_t o = 0; o < like.moved.size(); ++o) {
    std::uint8_t set = 0;
    reader.get(&set, 1);
    std::optional<MovedObstacle>& moved = state.moved.emplace_back();
    if (!set) continue;
    moved.emplace();
    reader.get(&moved->now, 1);
    reader.get(&moved->next, 1);
  }
}

void read_contacts(Reader& reader, const State& like, State& state) {
  std::uint64_t carried = 0;
  reader.get(&carried, 1);
  if (carried > reader.left()) throw ModelError("snapshot: damaged; save a new one");
  state.carried.resize(carried);
  for (CarriedForce& c : state.carried) {
    Index key[6] = {};
    reader.get(key, 6);
    if (key[1] < 0 || key[1] > static_cast<Index>(ContactFeature::node_triangle))
      throw ModelError("snapshot: damaged; save a new one");
    c.key = {key[0], static_cast<ContactFeature>(key[1]), key[2], key[3], key[4], key[5]};
    reader.get(&c.normal, 1);
    reader.get(&c.force, 1);
  }
  state.body_friction.resize(like.body_friction.size());
  state.obstacle_friction.resize(like.obstacle_friction.size());
  reader.get(state.body_friction.data(), state.body_friction.size());
  reader.get(state.obstacle_friction.data(), state.obstacle_friction.size());
}

}  // namespace

Snapshot write_state(const State& state, std::uint64_t model_hash) {
  Snapshot snapshot;
  auto& bytes = snapshot.bytes;
  put(bytes, kMagic, sizeof kMagic);
  put(bytes, &model_hash, 1);
  put(bytes, &state.frame, 1);
  for (const BodyState& body : state.bodies) {
    const std::uint64_t count = body.position.size();
    put(bytes, &count, 1);
    put(bytes, body.position.host().data(), count);
    put(bytes, body.velocity.host().data(), count);
    const std::uint64_t corrected = body.correction.size();
    put(bytes, &corrected, 1);
    put(bytes, body.correction.host().data(), corrected);
    const QuasiNewton::Memory history = body.history.memory();
    const std::uint64_t sizes[3] = {history.capacity, history.size, history.steps.size()};
    put(bytes, sizes, 3);
    for (const auto* vectors : {&history.steps, &history.inverse_changes})
      for (const auto& vector : *vectors) put(bytes, vector.data(), vector.size());
    put(bytes, history.precision.data(), history.precision.size());
    put(bytes, history.step_change.data(), history.step_change.size());
    put(bytes, history.change_change.data(), history.change_change.size());
  }
  put_contacts(bytes, state);
  put_moved(bytes, state);
  const std::vector<std::uint8_t> handles = handle_bytes(state.handles);
  const std::uint64_t handle_size = handles.size();
  put(bytes, &handle_size, 1);
  put(bytes, handles.data(), handles.size());
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
    std::uint64_t count = 0;
    reader.get(&count, 1);
    if (count != expected.position.size())
      throw ModelError("snapshot: made with another model; its node counts differ");
    reader.get(body.position.host_new(count).data(), count);
    reader.get(body.velocity.host_new(count).data(), count);
    std::uint64_t corrected = 0;
    reader.get(&corrected, 1);
    if (corrected > count) throw ModelError("snapshot: damaged; save a new one");
    reader.get(body.correction.host_new(corrected).data(), corrected);
    body.history.restore(read_history(reader, count));
    state.bodies.push_back(std::move(body));
  }
  read_contacts(reader, like, state);
  read_moved(reader, like, state);
  std::uint64_t handle_size = 0;
  reader.get(&handle_size, 1);
  if (handle_size > reader.left()) throw ModelError("snapshot: damaged; save a new one");
  std::vector<std::uint8_t> handles(handle_size);
  reader.get(handles.data(), handle_size);
  std::vector<Index> node_count;
  for (const BodyState& body : state.bodies) node_count.push_back(static_cast<Index>(body.position.size()));
  state.handles = read_handle_bytes(handles, node_count);
  if (reader.left() != 0) throw ModelError("snapshot: damaged, bytes are left over; save a new one");
  return state;
}

}  // namespace sinew
