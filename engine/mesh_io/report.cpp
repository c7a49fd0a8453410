// The report on a mesh as text for people.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <sinew/mesh_io.hpp>

namespace sinew {

namespace {

std::string plain(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string point(const Vec3d& p) {
  return "(" + plain(p.x) + ", " + plain(p.y) + ", " + plain(p.z) + ")";
}

std::string verdict(const MeshReport& report) {
  const std::string kind = report.volume   ? "tetrahedral mesh"
                           : report.closed ? "closed surface"
                                           : "open surface";
  std::size_t errors = 0, harmless = 0;
  for (const MeshFault& fault : report.faults) {
    errors += fault.severity == MeshFault::Severity::error;
    harmless += fault.severity == MeshFault::Severity::harmless;
  }
  const auto kinds = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " kind" : " kinds"); };
  if (errors > 0) return "not usable as it stands: " + kind + " with " + kinds(errors) + " of fault";
  if (harmless > 0) return "usable " + kind + ", " + kinds(harmless) + " of harmless fault";
  return "sound " + kind;
}

const char* severity_name(MeshFault::Severity severity) {
  switch (severity) {
    case MeshFault::Severity::note:
      return "note";
    case MeshFault::Severity::harmless:
      return "harmless";
    default:
      return "error";
  }
}

std::string numbers_text(const std::vector<long>& numbers, std::size_t max_numbers) {
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), max_numbers); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  if (numbers.size() > max_numbers)
    text += (max_numbers > 0 ? " and " : "") + std::to_string(numbers.size() - max_numbers) + " more";
  return text;
}

}  // namespace

std::string to_text(const MeshReport& report, std::size_t max_numbers) {
  std::string text;
  const auto row = [&](std::string label, const std::string& value) {
    label.resize(std::max<std::size_t>(16, label.size() + 1), ' ');
    text += label + value + "\n";
  };
  row("verdict", verdict(report));
  if (!report.format.empty()) row("format", report.format);
  row(report.volume ? "nodes" : "points", std::to_string(report.nodes));
  if (report.volume) row("tetrahedra", std::to_string(report.elements));
  row(report.volume ? "surface" : "triangles",
      std::to_string(report.triangles) + (report.volume ? " triangles, " : ", ") +
          (report.closed ? "closed" : "open") +
          (report.holes > 0 ? ", " + std::to_string(report.holes) + (report.holes == 1 ? " hole" : " holes")
                            : ""));
  row("parts", std::to_string(report.components));
  if (report.volume || report.total_volume != 0.0)
    row("volume", (report.volume || report.closed ? "" : "about ") + plain(report.total_volume) + " unit^3");
  const Vec3d size = report.box_max - report.box_min;
  row("box", point(report.box_min) + " to " + point(report.box_max) + ", size " + point(size));
  if (!report.unit_guess.empty()) row("unit", report.unit_guess);
  if (report.volume)
    row("dihedral angle",
        plain(report.min_dihedral_deg) + " to " + plain(report.max_dihedral_deg) + " degrees");
  if (!report.quality_histogram.empty()) {
    const std::size_t most =
        *std::max_element(report.quality_histogram.begin(), report.quality_histogram.end());
    for (std::size_t bin = 0; bin < report.quality_histogram.size(); ++bin) {
      const std::size_t count = report.quality_histogram[bin];
      char range[48];
      std::snprintf(range, sizeof range, "%.1f to %.1f %8zu ", 0.1 * static_cast<double>(bin),
                    0.1 * static_cast<double>(bin + 1), count);
      const double bar =
          most > 0 ? std::ceil(30.0 * static_cast<double>(count) / static_cast<double>(most)) : 0.0;
      row(bin == 0 ? "quality" : "", range + std::string(static_cast<std::size_t>(bar), '#'));
    }
  }
  for (const MeshFault& fault : report.faults) {
    row(severity_name(fault.severity),
        fault.kind + ": " + (fault.numbers.empty() ? "" : std::to_string(fault.numbers.size()) + "; ") +
            fault.what);
    if (!fault.numbers.empty()) row("", numbers_text(fault.numbers, max_numbers));
  }
  return text;
}

}  // namespace sinew
