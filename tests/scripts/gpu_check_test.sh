#!/usr/bin/env bash
# scripts/gpu-check without a GPU: wrong arguments, a machine without a driver, steps that fail or are missing.
# Usage: gpu_check_test.sh PATH_OF_gpu-check
set -uo pipefail
check="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
failures=0
expect() { # expect TEXT CONDITION...: the test command must hold
  local text="$1"
  shift
  if ! "$@"; then
    echo "not so: $text"
    failures=$((failures + 1))
  fi
}
says() { grep -qF -- "$2" "$1"; }

# One line and status 2 for what cannot start.
for arguments in "" "fly" "bundle" "run" "run $work/none $work/out"; do
  # shellcheck disable=SC2086
  "$check" $arguments >"$work/log" 2>&1
  expect "'$arguments' ends with 2" test $? -eq 2
  expect "'$arguments' gives one line" test "$(wc -l <"$work/log")" -eq 1
  expect "'$arguments' gives an error" says "$work/log" "sinew: error: "
done
expect "the bundle that is missing is named" says "$work/log" "$work/none holds no bundle"
mkdir "$work/full" && touch "$work/full/file"
PATH="$work/bin:$PATH" "$check" bundle "$work/full" >"$work/log" 2>&1
expect "bundle ends with 2 where it cannot go on" test $? -eq 2
"$check" --help >"$work/log"
expect "help ends with 0" test $? -eq 0
expect "help tells both commands" says "$work/log" "run DIR OUT"

# A bundle of stand-ins: the device list says that there is no driver, tests are skipped.
bundle="$work/bundle"
mkdir -p "$bundle"/{bin,lib,assets/scenes}
echo "some commit" >"$bundle/made_from.txt"
printf '%s\n' libcusparse.so.99 libfoo.so.1 >"$bundle/libraries.txt"
cat >"$bundle/table3.csv" <<'S'
# a comment, with commas
example,vertices_k,frame_max_ms,scene,frames,settings,elements_k
Bar,5.3,6.00,scenes/twist,200,a.b=1 c.d=arap,26.4
Cloth,10.2,8.00,bench/cloth,100,a.b=2,20.2
S
cat >"$bundle/bin/sinew" <<'S'
#!/usr/bin/env bash
case "$1" in
  devices) echo "cuda      none: no NVIDIA driver is loaded" ;;
  *) echo "sinew: error: --backend cuda: no CUDA device: no NVIDIA driver is loaded" >&2; exit 2 ;;
