// sinew_scene_docs ROOT: writes ROOT/docs/scene.md and ROOT/assets/scene.schema.json from the table of keys.
#include <exception>
#include <iostream>
#include <string>

#include <sinew/scene.hpp>

#include "engine/common/atomic_file.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: sinew_scene_docs ROOT, the folder with docs/ and assets/\n";
    return 2;
  }
  try {
    const std::string root = argv[1];
    sinew::make_folder(root + "/docs");
    sinew::make_folder(root + "/assets");
    sinew::write_file_atomically(root + "/docs/scene.md", sinew::scene_documentation());
    sinew::write_file_atomically(root + "/assets/scene.schema.json", sinew::scene_json_schema());
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
