// The table of A^-1: what it keeps, what it drops, and what it costs.
#include "engine/delassus/compliance_cache.hpp"

#include <sinew/errors.hpp>

#include "tests/engine/delassus/delassus_support.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("compliance table: nodes inside and on the surface, in any order, symmetric to the bit") {
  const test::DenseBody body = test::dense_body(test::block_spec(), 0);
  const std::vector<Index> surface{40, 2, 9, 30, 9, 77};
  ComplianceCache cache(body.prepared->solver.get(), surface, 0.0),
      other(body.prepared->solver.get(), surface, 0.0);
  ComplianceView view, backwards;
  CHECK(cache.require({30, 2, 30, 5, 77, 61}, view) == 5);
  CHECK(view.nodes() == std::vector<Index>{5, 61, 2, 30, 77});
  for (const Index node : {77, 61, 30, 5, 2}) other.require({node}, backwards);
  CHECK(other.require({77, 61, 30, 5, 2}, backwards) == 0);
  for (const Index i : view.nodes())
    for (const Index j : view.nodes()) {
      CHECK(view.value(i, j) == Approx(body.at(i, j)).epsilon(1e-12));
      CHECK(view.value(i, j) == view.value(j, i));
      CHECK(view.value(i, j) == backwards.value(i, j));
    }
}

TEST_CASE("compliance table: a column of the surface holds what comes after it, one inside holds all") {
  const test::DenseBody body = test::dense_body(test::block_spec(), 0);
  const std::size_t n = body.size;
  std::vector<Index> surface;
  for (Index i = 0; i < 50; ++i) surface.push_back(i);
  ComplianceCache cache(body.prepared->solver.get(), surface, 0.0);
  const std::size_t empty = cache.bytes();
  ComplianceView view;
  cache.require({0}, view);
  CHECK(cache.bytes() == empty + 50 * 8);
  cache.require({49}, view);
  CHECK(cache.bytes() == empty + 51 * 8);
  CHECK(cache.need({0, 48, 60}).columns == 2);
  CHECK(cache.need({0, 48, 60}).bytes == (50.0 + 2.0 + static_cast<double>(n)) * 8.0);
  cache.require({60}, view);
  CHECK(cache.bytes() == empty + (51 + n) * 8);
  cache.clear();
  CHECK(cache.bytes() == empty);
}

TEST_CASE("compliance table: over its budget the columns used least recently go") {
  const test::DenseBody body = test::dense_body(test::block_spec(), 0);
  std::vector<Index> surface;
  for (Index i = 0; i < 64; ++i) surface.push_back(i);
  ComplianceCache cache(body.prepared->solver.get(), surface, (64.0 + 63.0 + 62.0) * 8.0);
  ComplianceView view, kept;
  CHECK(cache.require({0}, kept) == 1);
  CHECK(cache.require({1}, view) == 1);
  CHECK(cache.require({2}, view) == 1);
  CHECK(cache.require({0}, view) == 0);
  CHECK(cache.require({3}, view) == 1);  // in the place of 1
  CHECK(cache.require({0}, view) == 0);
  CHECK(cache.require({2}, view) == 0);
  CHECK(cache.require({1}, view) == 1);
  CHECK_THROWS_WITH(cache.require({0, 1, 2, 3}, view),
                    "compliance of the contacts: needs 2.0 kB, allowed are 1.5 kB; use a coarser surface or "
                    "raise the memory limit");
  CHECK(kept.value(0, 0) == Approx(body.at(0, 0)).epsilon(1e-12));
  CHECK(cache.require({1}, view) == 0);
}
