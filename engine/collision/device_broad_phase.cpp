#include "engine/collision/device_broad_phase.hpp"

#include <algorithm>
#include <string>

#include <sinew/errors.hpp>

#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr const char* kWhat = "broad phase";
constexpr double kWorn = 1.5;        // growth of the boxes' surfaces after which a tree is built anew
constexpr double kMostOf32 = 4.2e9;  // places that the lists can have

/// Parts of the sums that come back.
enum Sum { kArea, kPairs, kFeatures, kSums };

template <class T>
void append(std::vector<Index>& to, const std::vector<T>& from, Index offset) {
  for (const T& x : from) to.push_back(offset + x);
}

void require_room(double places, const char* what) {
  if (places < kMostOf32) return;
  throw MemoryError("broad phase: " + std::to_string(static_cast<long long>(places)) + " pairs of " + what +
                    " come near each other, more than a device's list holds; use a smaller "
                    "simulation.contact.margin, or broad_phase \"host\"");
}

}  // namespace

DeviceBroadPhase::DeviceBroadPhase(std::shared_ptr<Device> device, const std::vector<Surface>& surfaces,
                                   const std::vector<std::shared_ptr<const SurfaceTrees>>& trees,
                                   std::size_t body_surfaces)
    : device_(std::move(device)),
      queue_(device_->make_queue()),
      trees_(trees),
      point_start_{0},
      edge_start_{0},
      triangle_start_{0} {
  std::vector<Index> corner, edge_point, own_point_start{0}, own_point, own_edge_start{0}, own_edge, owner;
  std::vector<unsigned char> movable, bare, self;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const SurfaceTopology& t = *surfaces[s].topology;
    const SurfaceTrees& own = *trees[s];
    const Index points = point_start_.back(), edges = edge_start_.back();
    for (const Triangle& v : t.triangles)
      for (const Index p : v) corner.push_back(points + p);
    for (const SurfaceTopology::Edge& e : t.edges)
      for (const Index p : e.point) edge_point.push_back(points + p);
    const Index points_owned = static_cast<Index>(own_point.size()),
                edges_owned = static_cast<Index>(own_edge.size());
    for (std::size_t f = 1; f <= t.triangles.size(); ++f) {
      own_point_start.push_back(points_owned + own.point_start[f]);
      own_edge_start.push_back(edges_owned + own.edge_start[f]);
    }
    append(own_point, own.own_point, points);
    append(own_edge, own.own_edge, edges);
    movable.insert(movable.end(), t.movable.begin(), t.movable.end());
    owner.insert(owner.end(), t.triangles.size(), static_cast<Index>(s));
    bare.insert(bare.end(), t.triangles.size(), surfaces[s].analytic);
    self.push_back(surfaces[s].self_contact);
    patches_ = patches_ || (surfaces[s].self_contact && !own.flat.inverse.empty());
    point_start_.push_back(points + static_cast<Index>(t.points.size()));
    edge_start_.push_back(edges + static_cast<Index>(t.edges.size()));
    triangle_start_.push_back(triangle_start_.back() + static_cast<Index>(t.triangles.size()));
  }
  queries_ = static_cast<std::size_t>(triangle_start_[body_surfaces]);
  DeviceQueue& queue = *queue_;
  corner_ = to_device(queue, corner, kWhat);
  edge_point_ = to_device(queue, edge_point, kWhat);
  own_point_start_ = to_device(queue, own_point_start, kWhat);
  own_point_ = to_device(queue, own_point, kWhat);
  own_edge_start_ = to_device(queue, own_edge_start, kWhat);
  own_edge_ = to_device(queue, own_edge, kWhat);
  owner_ = to_device(queue, owner, kWhat);
  movable_ = to_device(queue, movable, kWhat);
  bare_ = to_device(queue, bare, kWhat);
  self_ = to_device(queue, self, kWhat);

  const std::size_t points = movable.size(), edges = edge_point.size() / 2, triangles = owner.size();
  start_ = {*device_, points, kWhat};
  end_ = {*device_, points, kWhat};
  inflation_ = {*device_, points, kWhat};
  patch_ = {*device_, patches_ ? triangles : 0, kWhat};
  point_box_ = {*device_, points, kWhat};
  edge_box_ = {*device_, edges, kWhat};
  triangle_box_ = {*device_, triangles, kWhat};
  tree_ = DeviceBoxTree(queue, triangles);
  count_ = {*device_, queries_, kWhat};
  pair_begin_ = {*device_, queries_ + 1, kWhat};
  sum_ = {*device_, kSums, kWhat};
  host_start_ = {*device_, points};
  host_end_ = {*device_, points};
  host_inflation_ = {*device_, points};
  host_patch_ = {*device_, patch_.size()};
  host_sum_ = {*device_, kSums};
  make_room(8 * triangles + 64, 8 * triangles + 64);
}

