#include "engine/elastic/device_columns.hpp"

namespace sinew {

namespace {
constexpr const char* kWhat = "quasi-Newton pairs";
}

DeviceColumns::DeviceColumns(DeviceQueue& queue, std::size_t most, std::size_t n)
    : queue_(queue),
      inner_(queue.device(), most + PairSums::count, kWhat),
      weight_(queue.device(), most, kWhat),
      scratch_(queue.device(), std::max(VectorOps::products_scratch(n, most), FrameOps::sums_scratch(n)),
               kWhat),
      on_host_(queue.device(), most + PairSums::count) {
  table_.bind(&queue);
  middle_.bind(&queue);
}

void DeviceColumns::set(const std::vector<const Mirrored<Vec3d>*>& columns,
                        const std::vector<double>& middle) {
  std::vector<const Vec3d*>& table = table_.host_new(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) table[k] = columns[k]->device().data;
  middle_.host_new(middle.size()) = middle;
}

std::vector<double> DeviceColumns::down(std::size_t count) {
  queue_.download(on_host_.data(), View<const double>(inner_.view().part(0, count)));
  queue_.synchronize();
  return {on_host_.data(), on_host_.data() + count};
}

std::vector<double> DeviceColumns::products(const Mirrored<Vec3d>& r) {
  if (rank() == 0) return {};
  queue_.products(table_.device(), r.device(), inner_.view().part(0, rank()), scratch_.view());
  return down(rank());
}

std::vector<double> DeviceColumns::products_and_sums(const Mirrored<Vec3d>& step,
                                                     const Mirrored<Vec3d>& change) {
  const QueueStage stage(queue_, "quasi-Newton");
  queue_.products(table_.device(), change.device(), inner_.view().part(0, rank()), scratch_.view());
  queue_.pair_sums(step.device(), change.device(), inner_.view().part(rank(), PairSums::count),
                   scratch_.view());
  return down(rank() + PairSums::count);
}

void DeviceColumns::add_low_rank(const Mirrored<Vec3d>& r, double scale, Mirrored<Vec3d>& out) {
  if (rank() == 0) return;
  const QueueStage stage(queue_, "quasi-Newton");
  const View<double> inner = inner_.view().part(0, rank()), weight = weight_.view().part(0, rank());
  queue_.products(table_.device(), r.device(), inner, scratch_.view());
  queue_.weigh(weight, middle_.device(), inner, scale);
  queue_.add_columns(out.device_edit(), table_.device(), weight);
}

std::vector<Vec3d> DeviceColumns::at_points(const DevicePoints& points) {
  DeviceBuffer<Vec3d> rows(queue_.device(), points.size() * rank(), kWhat);
  std::vector<Vec3d> result(rows.size());
  queue_.gather_points(points, table_.device(), rows.view());
  queue_.download(result.data(), rows.cview());
  queue_.synchronize();
  return result;
}

}  // namespace sinew
