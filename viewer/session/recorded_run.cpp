#include "viewer/session/recorded_run.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/solver_names.hpp"
#include "engine/common/text.hpp"
#include "engine/scene/json_node.hpp"
#include "viewer/session/words.hpp"

namespace sinew::viewer {

namespace {

Backend backend_named(const std::string& name) {
  const std::vector<std::string>& names = backend_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ModelError("unknown backend '" + shown(name) + "'" + suggestion(name, names));
  return static_cast<Backend>(found - names.begin());
}

void read_first(WordReader& words) {
  if (words.word("a word") != "sinew" || words.at_end() || words.word("a word") != "recording")
    throw ModelError("this is no recording; its first line is 'sinew recording 1'");
  const long format = words.whole("format", 1);
  if (format != RecordedRun::kFormat)
    throw ModelError("recording of format " + std::to_string(format) + ", this version reads format " +
                     std::to_string(RecordedRun::kFormat) + "; record it again");
}

void read_head(const std::string& word, WordReader& words, RecordedRun& run) {
  if (!run.entries.empty() || run.steps > 0)
    throw ModelError("expected the number of a step, found '" + shown(word) + "'");
  if (word == "scene") {
    run.scene = words.text("path of the scene");
  } else if (word == "run") {
    run.run = words.hash("hash of the scene and its settings");
  } else if (word == "backend") {
    run.backend = backend_named(words.word("a backend"));
    run.hybrid = !words.at_end();
    if (run.hybrid) words.expect("hybrid");
  } else if (word == "set") {
    run.overrides.push_back(words.text("path=value"));
  } else {
    throw ModelError("unknown word '" + shown(word) + "'" +
                     suggestion(word, {"scene", "run", "backend", "set"}));
  }
}

void read_step(long step, int line, WordReader& words, RecordedRun& run) {
  if (step < run.steps)
    throw ModelError("step " + std::to_string(step) + " comes after step " + std::to_string(run.steps) +
                     "; steps may not go back");
  run.steps = step;
  const std::string_view event = words.rest();
  const std::string word = words.word("an event");
  if (word == "iterations") {
    const long most = words.whole("iterations", 1);
    if (step == 0 || most > std::numeric_limits<int>::max())
      throw ModelError("no step with that many iterations ends here; remove the line");
    run.iterations[step] = static_cast<int>(most);
  } else if (word == "state" || word == "end") {
    run.entries.push_back({step, line, std::nullopt, words.hash("hash of the state")});
    run.complete = word == "end";
  } else {
    run.entries.push_back({step, line, parse_event(event), 0});
    words = WordReader("");
  }
}

}  // namespace

RecordedRun parse_recording(const std::string& text, const std::string& label) {
  RecordedRun run;
  run.label = label;
  std::istringstream lines(text);
  std::string line;
  bool begun = false;
  const auto fail = [&](int number, const std::string& what) {
    throw ModelError(label + ":" + std::to_string(number) + ": " + what);
  };
  for (int number = 1; std::getline(lines, line); ++number) {
    WordReader words(line);
    if (words.at_end() || words.rest().front() == '#') continue;
    try {
      if (!begun) {
        read_first(words);
        begun = true;
      } else if (run.complete) {
        throw ModelError("nothing may follow the line of the end; remove it");
      } else {
        const std::string word = words.word("a word");
        if (word.find_first_not_of("0123456789") == std::string::npos)
          read_step(WordReader(word).whole("step", 0), number, words, run);
        else
          read_head(word, words, run);
      }
      words.end();
    } catch (const ModelError& error) {
      fail(number, error.what());
    }
  }
  if (!begun) fail(1, "this is no recording; its first line is 'sinew recording 1'");
  return run;
}

RecordedRun read_recording(const std::string& file) {
  return parse_recording(read_file(file), file);
}

}  // namespace sinew::viewer
