#!/bin/sh
# How far the harness is from what this machine can do: the C programs of build/limit/ and the harness do the same work in alternation.
# Prints a table of their rates and ratios as markdown; everything else is reported on standard error.
#
# limit.sh [PAIRS] [SECONDS] [--only NAME]
#   PAIRS    measurements of each kind, 5 unless given; SECONDS each takes, 3 unless given
#   NAME     udp, tcp, tls, handshake, framed, a C program such as tcp-message, or a library; another name prints all of them
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

# Every row: clients, messages in flight of each, C program, library, options of the harness.
rows='1000 1 call Sockets
1000 1 call Epoll --set epoll.batch=call
1000 1 mmsg Epoll --set epoll.batch=mmsg
1000 1 gso Epoll --set epoll.batch=gso
1000 1 libenet ENet
100 1000 call Sockets
100 1000 call Epoll --set epoll.batch=call
100 1000 mmsg Epoll --set epoll.batch=mmsg
100 1000 gso Epoll --set epoll.batch=gso
100 1000 libenet ENet
1 1 call Sockets
1 1 call Epoll --set epoll.batch=call
1 1 mmsg Epoll --set epoll.batch=mmsg
1 1 gso Epoll --set epoll.batch=gso
1 1 libenet ENet
1 1000 tcp-message Epoll -P Tcp -t RoundTrip --set epoll.send=message
1 1000 tcp-receive Epoll -P Tcp -t RoundTrip --set epoll.send=receive
1 1000 tls-message Epoll -P Ssl -t RoundTrip --set epoll.send=message
1 1000 tls-receive Epoll -P Ssl -t RoundTrip --set epoll.send=receive
100 1000 tcp-message Epoll -P Tcp -t RoundTrip --set epoll.send=message
100 1000 tcp-receive Epoll -P Tcp -t RoundTrip --set epoll.send=receive
100 1000 tls-message Epoll -P Ssl -t RoundTrip --set epoll.send=message
100 1000 tls-receive Epoll -P Ssl -t RoundTrip --set epoll.send=receive
100 1 handshake-reactor Epoll -P Ssl -t Handshake --set epoll.architecture=reactor
100 1 handshake-workers Epoll -P Ssl -t Handshake --set epoll.architecture=workers --server-threads 2
100 1 handshake-threads Epoll -P Ssl -t Handshake --set epoll.architecture=threads
100 1 handshake-pool Epoll -P Ssl -t Handshake --set epoll.architecture=pool --server-threads 2'

# Messages in frames with a check code, at a server whose main loop hands connections to sub loops: one message in flight, many messages, several clients.
framed='-P Tcp --framing checked --set epoll.accept=handoff'
for size in 1 10 100 1000 10000 100000 1000000; do
    rows="$rows
1 1 framed-message Epoll -t RoundTrip $framed --set epoll.send=message -s $size"
done
for load in '1000 1' '1000 10' '1000 100' '1000 1000' '1000 10000' '100 100000' '10 1000000'; do
    rows="$rows
1 ${load% *} framed-message Epoll -t Burst $framed --set epoll.send=message -s ${load#* }"
done
for way in message receive; do
    for load in '5 10000' '5 100000' '10 100000'; do
        rows="$rows
$load framed-$way Epoll -t Burst $framed --set epoll.send=$way -s 2 --server-threads 2"
    done
done
attempts=3
names="udp tcp tls handshake framed $(echo "$rows" | awk '!programs[$3]++ { print $3 } !libraries[$4]++ { print $4 }' | paste -s -d ' ' -)"

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
                [ $# -ge 2 ] || bad_input "--only needs a name."
                only=$2
                shift
                ;;
            --only=*) only=${1#--only=} ;;
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
        tcp | tls | handshake | framed) [ "${1%%-*}" = "$only" ] ;;
        *) [ "$1" = "$only" ] || [ "$2" = "$only" ] ;;
    esac
}

# source_of PROGRAM: the file in build/limit/, without its ending.
source_of() {
    case $1 in
        libenet) echo enet ;;
        tcp-* | tls-* | handshake-* | framed-*) echo "${1%%-*}" ;;
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
    if ! compile_one udp || ! compile_one tcp || ! compile_one framed; then
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

