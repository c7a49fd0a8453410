// The whole public API in one include.
#pragma once

#include <sinew/errors.hpp>
#include <sinew/mesh.hpp>
#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>
#include <sinew/model.hpp>
#include <sinew/report.hpp>
#include <sinew/scene.hpp>
#include <sinew/simulation.hpp>
#include <sinew/version.hpp>
