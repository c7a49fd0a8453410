# Filled in with the CMake package.
