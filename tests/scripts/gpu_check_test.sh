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
cat >"$bundle/bin/sinew" <<'S'
#!/usr/bin/env bash
case "$1" in
  devices) echo "cuda      none: no NVIDIA driver is loaded" ;;
  *) echo "sinew: error: --backend cuda: no CUDA device: no NVIDIA driver is loaded" >&2; exit 2 ;;
esac
S
for name in test_device test_host test_device_elastic; do
  printf '#!/usr/bin/env bash\necho "skipped: no NVIDIA driver is loaded"\nexit 4\n' >"$bundle/bin/$name"
done
printf '#!/usr/bin/env bash\necho "assertion \\"a|b\\" failed"\nexit 1\n' >"$bundle/bin/test_backend"
chmod +x "$bundle"/bin/*
PATH="/usr/bin:/bin" "$check" run "$bundle" "$work/out" >"$work/log" 2>&1
expect "a failed step gives status 1" test $? -eq 1
report="$work/out/report.md"
expect "the reason stands in the report" says "$report" "none: no NVIDIA driver is loaded"
expect "skipped tests are told as such" says "$report" "| test_device | skipped |"
expect "the failed one as well" says "$report" "| test_backend | FAILED |"
expect "bars do not break the table" says "$report" 'assertion "a/b" failed'
expect "the bench that failed does not end the check" says "$report" "| scene_rollers | FAILED |"
expect "what it was made from is told" says "$report" "some commit"
expect "JSON has every step" test "$(grep -o '"name"' "$work/out/report.json" | wc -l)" -ge 11
expect "JSON says that it failed" says "$work/out/report.json" '"passed": false'
expect "JSON escapes quotes" says "$work/out/report.json" 'assertion \"a|b\" failed'
if command -v python3 >/dev/null; then
  expect "JSON can be read" python3 -c "import json, sys; json.load(open(sys.argv[1]))" "$work/out/report.json"
fi

# A step that hangs is stopped; a program that is missing is told; when the time is up the rest is left out.
printf '#!/usr/bin/env bash\nsleep 100\n' >"$bundle/bin/test_host"
rm "$bundle/bin/test_device"
SINEW_GPU_CHECK_SECONDS=3 PATH="/usr/bin:/bin" "$check" run "$bundle" "$work/late" >"$work/log" 2>&1
expect "a hanging step gives status 1" test $? -eq 1
expect "it is stopped" says "$work/late/report.md" "stopped after"
expect "the missing program is told" says "$work/late/report.md" "test_device is missing"
expect "the rest is left out" says "$work/late/report.md" "| bench_device | left out |"

((failures == 0)) && echo "all passed"
exit $((failures > 0))
