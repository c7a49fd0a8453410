#include "engine/contact/recorded_problem.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/content_hash.hpp"
#include "host/byte_stream.hpp"

namespace sinew {

namespace {

std::atomic<ContactRecorder*> current_recorder{nullptr};

// File: magic, version, checksum of the rest, the rest.
constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'C', 'O', 'N'};
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHeader = sizeof kMagic + 2 * sizeof(std::uint64_t);
constexpr const char* kMend = "; record it again with `sinew run --record-contacts`";

std::uint64_t checksum(const char* data, std::size_t size) {
  return StreamHash(kVersion).add(data, size).value();
}

/// G is symmetric: its lower triangle, row by row.
std::vector<double> pack_gram(const ContactProblem& p) {
  std::vector<double> lower;
  lower.reserve(p.size() * (p.size() + 1) / 2);
  for (std::size_t c = 0; c < p.size(); ++c)
    for (std::size_t d = 0; d <= c; ++d) lower.push_back(p.gram[c * p.size() + d]);
  return lower;
}

void unpack_gram(const std::vector<double>& lower, ContactProblem& p) {
  const std::size_t count = p.size();
  p.gram.resize(count * count);
  std::size_t k = 0;
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t d = 0; d <= c; ++d) p.gram[c * count + d] = p.gram[d * count + c] = lower[k++];
}

bool finite(const std::vector<double>& values) {
  for (const double v : values)
    if (!std::isfinite(v)) return false;
  return true;
}
bool finite(const std::vector<Vec3d>& values) {
  for (const Vec3d& v : values)
    if (!is_finite(v)) return false;
  return true;
}

/// What does not fit together, or null.
const char* find_fault(const RecordedProblem& r, std::size_t lower) {
  const ContactProblem& p = r.problem;
  const std::size_t c = p.frame.size();
  if (p.friction.size() != c || p.displacement.size() != c || p.force.size() != c ||
      lower != c * (c + 1) / 2 || (!p.law.empty() && p.law.size() != c) ||
      (!p.held_compliance.empty() && p.held_compliance.size() != c) ||
      (p.metric.rank() > 0 && p.metric.points() != c))
    return "its sizes do not fit together";
  if (!(r.tolerance > 0.0) || !(r.relative >= 0.0) || !(p.squared_step > 0.0) ||
      !std::isfinite(p.squared_step) || !finite(p.friction) || !finite(p.held_compliance) ||
      !finite(p.gram) || !finite(p.metric.dense_middle()) || !finite(p.metric.vectors()) ||
      !finite(p.displacement) || !finite(p.force))
    return "it holds numbers that are out of range";
  for (const PointLaw law : p.law)
    if (law > PointLaw::none) return "it holds an unknown law";
  for (const ScalarRow& row : p.scalar) {
    if (!(row.compliance >= 0.0) || !std::isfinite(row.offset) || !std::isfinite(row.force))
      return "it holds numbers that are out of range";
    for (const auto& entry : row.entry)
      if (entry.point < 0 || static_cast<std::size_t>(entry.point) >= c || !is_finite(entry.direction))
        return "a scalar row names a point that does not exist";
  }
  return nullptr;
}

}  // namespace

void save_problem(const RecordedProblem& recorded, const std::string& path) {
  const ContactProblem& p = recorded.problem;
  MemorySink body;
  ByteWriter out(body);
  out.add(recorded.tolerance).add(recorded.relative).add(p.squared_step);
  out.add(static_cast<std::uint64_t>(p.metric.rank()));
  out.add(p.law).add(p.frame).add(p.friction).add(p.held_compliance).add(pack_gram(p));
  out.add(p.metric.dense()).add(p.metric.dense_middle()).add(p.displacement).add(p.force);
  out.add(static_cast<std::uint64_t>(p.scalar.size()));
  for (const ScalarRow& row : p.scalar) {
    std::vector<Index> point;
    std::vector<Vec3d> direction;
    for (const auto& entry : row.entry) {
      point.push_back(entry.point);
      direction.push_back(entry.direction);
    }
    out.add(point).add(direction).add(row.offset).add(row.compliance).add(row.force);
    out.add(static_cast<std::uint8_t>(row.one_sided));
  }
  const auto& bytes = body.bytes();
  const auto* data = reinterpret_cast<const char*>(bytes.data());
  const std::uint64_t hash = checksum(data, bytes.size());
  AtomicFile file(path);
  file.write(kMagic, sizeof kMagic);
  file.write(&kVersion, sizeof kVersion);
  file.write(&hash, sizeof hash);
  file.write(data, bytes.size());
  file.commit(false);
}

