# shellcheck shell=sh
# Sourced by test.sh and windows.sh, which set 'results' to a folder and have a function test_program that runs the test program: repeats failed tests,
# counts, and turns what the program has written into lines of text.

most_flaky=3
most_repeated=20
passed=0
failed=0
all_flaky=0

# summary PASSED FAILED: the last line of a part, and of the whole.
summary() {
    printf '%s passed, %s failed\n' "$1" "$2"
    [ "$2" -eq 0 ]
}

# end_run: the last lines of the whole.
end_run() {
    if [ "$all_flaky" -gt "$most_flaky" ]; then
        echo "$all_flaky tests passed only the second time: more than $most_flaky of them are a fault of the tests or of the machine."
        failed=$((failed + 1))
    fi
    summary "$passed" "$failed"
}

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

# repeat_failed: runs (with test_program) the tests of $results/failed once more, one after the other, and moves those that pass to $results/flaky.
repeat_failed() {
    : >"$results/flaky"
    count=$(wc -l <"$results/failed")
    [ "$count" -gt 0 ] && [ "$count" -le "$most_repeated" ] || return 0
    # A program of Windows ends its lines with a carriage return.
    test_program -list full | tr -d '\r' >"$results/list"
    cases_to_repeat "$results/failed" "$results/list" >"$results/cases"
    [ -s "$results/cases" ] || return 0
    echo "The failed tests once more, each alone:"
    rm -f "$results/again.trx"
    # shellcheck disable=SC2046 # An identifier has no spaces.
    test_program $(sed 's/^/-id /' "$results/cases") -parallelMode none -result-trx "$results/again.trx" || true
    if ! has_counts "$results/again.trx"; then
        echo "The second attempt did not come to an end."
        return 0
    fi
    results_of Passed "$results/again.trx" >"$results/passed"
    results_of Failed "$results/again.trx" >"$results/failed-again"
    without_names "$results/passed" "$results/failed-again" >"$results/passed-again"
    only_names "$results/failed" "$results/passed-again" >"$results/flaky"
    without_names "$results/failed" "$results/passed-again" >"$results/failed-twice"
    mv "$results/failed-twice" "$results/failed"
}

# count_tests: adds the counts of $results/tests.trx, whose failed tests are repeated, and writes those that failed or are flaky to $results/lines.
count_tests() {
    results_of Failed "$results/tests.trx" >"$results/failed"
    repeat_failed
    flaky=$(wc -l <"$results/flaky")
    all_flaky=$((all_flaky + flaky))
    passed=$((passed + $(counter passed "$results/tests.trx") + flaky))
    failed=$((failed + $(counter executed "$results/tests.trx") - $(counter passed "$results/tests.trx") - flaky))
    { as_failed <"$results/failed" && as_flaky <"$results/flaky"; } >"$results/lines"
}

# skipped_tests: the number of those in $results/tests.trx.
skipped_tests() { echo "$(($(counter total "$results/tests.trx") - $(counter executed "$results/tests.trx")))"; }
