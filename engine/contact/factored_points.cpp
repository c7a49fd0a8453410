#include "engine/contact/factored_points.hpp"

#include <algorithm>

#include "engine/common/content_hash.hpp"
#include "engine/contact/contact_operator.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kMany = 512;        // points from which the factor is a sparse one
constexpr std::size_t kShortestTail = 8;  // points that join without a new factor, and a sixteenth more

std::uint64_t fingerprint(const std::vector<double>& a) {
  constexpr std::size_t kChunk = 1 << 16;
  std::vector<std::uint64_t> part((a.size() + kChunk - 1) / kChunk);
  for_each(part.size(), 1, [&](std::size_t k) {
    const std::size_t first = k * kChunk, count = std::min(kChunk, a.size() - first);
    part[k] = StreamHash().add(a.data() + first, count * sizeof(double)).value();
  });
  return StreamHash(a.size()).add(part.data(), part.size() * sizeof(std::uint64_t)).value();
}

}  // namespace

void FactoredPoints::recall(const ContactProblem& problem) {
  if (problem.matrix_free) {
    *this = {};
    return;
  }
  if (whole_) {
    if (point_.size() != problem.size() || print_ != fingerprint(problem.gram)) *this = {};
    return;
  }
  bool fits = true;
  for (const std::size_t c : point_) fits = fits && c < problem.size();
  if (fits) {
    std::vector<double> now;
    copy_gram(problem, now);
    fits = now == gram_;
  }
  if (!fits) *this = {};
}

bool FactoredPoints::collect(const ContactProblem& problem, const std::vector<std::size_t>& index,
                             bool exactly) {
  const std::size_t count = problem.size();
  if (problem.matrix_free) {  // all points, each scaled by its own compliance
    point_.resize(count);
    for (std::size_t c = 0; c < count; ++c) point_[c] = c;
    return false;
  }
  if (exactly && point_ == index) return false;
  std::vector<char> known(count, 0);
  for (const std::size_t c : point_) known[c] = 1;
  std::vector<std::size_t> added;
  for (const std::size_t c : index)
    if (!known[c]) added.push_back(c);
  const std::size_t tail = point_.size() + added.size() - factored_;
  if (!exactly && tail <= kShortestTail + factored_ / 16 && 2 * index.size() >= point_.size()) {
    if (added.empty()) return false;
    point_.insert(point_.end(), added.begin(), added.end());
    whole_ = false;
    copy_gram(problem, gram_);
    return true;
  }
  point_ = index;
  if (!exactly && 4 * index.size() > 3 * count) {
    known.assign(count, 0);
    for (const std::size_t c : index) known[c] = 1;
    for (std::size_t c = 0; c < count; ++c)
      if (!known[c]) point_.push_back(c);
    std::sort(point_.begin(), point_.end());
  }
  factor(problem);
  return true;
}

void FactoredPoints::factor(const ContactProblem& problem) {
  const std::size_t m = point_.size();
  factored_ = m;
  whole_ = m == problem.size() && m > kMany && problem.held_compliance.empty();
  many_ = m > kMany;
  if (whole_) {
    gram_ = {};
    print_ = fingerprint(problem.gram);
    sparse_.factor(problem.gram, m);
    return;
  }
  copy_gram(problem, gram_);
  std::vector<double> a = gram_;
  for (std::size_t i = 0; i < m; ++i)
    if (problem.law_of(point_[i]) == PointLaw::held) a[i * m + i] += problem.held_compliance_of(point_[i]);
  if (many_)  // a handful of steps more than with the dense factor, which costs n^3 / 3
    sparse_.factor(a, m);
  else
    dense_.factor(std::move(a), m);
}

void FactoredPoints::copy_gram(const ContactProblem& problem, std::vector<double>& gram) const {
  const std::size_t m = point_.size();
  gram.resize(m * m);
  for_each(m, 32, [&](std::size_t i) {
    const double* row = problem.gram.data() + point_[i] * problem.size();
    for (std::size_t j = 0; j < m; ++j) gram[i * m + j] = problem.squared_step * row[point_[j]];
  });
}

void FactoredPoints::solve(const ContactProblem& problem, SplitVectors& x) const {
  for (std::size_t i = factored_; i < point_.size(); ++i)
    x.set(i, (1.0 / problem.compliance(point_[i])) * x.at(i));
  if (many_)
    sparse_.solve(x);
  else
    dense_.solve(x);
  if (!whole_) return;  // else the factor is that of G itself
  for (std::size_t i = 0; i < point_.size(); ++i) x.set(i, (1.0 / problem.squared_step) * x.at(i));
}

}  // namespace sinew
