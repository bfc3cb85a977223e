#!/bin/sh
# Measures C programs (build/limit/) and the harness in alternation, and prints their rates and ratios as a markdown table (Linux).
# Usage: limit.sh [PAIRS] [SECONDS] [--only NAME]: PAIRS measurements of each row (5) of SECONDS each (3).
# NAME is udp, tcp, tls, handshake, a C program such as tcp-message, or a library. Reports go to standard error.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

# Rows of clients, messages in flight of each, C program, library, options of the harness.
rows=
row() { rows="$rows$*
"; }

for load in '1000 1' '100 1000' '1 1'; do
    row "$load call Sockets"
    for batch in call mmsg gso; do
        row "$load $batch Epoll --set epoll.batch=$batch"
    done
    row "$load libenet ENet"
done
for clients in 1 100; do
    for send in message receive; do
        row "$clients 1000 tcp-$send Epoll -P Tcp -t RoundTrip --set epoll.send=$send"
        row "$clients 1000 tls-$send Epoll -P Ssl -t RoundTrip --set epoll.send=$send"
    done
done
for architecture in reactor 'workers --server-threads 2' threads 'pool --server-threads 2'; do
    row "100 1 handshake-${architecture%% *} Epoll -P Ssl -t Handshake --set epoll.architecture=$architecture"
done
attempts=3
names="udp tcp tls handshake $(echo "$rows" | awk 'NF { if (!seen[$3]++) print $3; if (!seen[$4]++) print $4 }' | paste -s -d ' ' -)"

bad_input() {
    report "$1"
    report "Usage: limit.sh [PAIRS] [SECONDS] [--only NAME]; the names are: $names"
    exit 2
}

read_arguments() {
    pairs=
    seconds=
    only=
    while [ $# -gt 0 ]; do
        case $1 in
            --only)
                [ $# -ge 2 ] || bad_input "--only requires a name."
                only=$2
                shift
                ;;
            --only=*) only=${1#--only=} ;;
            -*) bad_input "$1 is unknown." ;;
            '' | *[!0-9]* | 0*) bad_input "'$1' is not a whole number above 0." ;;
            *)
                if [ -z "$pairs" ]; then
                    pairs=$1
                elif [ -z "$seconds" ]; then
                    seconds=$1
                else
                    bad_input "'$1' is one number too many."
                fi
                ;;
        esac
        shift
    done
    pairs=${pairs:-5}
    seconds=${seconds:-3}
    case " $names " in
        *" ${only:-udp} "*) ;;
        *) bad_input "'$only' is none of the names." ;;
    esac
}

# Ends what is running, and leaves nothing behind.
clean_up() {
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    rm -rf "$work"
}

# run COMMAND...: its output goes to $work/out and $work/err. In the background, so that a signal to this script is acted upon at once.
run() {
    "$@" >"$work/out" 2>"$work/err" &
    child=$!
    code=0
    wait "$child" || code=$?
    child=
    return "$code"
}

# wanted PROGRAM LIBRARY
wanted() {
    case $only in
        '') return 0 ;;
        udp) case $1 in call | mmsg | gso) ;; *) return 1 ;; esac ;;
        tcp | tls | handshake) [ "${1%%-*}" = "$only" ] ;;
        *) [ "$1" = "$only" ] || [ "$2" = "$only" ] ;;
    esac
}

# source_of PROGRAM: the file in build/limit/, without its ending.
source_of() {
    case $1 in
        libenet) echo enet ;;
        tcp-* | tls-* | handshake-*) echo "${1%%-*}" ;;
        *) echo udp ;;
    esac
}

# can_run LIBRARY: according to --list.
can_run() { grep "^| $1 " "$work/list" | grep -qv 'not in this build\|cannot run here'; }

compile() {
    if ! command -v cc >/dev/null 2>&1; then
        report "There is no C compiler (cc)."
        exit 1
    fi
    if ! compile_one udp || ! compile_one tcp; then
        cat "$work/err" >&2
        exit 1
    fi
    compile_one enet -lenet || report "Left out libenet, it does not compile here: $(compile_error)"
    compile_one handshake -lssl -lcrypto || true
    compile_one tls -lssl -lcrypto || report "Left out TLS, OpenSSL in C does not compile here: $(compile_error)"
}