RecordedProblem load_problem(const std::string& path) {
  const std::string content = read_file(path);
  const auto fail = [&](const std::string& what) -> RecordedProblem {
    throw IoError(path + ": " + what + kMend);
  };
  if (content.size() < kHeader || std::memcmp(content.data(), kMagic, sizeof kMagic) != 0)
    return fail("not a recorded contact problem");
  std::uint64_t version = 0, hash = 0;
  std::memcpy(&version, content.data() + sizeof kMagic, sizeof version);
  std::memcpy(&hash, content.data() + sizeof kMagic + sizeof version, sizeof hash);
  if (version != kVersion)
    return fail("of version " + std::to_string(version) + ", this program reads " + std::to_string(kVersion));
  if (hash != checksum(content.data() + kHeader, content.size() - kHeader))
    return fail("damaged: its checksum is wrong");

  RecordedProblem recorded;
  ContactProblem& p = recorded.problem;
  std::vector<double> lower, middle;
  std::vector<Vec3d> low_rank;
  std::uint64_t rank = 0, rows = 0;
  try {
    MemorySource body(content.data() + kHeader, content.size() - kHeader);
    ByteReader in(body);
    in.read(recorded.tolerance).read(recorded.relative).read(p.squared_step).read(rank);
    in.read(p.law).read(p.frame).read(p.friction).read(p.held_compliance).read(lower);
    in.read(low_rank).read(middle).read(p.displacement).read(p.force).read(rows);
    for (std::uint64_t s = 0; s < rows; ++s) {
      std::vector<Index> point;
      std::vector<Vec3d> direction;
      ScalarRow row;
      std::uint8_t one_sided = 0;
      in.read(point).read(direction).read(row.offset).read(row.compliance).read(row.force).read(one_sided);
      row.one_sided = one_sided != 0;
      if (point.size() != direction.size()) return fail("its sizes do not fit together");
      for (std::size_t k = 0; k < point.size(); ++k) row.entry.push_back({point[k], direction[k]});
      p.scalar.push_back(std::move(row));
    }
  } catch (const IoError&) {
    return fail("damaged: it ends too early");
  }
  if (rank > middle.size() || low_rank.size() != p.frame.size() * rank || middle.size() != rank * rank)
    return fail("its sizes do not fit together");
  p.metric.set_dense(static_cast<std::size_t>(rank), low_rank, middle);
  if (const char* fault = find_fault(recorded, lower.size())) return fail(fault);
  unpack_gram(lower, p);
  if (!finite(p.gram)) return fail("it holds numbers that are out of range");
  return recorded;
}

ContactRecorder::ContactRecorder(std::string folder) : folder_(std::move(folder)) {
  make_folder(folder_);
  ContactRecorder* none = nullptr;
  if (!current_recorder.compare_exchange_strong(none, this))
    throw ModelError("contacts are being recorded already; record one simulation at a time");
}

ContactRecorder::~ContactRecorder() {
  current_recorder = nullptr;
}

ContactRecorder* ContactRecorder::current() {
  return current_recorder;
}

void ContactRecorder::begin_frame(long frame, bool on) {
  const std::lock_guard lock(mutex_);
  frame_ = frame;
  in_frame_ = 0;
  on_ = on;
}

void ContactRecorder::record(const RecordedProblem& recorded) {
  const std::lock_guard lock(mutex_);
  if (!on_) return;
  char name[64];
  std::snprintf(name, sizeof name, "/frame_%06ld_%03ld.contact", frame_, in_frame_++);
  save_problem(recorded, folder_ + name);
  ++written_;
}

}  // namespace sinew
