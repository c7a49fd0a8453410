// Names of friction pairs to indices.
#include <limits>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/model/model_checks.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A body or an obstacle; the other index is -1.
struct Part {
  Index body = -1, obstacle = -1;
};

Part find_part(const std::string& name, const ModelData& data, const std::string& what) {
  Part part;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < data.bodies.size(); ++i) {
    names.push_back(data.bodies[i].spec.name);
    if (names.back() == name) part.body = static_cast<Index>(i);
  }
  for (std::size_t i = 0; i < data.obstacles.size(); ++i) {
    names.push_back(data.obstacles[i].name);
    if (names.back() == name) part.obstacle = static_cast<Index>(i);
  }
  if (part.body < 0 && part.obstacle < 0)
    throw ModelError(what + ": no body or obstacle is named '" + name + "'" + suggestion(name, names));
  if (part.body >= 0 && part.obstacle >= 0)
    throw ModelError(what + ": '" + name + "' is both a body and an obstacle; rename one of them");
  return part;
}

bool same(const FrictionTable::Pair& p, const FrictionTable::Pair& q) {
  if (p.obstacle != q.obstacle) return false;
  if (p.body == q.body && p.other_body == q.other_body) return true;
  return p.other_body >= 0 && p.body == q.other_body && p.other_body == q.body;
}

}  // namespace

FrictionTable::Pair resolve_friction_pair(const FrictionPair& pair, const ModelData& data,
                                          const std::string& what) {
  check_range(what, "friction", pair.friction, 0.0, kInfinity, "");
  Part a = find_part(pair.a, data, what), b = find_part(pair.b, data, what);
  if (pair.a == pair.b)
    throw ModelError(what + ": both are the same; for contact with itself set the friction of '" + pair.a +
                     "'");
  if (a.body < 0) std::swap(a, b);
  if (a.body < 0) throw ModelError(what + ": both are obstacles, which never touch; name a body");
  const FrictionTable::Pair found{a.body, b.body, b.obstacle, pair.friction};
  for (const FrictionTable::Pair& earlier : data.friction_pairs)
    if (same(earlier, found)) throw ModelError(what + ": given twice; keep one of them");
  return found;
}

}  // namespace sinew
