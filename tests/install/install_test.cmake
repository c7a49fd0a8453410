# Run by ctest, see CMakeLists.txt beside it. Fails with the output of the step that failed.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed with status ${status}:\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
# The prefix is moved after installing: nothing in it may remember where it was put or built.
run("install" "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/prefix")
set(prefix "${WORK}/prefix")

run("configuring the example" "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/example" -G "${GENERATOR}"
    "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
run("building the example" "${CMAKE_COMMAND}" --build "${WORK}/example" --config "${CONFIG}")
set(ENV{XDG_CACHE_HOME} "${WORK}/cache") # the user's own stays as it is
run("running the example" "${WORK}/example/hello_sinew")
foreach(expected "t = 1.00 s" "weight [0-9.]+ N, contact force [0-9.]+ N" "after restoring: same bits")
  if(NOT output MATCHES "${expected}")
    message(FATAL_ERROR "the example's output lacks '${expected}':\n${output}")
  endif()
endforeach()

# The installed command line starts, and the installed scene is found and runs.
run("sinew --version" "${prefix}/${BINDIR}/sinew" --version)
if(NOT output MATCHES "0\\.[0-9]+\\.[0-9]+")
  message(FATAL_ERROR "sinew --version says: ${output}")
endif()
run("two frames of the installed scene" "${prefix}/${BINDIR}/sinew" run
    "${prefix}/${DATADIR}/sinew/scenes/rollers.json" --frames 2 --report "${WORK}/report.json")
file(READ "${WORK}/report.json" report)
string(JSON hash GET "${report}" state_hash)
if(hash STREQUAL "")
  message(FATAL_ERROR "the report has no state_hash")
endif()
if(EXISTS "${BUILD}/lib/libsinew_renderer.so" AND NOT EXISTS "${prefix}/lib/sinew/libsinew_renderer.so")
  message(FATAL_ERROR "the renderer module was built but not installed")
endif()
