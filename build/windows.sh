#!/bin/sh
# Runs the program for Windows under Wine: the contract tests of every library that can run there, and the tests of the category Windows. What Wine cannot do
# is skipped with its reason (Docs/troubleshooting.md). A failed test is repeated as in test.sh. No figure from Wine describes Windows. Ends with
# 'N passed, N failed'.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

longest=360
if [ "$#" -gt 0 ]; then
    echo "'$*' is not understood: this script has no options." >&2
    exit 2
fi

. "$root/build/prerequisites.sh"
. "$root/build/test-results.sh"

require_dotnet
install_wine "the program is not tested on Windows"
if [ ! -x "$wine" ]; then
    echo "0 passed, 0 failed"
    exit
fi

work=$(mktemp -d)
wine_server="${wine%/*}/wineserver64"
export WINEPREFIX="$work/prefix" WINEDEBUG=-all WINEDLLOVERRIDES=mshtml= DOTNET_EnableWriteXorExecute=0
# The processes of Wine inherit standard output, and would hold a pipe open until the last of them has ended.
trap '"$wine_server" --kill >"$work/end" 2>&1 || true; wait; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

report "Building for Windows ..."
# The program is on drive C, because drive Z is this system's root: files of /proc would be found, which Windows does not have.
program="$WINEPREFIX/drive_c/netbench"
if ! dotnet publish "$root/NetCoreNetworkBenchmark.Tests" --configuration Release --runtime win-x64 --self-contained --output "$work/program" \
    --artifacts-path "$work/artifacts" --nologo >"$work/build" 2>&1; then
    cat "$work/build" >&2
    echo "The build failed."
    echo "0 passed, 1 failed"
    exit 1
fi

rm -rf "$work/artifacts"
timeout 60 "$wine" wineboot --init >"$work/boot" 2>&1 </dev/null || true
timeout 60 "$wine" winecfg -v win10 >>"$work/boot" 2>&1 </dev/null || true
mv "$work/program" "$program"
# A server that stays: the start of one takes seconds.
timeout 30 "$wine_server" --wait || true
"$wine_server" --foreground --persistent >>"$work/boot" 2>&1 </dev/null &

report "Testing ..."
cd "$program"
# The program for Windows knows no path of this system.
results=.

# check NAME COMMAND...
check() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "Failed: $name"
        failed=$((failed + 1))
    fi
}

# test_program ARGUMENT...: runs the test program within what is left of the time.
test_program() { timeout -k 10 $((end - $(date +%s))) "$wine" NetCoreNetworkBenchmark.Tests.exe -noColor -preEnumerateTheories "$@" </dev/null; }

# run_tests ARGUMENT...
run_tests() {
    rm -f tests.trx
    test_program -result-trx tests.trx "$@" >"$work/tests" 2>&1 || true
    if ! has_counts tests.trx; then
        tail -n 20 "$work/tests"
        echo "The tests did not come to an end within $longest s."
        failed=$((failed + 1))
        return
    fi
    count_tests
    cat lines
    echo "$(skipped_tests) tests were skipped:"
    sed -n '/\[SKIP\]/ { n; s/^ */    /; s/\r//; p; }' "$work/tests" | sort -u
}

# netbench_in_terminal KEYS WORDS ARGUMENT...: runs the program in a terminal and types keys when it has printed these words.
netbench_in_terminal() {
    keys=$1
    words=$2
    shift 2
    rm -f "$work/keys" "$work/terminal"
    mkfifo "$work/keys"
    timeout 90 script -qefc "'$wine' NetCoreNetworkBenchmark.exe $*" "$work/terminal" <"$work/keys" >"$work/screen" 2>&1 &
    terminal=$!
    exec 9>"$work/keys"
    tries=300
    until grep -a -q "$words" "$work/terminal" 2>/dev/null || [ "$tries" -eq 0 ]; do
        tries=$((tries - 1))
        sleep 0.2
    done
    # shellcheck disable=SC2059 # The keys are escape sequences of printf.
    printf "$keys" >&9
    code=0
    wait "$terminal" || code=$?
    exec 9>&-
    return "$code"
}

quick="-b=quick --launches 1 -l Sockets,LiteNetLib --any-machine --verbose -o C:/quick"
ctrl_c_ends() {
    # shellcheck disable=SC2086 # Words of a command line.
    ! netbench_in_terminal '\003' 'Benchmark 2' $quick && grep -a -q 'COMMAND_EXIT_CODE="1"' "$work/terminal" && [ -e ../quick/*/unfinished ]
}
no_process_is_left() { ! pgrep -f 'NetCoreNetworkBenchmark.exe --agent' >"$work/left"; }
is_continued() {
    # shellcheck disable=SC2086 # Words of a command line.
    timeout 60 "$wine" NetCoreNetworkBenchmark.exe $quick --continue >"$work/continued" 2>&1 </dev/null || true
    grep -q 'LiteNetLib' "$work/continued" && [ ! -e ../quick/*/unfinished ]
}

end=$(($(date +%s) + longest))
check "Ctrl+C in a terminal ends a benchmark with what was measured" ctrl_c_ends
check "Ctrl+C leaves no process" no_process_is_left
check "--continue completes the benchmark" is_continued
run_tests -maxThreads 1x -filter '/*/*/WindowsTests'
run_tests -filter '/*/*/LibraryContractTests'
end_run
