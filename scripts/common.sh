# Shared by the scripts: paths, messages, number of build jobs, configuring. Sourced by bash, not run.
SINEW_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() { printf '%s\n' "sinew: $*"; }
fail() {
  printf '%s\n' "sinew: error: $*" >&2
  exit 1
}

# Jobs for the compiler: all cores, but no more than one per 1.5 GB of free memory (optimised Eigen code
# takes about 1 GB per file). SINEW_JOBS overrides.
build_jobs() {
  if [[ -n "${SINEW_JOBS:-}" ]]; then
    echo "$SINEW_JOBS"
    return
  fi
  local cores free_kb by_memory
  cores="$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
  free_kb="$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || true)"
  # A container may be allowed less than the machine has (cgroup version 2).
  local limit
  limit="$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)"
  if [[ "$limit" =~ ^[0-9]+$ ]] && ((limit / 1024 < ${free_kb:-0})); then
    free_kb=$((limit / 1024))
  fi
  by_memory=$((${free_kb:-1572864} / 1572864))
  ((by_memory < 1)) && by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# configure PRESET [-D...]: with ccache where it is installed, unless the caller chose a launcher.
configure() {
  local preset="$1"
  shift
  local launcher=()
  if [[ -n "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]]; then # cmake alone would heed it in new build folders only
    launcher=("-DCMAKE_CXX_COMPILER_LAUNCHER=$CMAKE_CXX_COMPILER_LAUNCHER")
  elif command -v ccache >/dev/null 2>&1 && [[ "$*" != *COMPILER_LAUNCHER* ]]; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  (cd "$SINEW_ROOT" && cmake --preset "$preset" "${launcher[@]}" "$@")
}

# build PRESET [TARGET ...]
build() {
  local preset="$1"
  shift
  local targets=()
  if (($# > 0)); then targets=(--target "$@"); fi
  local jobs
  jobs="$(build_jobs)"
  say "building $preset with $jobs job(s)"
  (cd "$SINEW_ROOT" && cmake --build --preset "$preset" -j "$jobs" "${targets[@]}")
}
