#!/bin/sh
# Installs what is missing, builds, checks the format and runs the tests. With --all also the tests that take minutes (categories Long and
# Torture), and all rules of the format. Each part ends with the line 'N passed, N failed', and so does the whole.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

all=false
case "$#:${1-}" in
    0:) ;;
    1:--all) all=true ;;
    *)
        echo "'$*' is not understood: the only option is --all, for the long tests too." >&2
        exit 2
        ;;
esac
. "$root/build/prerequisites.sh"

passed=0
failed=0

# summary PASSED FAILED: the last line of a part, and of the whole.
summary() {
    printf '%s passed, %s failed\n' "$1" "$2"
    [ "$2" -eq 0 ]
}

# counter NAME: a number of the test run's own account.
counter() { sed -n "s/.*<Counters.* $1=\"\([0-9]*\)\".*/\1/p" "$results/tests.trx"; }

# failures: every failed test again with its message, after the long list of those that passed.
failures() {
    awk '/<UnitTestResult / { failed = /outcome="Failed"/ }
         failed && /<UnitTestResult / { match($0, /testName="[^"]*"/); print "Failed: " substr($0, RSTART + 10, RLENGTH - 11) }
         failed && /<Message>/ { message = 1 }
         failed && message { sub(/.*<Message>/, ""); print "    " without_end($0) }
         /<\/Message>/ { message = 0 }
         function without_end(line) { sub(/<\/Message>.*/, "", line); return line }' "$results/tests.trx" |
        sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#xD;//g; s/&amp;/\&/g'
}

# check_format ARGUMENT...: starts the check of the format beside the tests, in the time that they leave idle.
check_format() {
    nice -n 19 dotnet format "$@" --verify-no-changes >"$results/format" 2>&1 &
    format=$!
}

# count_format: waits for the check and adds its outcome as that of a test.
count_format() {
    if wait "$format"; then
        passed=$((passed + 1))
    else
        cat "$results/format"
        echo "The format is not the one of .editorconfig: run 'dotnet format'."
        failed=$((failed + 1))
    fi
    format=
}

# run_tests OPTION...: runs those, which print what fails and what is skipped, and adds their counts.
run_tests() {
    rm -f "$results/tests.trx"
    (cd NetCoreNetworkBenchmark.Tests/bin/Release/net10.0 && dotnet NetCoreNetworkBenchmark.Tests.dll -noColor -preEnumerateTheories \
        -trx "$results/tests.trx" "$@") || true
    if [ -e "$results/tests.trx" ]; then
        passed=$((passed + $(counter passed)))
        failed=$((failed + $(counter executed) - $(counter passed)))
        failures | tee -a "$results/failures"
        skipped=$(($(counter total) - $(counter executed)))
        [ "$skipped" -eq 0 ] || echo "$skipped tests were skipped."
    else
        echo "The tests did not come to an end."
        failed=$((failed + 1))
    fi
}

require_dotnet
install_enet
install_enet_header "the layouts of ENet's structs are not checked, nor the C programs of build/limit"
install_nginx "the tests of nginx are skipped"
[ "$all" = false ] || install_hosts "the tests of several hosts are skipped"
[ "$all" = false ] || install_browser "the tests of the page in a browser are skipped"
[ "$all" = false ] || install_shells "the completion in zsh and fish is not tested"
# The tests start some thousand processes. Each spends a part of its start on protecting the pages of the JIT from being written and executed.
export DOTNET_EnableWriteXorExecute=0
results=$(mktemp -d)
format=
trap '[ -z "$format" ] || kill "$format" 2>/dev/null || true; rm -rf "$results"' EXIT
trap 'exit 130' INT TERM

cd "$root"
if ! (build_quietly NetCoreNetworkBenchmark.sln); then
    summary 0 1
fi

# The rules of style take an analysis of all code, which is a part of --all. Spaces are checked in every file, also of the libraries that this build does
# not have.
check_format whitespace . --folder
run_tests -trait- Category=Long -trait- Category=Torture
count_format
if [ "$all" = false ]; then
    summary "$passed" "$failed"
    exit
fi

summary "$passed" "$failed" || true
short_passed=$passed
short_failed=$failed
check_format NetCoreNetworkBenchmark.sln --no-restore
# Each of them takes the processors by itself, and more of them at a time would only miss their deadlines.
run_tests -trait Category=Long -trait Category=Torture -maxThreads 1x
count_format
summary $((passed - short_passed)) $((failed - short_failed)) || true
echo "Together:"
[ ! -e "$results/failures" ] || cat "$results/failures"
summary "$passed" "$failed"