esac
S
cat >"$bundle/bin/test_gpu" <<'S'
#!/usr/bin/env bash
[[ "$1" == --list-test-names-only ]] && printf '%s\n' "cuda: one, with a comma" "cuda: two" "cuda: three" && exit 3
[[ "$1" == "cuda: two" ]] && echo 'assertion "a|b" failed' && exit 1
[[ "$1" == "cuda: three" ]] && echo "No tests ran" && exit 0
[[ "$1" != 'cuda: one\, with a comma' ]] && exit 1
echo "skipped: no NVIDIA driver is loaded" && exit 4
S
chmod +x "$bundle"/bin/*
PATH="/usr/bin:/bin" "$check" run "$bundle" "$work/out" >"$work/log" 2>&1
expect "a failed step gives status 1" test $? -eq 1
report="$work/out/report.md"
expect "the reason stands in the report" says "$report" "none: no NVIDIA driver is loaded"
expect "tests are counted" says "$report" "| gpu_tests | FAILED | "
expect "by how they went" says "$report" "3 cases: 0 passed, 2 failed, 1 skipped, 0 left out for time"
expect "a case that is not found has failed" says "$report" "| test: cuda: three | FAILED |"
expect "the failed one has its own line" says "$report" "| test: cuda: two | FAILED |"
expect "bars do not break the table" says "$report" 'assertion "a/b" failed'
expect "the bench that failed does not end the check" says "$report" "| scene_slope | FAILED |"
expect "libraries that nobody has are told" says "$report" "libcusparse.so.99: not in the toolkit, nor by ldconfig"
expect "without a device no published scene is tried" says "$report" "| published_scenes | FAILED | 0 | no device: cuda      none"
expect "what it was made from is told" says "$report" "some commit"
expect "JSON has every step" test "$(grep -o '"name"' "$work/out/report.json" | wc -l)" -ge 10
expect "JSON says that it failed" says "$work/out/report.json" '"passed": false'
expect "JSON escapes quotes" says "$work/out/report.json" 'assertion \"a|b\" failed'
if command -v python3 >/dev/null; then
  expect "JSON can be read" python3 -c "import json, sys; json.load(open(sys.argv[1]))" "$work/out/report.json"
fi

# With a device: rows of the published table, libraries where Python has them, a row that fails, one that is cut short.
mkdir -p "$work/python/nvidia/cu99/lib" "$work/bin" && touch "$work/python/nvidia/cu99/lib/libcusparse.so.99"
printf '#!/usr/bin/env bash\necho "%s"\n' "$work/python" >"$work/bin/python3" && chmod +x "$work/bin/python3"
cat >"$bundle/bin/sinew" <<'S'
#!/usr/bin/env bash
case "$1" in
  devices) echo "cuda 0    a device, architecture 9.0: --backend cuda" ; exit ;;
  bench) exit ;;
esac
[[ "$2" == */bench/cloth.json ]] && echo "sinew: error: no room" >&2 && exit 2
while (($#)); do [[ "$1" == --report ]] && report="$2"; [[ "$1" == --set ]] && sets+="$2;"; shift; done
[[ -n "$report" ]] && cat >"$report" <<J
{
  "sizes": {
    "vertices": 5280
  },
  "status": "interrupted",
  "frames": 86,
  "stages_ms": {
    "local": {
      "median": 9.5,
      "max": 99
    },
    "frame": {
      "median": 1.25,
      "max": 1.5
    }
  },
  "contacts": {
    "max": 7,
    "mean": 2
  }
}
J
echo "$sets"
S
PATH="$work/bin:/usr/bin:/bin" "$check" run "$bundle" "$work/device" >"$work/log" 2>&1
report="$work/device/report.md"
expect "the library is found in Python's packages" says "$report" "libcusparse.so.99: $work/python/nvidia/cu99/lib/libcusparse.so.99 (Python)"
expect "a row stands beside the published time" says "$report" "| Bar | 5.3 | 5280 | 86 | 7 | 1.25 | 1.50 | 6.00 | 4.0 |"
expect "a row that failed is told" says "$report" "| Cloth | 10.2 | - | - | - | - | - | 8.00 | failed |"
expect "with its reason" says "$report" "1 of 2 rows measured, 1 failed; the last of them: Cloth 10.2 k: sinew: error: no room"
expect "settings reach the program" says "$work/device/published_scenes.log" "a.b=1;c.d=arap;"
expect "JSON has the row" says "$work/device/report.json" '"vertices": 5280, "frames": 86, "contacts_max": 7, "median_ms": 1.25'
if command -v python3 >/dev/null; then
  expect "this JSON can be read" python3 -c "import json, sys; json.load(open(sys.argv[1]))" "$work/device/report.json"
fi

# A step that hangs is stopped; a program that is missing is told; when the time is up the rest is left out.
printf '#!/usr/bin/env bash\n[[ "$1" == devices ]] && sleep 100\nexit 1\n' >"$bundle/bin/sinew"
rm "$bundle/bin/test_gpu"
SINEW_GPU_CHECK_SECONDS=3 PATH="/usr/bin:/bin" "$check" run "$bundle" "$work/late" >"$work/log" 2>&1
expect "a hanging step gives status 1" test $? -eq 1
expect "it is stopped" says "$work/late/report.md" "stopped after"
expect "the missing program is told" says "$work/late/report.md" "test_gpu is missing"
expect "the rest is left out" says "$work/late/report.md" "| bench_device | left out |"
expect "without an answer no published scene is tried" says "$work/late/report.md" "| published_scenes | FAILED | 0 | no device: no device could be asked for |"

((failures == 0)) && echo "all passed"
exit $((failures > 0))
