// `sinew bench contact`: time to make the Delassus operator of contact problems.
#pragma once

#include <CLI/CLI.hpp>

namespace sinew::bench {

void add_contact_case(CLI::App& command);

}  // namespace sinew::bench
