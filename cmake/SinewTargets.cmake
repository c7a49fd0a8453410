# Helpers: one target per module, one flag set for all.
include(GNUInstallDirs)

add_library(sinew_flags INTERFACE)
target_compile_options(
  sinew_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall>
            $<$<COMPILE_LANGUAGE:CXX>:-Wextra>
            # GCC 12 sees overlapping copies in every "literal" + std::string (GCC bug 105651, mended in 13).
            $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
            # Packs are only passed inside one file: how wide ones travel between files does not matter.
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-psabi>
            $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off> # same bits: no silent fused multiply-add
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${SINEW_WARNINGS_AS_ERRORS}>>:-Werror>
            $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${SINEW_NATIVE}>>:-march=native>)
target_include_directories(sinew_flags INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/kernels/include"
                                                 "${PROJECT_SOURCE_DIR}/engine/include")
if(SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=undefined)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()

# sinew_module(name SOURCES ... [LINK ...] [PRIVATE_LINK ...])
# A static library that becomes part of the installed library.
function(sinew_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC sinew_flags ${ARG_LINK} PRIVATE ${ARG_PRIVATE_LINK})
  set_property(GLOBAL APPEND PROPERTY SINEW_MODULES ${name})
endfunction()

# sinew_test(name SOURCES ... LINK ...): one Catch2 program; test cases tagged [scene] or [slow] get
# that ctest label, those tagged [gpu] the label gpu (skipped with the reason where there is none), all others the
# label unit. Those tagged [long] (minutes each) get slow-long: they run with
# scripts/test --long only.
function(sinew_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE sinew_flags sinew_catch_main ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE SINEW_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                             SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  foreach(label unit gpu scene slow slow-long)
    if(label STREQUAL unit)
      set(spec "~[scene]~[slow]~[long]~[gpu]")
    elseif(label STREQUAL gpu)
      set(spec "[gpu]")
    elseif(label STREQUAL scene)
      set(spec "[scene]~[slow]~[long]")
    elseif(label STREQUAL slow)
      set(spec "[slow]~[long]")
    else()
      set(spec "[long]")
    endif()
    catch_discover_tests(
      ${name}
      TEST_SPEC "${spec}"
      TEST_PREFIX "${name}: "
      PROPERTIES LABELS ${label} SKIP_RETURN_CODE 4)
  endforeach()
  foreach(source IN LISTS ARG_SOURCES)
    file(STRINGS "${source}" found LIMIT_COUNT 1 REGEX "SINEW_DEVICE_TEST|\\[gpu\\]")
    if(found)
      set_property(GLOBAL APPEND PROPERTY SINEW_GPU_TESTS ${name})
      set_property(GLOBAL APPEND PROPERTY SINEW_GPU_LINKS ${ARG_LINK})
      break()
    endif()
  endforeach()
endfunction()

# Program test_gpu, built only when asked for: every test program with cases for a GPU in one, so that a machine that has
# one needs a single file (scripts/gpu-check).
function(sinew_add_gpu_tests)
  get_property(names GLOBAL PROPERTY SINEW_GPU_TESTS)
  get_property(links GLOBAL PROPERTY SINEW_GPU_LINKS)
  list(REMOVE_DUPLICATES links)
  list(TRANSFORM names PREPEND "$<TARGET_OBJECTS:" OUTPUT_VARIABLE objects)
  list(TRANSFORM objects APPEND ">")
  add_executable(test_gpu EXCLUDE_FROM_ALL ${objects})
  target_link_libraries(test_gpu PRIVATE sinew_flags sinew_catch_main ${links})
endfunction()

# Lines for the summary at the end of configuring.
function(sinew_note text)
  set_property(GLOBAL APPEND PROPERTY SINEW_SUMMARY "${text}")
endfunction()
function(sinew_print_summary)
  get_property(lines GLOBAL PROPERTY SINEW_SUMMARY)
  message(STATUS "Sinew ${PROJECT_VERSION}: what is built, and why")
  foreach(line IN LISTS lines)
    message(STATUS "  ${line}")
  endforeach()
endfunction()
