// Entry point of every test program; with Catch2 version 3 the library brings it.
#if SINEW_CATCH2_VERSION < 3
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
