#pragma once
#include <vector>
#include "engine/collision/contact.hpp"
#include "engine/precompute/body_precompute.hpp"
namespace sinew {
enum class DelassusWayTmp { automatic };
struct PointRows {
  std::vector<std::size_t> start{0};
  std::vector<ContactTerm> term;
  std::size_t size() const { return start.size() - 1; }
  void clear() { start.assign(1, 0); term.clear(); }
  void add(const ContactTerm* t, Index count) { term.insert(term.end(), t, t + count); start.push_back(term.size()); }
};
class GramAssembler {
 public:
  std::size_t assemble(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies, DelassusWayTmp, double memory_limit, std::vector<double>& gram);
 private:
  std::vector<ComplianceView> views_;
};
}