# value_of NAME WORD...: the word after the harness' option of that name; nothing if it is not among the words.
value_of() {
    name=$1
    shift
    while [ $# -gt 1 ]; do
        [ "$1" != "$name" ] || echo "$2"
        shift
    done
}

# measure_framed PROGRAM CLIENTS MESSAGES OPTION...: the C program has the test, the loops and the size of the harness' options.
measure_framed() {
    shape=window
    [ "$(value_of -t "$@")" != Burst ] || shape=burst
    loops=$(value_of --server-threads "$@")
    run "$work/framed" "${1#*-}" "$shape" "${loops:-1}" "$2" "$3" "$seconds" "$(value_of -s "$@")" || true
    round_trip=$(sed -n 's/^round_trip_microseconds min \([0-9.]*\) mean \([0-9.]*\) max \([0-9.]*\)$/\1 \2 \3/p' "$work/out")
}

# measure_c PROGRAM CLIENTS MESSAGES OPTION...: leaves the rate in $rate, or why there is none in $reason, and the least, mean and longest round trip in
# $round_trip if the program prints them. The options are the harness'.
measure_c() {
    round_trip=
    case $1 in
        handshake-*)
            measure_served "$2" '-P Ssl -t Handshake' "$work/handshake" "${1#*-}" 2 "$work/certificates/server.crt" "$work/certificates/server.key"
            return
            ;;
        framed-*) measure_framed "$@" ;;
        libenet) run "$work/enet" "$2" "$3" "$seconds" || true ;;
        *) run "$work/$(source_of "$1")" "${1#*-}" "$2" "$3" "$seconds" || true ;;
    esac
    rate=$(sed -n 's/^round_trips_per_second \([1-9][0-9]*\) lost 0$/\1/p' "$work/out")
    reason="the C program printed '$(cat "$work/out" "$work/err")'"
    [ -n "$rate" ]
}

# measure_harness LIBRARY CLIENTS MESSAGES OPTION...: the same for the harness.
measure_harness() {
    library=$1
    clients=$2
    messages=$3
    shift 3
    case "$*" in
        *Handshake*)
            # The words of the options are the arguments of both sides.
            # shellcheck disable=SC2086,SC2048
            measure_served "$clients" "$*" "$harness" --role Server -l "$library" -p 0 -c "$clients" \
                --certificate "$work/certificates/server.crt" --certificate-key "$work/certificates/server.key" $*
            return
            ;;
    esac
    code=0
    run "$harness" -l "$library" -p 0 -c "$clients" -m "$messages" -d "$seconds" --any-machine --json "$@" || code=$?
    # The words are figures.
    # shellcheck disable=SC2046
    set -- $(figures_of messagesPerSecond latencyMicroseconds.min latencyMicroseconds.mean latencyMicroseconds.max)
    rate=${1-}
    round_trip="${2-} ${3-} ${4-}"
    reason="the harness printed '$(grep -v '^Warning: ' "$work/err" || echo "exit code $code")'"
    [ "$code" = 0 ] && [ -n "$rate" ]
}

# figures_of COLUMN...: the cells of these columns of the run in $work/out, in the order of the table. A quoted cell may contain commas (RFC 4180).
figures_of() {
    [ ! -s "$work/out" ] || "$harness" report "$work/out" -f csv | awk -v names=" $* " '
        {
            line = $0 ","
            for (cell = 1; match(line, /^("([^"]|"")*"|[^",]*),/); cell++) {
                text = substr(line, 1, RLENGTH - 1)
                if (NR == 1) chosen[cell] = index(names, " " text " ")
                else if (chosen[cell]) printf "%s ", text
                line = substr(line, RLENGTH + 1)
            }
        }'
}

