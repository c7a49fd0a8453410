#include "engine/collision/join_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sinew {

namespace {

auto order(const FoundContact& f) {
  return std::tuple(f.contact.key, !f.hit, f.time,
                    dot(f.contact.frame.n, f.contact.start - f.contact.plane_point));
}

/// Between equals in order(), so that it does not matter who was found first: on the edge of two triangles
/// both may see it, each with its own rounding.
bool comes_first(const FoundContact& first, const FoundContact& second) {
  const Contact &a = first.contact, &b = second.contact;
  const auto numbers = [](const Contact& c) {
    const Vec3d &n = c.frame.n, &p = c.plane_point, &x = c.start, &d = c.obstacle_displacement;
    return std::array{n.x, n.y, n.z, p.x, p.y, p.z, x.x, x.y, x.z, d.x, d.y, d.z};
  };
  if (const auto of_a = numbers(a), of_b = numbers(b); of_a != of_b) return of_a < of_b;
  if (a.count != b.count) return a.count < b.count;
  for (Index k = 0; k < a.count; ++k) {
    const ContactTerm &s = a.term[k], &t = b.term[k];
    if (std::tuple(s.body, s.node, s.weight) != std::tuple(t.body, t.node, t.weight))
      return std::tuple(s.body, s.node, s.weight) < std::tuple(t.body, t.node, t.weight);
  }
  return first.at_end < second.at_end;
}

bool same_pair(const ContactKey& a, const ContactKey& b) {
  return std::tuple(a.body, a.feature, a.feature_a, a.other_body, a.obstacle) ==
         std::tuple(b.body, b.feature, b.feature_a, b.other_body, b.obstacle);
}

/// Both hold the same point off the same plane.
bool same_plane(const Contact& a, const Contact& b, double& apart) {
  if (dot(a.frame.n, b.frame.n) < 0.999) return false;
  const bool body = a.key.other_body >= 0;
  // Place on side b at the start, up to what both have in common.
  const auto place = [&](const Contact& c) {
    return body ? -c.start : c.plane_point - c.obstacle_displacement;
  };
  const Vec3d between = place(a) - place(b);
  apart = norm(between);
  const double thickness = body ? norm(a.plane_point) : 0.0;
  return std::abs(dot(a.frame.n, between)) <= 0.05 * thickness + 1e-3 * apart;
}

/// k is superfluous beside h: a hit on the same plane, or the same place up to rounding (on the edge of two
/// triangles one of them sees its face, the other the edge), or where a point arrives on the plane it left.
bool covers(const FoundContact& h, const FoundContact& k) {
  double apart = 0.0;
  if (!same_plane(h.contact, k.contact, apart)) return false;
  if (h.hit) return !k.hit || h.time <= k.time;
  const double near = norm(h.contact.start - h.contact.plane_point) + norm(h.contact.plane_point);
  return !k.hit && (apart <= 1e-5 * near || (!h.at_end && k.at_end));
}

}  // namespace

void join_contacts(std::vector<FoundContact>& found, Equals equals, std::vector<Contact>& contacts) {
  std::vector<std::size_t> place(found.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::stable_sort(place.begin(), place.end(), [&](std::size_t a, std::size_t b) {
    const auto of_a = order(found[a]), of_b = order(found[b]);
    if (of_a != of_b || equals == Equals::first_found) return of_a < of_b;
    return comes_first(found[a], found[b]);
  });
  place.erase(
      std::unique(place.begin(), place.end(),
                  [&](std::size_t a, std::size_t b) { return found[a].contact.key == found[b].contact.key; }),
      place.end());
  std::vector<char> superfluous(place.size(), 0);
  for (std::size_t i = 0; i < place.size();) {
    std::size_t j = i + 1;
    while (j < place.size() && same_pair(found[place[i]].contact.key, found[place[j]].contact.key)) ++j;
    if (found[place[i]].contact.key.feature == ContactFeature::point_triangle)
      for (std::size_t h = i; h < j; ++h)
        for (std::size_t k = i; k < j; ++k)
          if (h != k && !superfluous[h] && !superfluous[k] && covers(found[place[h]], found[place[k]]))
            superfluous[k] = 1;
    i = j;
  }
  for (std::size_t i = 0; i < place.size(); ++i)
    if (!superfluous[i]) contacts.push_back(found[place[i]].contact);
}

void drop_known(const std::vector<Contact>& contacts, std::vector<FoundContact>& found) {
  if (found.empty()) return;
  std::vector<ContactKey> known;
  for (const Contact& c : contacts) known.push_back(c.key);
  std::sort(known.begin(), known.end());
  std::erase_if(found, [&](const FoundContact& f) {
    return std::binary_search(known.begin(), known.end(), f.contact.key);
  });
}

void drop_covered(std::vector<FoundContact>& found, const std::vector<Contact>& known,
                  const std::vector<const Vec3d*>& position) {
  std::vector<const Contact*> sorted;
  for (const Contact& c : known)
    if (c.key.feature == ContactFeature::point_triangle) sorted.push_back(&c);
  std::sort(sorted.begin(), sorted.end(), [](const Contact* a, const Contact* b) { return a->key < b->key; });
  std::erase_if(found, [&](const FoundContact& f) {
    if (f.contact.key.feature != ContactFeature::point_triangle) return false;
    ContactKey first = f.contact.key;
    first.feature_b = 0;
    auto c =
        std::lower_bound(sorted.begin(), sorted.end(), first,
                         [](const Contact* contact, const ContactKey& key) { return contact->key < key; });
    for (; c != sorted.end() && same_pair((*c)->key, f.contact.key); ++c) {
      double apart = 0.0;
      if (!same_plane(**c, f.contact, apart)) continue;
      const Vec3d x = weighted_point(**c, (*c)->count, [&](Index body) { return position[body]; });
      if (dot((*c)->frame.n, (*c)->displacement(x)) < 0.0) return true;
    }
    return false;
  });
}

}  // namespace sinew
