#!/bin/sh
# Measures the hot paths of the harness with BenchmarkDotNet, into BenchmarkDotNet.Artifacts: all in about five minutes, or those that its own options
# choose, such as --filter '*MessagePath*' or --job Short.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

require_dotnet
build_quietly "$root/NetCoreNetworkBenchmark.Microbenchmarks"

[ $# -gt 0 ] || set -- --filter '*'
# BenchmarkDotNet looks for the project below the current folder.
cd "$root"
exec NetCoreNetworkBenchmark.Microbenchmarks/bin/Release/net10.0/NetCoreNetworkBenchmark.Microbenchmarks "$@"
