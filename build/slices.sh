#!/bin/sh
# Compares this build with itself in slices of several lengths, for each kind of load, and prints how wide the interval of the ratio is, and after how many
# seconds. The noise is half of the width times the root of the seconds: the smaller, the sooner a comparison is decided. Nothing else may run meanwhile.
#
# slices.sh [SECONDS [SLICE...]]
#   SECONDS  measurement of each build in a set; 2 if it is not given
#   SLICE    lengths in seconds; 0.03 0.05 0.1 0.2 if none is given. Windows of 100 messages or more have slices of twice that length
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

sets=4
measured=${1:-2}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 0.03 0.05 0.1 0.2
for number in "$measured" "$@"; do
    case $number in
        '' | *[!0-9.]* | *.*.* | .)
            say "Usage: slices.sh [SECONDS [SLICE...]]; '$number' is no number."
            exit 2
            ;;
    esac
done

require_dotnet
install_enet
build_quietly "$root/NetCoreNetworkBenchmark"
folder="$root/NetCoreNetworkBenchmark/bin/Release/net10.0"

printf '| load | slice | wall time | half width | noise |\n|---|--:|--:|--:|--:|\n'
while read -r name load; do
    for slice; do
        rounds=$(awk -v all="$measured" -v one="$slice" 'BEGIN { n = int(all / one + 0.5); print n < 2 ? 2 : n }')
        start=$(date +%s.%N)
        # Undecided has the exit code 0; a difference of a build from itself is a figure like any other here.
        # shellcheck disable=SC2086
        result=$("$folder/NetCoreNetworkBenchmark" versus "$folder" $load --launches $sets --rounds "$rounds" --slice "$slice") || [ $? -eq 3 ]
        printf '%s\n' "$result" | awk -F '|' -v name="$name" -v slice="$slice" -v start="$start" -v end="$(date +%s.%N)" '
            $7 ~ /–/ {
                split($7, bound, "–")
                half = 100 * (sqrt(bound[2] / bound[1]) - 1)
                time = end - start
                printf "| %s | %g ms | %.0f s | ±%.1f %% | %.1f %%√s |\n", name, 1000 * slice, time, half, half * sqrt(time)
                found = 1
            }
            END { if (!found) printf "| %s | %g ms | no interval | | |\n", name, 1000 * slice }'
    done
done <<'LOADS'
UDP,1,000×1 -l Sockets -c 1000 -m 1
UDP,100×1,000 -l LiteNetLib -c 100 -m 1000
TCP,100×10 -l Epoll -P Tcp -c 100 -m 10
TCP,100×1,000 -l Epoll -P Tcp -c 100 -m 1000
TLS,100×10 -l Kestrel -P Ssl -c 100 -m 10
LOADS