DeviceBroadPhase::Place DeviceBroadPhase::place(const Starts& start, Index i) {
  const auto next = std::upper_bound(start.begin(), start.end(), i);
  return {static_cast<std::size_t>(next - start.begin()) - 1, i - *(next - 1)};
}

void DeviceBroadPhase::make_room(std::size_t pairs, std::size_t features) {
  DeviceQueue& queue = *queue_;
  if (pairs > pair_.size()) {  // pair_ last: its size says that the others have room
    feature_count_ = {*device_, pairs, kWhat};
    feature_begin_ = {*device_, pairs + 1, kWhat};
    scan_scratch_ = {*device_, std::max(queue.scan_scratch(queries_), queue.scan_scratch(pairs)), kWhat};
    const SumPlan plan({tree_.nodes(), queries_, pairs});
    chunk_ = to_device(queue, plan.chunk, kWhat);
    part_chunk_ = to_device(queue, plan.part_chunk, kWhat);
    sum_scratch_ = {*device_, plan.chunk.size(), kWhat};
    number_ = {*device_, tree_.nodes() + queries_ + pairs, kWhat};
    pair_ = {*device_, pairs, kWhat};
    queue.clear(pair_.view());  // whatever is read by mistake of a count is a pair
  }
  if (features > feature_.size()) {
    found_ = {*device_, features};
    feature_ = {*device_, features, kWhat};
  }
}

void DeviceBroadPhase::upload(const std::vector<SurfaceState>& states) {
  bool inflated = false;
  for (std::size_t s = 0; s < states.size(); ++s) {
    const std::size_t first = static_cast<std::size_t>(point_start_[s]), count = states[s].start.size();
    std::copy(states[s].start.begin(), states[s].start.end(), host_start_.data() + first);
    std::copy(states[s].end.begin(), states[s].end.end(), host_end_.data() + first);
    if (count == 0 || (builds_ > 0 && host_inflation_[first] == states[s].inflation)) continue;
    std::fill_n(host_inflation_.data() + first, count, states[s].inflation);
    inflated = true;
  }
  queue_->upload(start_.view(), host_start_.data());
  queue_->upload(end_.view(), host_end_.data());
  if (inflated) queue_->upload(inflation_.view(), host_inflation_.data());
}

void DeviceBroadPhase::upload_patches(const std::vector<SurfaceState>& states) {
  if (!patches_) return;
  std::fill_n(host_patch_.data(), host_patch_.size(), Index(-1));
  Index patch = 0;
  std::vector<Index> open;
  for (std::size_t s = 0; s < states.size(); ++s) {
    const std::vector<char>& apart = states[s].faces.apart;
    if (apart.empty()) continue;
    const TreeShape& shape = trees_[s]->faces;
    for (open.assign(1, 0); !open.empty();) {
      const Index n = open.back();
      const TreeShape::Node& node = shape.nodes()[n];
      open.pop_back();
      if (apart[n]) {
        for (Index k = node.first; k < node.first + node.count; ++k)
          host_patch_[static_cast<std::size_t>(triangle_start_[s] + shape.order()[k])] = patch;
        ++patch;
      } else if (node.left >= 0) {
        open.push_back(node.left);
        open.push_back(node.left + 1);
      }
    }
  }
  queue_->upload(patch_.view(), host_patch_.data());
}

