#!/bin/sh
# Measures the quick benchmark (-b=quick) of another revision and of this checkout, one after the other on this machine, and compares them. The exit code is 3
# if a case is slower.
#
# compare-with.sh REVISION DIR [OPTION...]
#   REVISION  what git knows, such as origin/main
#   DIR       a new folder: both results, and the comparison with comparison.html, a page for a browser
#   OPTION    of the program, such as --launches 5
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

if [ $# -lt 2 ] || [ "${2#-}" != "$2" ]; then
    say "Usage: compare-with.sh REVISION DIR [OPTION...]"
    exit 2
fi

if ! revision=$(git -C "$root" rev-parse --verify --quiet --end-of-options "$1^{commit}"); then
    say "'$1' is no revision of this checkout; 'git fetch' brings those of others."
    exit 2
fi

folder=$2
shift 2
require_new_folder "$folder"
require_dotnet
install_enet

# The sources of the other revision in a folder of their own, which is removed however this ends.
work=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$work/old" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
git -C "$root" worktree add --quiet --detach "$work/old" "$revision"

binary=NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark
build_quietly "$work/old/NetCoreNetworkBenchmark"
build_quietly "$root/NetCoreNetworkBenchmark"
say "Measuring $revision ..."
measure_quickly "$work/old/$binary" "$folder/old" "$@"
say "Measuring this checkout ..."
measure_quickly "$root/$binary" "$folder/new" "$@"
code=0
"$root/$binary" compare "$folder/old" "$folder/new" --fail-on-regression -o "$folder/comparison" || code=$?
if [ -e "$folder/comparison/comparison.json" ]; then
    "$root/$binary" report "$folder/comparison/comparison.json" -f html -o "$folder/comparison.html" >&2
    say "The page is $folder/comparison.html."
fi

exit "$code"
