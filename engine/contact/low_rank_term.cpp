#include "engine/contact/low_rank_term.hpp"

#include <algorithm>

namespace sinew {

void LowRankTerm::clear() {
  begin_.assign(1, 0);
  middle_begin_.assign(1, 0);
  middle_.clear();
  row_.assign(1, 0);
  segment_.clear();
  vector_.clear();
}

void LowRankTerm::add_block(std::size_t width, std::span<const double> middle) {
  begin_.push_back(rank() + width);
  middle_.insert(middle_.end(), middle.begin(), middle.end());
  middle_begin_.push_back(middle_.size());
}

void LowRankTerm::add_point() {
  row_.push_back(segment_.size());
}

Vec3d* LowRankTerm::columns(std::size_t block) {
  for (std::size_t s = row_[points() - 1]; s < row_.back(); ++s)
    if (segment_[s].block == block) return vector_.data() + segment_[s].first;
  segment_.push_back({block, vector_.size()});
  row_.back() = segment_.size();
  vector_.resize(vector_.size() + width(block));
  return vector_.data() + segment_.back().first;
}

void LowRankTerm::add_to(std::size_t point, const Vec3d& d, std::vector<double>& z) const {
  for (const Segment& s : row(point))
    for (std::size_t k = 0; k < width(s.block); ++k) z[begin(s.block) + k] += dot(vector_[s.first + k], d);
}

Vec3d LowRankTerm::at(std::size_t point, const std::vector<double>& z) const {
  Vec3d sum{};
  for (const Segment& s : row(point))
    for (std::size_t k = 0; k < width(s.block); ++k) sum += z[begin(s.block) + k] * vector_[s.first + k];
  return sum;
}

void LowRankTerm::multiply_middle(const std::vector<double>& z, std::vector<double>& out) const {
  out.assign(rank(), 0.0);
  for (std::size_t b = 0; b < blocks(); ++b)
    for (std::size_t k = 0; k < width(b); ++k)
      for (std::size_t l = 0; l < width(b); ++l)
        out[begin(b) + k] += middle(b)[k * width(b) + l] * z[begin(b) + l];
}

void LowRankTerm::set_points(const LowRankTerm& from, std::span<const std::size_t> points) {
  begin_ = from.begin_;
  middle_begin_ = from.middle_begin_;
  middle_ = from.middle_;
  row_.assign(1, 0);
  segment_.clear();
  vector_.clear();
  if (rank() == 0) return;
  for (const std::size_t c : points) {
    add_point();
    for (const Segment& s : from.row(c))
      std::copy_n(from.vector_.begin() + s.first, width(s.block), columns(s.block));
  }
}

void LowRankTerm::set_dense(std::size_t rank, const std::vector<Vec3d>& q,
                            const std::vector<double>& middle) {
  clear();
  if (rank == 0) return;
  for (std::size_t from = 0, to = 0; from < rank; from = to) {
    to = from + 1;
    for (std::size_t k = from; k < to; ++k)
      for (std::size_t l = to; l < rank; ++l)
        if (middle[k * rank + l] != 0.0 || middle[l * rank + k] != 0.0) to = l + 1;
    std::vector<double> part;
    for (std::size_t k = from; k < to; ++k)
      part.insert(part.end(), middle.begin() + k * rank + from, middle.begin() + k * rank + to);
    add_block(to - from, part);
  }
  for (std::size_t c = 0; c < q.size() / rank; ++c) {
    add_point();
    for (std::size_t b = 0; b < blocks(); ++b) {
      const Vec3d* from = q.data() + c * rank + begin(b);
      if (std::any_of(from, from + width(b), [](const Vec3d& v) { return !(v == Vec3d{}); }))
        std::copy_n(from, width(b), columns(b));
    }
  }
}

std::vector<Vec3d> LowRankTerm::dense() const {
  std::vector<Vec3d> q(points() * rank());
  for (std::size_t c = 0; c < points(); ++c)
    for (const Segment& s : row(c))
      std::copy_n(vector_.begin() + s.first, width(s.block), q.begin() + c * rank() + begin(s.block));
  return q;
}

std::vector<double> LowRankTerm::dense_middle() const {
  std::vector<double> m(rank() * rank());
  for (std::size_t b = 0; b < blocks(); ++b)
    for (std::size_t k = 0; k < width(b); ++k)
      std::copy_n(middle(b) + k * width(b), width(b), m.begin() + (begin(b) + k) * rank() + begin(b));
  return m;
}

}  // namespace sinew
