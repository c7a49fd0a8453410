#include "apps/sinew/cache_command.hpp"

#include <memory>
#include <string>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/precompute/disk_cache.hpp"

namespace sinew::app {

namespace {

std::string size_text(std::uint64_t bytes) {
  return human_bytes(static_cast<double>(bytes));
}

DiskCache open_cache(const std::string& folder) {
  DiskCache cache(folder);
  if (!cache.enabled())
    throw IoError("no folder for caches: HOME is not set to an absolute path; set it, or use --folder DIR");
  return cache;
}

void print_info(const std::string& folder) {
  const DiskCache cache = open_cache(folder);
  std::uint64_t bytes = 0;
  const auto entries = cache.entries();
  for (const DiskCache::Entry& entry : entries) bytes += entry.bytes;
  fmt::print("folder   {}\nentries  {}\nsize     {} of at most {}\n", cache.folder(), entries.size(),
             size_text(bytes), size_text(cache.limits().total_bytes));
}

void clear(const std::string& folder) {
  DiskCache cache = open_cache(folder);
  std::uint64_t bytes = 0;
  for (const DiskCache::Entry& entry : cache.entries()) bytes += entry.bytes;
  const std::size_t removed = cache.clear();
  std::uint64_t left = 0;
  for (const DiskCache::Entry& entry : cache.entries()) left += entry.bytes;
  fmt::print("removed {} {} ({}) from {}\n", removed, removed == 1 ? "entry" : "entries",
             size_text(bytes > left ? bytes - left : 0), cache.folder());
  if (left > 0)
    throw IoError(cache.folder() + ": " + size_text(left) + " could not be removed; is the folder yours?");
}

}  // namespace

void add_cache_command(CLI::App& cli) {
  CLI::App* cache = cli.add_subcommand("cache", "Prepared data kept on disk for a faster second start");
  cache->require_subcommand(1);
  const auto folder = std::make_shared<std::string>();
  const auto add = [&](const char* name, const char* text, void (*action)(const std::string&)) {
    CLI::App* command = cache->add_subcommand(name, text);
    command->add_option("--folder", *folder, "Default: the platform's folder for caches")->type_name("DIR");
    command->callback([folder, action] { action(*folder); });
  };
  add("info", "Folder, number of entries, size", print_info);
  add("clear", "Remove all entries (other files in the folder stay)", clear);
}

}  // namespace sinew::app
