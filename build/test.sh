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
else
    echo "The tests did not come to an end."
    failed=$((failed + 1))
fi

summary