# compile_one SOURCE LIBRARY...
compile_one() {
    name=$1
    shift
    cc -O2 -Wall -Wextra -Werror "$root/build/limit/$name.c" -o "$work/$name" -pthread "$@" 2>"$work/err"
}

compile_error() { sed -n '/error:/{s/.*error: //p;q;}' "$work/err"; }

# measure_c and measure_harness CLIENTS MESSAGES PROGRAM LIBRARY OPTION...: leave the rate in $rate, or why there is none in $reason. The options are the
# harness'.
measure_c() {
    c_clients=$1
    c_messages=$2
    c_program=$3
    case $c_program in
        handshake-*)
            measure_served "$c_clients" '-P Ssl -t Handshake' \
                "$work/handshake" "${c_program#*-}" 2 "$work/certificates/server.crt" "$work/certificates/server.key"
            return
            ;;
        libenet) run "$work/enet" "$c_clients" "$c_messages" "$seconds" || true ;;
        *) run "$work/$(source_of "$c_program")" "${c_program#*-}" "$c_clients" "$c_messages" "$seconds" || true ;;
    esac
    rate=$(sed -n 's/^round_trips_per_second \([1-9][0-9]*\) lost 0$/\1/p' "$work/out")
    reason="the C program printed '$(cat "$work/out" "$work/err")'"
    [ -n "$rate" ]
}

measure_harness() {
    clients=$1
    messages=$2
    library=$4
    shift 4
    case "$*" in
        *Handshake*)
            # shellcheck disable=SC2086,SC2048 # The words of the options are the arguments of both sides.
            measure_served "$clients" "$*" "$harness" --role Server -l "$library" -p 0 -c "$clients" \
                --certificate "$work/certificates/server.crt" --certificate-key "$work/certificates/server.key" $*
            return
            ;;
    esac
    code=0
    run "$harness" -l "$library" -p 0 -c "$clients" -m "$messages" -d "$seconds" --any-machine --json "$@" || code=$?
    rate=$(rate_of_result)
    reason="the harness printed '$(grep -v '^Warning: ' "$work/err" || echo "exit code $code")'"
    [ "$code" = 0 ] && [ -n "$rate" ]
}

# rate_of_result: the messages per second of the run in $work/out. A quoted cell may contain commas (RFC 4180).
rate_of_result() {
    [ ! -s "$work/out" ] || "$harness" report "$work/out" -f csv | awk '
        {
            line = $0 ","
            for (cell = 1; match(line, /^("([^"]|"")*"|[^",]*),/); cell++) {
                text = substr(line, 1, RLENGTH - 1)
                if (NR == 1) chosen[cell] = text == "messagesPerSecond"
                else if (chosen[cell]) print text
                line = substr(line, RLENGTH + 1)
            }
        }'
}

