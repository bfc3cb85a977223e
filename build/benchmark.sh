#!/bin/sh
# Installs what is missing, builds the benchmark and runs it with the given options. Without options it prints a first ranking of all libraries in about
# two minutes (-b=quick); the whole predefined benchmark is -b.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

require_dotnet
install_enet
build_quietly "$root/NetCoreNetworkBenchmark"

[ $# -gt 0 ] || set -- --benchmark=quick
NETBENCH_PROGRAM=$0 exec "$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark" "$@"
