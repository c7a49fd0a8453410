# Finds CHOLMOD of SuiteSparse 5.x (Debian 12, without a CMake package) and 7.x.
# Defines the target CHOLMOD::CHOLMOD and CHOLMOD_VERSION.
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(CHOLMOD_SUITESPARSECONFIG_LIBRARY suitesparseconfig)
if(CHOLMOD_INCLUDE_DIR AND EXISTS "${CHOLMOD_INCLUDE_DIR}/cholmod_core.h")
  set(_cholmod_header "${CHOLMOD_INCLUDE_DIR}/cholmod_core.h") # 5.x keeps the version here
elseif(CHOLMOD_INCLUDE_DIR)
  set(_cholmod_header "${CHOLMOD_INCLUDE_DIR}/cholmod.h")
endif()
if(_cholmod_header)
  foreach(_part MAIN SUB SUBSUB)
    file(STRINGS "${_cholmod_header}" _line REGEX "#define[ \t]+CHOLMOD_${_part}_VERSION[ \t]+[0-9]+")
    string(REGEX MATCH "[0-9]+$" _cholmod_${_part} "${_line}")
  endforeach()
  set(CHOLMOD_VERSION "${_cholmod_MAIN}.${_cholmod_SUB}.${_cholmod_SUBSUB}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  CHOLMOD
  REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR
  VERSION_VAR CHOLMOD_VERSION)
if(CHOLMOD_FOUND AND NOT TARGET CHOLMOD::CHOLMOD)
  add_library(CHOLMOD::CHOLMOD UNKNOWN IMPORTED)
  set_target_properties(
    CHOLMOD::CHOLMOD PROPERTIES IMPORTED_LOCATION "${CHOLMOD_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                       "${CHOLMOD_INCLUDE_DIR}")
  if(CHOLMOD_SUITESPARSECONFIG_LIBRARY)
    set_property(TARGET CHOLMOD::CHOLMOD PROPERTY INTERFACE_LINK_LIBRARIES
                                                  "${CHOLMOD_SUITESPARSECONFIG_LIBRARY}")
  endif()
endif()
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY CHOLMOD_SUITESPARSECONFIG_LIBRARY)
