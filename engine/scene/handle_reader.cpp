#include "engine/scene/handle_reader.hpp"

#include "engine/scene/scene_reader.hpp"

namespace sinew {

namespace {

class HandleReader {
 public:
  HandleReader(const SceneSource& source, const KnownBody& known_body)
      : source_(source), known_body_(known_body) {}

  GrabSpec grab(const JsonNode& node, const std::string& path) const {
    GrabSpec spec;
    spec.point = body_point(*node.find("point"), join_path(path, "point"));
    if (const JsonNode* target = node.find("target"))
      spec.target = read_force(*target, join_path(path, "target"), source_);
    read(node, "compliance", spec.compliance);
    return spec;
  }

  HoldSpec hold(const JsonNode& node, const std::string& path) const {
    HoldSpec spec;
    spec.body = known_body_(node, "body", path);
    spec.region = region(node, path);
    spec.motion = motion(node, path);
    read(node, "origin", spec.origin);
    read(node, "compliance", spec.compliance);
    return spec;
  }

  WeldSpec weld(const JsonNode& node, const std::string& path) const {
    WeldSpec spec;
    spec.body_a = known_body_(node, "body_a", path);
    spec.region = region(node, path);
    spec.body_b = known_body_(node, "body_b", path);
    read(node, "compliance", spec.compliance);
    return spec;
  }

  AttachmentSpec attachment(const JsonNode& node, const std::string& path) const {
    AttachmentSpec spec;
    spec.body = known_body_(node, "body", path);
    spec.region = region(node, path);
    spec.frame = read_obstacle_pose(node, path, source_);
    spec.motion = motion(node, path);
    read(node, "compliance", spec.compliance);
    return spec;
  }

  CableSpec cable(const JsonNode& node, const std::string& path) const {
    CableSpec spec;
    const JsonNode& points = *node.find("points");
    for (std::size_t i = 0; i < points.items.size(); ++i) {
      const JsonNode& item = points.items[i];
      const std::string item_path = join_path(path, "points") + "." + std::to_string(i);
      const JsonNode* fixed = item.find("fixed");
      if (fixed && item.find("body"))
        source_.fail(place_of(*fixed, join_path(item_path, "fixed")),
                     "does not go together with 'body'; keep one of them");
      if (fixed)
        spec.points.emplace_back(to_vec3(*fixed));
      else
        spec.points.emplace_back(body_point(item, item_path));
    }
    if (const JsonNode* length = node.find("length"))
      spec.length = number_path(*length, join_path(path, "length"));
    if (const JsonNode* tension = node.find("tension"))
      spec.tension = number_path(*tension, join_path(path, "tension"));
    read(node, "two_sided", spec.two_sided);
    read(node, "compliance", spec.compliance);
    return spec;
  }

 private:
  BodyPoint body_point(const JsonNode& node, const std::string& path) const {
    BodyPoint point;
    if (!node.find("body"))
      source_.fail(place_of(node, path), "the key 'body' is missing; add the name of a body");
    point.body = known_body_(node, "body", path);
    if (const JsonNode* number = node.find("surface_point"))
      point.surface_point = static_cast<Index>(number->number);
    if (const JsonNode* triangle = node.find("triangle")) {
      point.triangle = static_cast<Index>(triangle->number);
      point.barycentric = {1.0, 0.0, 0.0};
      read(node, "barycentric", point.barycentric);
    }
    read(node, "nearest_to", point.nearest_to);
    return point;
  }

  Region region(const JsonNode& node, const std::string& path) const {
    return read_region(*node.find("region"), join_path(path, "region"), source_);
  }
  Motion motion(const JsonNode& node, const std::string& path) const {
    const JsonNode* value = node.find("motion");
    return value ? read_motion(*value, join_path(path, "motion"), source_) : Motion{};
  }

  ScalarPath number_path(const JsonNode& node, const std::string& path) const {
    if (node.kind == JsonNode::Kind::number) return {{0.0}, {node.number}};
    ScalarPath result;
    const JsonNode& keyframes = *node.find("keyframes");
    for (std::size_t i = 0; i < keyframes.items.size(); ++i) {
      const JsonNode& item = keyframes.items[i];
      const JsonNode& time = *item.find("time");
      if (i > 0 && !(time.number > result.times.back()))
        source_.fail(place_of(time, path + ".keyframes." + std::to_string(i) + ".time"),
                     "is not above the time of the keyframe before; order the keyframes by time");
      result.times.push_back(time.number);
      result.values.push_back(item.find("value")->number);
    }
    return result;
  }

  const SceneSource& source_;
  const KnownBody& known_body_;
};

}  // namespace

HandleDescription read_handle(const JsonNode& node, const std::string& path, const SceneSource& source,
                              const KnownBody& known_body) {
  const HandleReader reader(source, known_body);
  HandleDescription result;
  result.place = place_of(node, path);
  const auto keep = [&](auto spec) {
    spec.name = node.find("name")->text;
    result.spec = std::move(spec);
  };
  const char* const kinds[] = {"grab", "hold", "weld", "attachment", "cable"};
  for (const char* kind : kinds) {
    const JsonNode* value = node.find(kind);
    if (!value) continue;
    const std::string kind_path = join_path(path, kind);
    if (kind == kinds[0]) keep(reader.grab(*value, kind_path));
    if (kind == kinds[1]) keep(reader.hold(*value, kind_path));
    if (kind == kinds[2]) keep(reader.weld(*value, kind_path));
    if (kind == kinds[3]) keep(reader.attachment(*value, kind_path));
    if (kind == kinds[4]) keep(reader.cable(*value, kind_path));
    if (const JsonNode* region = value->find("region")) {
      result.region_place = place_of(*region, join_path(kind_path, "region"));
      result.region_body = value->find(kind == kinds[2] ? "body_a" : "body")->text;
    }
  }
  return result;
}

}  // namespace sinew