# measure_served CLIENTS OPTIONS COMMAND...: the rate of the harness' clients at a server, which prints its port and is ended after that.
measure_served() {
    served_clients=$1
    options=$2
    shift 2
    : >"$work/out"
    "$@" >"$work/server" 2>&1 &
    child=$!
    port=
    waited=0
    while [ -z "$port" ] && [ "$waited" -lt 100 ]; do
        port=$(sed -n -e 's/^\([0-9][0-9]*\)$/\1/p' -e 's/.* server at 127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$work/server")
        sleep 0.1
        waited=$((waited + 1))
    done
    # shellcheck disable=SC2086 # The options are words.
    [ -z "$port" ] || "$harness" --role Client -l Epoll -p "$port" -c "$served_clients" -d "$seconds" --any-machine --json \
        --authority "$work/certificates/ca.crt" $options >"$work/out" 2>"$work/err" || true
    kill "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    child=
    rate=$(rate_of_result)
    reason="the server printed '$(grep -v '^Warning: ' "$work/server")' and the clients '$(grep -v '^Warning: ' "$work/err" 2>/dev/null)'"
    [ -n "$rate" ]
}

# measure_pair SIDES ROW...: measures c and harness in the order of SIDES. Leaves the rate of each in its file.
measure_pair() {
    sides=$1
    shift
    for side in $sides; do
        "measure_$side" "$@" || return 1
        echo "$rate" >"$work/$side"
    done
}

# measure_row CLIENTS MESSAGES PROGRAM LIBRARY OPTION...: one pair a line in $work/pairs.
measure_row() {
    : >"$work/pairs"
    pair=0
    sides='harness c'
    while [ "$pair" -lt "$pairs" ]; do
        pair=$((pair + 1))
        sides="${sides#* } ${sides% *}"
        attempt=1
        until measure_pair "$sides" "$@"; do
            report "$1 x $2, $3 and $4, pair $pair of $pairs: $reason."
            if [ "$attempt" -eq "$attempts" ]; then
                [ "$pair" -gt 1 ] || return 0
                continue 2
            fi
            attempt=$((attempt + 1))
        done
        paste -d ' ' "$work/c" "$work/harness" >>"$work/pairs"
        report "$1 x $2, $3 and $4, pair $pair of $pairs: $(awk 'END { printf "%d and %d", $1, $2 }' "$work/pairs")"
    done
}

# print_row CLIENTS MESSAGES PROGRAM LIBRARY: a row of the table.
print_row() {
    awk -v clients="$1" -v messages="$2" -v program="$3" -v library="$4" '
        function grouped(number, text, rest) {
            text = sprintf("%.0f", number)
            for (rest = ""; length(text) > 3; text = substr(text, 1, length(text) - 3)) rest = "," substr(text, length(text) - 2) rest
            return text rest
        }
        function sort(column, last, row, value) {
            for (last = 2; last <= NR; last++)
                for (row = last; row > 1 && cell[column, row] < cell[column, row - 1]; row--) {
                    value = cell[column, row]
                    cell[column, row] = cell[column, row - 1]
                    cell[column, row - 1] = value
                }
        }
        function median(column) { return (cell[column, int((NR + 1) / 2)] + cell[column, int((NR + 2) / 2)]) / 2 }
        {
            cell[1, NR] = $1 + 0
            cell[2, NR] = $2 + 0
            cell[3, NR] = $2 / $1
        }
        END {
            head = "| " grouped(clients) " × " grouped(messages) " | " program " |"
            if (!NR) {
                print head, library, "| 0 | | | | |"
                exit
            }
            for (column = 1; column <= 3; column++) sort(column)
            printf "%s %s | %d | %s | %s |", head, library, NR, grouped(median(1)), grouped(median(2))
            printf " %.2f | %.2f – %.2f |\n", median(3), cell[3, 1], cell[3, NR]
        }' "$work/pairs"
}

read_arguments "$@"
if [ "$(uname -s)" != Linux ]; then
    report "The C programs use calls that only Linux has."
    exit 1
fi

require_dotnet
install_enet
install_enet_header "libenet in C cannot be measured here"
install_openssl_header "TLS in C cannot be measured here"
child=
work=$(mktemp -d)
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

compile
build_quietly "$root/NetCoreNetworkBenchmark"
harness="$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark"
"$harness" --list >"$work/list"
"$harness" certificates "$work/certificates" --key p256 >"$work/out"
for library in Sockets Epoll ENet; do
    can_run "$library" || report "Left out $library: it is not in this build, or cannot run here."
done

echo "Round trips per second, medians of $pairs pairs of $seconds s each; $(nproc) cores, $(uname -sr)."
echo
echo '| clients × messages | C program | library | pairs | C | harness | harness / C | least – most |'
echo '|---|---|---|--:|--:|--:|--:|--:|'
printf %s "$rows" >"$work/rows"
while read -r row_clients row_messages row_program row_library row_options <&3; do
    if ! wanted "$row_program" "$row_library" || ! can_run "$row_library"; then
        continue
    fi
    [ -x "$work/$(source_of "$row_program")" ] || continue
    # shellcheck disable=SC2086 # The options are words.
    measure_row "$row_clients" "$row_messages" "$row_program" "$row_library" $row_options
    print_row "$row_clients" "$row_messages" "$row_program" "$row_library${row_options:+, $row_program}"
done 3<"$work/rows"
