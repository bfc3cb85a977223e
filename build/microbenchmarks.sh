#!/bin/sh
# Measures the hot paths of the harness with BenchmarkDotNet. Its own options can be given, such as --filter '*MessagePath*' or --job Short; with none, all
# benchmarks run, which takes about five minutes. BenchmarkDotNet writes its files to BenchmarkDotNet.Artifacts in the checkout.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

require_dotnet
build_quietly "$root/NetCoreNetworkBenchmark.Microbenchmarks"

[ $# -gt 0 ] || set -- --filter '*'
# BenchmarkDotNet looks for the project below the current folder.
cd "$root"
exec NetCoreNetworkBenchmark.Microbenchmarks/bin/Release/net10.0/NetCoreNetworkBenchmark.Microbenchmarks "$@"