# measure_served CLIENTS OPTIONS COMMAND...: the rate of the harness' clients at a server, which prints its port and is ended after that.
measure_served() {
    served_clients=$1
    options=$2
    shift 2
    rate=
    "$@" >"$work/server" 2>&1 &
    child=$!
    port=
    waited=0
    while [ -z "$port" ] && [ "$waited" -lt 100 ]; do
        port=$(sed -n -e 's/^\([0-9][0-9]*\)$/\1/p' -e 's/.* server at 127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$work/server")
        sleep 0.1
        waited=$((waited + 1))
    done
    # shellcheck disable=SC2086
    [ -z "$port" ] || "$harness" --role Client -l Epoll -p "$port" -c "$served_clients" -d "$seconds" --any-machine --json \
        --authority "$work/certificates/ca.crt" $options >"$work/out" 2>"$work/err" || true
    kill "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
    child=
    rate=$(figures_of messagesPerSecond)
    rate=${rate% }
    reason="the server printed '$(grep -v '^Warning: ' "$work/server")' and the clients '$(grep -v '^Warning: ' "$work/err" 2>/dev/null)'"
    [ -n "$rate" ]
}

# measure_pair NUMBER CLIENTS MESSAGES PROGRAM LIBRARY OPTION...: C first in odd pairs. Leaves the rates in $c_rate and $harness_rate, and the round trips in
# $c_round_trip and $harness_round_trip.
measure_pair() {
    number=$1
    pair_clients=$2
    pair_messages=$3
    program=$4
    pair_library=$5
    shift 5
    c_rate=
    harness_rate=
    round_trip=
    if [ $((number % 2)) = 1 ]; then
        measure_c "$program" "$pair_clients" "$pair_messages" "$@" || return 1
        c_rate=$rate
        c_round_trip=$round_trip
    fi
    measure_harness "$pair_library" "$pair_clients" "$pair_messages" "$@" || return 1
    harness_rate=$rate
    harness_round_trip=$round_trip
    if [ $((number % 2)) = 0 ]; then
        measure_c "$program" "$pair_clients" "$pair_messages" "$@" || return 1
        c_rate=$rate
        c_round_trip=$round_trip
    fi
}

# measure_row CLIENTS MESSAGES PROGRAM LIBRARY OPTION...: one pair a line in $work/pairs.
measure_row() {
    : >"$work/pairs"
    pair=1
    while [ "$pair" -le "$pairs" ]; do
        attempt=1
        until measure_pair "$pair" "$@"; do
            report "$1 x $2, $3 and $4, pair $pair of $pairs: $reason."
            [ "$attempt" -lt "$attempts" ] || break
            attempt=$((attempt + 1))
        done
        if [ -n "$c_rate" ] && [ -n "$harness_rate" ]; then
            report "$1 x $2, $3 and $4, pair $pair of $pairs: ${c_rate%%.*} and ${harness_rate%%.*}"
            echo "$c_rate $harness_rate ${c_round_trip:+$c_round_trip $harness_round_trip}" >>"$work/pairs"
        elif [ "$pair" = 1 ]; then
            return 0
        fi
        pair=$((pair + 1))
    done
}

# in_order EXPRESSION: its values for all pairs, where c and harness are the rates.
in_order() { awk "{ c = \$1; harness = \$2; print $1 }" "$work/pairs" | sort -n; }

# Of awk: the median of the N values after FIRST, and a number with commas.
table_functions='
    function median(first) { return n % 2 ? value[first + (n + 1) / 2] : (value[first + n / 2] + value[first + n / 2 + 1]) / 2 }
    function grouped(number, text) {
        text = sprintf("%.0f", number)
        number = ""
        while (length(text) > 3) {
            number = "," substr(text, length(text) - 2) number
            text = substr(text, 1, length(text) - 3)
        }
        return text number
    }'

# print_round_trips CASE PROGRAM: prints a row of the second table if the program reports round trips: the least of all pairs, the median of the means, and
# the longest of all pairs, of C and of the harness.
print_round_trips() {
    for column in 3 4 5 6 7 8; do
        awk "NF == 8 { print \$$column }" "$work/pairs" | sort -n
    done | awk -v head="| $1 | $2 |" "$table_functions"'
        { value[NR] = $1 }
        END {
            n = NR / 6
            if (n > 0) {
                printf "%s %s | %s | %s |", head, grouped(value[1]), grouped(median(n)), grouped(value[3 * n])
                printf " %s | %s | %s |\n", grouped(value[3 * n + 1]), grouped(median(4 * n)), grouped(value[6 * n])
            }
        }'
}

# grouped NUMBER: with commas.
grouped() { echo "$1" | sed -e ':more' -e 's/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/' -e 'tmore'; }

# print_row CASE PROGRAM LIBRARY: a row of the table.
print_row() {
    if [ ! -s "$work/pairs" ]; then
        echo "| $1 | $2 | $3 | 0 | | | | |"
        return 0
    fi
    { in_order c && in_order harness && in_order 'harness / c'; } | awk -v head="| $1 | $2 | $3 |" "$table_functions"'
        { value[NR] = $1 }
        END {
            n = NR / 3
            printf "%s %d | %s | %s | %.2f | %.2f – %.2f |\n", head, n, grouped(median(0)), grouped(median(n)), median(2 * n), value[2 * n + 1], value[3 * n]
        }'
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
echo "$rows" >"$work/rows"
while read -r row_clients row_messages row_program row_library row_options <&3; do
    if ! wanted "$row_program" "$row_library" || ! can_run "$row_library"; then
        continue
    fi
    [ -x "$work/$(source_of "$row_program")" ] || continue
    # The options are words.
    # shellcheck disable=SC2086
    measure_row "$row_clients" "$row_messages" "$row_program" "$row_library" $row_options
    # shellcheck disable=SC2086
    row_size=$(value_of -s $row_options)
    row_case="$(grouped "$row_clients") × $(grouped "$row_messages")${row_size:+, $(grouped "$row_size") B}"
    print_row "$row_case" "$row_program" "$row_library${row_options:+, $row_program}"
    print_round_trips "$row_case" "$row_program" >>"$work/round_trips"
done 3<"$work/rows"
if [ -s "$work/round_trips" ]; then
    echo
    echo 'Round trips in µs: the least and the longest of all pairs, and the median of the means.'
    echo
    echo '| clients × messages, size | C program | C: least | mean | longest | harness: least | mean | longest |'
    echo '|---|---|--:|--:|--:|--:|--:|--:|'
    cat "$work/round_trips"
fi
