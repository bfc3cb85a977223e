#!/bin/sh
# Installs what is missing, builds and runs the benchmark with the options given; with none, a first look
# at every library (-b=quick), which takes about two minutes. The whole predefined benchmark is -b.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

require_dotnet
install_enet
build_quietly "$root/NetCoreNetworkBenchmark"

[ $# -gt 0 ] || set -- --benchmark=quick
exec "$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark" "$@"
