#!/bin/sh
# Measures, with the committed program, the whole predefined benchmark (-b --force) into Benchmarks/<machine>/, and players who see each other into its folder
# players. Docs/screenshot.png shows the first, README.md (between the two comments that name this script) the second. README.md is left as it was if a cell of
# its table would be invalid. A test compares README's table with the committed page.
# Usage: publish-figures.sh [OPTION...], with options of the program for -b, such as --time 40m; publish-figures.sh --players DIR measures the players alone,
# into Benchmarks/<machine>; publish-figures.sh --from DIR takes the pages that are in Benchmarks/<machine>.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

libraries=ENet,ENet-CSharp,LiteNetLib,kcp2k,NetCoreServer
columns=100
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The texts are UTF-8 in any locale, and are compared as bytes.
export LC_ALL=C

fail() {
    report "$*"
    exit 1
}

# require_commit: sets 'commit'.
require_commit() {
    [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] || fail "The figures are those of a commit. Commit or stash the changes first."
    commit=$(git -C "$root" rev-parse --short=7 HEAD)
}

# measure [OPTION...]: sets 'folder'.
measure() {
    : >"$work/start"
    code=0
    (cd "$root" && ./build/benchmark.sh -b --force "$@") || code=$?
    page=$(find "$root/Benchmarks" -mindepth 2 -maxdepth 2 -name README.md -newer "$work/start")
    # A case that is invalid does not keep the others from README.
    [ -n "$page" ] || fail "The benchmark wrote no page (exit code $code), so README.md is as it was."
    folder=Benchmarks/$(basename -- "$(dirname -- "$page")")
}

# measure_players: the page, its picture and its figures are kept; the whole result would be larger than that of -b.
measure_players() {
    (cd "$root" && ./build/benchmark.sh -t Snapshots -l "$libraries" -c 100 --time 3m -o "$work/players") \
        || fail "The players could not be measured, so README.md is as it was."
    mkdir -p "$root/$folder/players"
    cp "$work/players/README.md" "$work/players/ranking.svg" "$root/$folder/players/"
    (cd "$root" && ./build/benchmark.sh report "$work/players" -f summary) >"$root/$folder/players/results.summary.csv"
}

# table_of PAGE: the figures of the libraries that a server's owner pays for, from the page's tables of the load and of the costs.
table_of() {
    awk '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        BEGIN { count = split("of a core|server CPU × best|server CPU per message|allocated bytes per message|wire B/msg|p99", titles, "|") }
        !/^\|/ { inside = 0; next }
        {
            fields = split($0, cells, "|")
            if (!inside) {
                inside = 1
                split("", place)
                for (field = 2; field < fields; field++) place[trim(cells[field])] = field
                next
            }
            if (!("Library" in place) || !(("of a core" in place) || ("allocated bytes per message" in place)) || /^\|[-:|]+$/) next
            name = trim(cells[place["Library"]])
            if ("of a core" in place) names[++rows] = name
            for (title in place) figure[name, title] = trim(cells[place[title]])
        }
        END {
            line = "| Library |"; rule = "|---|"
            for (column = 1; column <= count; column++) { line = line " " titles[column] " |"; rule = rule "--:|" }
            if (rows) print line "\n" rule
            for (row = 1; row <= rows; row++) {
                line = "| " names[row] " |"
                for (column = 1; column <= count; column++) line = line " " figure[names[row], titles[column]] " |"
                print line
            }
        }' "$1"
}

# caption_of FOLDER: what was measured, where, when and at which commit.
caption_of() {
    awk -v commit="$commit" -v page="$1/README.md" '
        /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]; / && !date {
            split("January February March April May June July August September October November December", months, " ")
            split(substr($0, 1, 10), day, "-")
            date = (day[3] + 0) " " months[day[2] + 0] " " day[1]
            split($0, parts, "; ")
            machine = parts[2]
        }
        END { if (date) print "A message is one snapshot to one player. [The whole page](" page ") has the places and the conditions. " \
            "Measured on " date " at commit " commit " (" machine ", shared by server and clients)." }' "$root/$1/README.md"
}

