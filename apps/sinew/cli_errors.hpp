// One-line messages for command lines that cannot be understood.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace sinew::app {

/// Message of a parse error in one line, with the nearest option and where to find help.
std::string one_line(const CLI::App& app, const CLI::ParseError& error);

/// Line breaks and other control characters become blanks.
std::string single_line(std::string text);

}  // namespace sinew::app
