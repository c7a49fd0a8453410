// Checkpoint file: a snapshot with a head that says what it belongs to.
//
//   8 bytes  "SINEWCP\n"     4 bytes  version 1     4 bytes  zero
//   8 bytes  hash of the model and the time step    8 bytes  frame
//   8 bytes  payload size    8 bytes  checksum of all of the above and the payload
//   payload  Snapshot::bytes
// All numbers little endian.
#pragma once

#include <cstdint>
#include <string>

#include <sinew/simulation.hpp>

namespace sinew::app {

/// Atomic. @throws IoError.
void write_checkpoint(const std::string& path, const Simulation& simulation);

/// Brings the simulation to the frame of the checkpoint.
/// @throws IoError if the file cannot be read; ModelError (one line) if it is no checkpoint, damaged, of
/// another version, or of another scene.
void resume_from(const std::string& path, Simulation& simulation);

}  // namespace sinew::app
