#include "apps/sinew/cli_errors.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "engine/common/text.hpp"

namespace sinew::app {

namespace {
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// The innermost command that was given: its options are the candidates.
const CLI::App& innermost(const CLI::App& app, std::string& path) {
  path += (path.empty() ? "" : " ") + app.get_name();
  for (const CLI::App* command : app.get_subcommands())
    if (command->parsed()) return innermost(*command, path);
  return app;
}
std::string sorted(std::string text) {
  std::sort(text.begin(), text.end());
  return text;
}

// Swapped letters are the likeliest slip: --lsit is --list before it is --set.
std::string same_letters(const std::string& name, const std::vector<std::string>& known) {
  for (const std::string& candidate : known)
    if (sorted(candidate) == sorted(name)) return candidate;
  return "";
}
}  // namespace

std::string single_line(std::string text) {
  for (char& c : text)
    if (std::iscntrl(static_cast<unsigned char>(c))) c = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string one_line(const CLI::App& app, const CLI::ParseError& error) {
  std::string path;
  const CLI::App& command = innermost(app, path);
  const std::string help = "; see '" + path + " --help'";
  const std::vector<std::string> commands = command_names(command);
  const bool no_command = dynamic_cast<const CLI::RequiredError*>(&error) && !commands.empty();
  const std::vector<std::string> extras = app.remaining(true);
  if ((no_command || dynamic_cast<const CLI::ExtrasError*>(&error)) && !extras.empty()) {
    const std::string& extra = extras.front();
    if (extra.size() > 1 && extra[0] == '-') {
      const std::string name = extra.substr(0, extra.find('='));
      const std::vector<std::string> known = option_names(command);
      const std::string same = same_letters(name, known);
      const std::string near = same.empty() ? nearest_name(name, known) : same;
      return "unknown option " + name + (near.empty() ? "" : ", did you mean " + near + "?") + help;
    }
    if (!commands.empty()) return "unknown command '" + extra + "'" + suggestion(extra, commands) + help;
    if (extra.find('=') != std::string::npos)
      return "unexpected argument '" + extra + "'; repeat --set before every path=value" + help;
    return "unexpected argument '" + extra + "'" + help;
  }
  if (no_command) {
    std::string text = "no command given";
    for (std::size_t i = 0; i < commands.size(); ++i) text += (i == 0 ? "; known are " : ", ") + commands[i];
    return text + help;
  }
  // The only values that are converted are numbers; CLI11 says "Could not convert: --frames = abc".
  if (dynamic_cast<const CLI::ConversionError*>(&error)) {
    const std::string text = error.what();
    const std::size_t option = text.find("--");
    if (option != std::string::npos)
      return single_line(text.substr(option)) + " is not a number that this option takes" + help;
  }
  return single_line(error.what()) + help;
}

}  // namespace sinew::app
