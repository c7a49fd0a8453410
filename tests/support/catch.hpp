// One include for Catch2 version 2 (Debian 12) and version 3 (Ubuntu 24.04).
#pragma once

#if SINEW_CATCH2_VERSION >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
/// Ends the case as skipped; the reason is shown.
#define SINEW_SKIP(reason) SKIP(reason)
#else
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
using Approx = Catch::Detail::Approx;
// Version 2 cannot skip: the program ends with the status by which ctest knows skipped cases (one case a
// run).
#define SINEW_SKIP(reason)                             \
  do {                                                 \
    std::cout << "skipped: " << (reason) << std::endl; \
    std::exit(4);                                      \
  } while (false)
#endif
