#!/bin/sh
# Builds the program, measures the quick benchmark (-b=quick) and writes its result to a folder, with a page for a browser.
#
# quick-benchmark.sh DIR [OPTION...]
#   DIR     a new folder: the result in a folder of the machine's name, and page.html
#   OPTION  of the program, such as --launches 5
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

if [ $# -eq 0 ] || [ "${1#-}" != "$1" ]; then
    say "Usage: quick-benchmark.sh DIR [OPTION...]"
    exit 2
fi

folder=$1
shift
require_new_folder "$folder"
require_dotnet
install_enet
build_quietly "$root/NetCoreNetworkBenchmark"
program="$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark"
measure_quickly "$program" "$folder" "$@"
"$program" report "$folder" -f html -o "$folder/page.html" >&2
say "The page is $folder/page.html."
