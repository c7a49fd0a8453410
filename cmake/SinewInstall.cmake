# The installed library: one shared object made of all static modules, its headers, the command line, the
# renderer module and a CMake package. The command line of the build tree links the static modules instead;
# nothing links both, so no code is twice in one process.
include(CMakePackageConfigHelpers)

# Objects instead of whole archives: archives that depend on each other are repeated on the link line, and a
# repeated whole archive defines everything twice. Linking the modules as well brings the system libraries.
get_property(sinew_modules GLOBAL PROPERTY SINEW_MODULES)
add_library(sinew SHARED)
foreach(module IN LISTS sinew_modules)
  target_sources(sinew PRIVATE "$<TARGET_OBJECTS:${module}>")
endforeach()
target_link_libraries(sinew PRIVATE ${sinew_modules})
set_target_properties(
  sinew PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                   LINKER_LANGUAGE CXX) # 0.x promises no stable ABI, hence the minor number in SOVERSION
if(NOT SINEW_SANITIZE)
  target_link_options(sinew PRIVATE "LINKER:--no-undefined") # a module that names code above it fails here
endif()
target_compile_features(sinew INTERFACE cxx_std_20)
target_include_directories(
  sinew INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/engine/include>"
                  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/kernels/include>"
                  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
add_library(sinew::sinew ALIAS sinew)

set(SINEW_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/sinew")
set(SINEW_SCENE_DIR "${CMAKE_INSTALL_DATADIR}/sinew/scenes")

install(TARGETS sinew EXPORT sinewTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY engine/include/ kernels/include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION "${SINEW_PACKAGE_DIR}")
configure_package_config_file(
  cmake/sinewConfig.cmake.in "${PROJECT_BINARY_DIR}/sinewConfig.cmake"
  INSTALL_DESTINATION "${SINEW_PACKAGE_DIR}"
  PATH_VARS SINEW_SCENE_DIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/sinewConfig.cmake" "${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake"
        DESTINATION "${SINEW_PACKAGE_DIR}")

if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET sinew_view)
  install(TARGETS sinew_view RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET sinew_renderer)
  # Loaded at run time from ../lib/sinew beside the binary.
  install(TARGETS sinew_renderer LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/sinew")
endif()
install(DIRECTORY assets/scenes/ DESTINATION "${SINEW_SCENE_DIR}")
install(FILES assets/scene.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/sinew")
install(FILES LICENSE NOTICE THIRD_PARTY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
