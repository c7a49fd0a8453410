#include "engine/collision/join_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sinew {

namespace {

auto order(const FoundContact& f) {
  return std::tuple(f.contact.key, !f.hit, f.time,
                    dot(f.contact.frame.n, f.contact.start - f.contact.plane_point));
}

bool same_pair(const ContactKey& a, const ContactKey& b) {
  return std::tuple(a.body, a.feature, a.feature_a, a.other_body, a.obstacle) ==
         std::tuple(b.body, b.feature, b.feature_a, b.other_body, b.obstacle);
}

/// A hit at h makes k superfluous: both hold the point off the same plane.
bool covers(const FoundContact& h, const FoundContact& k) {
  if (!h.hit || (k.hit && k.time < h.time)) return false;
  const Contact &a = h.contact, &b = k.contact;
  if (dot(a.frame.n, b.frame.n) < 0.999) return false;
  // Height of one plane's point over the other at the start.
  const auto height = [&](const Contact& c) {
    return dot(a.frame.n, c.key.other_body >= 0 ? -c.start : c.plane_point - c.obstacle_displacement);
  };
  const double apart = norm(a.key.other_body >= 0 ? a.start - b.start : a.plane_point - b.plane_point);
  const double thickness = a.key.other_body >= 0 ? norm(a.plane_point) : 0.0;
  return std::abs(height(a) - height(b)) <= 0.05 * thickness + 1e-3 * apart;
}

}  // namespace

void join_contacts(std::vector<FoundContact>& found, std::vector<Contact>& contacts) {
  std::vector<std::size_t> place(found.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::stable_sort(place.begin(), place.end(),
                   [&](std::size_t a, std::size_t b) { return order(found[a]) < order(found[b]); });
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

}  // namespace sinew
