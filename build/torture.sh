#!/bin/sh
# Sends a million (TORTURE_COUNT) random datagrams, or a thousand broken connections and a million changed frames, to every server beside its own clients,
# on the loopback alone, and prints a markdown table. It has no options and takes some minutes. Exit code 1: a server died or a client lost something.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
if [ "$#" -gt 0 ]; then
    echo "'$*' is not understood: there are no options." >&2
    exit 2
fi

. "$root/build/prerequisites.sh"
require_dotnet
install_enet
cd "$root"
build_quietly NetCoreNetworkBenchmark.slnx
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
status=0
TORTURE_COUNT="${TORTURE_COUNT:-1000000}" TORTURE_TABLE="$results/table" dotnet test NetCoreNetworkBenchmark.slnx --configuration Release --no-build --nologo \
    --filter Category=Torture >"$results/log" 2>&1 || status=1
if [ ! -s "$results/table" ]; then
    cat "$results/log" >&2
    echo "No server was tried." >&2
    exit 1
fi

echo "| Library | Transport | Unsolicited sent | Dropped by kernel | Unsolicited counted | Clients' messages | Lost | Errors | Verdict |"
echo "|---|---|---|--:|--:|--:|--:|---|---|"
sort "$results/table"
if [ "$status" -ne 0 ]; then
    echo
    grep -v '^ *at ' "$results/log" | tail -n 60
fi

exit "$status"
