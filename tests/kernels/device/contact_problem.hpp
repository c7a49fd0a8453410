// Contact problems of random numbers on the host and on a device, and plain loops over the host's.
#pragma once

#include "tests/kernels/device/random_arrays.hpp"
#include "tests/support/devices.hpp"

namespace sinew::test {

/// What a problem holds. dense: with G, {points, points}; without it the compliances of scalar rows are
/// random numbers.
struct ContactSize {
  std::size_t points = 0, scalars = 0, rank = 0;
  bool dense = true;
};

/// Contacts, held points and points without a law; some without compliance. Scalar rows of 0 to 3 entries,
/// one of 100. The term of low rank has two blocks of M: the first at every point, the second at every third.
struct HostContacts {
  std::size_t points;
  double squared_step = 0.25;
  std::vector<double> gram;
  std::vector<std::size_t> row;
  std::vector<LowRankSegment> segment;
  std::vector<LowRankUse> use;
  std::vector<LowRankColumn> column;
  std::vector<Vec3d> q, projected;
  std::vector<double> middle;
  std::vector<PointLaw> law;
  std::vector<ContactFrame<double>> frame;
  std::vector<double> friction, held_compliance;
  std::vector<DeviceScalarRow> scalar;
  std::vector<DeviceScalarEntry> entry;
  std::vector<std::size_t> use_start;
  std::vector<DeviceScalarUse> scalar_use;
  std::vector<double> own_gram, own;

  explicit HostContacts(const ContactSize& size) : points(size.points) {
    Random random(size.points + 31 * size.scalars + 7 * size.rank);
    for (std::size_t c = 0; c < points; ++c) {
      law.push_back(c % 7 == 3 ? PointLaw::held : (c % 7 == 5 ? PointLaw::none : PointLaw::contact));
      frame.push_back(make_contact_frame(normalized(random.vector() + Vec3d{0.0, 0.0, 2.0})));
      friction.push_back(c % 13 == 12 ? 0.0 : random.uniform(0.1, 1.0));
      held_compliance.push_back(c % 2 == 0 ? 0.0 : random.uniform(0.1, 1.0));
    }
    if (size.dense) make_gram(random);
    if (size.rank > 0) make_low_rank(size.rank, random);
    make_scalars(size.scalars, random);
    if (size.dense)
      find_own();
    else
      own_gram = random_numbers(size.scalars, 41, 0.5, 2.0), own = random_numbers(size.scalars, 42, 0.5, 2.0);
  }

  std::size_t unknowns() const { return points + scalar.size(); }
  double compliance(std::size_t c) const { return squared_step * gram[c * points + c]; }
  Vec3d local(std::size_t c, const Vec3d& v) const {
    if (law[c] != PointLaw::contact) return v;
    return {dot(frame[c].n, v), dot(frame[c].t1, v), dot(frame[c].t2, v)};
  }
  Vec3d world(std::size_t c, const Vec3d& v) const {
    if (law[c] != PointLaw::contact) return v;
    return v.x * frame[c].n + v.y * frame[c].t1 + v.z * frame[c].t2;
  }
  double value(std::size_t s, const std::vector<Vec3d>& u) const {
    long double sum = 0;
    for (std::size_t k = scalar[s].first; k < scalar[s].end; ++k)
      sum += dot(entry[k].direction, u[entry[k].point]);
    return static_cast<double>(sum);
  }
  /// Forces of unknowns on points: row by row.
  std::vector<Vec3d> forces(const std::vector<Vec3d>& x) const {
    std::vector<Vec3d> f(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(points));
    for (std::size_t s = 0; s < scalar.size(); ++s)
      for (std::size_t k = scalar[s].first; k < scalar[s].end; ++k)
        f[entry[k].point] += x[points + s].x * entry[k].direction;
    return f;
  }
  Vec3d low_rank_at(std::size_t c, const std::vector<double>& z) const {
    Vec3d sum{};
    if (column.empty()) return sum;
    for (std::size_t s = row[c]; s < row[c + 1]; ++s)
      for (std::size_t k = 0; k < segment[s].width; ++k)
        sum += z[segment[s].z + k] * projected[segment[s].vector + k];
    return sum;
  }
  void add_to_sums(std::size_t c, const Vec3d& f, std::vector<double>& z) const {
    if (column.empty()) return;
    for (std::size_t s = row[c]; s < row[c + 1]; ++s)
      for (std::size_t k = 0; k < segment[s].width; ++k)
        z[segment[s].z + k] += dot(q[segment[s].vector + k], f);
  }
  /// h^2 Q M Q^T between two points, {3, 3}.
  Mat3d low_rank_between(std::size_t a, std::size_t b) const {
    Mat3d m{};
    if (column.empty()) return m;
    for (std::size_t s = row[a]; s < row[a + 1]; ++s)
      for (std::size_t o = row[b]; o < row[b + 1]; ++o)
        for (std::size_t k = 0; k < segment[s].width && segment[s].z == segment[o].z; ++k)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              m(i, j) += projected[segment[s].vector + k][i] * q[segment[o].vector + k][j];
    return m;
  }

