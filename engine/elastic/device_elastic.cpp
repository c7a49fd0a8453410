#include "engine/elastic/device_elastic.hpp"

#include "engine/elastic/block_material.hpp"

namespace sinew {

namespace {

constexpr const char* kElements = "elements of a body";
constexpr const char* kLocal = "local step";

static_assert(kDeviceLanes == kStoredLanes<double>);
static_assert(kDeviceBlockElements >= kBlockElements && kDeviceBlockNodes >= kBlockNodes);

std::vector<DeviceBlock> device_blocks(const ElementBlocks<double>& elements) {
  std::vector<DeviceBlock> blocks;
  for (const ElementBlock& b : elements.blocks)
    blocks.push_back({b.first_pack, b.end_pack, b.first_slot, b.node_count});
  return blocks;
}

SumPlan energy_plan_of(const BodyPrecomputed& body) {
  const std::size_t blocks = body.blocks.blocks.size(), rows = body.rows.size();
  return SumPlan({blocks, rows, blocks, rows, static_cast<std::size_t>(body.node_count)});
}

}  // namespace

SlotCorners make_slot_corners(const ElementBlocks<double>& elements) {
  constexpr int kLanes = kStoredLanes<double>;
  SlotCorners result;
  const auto visit = [&](auto&& f) {  // f(slot, 4 * element + corner), elements of a block in their order
    for (const ElementBlock& b : elements.blocks)
      for (Index pack = b.first_pack; pack < b.end_pack; ++pack)
        for (int lane = 0; lane < kLanes; ++lane) {
          if (elements.volume[static_cast<std::size_t>(pack) * kLanes + lane] == 0.0) continue;
          const int element = (pack - b.first_pack) * kLanes + lane;
          for (int c = 0; c < elements.corners; ++c)
            f(b.first_slot +
                  elements.corner[(static_cast<std::size_t>(pack) * elements.corners + c) * kLanes + lane],
              4 * element + c);
        }
  };
  result.start.assign(elements.node.size() + 1, 0);
  visit([&](Index slot, int) { ++result.start[slot + 1]; });
  for (std::size_t s = 0; s < elements.node.size(); ++s) result.start[s + 1] += result.start[s];
  result.corner.resize(static_cast<std::size_t>(result.start.back()));
  std::vector<Index> next(result.start.begin(), result.start.end() - 1);
  visit([&](Index slot, int corner) { result.corner[next[slot]++] = static_cast<std::uint16_t>(corner); });
  return result;
}

DeviceBody::DeviceBody(DeviceQueue& queue, const BodyPrecomputed& body) : host_(&body) {
  const ElementBlocks<double>& e = body.blocks;
  const SlotCorners corners = make_slot_corners(e);
  block_ = to_device(queue, device_blocks(e), kElements);
  corner_ = to_device(queue, e.corner, kElements);
  corner_start_ = to_device(queue, corners.start, kElements);
  corner_of_slot_ = to_device(queue, corners.corner, kElements);
  rest_ = to_device(queue, e.rest, kElements);
  volume_ = to_device(queue, e.volume, kElements);
  node_ = to_device(queue, e.node, kElements);
  slot_start_ = to_device(queue, e.slot_start, kElements);
  slot_ = to_device(queue, e.slot, kElements);
  mass_ = to_device(queue, body.mass, kElements);
  row_start_ = to_device(queue, body.rows.start, kElements);
  row_node_ = to_device(queue, body.rows.node, kElements);
  coefficient_ = to_device(queue, body.rows.coefficient, kElements);
  weight_ = to_device(queue, body.rows.weight, kElements);
  length_ = to_device(queue, body.rows.length, kElements);
  row_incidence_start_ = to_device(queue, body.row_incidence_start, kElements);
  row_incidence_ = to_device(queue, body.row_incidence, kElements);
  row_of_place_ = to_device(queue, body.row_of_place, kElements);
  const SumPlan plan = energy_plan_of(body);
  chunk_ = to_device(queue, plan.chunk, kElements);
  part_chunk_ = to_device(queue, plan.part_chunk, kElements);
}

DeviceElements DeviceBody::elements() const {
  return {host_->blocks.corners, block_.view(), corner_.view(),       rest_.view(),
          volume_.view(),        node_.view(),  corner_start_.view(), corner_of_slot_.view(),
          slot_start_.view(),    slot_.view()};
}

DeviceSquares DeviceBody::rows() const {
  return {row_start_.view(),     row_node_.view(),    coefficient_.view(),
          weight_.view(),        length_.view(),      row_incidence_start_.view(),
          row_incidence_.view(), row_of_place_.view()};
}

std::size_t DeviceBody::bytes() const {
  return block_.bytes() + corner_.bytes() + corner_of_slot_.bytes() + rest_.bytes() + volume_.bytes() +
         mass_.bytes() + coefficient_.bytes() + weight_.bytes() + length_.bytes() + node_.bytes() +
         corner_start_.bytes() + slot_start_.bytes() + slot_.bytes() + row_start_.bytes() +
         row_node_.bytes() + row_incidence_start_.bytes() + row_incidence_.bytes() + row_of_place_.bytes() +
         chunk_.bytes() + part_chunk_.bytes();
}

DeviceElastic::DeviceElastic(Device& device, const DeviceBody& body)
    : body_(&body),
      blocks_(body.host().blocks.blocks.size()),
      rows_(body.host().rows.size()),
      nodes_(static_cast<std::size_t>(body.host().node_count)),
      partial_(device, body.host().blocks.node.size(), kLocal),
      row_force_(device, rows_, kLocal),
      terms_(device, 2 * (blocks_ + rows_) + nodes_, kLocal),
      sums_(device, kParts, kLocal),
      scratch_(device, body.energy_plan().chunk.size, kLocal),
      on_host_(device, kParts) {
  if (body.host().beta <= 0.0) return;
  const ElementBlocks<double>& e = body.host().blocks;
  start_strain_ = DeviceBuffer<double>(device, e.strain_values() * e.volume.size(), kLocal);
  start_length_ = DeviceBuffer<double>(device, rows_, kLocal);
}

View<double> DeviceElastic::part(Part p) {
  const std::size_t size[kParts] = {blocks_, rows_, blocks_, rows_, nodes_};
  std::size_t first = 0;
  for (int k = 0; k < p; ++k) first += size[k];
  return terms_.view().part(first, size[p]);
}

void DeviceElastic::begin_frame(DeviceQueue& queue, View<const Vec3d> start) {
  if (body_->host().beta <= 0.0) return;
  queue.strains(body_->elements(), start, start_strain_.view());
  queue.row_lengths(body_->rows(), start, start_length_.view());
}

void DeviceElastic::evaluate(DeviceQueue& queue, double time_step, View<const Vec3d> predicted,
                             View<const Vec3d> start, View<const Vec3d> position, View<Vec3d> gradient) {
  const BodyPrecomputed& body = body_->host();
  const BlockMaterial<double> m = block_material(body, time_step);
  const DeviceMaterial material{body.kind,    m.shear_modulus,  m.first_lame,      m.mooney_ratio,
                                m.damping_mu, m.damping_lambda, m.largest_stretch, m.limit_stiffness};
  queue.evaluate_blocks(body_->elements(), material, position, start_strain_.cview(), partial_.view(),
                        part(kBlockElastic), part(kBlockDamping));
  queue.evaluate_squares(body_->rows(), body.beta / time_step, start_length_.cview(), position,
                         row_force_.view(), part(kRowElastic), part(kRowDamping));
  const DeviceInertia inertia{time_step, time_step * body.alpha, body_->mass(), predicted, start};
  queue.gather_gradient(body_->elements(), partial_.cview(), body_->rows(), row_force_.cview(), inertia,
                        position, gradient, part(kInertia));
  queue.sum_parts(body_->energy_plan(), terms_.cview(), sums_.view(), scratch_.view());
}

void DeviceElastic::energy_down(DeviceQueue& queue) {
  queue.download(on_host_.data(), sums_.cview());
}

ElasticEnergy DeviceElastic::energy(double time_step) const {
  const double elastic = on_host_[kBlockElastic] + on_host_[kRowElastic];
  const double damping = on_host_[kBlockDamping] + on_host_[kRowDamping];
  return {on_host_[kInertia] + time_step * time_step * (elastic + damping), elastic};
}

}  // namespace sinew
