// Rows of benchmarks/table3.csv: a published frame, and the scene of ours that stands beside it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sinew::bench {

struct Table3Row {
  std::string example, scene;         ///< scene: "scenes/twist" or "bench/stretched_cloth"
  std::vector<std::string> settings;  ///< overrides of the scene, "key.path=value"
  int size = 0;                       ///< 0 small, 1 medium, 2 large: order within its example
  long frames = 0;
  double vertices_k = 0, elements_k = 0;  ///< published, in thousands
  /// Published figures by their column: frame_max_ms, S_MB, contacts_k, delassus, ...; only those printed.
  std::vector<std::pair<std::string, double>> published;

  std::string id() const;                                   ///< "twisting_bar/5.3"
  std::string file(const std::string& source) const;        ///< of the scene; source: root of the source tree
  double published_value(const std::string& column) const;  ///< NaN where not printed
};

/// @throws Error, one line with file and line; IoError.
std::vector<Table3Row> read_table3(const std::string& file);

}  // namespace sinew::bench
