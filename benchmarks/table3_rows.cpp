#include "benchmarks/table3_rows.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"

namespace sinew::bench {

namespace {

constexpr const char* kColumns[] = {"example", "vertices_k", "elements_k", "scene", "frames", "settings"};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(',', start), line.size());
    cells.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return cells;
}

double number(const std::string& cell, const std::string& column, const std::string& where) {
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [rest, error] = std::from_chars(cell.data(), end, value);
  if (error != std::errc{} || rest != end || !(value > 0.0))
    throw Error(fmt::format("{}: {} is '{}'; a number above 0 is needed", where, column, cell));
  return value;
}

Table3Row parse_row(const std::vector<std::string>& header, const std::vector<std::string>& cells,
                    const std::string& where) {
  if (cells.size() != header.size())
    throw Error(fmt::format("{}: {} cells, the header has {}", where, cells.size(), header.size()));
  Table3Row row;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string& column = header[i];
    const std::string& cell = cells[i];
    if (column == "example") row.example = cell;
    if (column == "scene") row.scene = cell;
    if (column == "settings") {
      std::istringstream words(cell);
      for (std::string word; words >> word;) row.settings.push_back(word);
    }
    if (column == "frames") row.frames = static_cast<long>(number(cell, column, where));
    if (column == "vertices_k") row.vertices_k = number(cell, column, where);
    if (column == "elements_k") row.elements_k = number(cell, column, where);
    const bool ours = std::find(std::begin(kColumns), std::end(kColumns), column) != std::end(kColumns);
    if (!ours && !cell.empty()) row.published.emplace_back(column, number(cell, column, where));
  }
  return row;
}

}  // namespace

std::string Table3Row::id() const {
  std::string text;
  for (const char c : example) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0) text += static_cast<char>(std::tolower(u));
    if (std::isalnum(u) == 0 && !text.empty() && text.back() != '_') text += '_';
  }
  while (!text.empty() && text.back() == '_') text.pop_back();
  return fmt::format("{}/{:.1f}", text, vertices_k);
}

std::string Table3Row::file(const std::string& source) const {
  const std::string bench = "bench/";
  if (scene.rfind(bench, 0) == 0)
    return source + "/benchmarks/scenes/" + scene.substr(bench.size()) + ".json";
  return source + "/assets/" + scene + ".json";
}

double Table3Row::published_value(const std::string& column) const {
  for (const auto& [name, value] : published)
    if (name == column) return value;
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Table3Row> read_table3(const std::string& file) {
  std::istringstream text(read_file(file));
  std::vector<std::string> header;
  std::vector<Table3Row> rows;
  int number_of_line = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string where = fmt::format("{}:{}", file, ++number_of_line);
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line);
    if (header.empty()) {
      for (const char* column : kColumns)
        if (std::find(cells.begin(), cells.end(), column) == cells.end())
          throw Error(fmt::format("{}: the header lacks '{}'", where, column));
      header = cells;
      continue;
    }
    Table3Row row = parse_row(header, cells, where);
    row.size = static_cast<int>(std::count_if(rows.begin(), rows.end(),
                                              [&](const Table3Row& r) { return r.example == row.example; }));
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw Error(fmt::format("{}: holds no rows", file));
  return rows;
}

}  // namespace sinew::bench
