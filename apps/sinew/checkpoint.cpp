#include "apps/sinew/checkpoint.hpp"

#include <bit>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/hash.hpp"
#include "engine/model/model_data.hpp"

namespace sinew::app {

static_assert(std::endian::native == std::endian::little, "the file is little endian");

namespace {
constexpr char kMagic[8] = {'S', 'I', 'N', 'E', 'W', 'C', 'P', '\n'};
constexpr std::uint32_t kVersion = 1;

struct Head {
  char magic[8];
  std::uint32_t version;
  std::uint32_t zero;
  std::uint64_t model;
  std::int64_t frame;
  std::uint64_t payload;   // bytes
  std::uint64_t checksum;  // of the head with this field zero, then the payload
};
static_assert(sizeof(Head) == 48);

std::uint64_t checksum(Head head, std::string_view payload) {
  head.checksum = 0;
  return Hash().add(&head, sizeof head).add(payload.data(), payload.size()).value();
}

std::uint64_t run_hash(const Simulation& simulation) {
  return Hash()
      .add(static_cast<std::int64_t>(simulation.model().data().hash))
      .add(simulation.settings().time_step)
      .value();
}

}  // namespace

void write_checkpoint(const std::string& path, const Simulation& simulation) {
  const Snapshot snapshot = simulation.save();
  const std::string_view payload(reinterpret_cast<const char*>(snapshot.bytes.data()), snapshot.bytes.size());
  Head head{};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.version = kVersion;
  head.model = run_hash(simulation);
  head.frame = simulation.frame();
  head.payload = payload.size();
  head.checksum = checksum(head, payload);
  AtomicFile file(path);
  file.write(&head, sizeof head);
  file.write(payload);
  file.commit();
}

void resume_from(const std::string& path, Simulation& simulation) {
  const std::string content = read_file(path);
  Head head{};
  if (content.size() < sizeof head || std::memcmp(content.data(), kMagic, sizeof kMagic) != 0)
    throw ModelError(path + ": this is no checkpoint; give a file that 'sinew run --checkpoint' wrote");
  std::memcpy(&head, content.data(), sizeof head);
  if (head.version != kVersion)
    throw ModelError(
        fmt::format("{}: checkpoint of format {}, this version reads format {}; run again from the start",
                    path, head.version, kVersion));
  const std::string_view payload = std::string_view(content).substr(sizeof head);
  if (head.payload != payload.size())
    throw ModelError(fmt::format("{}: damaged checkpoint: {} bytes of {} are there; take an earlier one",
                                 path, payload.size(), head.payload));
  if (head.checksum != checksum(head, payload))
    throw ModelError(path + ": damaged checkpoint: its checksum is wrong; take an earlier one");
  if (head.model != run_hash(simulation))
    throw ModelError(
        path + ": checkpoint of another scene or time step; resume with the scene that it was made with");
  Snapshot snapshot;
  snapshot.bytes.assign(payload.begin(), payload.end());
  try {
    simulation.restore(snapshot);
  } catch (const ModelError& error) {
    throw ModelError(path + ": " + error.what());
  }
}

}  // namespace sinew::app