# block_of FOLDER: what stands between the comments of README.
block_of() {
    table=$(table_of "$root/$1/README.md")
    caption=$(caption_of "$1")
    # The head, the rule below it and two libraries at least.
    [ "$(printf '%s\n' "$table" | wc -l)" -ge 4 ] && [ -n "$caption" ] \
        || fail "The page of $1 has not the tables and the conditions that README shows, so README.md is as it was."
    printf '%s\n' "100 players who see each other: each sends 30 inputs per second, and gets the states of its 50 nearest, 816 bytes, 20 times per second \
(\`./build/benchmark.sh -t Snapshots -l $libraries -c 100\`)." | fold -s -w 150 | sed 's/ *$//'
    printf '\n%s\n\n' "$table"
    printf '%s\n' "$caption" | fold -s -w 150 | sed 's/ *$//'
}

# rewrite_readme FOLDER
rewrite_readme() {
    block_of "$1" >"$work/block"
    invalid=$(grep '^|.*(invalid)' "$work/block" | sed 's/^| \([^|]*\) |.*/\1/' | paste -s -d , - | sed 's/,/, /g')
    [ -z "$invalid" ] \
        || fail "README's table has no invalid cell, and this run has some ($invalid). Measure again on a quieter machine; README.md is as it was."
    awk -v block="$work/block" '
        /^<!-- figures of build\/publish-figures.sh -->$/ { print; while ((getline line < block) > 0) print line; inside = 1; next }
        /^<!-- end of the figures -->$/ { inside = 0; ended = 1 }
        !inside { print }
        END { if (!ended || inside) exit 1 }' "$root/README.md" >"$work/readme" \
        || fail "README.md has not the two comments between which the figures stand."
    cat "$work/readme" >"$root/README.md"
    report "README.md has the figures of $1."
}

has_drawing() { has_program aha && has_program chromium && has_program script; }

# draw_picture FOLDER: the end of the result on a terminal, from the table of the libraries on.
draw_picture() {
    program=$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark
    if ! { [ -x "$program" ] && { has_drawing || install_packages "no picture is drawn" aha chromium bsdutils; } && has_drawing; }; then
        report "Docs/screenshot.png is as it was."
        return
    fi
    TERM=xterm-256color script -qec "stty cols $columns; '$program' report '$root/$1/results.json'" /dev/null </dev/null | tr -d '\r' \
        | awk '
            /Library.*CPU 1/ { lines = 0; begun = 1 }
            begun { text[++lines] = $0 }
            /[^ ]/ { last = lines }
            END { for (line = 1; line <= last; line++) print text[line] }' >"$work/text"
    [ -s "$work/text" ] || fail "The result on a terminal has no ranking, so Docs/screenshot.png is as it was."
    {
        printf '<!DOCTYPE html><meta charset="utf-8"><style>body { margin: 12px; background: #1e1e1e; color: #d4d4d4 } '
        printf 'pre { margin: 0; font: 14px/16px "DejaVu Sans Mono", monospace }</style><pre>'
        aha --no-header <"$work/text"
    } >"$work/page.html"
    size="$((columns * 843 / 100 + 24)),$(($(wc -l <"$work/text") * 16 + 24))"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size="$size" \
        --screenshot="$root/Docs/screenshot.png" "file://$work/page.html" >"$work/chromium" 2>&1 || fail "The browser drew no picture: $(cat "$work/chromium")"
    report "Docs/screenshot.png shows the figures of $1."
}

if [ "${1:-}" = --from ] || [ "${1:-}" = --players ]; then
    [ $# = 2 ] || fail "Usage: publish-figures.sh $1 DIR, with a folder such as Benchmarks/<machine>"
    folder=Benchmarks/$(basename -- "$2")
    [ -f "$root/$folder/README.md" ] || fail "$folder has no README.md."
fi
case "${1:-}" in
    --from)
        # The page does not name the commit at which it was measured, and README does.
        commit=$(tr '\n' ' ' <"$root/README.md" | sed -n 's/.*Measured on [^.]* at commit \([0-9a-f]\{7,40\}\)[ .].*/\1/p')
        [ -n "$commit" ] || fail "README.md names no commit, so measure instead."
        ;;
    --players)
        require_commit
        measure_players
        ;;
    *)
        require_commit
        measure "$@"
        measure_players
        ;;
esac
rewrite_readme "$folder/players"
draw_picture "$folder"
