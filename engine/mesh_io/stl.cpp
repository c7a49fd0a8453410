// STL surfaces, text and binary. Corners with exactly equal coordinates become one point.
#include <bit>
#include <limits>
#include <unordered_map>

#include <sinew/errors.hpp>

#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

constexpr std::size_t kHeaderBytes = 84, kFacetBytes = 50;

struct Vec3Hash {
  std::size_t operator()(const Vec3d& p) const {
    std::size_t hash = 0;
    for (int k = 0; k < 3; ++k) {
      // Adding zero makes -0 equal to 0.
      hash ^= std::bit_cast<std::uint64_t>(p[k] + 0.0) + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    }
    return hash;
  }
};

class PointMerger {
 public:
  explicit PointMerger(std::vector<Vec3d>& points) : points_(points) {}
  Index index_of(const Vec3d& p) {
    const auto [entry, added] = known_.emplace(p, static_cast<Index>(points_.size()));
    if (added) points_.push_back(p);
    return entry->second;
  }

 private:
  std::vector<Vec3d>& points_;
  std::unordered_map<Vec3d, Index, Vec3Hash> known_;
};

bool starts_with_solid(const MeshSource& source) {
  Cursor cursor(source.content, source.path);
  return lower_case(cursor.peek()) == "solid";
}

std::size_t announced_facets(const std::string& content) {
  Cursor cursor(content, "");
  cursor.swap_bytes = std::endian::native == std::endian::big;
  cursor.set_position(80);
  return cursor.binary<std::uint32_t>("header");
}

bool has_binary_size(const std::string& content) {
  return content.size() >= kHeaderBytes &&
         content.size() == kHeaderBytes + kFacetBytes * announced_facets(content);
}

void read_binary(const MeshSource& source, MeshFile& file) {
  if (source.content.size() < kHeaderBytes)
    throw MeshError(source.path + ": only " + std::to_string(source.content.size()) +
                    " bytes, less than the header of a binary STL file: it is truncated; export it again");
  const std::size_t count = announced_facets(source.content);
  if (source.content.size() < kHeaderBytes + kFacetBytes * count)
    throw MeshError(source.path + ": byte 80: " + std::to_string(count) +
                    " facets announced, but there are bytes for " +
                    std::to_string((source.content.size() - kHeaderBytes) / kFacetBytes) +
                    ": the file is truncated; export or copy it again");
  if (source.content.size() > kHeaderBytes + kFacetBytes * count)
    file.notes.push_back("bytes after the last facet were left out");
  Cursor cursor(source.content, source.path);
  cursor.swap_bytes = std::endian::native == std::endian::big;
  PointMerger merger(file.surface.points);
  for (std::size_t f = 0; f < count; ++f) {
    cursor.set_position(kHeaderBytes + kFacetBytes * f + 12);
    Triangle triangle;
    for (Index& corner : triangle) {
      Vec3d p;
      for (int k = 0; k < 3; ++k) p[k] = cursor.binary<float>("facet");
      corner = merger.index_of(p);
    }
    file.surface.triangles.push_back(triangle);
  }
}

void read_text(const MeshSource& source, MeshFile& file) {
  Cursor cursor(source.content, source.path);
  PointMerger merger(file.surface.points);
  const auto expect = [&](const char* keyword) {
    const std::string_view word = cursor.word(keyword);
    if (lower_case(word) != keyword)
      cursor.fail(std::string("expected '") + keyword + "' but found '" + shown(word) + "'; mend the line");
  };
  bool inside = false;
  while (!cursor.at_end()) {
    const std::string word = lower_case(cursor.word("keyword"));
    if (word == "solid" && !inside) {
      cursor.line();
      inside = true;
    } else if (word == "endsolid" && inside) {
      cursor.line();
      inside = false;
    } else if (word == "facet" && inside) {
      expect("normal");
      for (int k = 0; k < 3; ++k) cursor.word("component of a normal");
      expect("outer");
      expect("loop");
      Triangle triangle;
      for (Index& corner : triangle) {
        expect("vertex");
        Vec3d p;
        for (int k = 0; k < 3; ++k) p[k] = cursor.number("coordinate of a vertex");
        corner = merger.index_of(p);
      }
      expect("endloop");
      expect("endfacet");
      file.surface.triangles.push_back(triangle);
    } else {
      cursor.fail("expected 'facet' or 'endsolid' but found '" + shown(word) + "'; mend the line");
    }
  }
  if (inside) cursor.fail("the file ends without 'endsolid': it is truncated; export or copy it again");
}

}  // namespace

bool is_stl(const MeshSource& source) {
  if (has_binary_size(source.content)) return true;
  if (!starts_with_solid(source)) return false;
  const std::string head = lower_case(std::string_view(source.content).substr(0, 4096));
  return head.find("facet") != std::string::npos || head.find("endsolid") != std::string::npos;
}

MeshFile read_stl(const MeshSource& source) {
  MeshFile file;
  file.format = "stl";
  // Some binary files start with the word solid too: the size decides.
  if (!has_binary_size(source.content) && starts_with_solid(source))
    read_text(source, file);
  else
    read_binary(source, file);
  if (file.surface.triangles.empty())
    throw MeshError(source.path + ": the file holds no facet; export it again");
  return file;
}

std::string write_stl_surface(const SurfaceMesh& mesh) {
  std::string out(kHeaderBytes, '\0');
  const auto put = [](char* at, auto value) {
    if constexpr (std::endian::native == std::endian::big) value = reversed_bytes(value);
    std::memcpy(at, &value, sizeof value);
  };
  put(out.data() + 80, static_cast<std::uint32_t>(mesh.triangles.size()));
  out.reserve(kHeaderBytes + kFacetBytes * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Vec3d corner[4];
    for (int k = 0; k < 3; ++k) {
      const Index node = mesh.triangles[t][static_cast<std::size_t>(k)];
      if (node < 0 || static_cast<std::size_t>(node) >= mesh.points.size())
        throw MeshError("triangle " + std::to_string(t) +
                        " refers to a point that does not exist; repair the mesh first");
      corner[k + 1] = mesh.points[static_cast<std::size_t>(node)];
      for (int x = 0; x < 3; ++x)
        if (std::fabs(corner[k + 1][x]) > std::numeric_limits<float>::max())
          throw MeshError("triangle " + std::to_string(t) + " is beyond the range of STL; scale the mesh");
    }
    corner[0] = normalized(cross(corner[2] - corner[1], corner[3] - corner[1]));
    char facet[kFacetBytes] = {};
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t x = 0; x < 3; ++x)
        put(facet + 12 * k + 4 * x, static_cast<float>(corner[k][static_cast<int>(x)]));
    out.append(facet, kFacetBytes);
  }
  return out;
}

}  // namespace sinew::mesh_io