 private:
  void make_gram(Random& random) {
    gram.resize(points * points);
    for (std::size_t a = 0; a < points; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        gram[a * points + b] = gram[b * points + a] = random.uniform() / static_cast<double>(points);
    for (std::size_t c = 0; c < points; ++c) gram[c * points + c] = c % 11 == 10 ? 0.0 : random.uniform(2, 3);
  }
  void make_low_rank(std::size_t rank, Random& random) {
    const std::size_t width[2] = {rank, rank / 2 + 1};
    std::vector<LowRankUse> second;
    row.push_back(0);
    std::size_t vectors = 0;
    for (std::size_t c = 0; c < points; ++c) {
      segment.push_back({0, vectors, width[0], 0});
      use.push_back({c, vectors});
      vectors += width[0];
      if (c % 3 == 1) {
        segment.push_back({width[0], vectors, width[1], width[0] * width[0]});
        second.push_back({c, vectors});
        vectors += width[1];
      }
      row.push_back(segment.size());
    }
    for (std::size_t k = 0; k < width[0]; ++k) column.push_back({0, points, k});
    use.insert(use.end(), second.begin(), second.end());
    for (std::size_t k = 0; k < width[1]; ++k) column.push_back({points, use.size(), k});
    for (const std::size_t w : width)
      for (std::size_t k = 0; k < w; ++k)
        for (std::size_t l = 0; l < w; ++l)
          middle.push_back((k == l ? 1.0 : 0.1) / static_cast<double>((points + 1) * w));
    q.resize(vectors);
    projected.resize(vectors);
    for (Vec3d& v : q) v = random.vector();
    for (const LowRankSegment& s : segment)
      for (std::size_t l = 0; l < s.width; ++l)
        for (std::size_t k = 0; k < s.width; ++k)
          projected[s.vector + l] += (squared_step * middle[s.middle + k * s.width + l]) * q[s.vector + k];
  }
  void make_scalars(std::size_t rows, Random& random) {
    std::vector<std::vector<DeviceScalarUse>> by_point(points);
    for (std::size_t s = 0; s < rows; ++s) {
      DeviceScalarRow r{entry.size(), 0, random.uniform(), s % 3 == 0 ? 0.2 : 0.0, s % 2 == 1};
      for (std::size_t k = points == 0 ? 0 : (s == 1 ? 100 : s % 4); k > 0; --k) {
        entry.push_back({static_cast<std::size_t>(random.uniform(0.0, static_cast<double>(points) - 1e-6)),
                         random.vector()});
        by_point[entry.back().point].push_back({s, entry.back().direction});
      }
      r.end = entry.size();
      scalar.push_back(r);
    }
    if (rows == 0) return;
    use_start.push_back(0);
    for (const std::vector<DeviceScalarUse>& uses : by_point) {
      scalar_use.insert(scalar_use.end(), uses.begin(), uses.end());
      use_start.push_back(scalar_use.size());
    }
  }
  void find_own() {
    for (const DeviceScalarRow& r : scalar) {
      long double of_gram = 0, rest = 0;
      for (std::size_t a = r.first; a < r.end; ++a)
        for (std::size_t b = r.first; b < r.end; ++b) {
          of_gram += squared_step * gram[entry[a].point * points + entry[b].point] *
                     dot(entry[a].direction, entry[b].direction);
          rest +=
              dot(entry[a].direction, low_rank_between(entry[a].point, entry[b].point) * entry[b].direction);
        }
      own_gram.push_back(static_cast<double>(of_gram));
      own.push_back(static_cast<double>(of_gram + rest));
    }
  }
};

/// The same on a device.
class DeviceContacts {
 public:
  DeviceContacts(DeviceQueue& queue, const HostContacts& host)
      : host_(host),
        gram_(to_device(queue, host.gram, "test")),
        row_(to_device(queue, host.row, "test")),
        segment_(to_device(queue, host.segment, "test")),
        use_(to_device(queue, host.use, "test")),
        column_(to_device(queue, host.column, "test")),
        q_(to_device(queue, host.q, "test")),
        projected_(to_device(queue, host.projected, "test")),
        middle_(to_device(queue, host.middle, "test")),
        law_(to_device(queue, host.law, "test")),
        frame_(to_device(queue, host.frame, "test")),
        friction_(to_device(queue, host.friction, "test")),
        held_compliance_(to_device(queue, host.held_compliance, "test")),
        scalar_(to_device(queue, host.scalar, "test")),
        entry_(to_device(queue, host.entry, "test")),
        use_start_(to_device(queue, host.use_start, "test")),
        scalar_use_(to_device(queue, host.scalar_use, "test")),
        own_gram_(to_device(queue, host.own_gram, "test")),
        own_(to_device(queue, host.own, "test")) {}

