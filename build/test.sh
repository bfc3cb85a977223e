#!/bin/sh
# Installs what is missing, builds, checks the format and runs all tests. The last line is 'N passed, N failed'.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

passed=0
failed=0
skipped=0

summary() {
    if [ "$skipped" -gt 0 ]; then
        printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
    else
        printf '%s passed, %s failed\n' "$passed" "$failed"
    fi
    [ "$failed" -eq 0 ]
}

# counter NAME: a number of the test run's own account.
counter() { sed -n "s/.*<Counters .*[ ]$1=\"\([0-9]*\)\".*/\1/p" "$results/tests.trx"; }

# failures: every failed test again with what it says, after the long list of those that passed.
failures() {
    awk '/<UnitTestResult / { failed = /outcome="Failed"/ }
         failed && /<UnitTestResult / { match($0, /testName="[^"]*"/); print "Failed: " substr($0, RSTART + 10, RLENGTH - 11) }
         failed && /<Message>/ { message = 1 }
         failed && message { sub(/.*<Message>/, ""); print "    " without_end($0) }
         /<\/Message>/ { message = 0 }
         function without_end(line) { sub(/<\/Message>.*/, "", line); return line }' "$results/tests.trx" |
        sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#xD;//g; s/&amp;/\&/g'
}

require_dotnet
install_enet
install_enet_header "the layouts of ENet's structs are not checked, nor the C programs of build/limit"
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

cd "$root"
if ! (build_quietly NetCoreNetworkBenchmark.sln); then
    failed=1
    summary
fi

if dotnet format NetCoreNetworkBenchmark.sln --verify-no-changes --no-restore; then
    passed=$((passed + 1))
else
    echo "The format is not the one of .editorconfig: run 'dotnet format'."
    failed=$((failed + 1))
fi

dotnet test NetCoreNetworkBenchmark.sln --configuration Release --no-build --nologo \
    --results-directory "$results" --logger 'trx;LogFileName=tests.trx' --logger 'console;verbosity=normal' || true
if [ -e "$results/tests.trx" ]; then
    passed=$((passed + $(counter passed)))
    failed=$((failed + $(counter executed) - $(counter passed)))
    skipped=$(($(counter total) - $(counter executed)))
    failures
else
    echo "The tests did not come to an end."
    failed=$((failed + 1))
fi

summary
