# shellcheck shell=sh
# Sourced by test.sh: turns what the test program has written into lines of text.

# results_of OUTCOME TRX: a line for each test with this outcome: its name, and after it the lines of its message, with tabs between them.
results_of() {
    # The program writes the whole file as one line.
    sed 's/<UnitTestResult /\n&/g; s/<Message>/\n&/g; s/<\/Message>/&\n/g; s/<\/UnitTestResult>/\n&/g; s/<\/Results>/\n&/g' "$2" |
        awk -v outcome="outcome=\"$1\"" '
        function end() { if (chosen) print line; chosen = 0 }
        /<UnitTestResult / {
            chosen = index($0, outcome) > 0
            match($0, /testName="[^"]*"/)
            line = substr($0, RSTART + 10, RLENGTH - 11)
        }
        /<UnitTestResult [^>]*\/>/ { end() }
        /<Message>/ { message = 1 }
        message { text = $0; sub(/.*<Message>/, "", text); sub(/<\/Message>.*/, "", text); gsub(/\t/, " ", text); line = line "\t" text }
        /<\/Message>/ { message = 0 }
        /<\/UnitTestResult>/ { end() }' |
        sed 's/&#xD;//g; s/&#x[9A];/ /g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g; s/\\"/"/g'
}

# counter NAME TRX: a number of the run's own account.
counter() { sed -n "s/.*<Counters.* $1=\"\([0-9]*\)\".*/\1/p" "$2"; }

# has_counts TRX: whether the run came to its end.
has_counts() { [ -e "$1" ] && [ -n "$(counter executed "$1")" ]; }

# counts_of OUTPUT: the two numbers of a script's last line, 'N passed, N failed'. A script without it did not come to its end, which is a failure.
counts_of() {
    tail -n 1 "$1" | sed -n 's/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p' | grep . || {
        echo "The script did not come to an end." >&2
        echo "0 1"
    }
}

# cases_to_repeat FAILED LIST: the identifiers of failed tests in the program's own list of them (-list full), without those that count leaks. A test that
# has no row of its own in the list is repeated with all rows of its method. The list escapes quotes, so names are compared without them.
cases_to_repeat() {
    awk '
        function bare(name) { gsub(/[\\"]/, "", name); return name }
        FNR == NR { split($0, fields, "\t"); failed[bare(fields[1])]; next }
        / Display name: / { name = bare($0); sub(/.*Display name: /, "", name) }
        / ID: / { ids[name] = ids[name] $2 "\n" }
        / "Category": .*"Leak"/ { leaks[name] }
        END {
            for (name in failed) {
                if (!(name in ids)) sub(/\(.*/, "", name)
                if (name in ids && !(name in leaks)) printf "%s", ids[name]
            }
        }' "$1" "$2" | sort -u
}

# without_names LIST NAMES, only_names LIST NAMES: the results of a list whose names are not, or are, in another list.
without_names() { awk -F '\t' 'FILENAME == ARGV[1] { names[$1]; next } !($1 in names)' "$2" "$1"; }
only_names() { awk -F '\t' 'FILENAME == ARGV[1] { names[$1]; next } $1 in names' "$2" "$1"; }

# as_failed, as_flaky: the lines of results_of for a reader.
as_failed() { awk -F '\t' '{ print "Failed: " $1; for (line = 2; line <= NF; line++) print "    " $line }'; }
as_flaky() {
    awk -F '\t' '{
        text = $2
        for (line = 3; line <= NF; line++) text = text " " $line
        gsub(/  +/, " ", text)
        print "Flaky: " $1 ", " (length(text) > 300 ? substr(text, 1, 300) " ..." : text)
    }'
}
