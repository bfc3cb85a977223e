#!/bin/sh
# Measures the quick benchmark (-b=quick) and writes its result and page.html for a browser to a new folder, as the CI does.
# Usage: quick-benchmark.sh DIR [OPTION...], with options of the program, such as --launches 5.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

if [ $# -eq 0 ] || [ "${1#-}" != "$1" ]; then
    report "Usage: quick-benchmark.sh DIR [OPTION...]"
    exit 2
fi

folder=$1
shift
if [ -e "$folder" ]; then
    report "'$folder' is there already; name a new folder."
    exit 2
fi

require_dotnet
install_enet
build_quietly "$root/NetCoreNetworkBenchmark"
program="$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark"
"$program" -b=quick --any-machine --output "$folder" "$@"
"$program" report "$folder" -f html -o "$folder/page.html" >&2
report "The page is $folder/page.html."