  ContactView view() {
    return {host_.squared_step,
            {host_.points, gram_.cview()},
            {row_.cview(), segment_.cview(), use_.cview(), column_.cview(), q_.cview(), middle_.cview(),
             projected_.cview()},
            law_.cview(),
            frame_.cview(),
            friction_.cview(),
            held_compliance_.cview(),
            scalar_.cview(),
            entry_.cview(),
            use_start_.cview(),
            scalar_use_.cview(),
            own_gram_.view(),
            own_.view()};
  }
  void check_unchanged(DeviceQueue& queue) const {
    CHECK(same_bits(download(queue, gram_), host_.gram));
    CHECK(same_bits(download(queue, q_), host_.q));
    CHECK(same_bits(download(queue, projected_), host_.projected));
    CHECK(same_bits(download(queue, law_), host_.law));
    CHECK(same_bits(download(queue, frame_), host_.frame));
    CHECK(same_bits(download(queue, friction_), host_.friction));
    CHECK(same_bits(download(queue, held_compliance_), host_.held_compliance));
    CHECK(same_bits(download(queue, own_gram_), host_.own_gram));
    CHECK(same_bits(download(queue, own_), host_.own));
  }

 private:
  const HostContacts& host_;
  DeviceBuffer<double> gram_;
  DeviceBuffer<std::size_t> row_;
  DeviceBuffer<LowRankSegment> segment_;
  DeviceBuffer<LowRankUse> use_;
  DeviceBuffer<LowRankColumn> column_;
  DeviceBuffer<Vec3d> q_, projected_;
  DeviceBuffer<double> middle_;
  DeviceBuffer<PointLaw> law_;
  DeviceBuffer<ContactFrame<double>> frame_;
  DeviceBuffer<double> friction_, held_compliance_;
  DeviceBuffer<DeviceScalarRow> scalar_;
  DeviceBuffer<DeviceScalarEntry> entry_;
  DeviceBuffer<std::size_t> use_start_;
  DeviceBuffer<DeviceScalarUse> scalar_use_;
  DeviceBuffer<double> own_gram_, own_;
};

}  // namespace sinew::test