void DeviceBroadPhase::look() {
  DeviceQueue& queue = *queue_;
  const FeatureView features{
      corner_.cview(),         edge_point_.cview(), own_point_start_.cview(), own_point_.cview(),
      own_edge_start_.cview(), own_edge_.cview(),   movable_.cview(),         bare_.cview()};
  const FeatureWays ways{start_.cview(),     end_.cview(),      inflation_.cview(),
                         point_box_.cview(), edge_box_.cview(), triangle_box_.cview()};
  const PairRule rule{true, owner_.cview(), self_.cview(), patch_.cview()};
  const View<const DeviceBox> query = triangle_box_.cview().part(0, queries_);
  const std::size_t nodes = tree_.nodes();
  queue.node_areas(tree_.view(), number_.view().part(0, nodes));
  queue.count_overlaps(tree_.view(), query, rule, count_.view(), number_.view().part(nodes, queries_));
  queue.scan(count_.cview(), pair_begin_.view(), scan_scratch_.view());
  queue.list_overlaps(tree_.view(), query, rule, pair_begin_.cview(), pair_.view());
  const View<const std::uint32_t> pairs = pair_begin_.cview().part(queries_, 1);
  queue.count_features(features, ways, pair_.cview(), pairs, feature_count_.view(),
                       number_.view().part(nodes + queries_, pair_.size()));
  queue.scan(feature_count_.cview(), feature_begin_.view(), scan_scratch_.view());
  queue.list_features(features, ways, pair_.cview(), pairs, feature_begin_.cview(), feature_.view());
  queue.sum_parts({chunk_.cview(), part_chunk_.cview()}, number_.cview(), sum_.view(), sum_scratch_.view());
  queue.download(host_sum_.data(), sum_.cview());
  queue.synchronize();
}

std::span<const FeaturePair> DeviceBroadPhase::find(const std::vector<SurfaceState>& states) {
  if (queries_ == 0) return {};
  DeviceQueue& queue = *queue_;
  upload(states);
  upload_patches(states);
  queue.way_boxes(start_.cview(), end_.cview(), inflation_.cview(), point_box_.view());
  queue.join_boxes(point_box_.cview(), edge_point_.cview(), 2, edge_box_.view());
  queue.join_boxes(point_box_.cview(), corner_.cview(), 3, triangle_box_.view());
  const bool fresh = !built_;
  if (fresh) {
    tree_.build(queue, triangle_box_.cview());
    ++builds_;
  }
  built_ = true;
  tree_.refit(queue, triangle_box_.cview());
  for (look();; look()) {
    // Lists that were too short: once more with room. Features were not counted where pairs had none.
    require_room(host_sum_[kPairs], "triangles");
    require_room(host_sum_[kFeatures], "features");
    const auto with_reserve = [](double n) { return static_cast<std::size_t>(1.25 * n) + 64; };
    if (host_sum_[kPairs] > static_cast<double>(pair_.size()))
      make_room(with_reserve(host_sum_[kPairs]), 0);
    else if (host_sum_[kFeatures] > static_cast<double>(feature_.size()))
      make_room(0, with_reserve(host_sum_[kFeatures]));
    else
      break;
  }
  least_area_ = fresh ? host_sum_[kArea] : std::min(least_area_, host_sum_[kArea]);
  built_ = !(host_sum_[kArea] > kWorn * least_area_);
  const std::size_t count = static_cast<std::size_t>(host_sum_[kFeatures]);
  queue.download(found_.data(), feature_.cview().part(0, count));
  queue.synchronize();
  return {found_.data(), count};
}

}  // namespace sinew
