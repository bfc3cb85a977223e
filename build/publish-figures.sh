#!/bin/sh
# Measures the whole predefined benchmark (-b --force) with the committed program, into Benchmarks/<machine>/, and puts its figures into README.md (between
# the two comments that name this script) and Docs/screenshot.png, so that all of them are from one run. README.md is left as it was if a cell of its table
# would be invalid. A test compares README's table with the committed results.json.
# Usage: publish-figures.sh [OPTION...], with options of the program, such as --time 40m; publish-figures.sh --from DIR takes the page that is in DIR.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/build/prerequisites.sh"

# The raw sockets that README shows below the libraries.
baseline=Epoll
columns=100
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The texts are UTF-8 in any locale, and are compared as bytes.
export LC_ALL=C

fail() {
    report "$*"
    exit 1
}

# measure [OPTION...]: sets 'folder' and 'commit'.
measure() {
    [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] || fail "The figures are those of a commit. Commit or stash the changes first."
    commit=$(git -C "$root" rev-parse --short=7 HEAD)
    : >"$work/start"
    code=0
    (cd "$root" && ./build/benchmark.sh -b --force "$@") || code=$?
    page=$(find "$root/Benchmarks" -mindepth 2 -maxdepth 2 -name README.md -newer "$work/start")
    # A case that is invalid does not keep the others from README.
    [ -n "$page" ] || fail "The benchmark wrote no page (exit code $code), so README.md is as it was."
    folder=Benchmarks/$(basename -- "$(dirname -- "$page")")
}

# table_of PAGE: the first table of a page without tuned profiles, places and ranges, and the baseline's row of the second.
table_of() {
    awk -v baseline="$baseline" '
        function trim(text) { gsub(/^ +| +$/, "", text); return text }
        !/^\|/ { inside = 0; next }
        !inside { inside = 1; tables++; line = 0 }
        tables > 2 { exit }
        {
            line++
            split($0, cells, "|")
            name = trim(cells[2])
            if (line == 1) for (first = 3; first in cells && cells[first] !~ /^ *[0-9]+: /; first++) { }
            if (line == 1 && tables == 1) for (count = 0; cells[first + count] ~ /^ *[0-9]+: /; count++) { }
            if (line == 1 ? tables > 1 : tables == 1 ? name ~ /\(tuned\)$/ : name != baseline) next
            if (line == 2 && tables > 1) next
            row = line == 2 ? "|---|" : "| " (tables > 1 ? "*baseline* " : "") name " |"
            for (cell = first; cell < first + count; cell++) {
                text = trim(cells[cell])
                if (line == 1) sub(/ (×|of all sets).*/, "", text)
                gsub(/ \([0-9][^()]* – [^()]*\)/, "", text)
                row = row (line == 2 ? "--:|" : " " text " |")
            }
            print row
        }' "$1"
}

# caption_of PAGE: the loads, the figures that are 1.00, the date and the commit, in one line.
caption_of() {
    awk -v commit="$commit" '
        /^\* \*\*[^*]*\*\*, [^:]*: / && !loads_end {
            split($0, parts, /\*\*/)
            sub(/^Benchmark /, "", parts[2])
            load = substr(parts[3], 3)
            sub(/: .*/, "", load)
            text = text parts[2] (parts[2] ~ /^[0-9]+$/ ? ": " : ", ") load ". "
        }
        /^\|/ { loads_end = 1 }
        /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]; / && !date {
            split("January February March April May June July August September October November December", months, " ")
            split(substr($0, 1, 10), day, "-")
            date = (day[3] + 0) " " months[day[2] + 0] " " day[1]
        }
        /1\.00 is / && !unit {
            unit = substr($0, index($0, "1.00 is "))
            if (match(unit, /\. [A-Z]/)) unit = substr(unit, 1, RSTART)
            unit = unit " "
        }
        END { if (text && date) print text unit "Measured on " date " at commit " commit "." }' "$1"
}

# block_of FOLDER: what stands between the comments of README.
block_of() {
    machine=$(sed -n 's/^[0-9][0-9-]*; \([^;]*\);.*/\1/p' "$root/$1/README.md" | head -n 1)
    table=$(table_of "$root/$1/README.md")
    caption=$(caption_of "$root/$1/README.md")
    interval=$(sed -n 's/^Figures are .* ± \(half of [^.]*\) in %\..*/\1/p' "$root/$1/README.md" | head -n 1)
    # The head, the rule below it, two libraries and the baseline at least.
    [ "$(printf '%s\n' "$table" | wc -l)" -ge 5 ] && [ -n "$caption" ] && [ -n "$machine" ] && [ -n "$interval" ] \
        || fail "The page of $1 has not the table, the conditions and the loads that README shows, so README.md is as it was."
    printf '%s\n' "Round trips over UDP ($machine), as \`-b\` ranks them: × of the best library, ± $interval; CPU is the server's CPU time \
per message. [The whole page]($1/README.md) has the places, the tuned profiles and the conditions." | fold -s -w 150 | sed 's/ *$//'
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

if [ "${1:-}" = --from ]; then
    [ $# = 2 ] || fail "Usage: publish-figures.sh --from DIR, with a folder such as Benchmarks/<machine>"
    folder=Benchmarks/$(basename -- "$2")
    [ -f "$root/$folder/README.md" ] || fail "$folder has no README.md."
    # The page does not name the commit at which it was measured, and README does.
    commit=$(tr '\n' ' ' <"$root/README.md" | sed -n 's/.*Measured on [^.]* at commit \([0-9a-f]\{7,40\}\)\..*/\1/p')
    [ -n "$commit" ] || fail "README.md names no commit, so measure instead."
else
    measure "$@"
fi
rewrite_readme "$folder"
draw_picture "$folder"
