// Reading, writing, judging and repairing meshes.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// What a mesh file holds. Hexahedra, prisms and pyramids are split into tetrahedra on reading, conformingly.
struct MeshFile {
  std::string format;  ///< name in the table of formats, e.g. "gmsh", "vtk", "obj"
  TetMesh mesh;        ///< tetrahedra; empty where the file is a surface
  SurfaceMesh
      surface;  ///< triangles and split polygons; for a volume file, its own boundary triangles if any
  std::vector<long> node_tag;  ///< {node_count} the file's own node numbers (as users see them); empty: index
  std::vector<long> tet_tag;   ///< {tet_count} the file's own element numbers; empty: index
  std::vector<long> triangle_tag;  ///< {triangle_count} the same for surface; pieces of a polygon share one
  std::vector<std::string> notes;  ///< what reading changed or left out (split cells, skipped points, ...)

  bool is_volume() const { return !mesh.tets.empty(); }
};

/// Reads a mesh. The content decides the format, the name only where the content does not.
/// @throws MeshError for content that cannot be read (file, line or byte, how to mend); IoError if it cannot
/// be opened.
MeshFile read_mesh(const std::string& path);

/// Writes by file extension: .vtu, .msh (4.1 ASCII), .ply, .obj, .mesh, .stl where the format holds such
/// content. A tetrahedral mesh goes to a surface format as its surface. Atomic: the name appears only when
/// complete.
/// @throws IoError if it cannot be written; MeshError for an unknown extension.
void write_mesh(const std::string& path, const TetMesh& mesh);
void write_mesh(const std::string& path, const SurfaceMesh& mesh);

/// True where write_mesh() keeps tetrahedra under this name, false where the format holds surfaces only.
/// @throws MeshError for an unknown extension.
bool keeps_tetrahedra(const std::string& path);

/// Names and extensions of all formats, for help texts: one line each, e.g. "gmsh   .msh   read, write ...".
std::string mesh_format_table();

/// One kind of fault and the elements that have it.
struct MeshFault {
  enum class Severity { note, harmless, error };  ///< harmless: a scene mends it at load, with a warning
  std::string kind;  ///< "inverted", "degenerate", "duplicate", "repeated_node", "out_of_range",
                     ///< "unreferenced_node", "coincident_nodes", "non_conforming_face",
                     ///< "non_manifold_edge", "hole", "not_finite", "flipped_triangle", ...
  Severity severity = Severity::error;
  std::vector<long>
      numbers;       ///< of elements, nodes or (edges, holes) their first node, in the file's numbering
  std::string what;  ///< one line for people, without the numbers
};

/// True for a fault of a surface that keeps tetrahedralize() from filling it; the others it mends or bridges,
/// with a note.
bool prevents_filling(const MeshFault& fault);

/// Verdict and figures of one mesh.
struct MeshReport {
  std::string format;
  bool volume = false;
  std::size_t nodes = 0, elements = 0, triangles = 0, components = 0, holes = 0;
  double total_volume = 0.0;  ///< [unit^3]; enclosed volume for a surface
  Vec3d box_min, box_max;     ///< [unit]
  double min_dihedral_deg = 0.0, max_dihedral_deg = 0.0;
  std::vector<std::size_t> quality_histogram;  ///< ten bins of the mean-ratio quality in [0, 1]
  std::string unit_guess;                      ///< "" or e.g. "looks like millimetres: scale by 0.001"
  std::vector<MeshFault> faults;
  bool closed = false;  ///< the (boundary) surface has no hole

  bool sound() const;      ///< no fault of severity error or harmless
  bool simulable() const;  ///< no fault of severity error
};

/// Examines a mesh as read; never throws on faulty content.
MeshReport inspect_mesh(const MeshFile& file);

/// For people: aligned text, verdict first; lists at most max_numbers numbers per fault and says how many
/// more.
std::string to_text(const MeshReport& report, std::size_t max_numbers = 12);

/// What to mend. Harmless: orientation, unreferenced nodes. All: also duplicates, degenerate and
/// repeated-node elements, coincident nodes, out-of-range elements; small holes and orientation of surfaces.
/// All_but_holes: all, and holes stay open.
enum class RepairLevel { harmless, all_but_holes, all };

/// Mends in place and says what was done, one line each; empty if nothing.
std::vector<std::string> repair_mesh(MeshFile& file, RepairLevel level);

/// The command line that mends this file, ready to be pasted: "sinew mesh repair IN OUT".
std::string repair_command(const std::string& path);

}  // namespace sinew
