// One include for Catch2 version 2 (Debian 12) and version 3 (Ubuntu 24.04).
#pragma once

#if SINEW_CATCH2_VERSION >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
using Approx = Catch::Detail::Approx;
#endif
