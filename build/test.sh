#!/bin/sh
# Installs what is missing, builds, checks the format and runs the tests; each part and the whole end with 'N passed, N failed'. --long adds the tests that
# take minutes (category Long) and the rules of style, --all also those that compare times (Timing), for a quiet machine, and those of the
# program on Windows, under Wine (windows.sh). A failed test is run once more, alone, unless it counts leaks (Leak). If it passes then, it is printed as
# flaky; more than three flaky tests fail the run.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

long=false
timing=false
case "$#:${1-}" in
    0:) ;;
    1:--long) long=true ;;
    1:--all)
        long=true
        timing=true
        ;;
    *)
        echo "'$*' is not understood: the options are --long, for the long tests too, and --all, also for those that compare times." >&2
        exit 2
        ;;
esac
. "$root/build/prerequisites.sh"
. "$root/build/test-results.sh"

# Of --long on Linux, where everything is installed below: the tests of optional packages, of QUIC and of other systems.
max_skipped=150
all_skipped=0

passed_before=0
failed_before=0

# end_part: the line that ends a part which others follow.
end_part() {
    summary $((passed - passed_before)) $((failed - failed_before)) || true
    passed_before=$passed
    failed_before=$failed
}

# test_program OPTION...
test_program() {
    (cd NetCoreNetworkBenchmark.Tests/bin/Release/net10.0 && dotnet NetCoreNetworkBenchmark.Tests.dll -noColor -preEnumerateTheories "$@")
}

# run_tests OPTION...: runs those, which print what fails and what is skipped, and adds their counts.
run_tests() {
    rm -f "$results/tests.trx"
    code=0
    test_program -result-trx "$results/tests.trx" "$@" || code=$?
    if ! has_counts "$results/tests.trx"; then
        echo "The tests did not come to an end."
        failed=$((failed + 1))
        return
    fi
    if [ "$code" -ne 0 ] && [ "$(counter executed "$results/tests.trx")" -eq "$(counter passed "$results/tests.trx")" ]; then
        echo "The tests ended with exit code $code although none of them failed."
        failed=$((failed + 1))
    fi
    count_tests
    tee -a "$results/closing" <"$results/lines"
    skipped=$(skipped_tests)
    all_skipped=$((all_skipped + skipped))
    [ "$skipped" -eq 0 ] || echo "$skipped tests were skipped."
}

require_dotnet
install_enet
install_enet_header "the layouts of ENet's structs are not checked, nor the C programs of build/limit"
install_nginx "the tests of nginx are skipped"

results=$(mktemp -d)
format=
installing=
trap 'kill $format $installing 2>/dev/null || true; rm -rf "$results"' EXIT
trap 'exit 130' INT TERM

# The packages of the long tests are loaded beside the build.
if [ "$long" = true ]; then
    {
        install_hosts "the tests of several hosts are skipped"
        install_browser "the tests of the page in a browser are skipped"
        install_shells "the completion in zsh and fish is not tested"
    } &
    installing=$!
fi

# The tests start some thousand processes. Each spends a part of its start on protecting the pages of the JIT from being written and executed, and on counting
# for a profile.
export DOTNET_EnableWriteXorExecute=0 DOTNET_TieredPGO=0
cd "$root"

# A build of a developer has run the analyzers. --long also checks the rules of style.
analysis=-p:RunAnalyzers=false
[ "$long" = false ] || analysis=-p:EnforceCodeStyleInBuild=true
built=true
(build_quietly NetCoreNetworkBenchmark.slnx "$analysis") || built=false
[ -z "$installing" ] || wait "$installing" || true
installing=
if [ "$built" = false ]; then
    summary 0 1 || exit 1
fi

# Spaces are checked beside the tests, in every file, also of the libraries that this build does not have.
nice -n 5 dotnet format whitespace . --folder --verify-no-changes >"$results/format" 2>&1 &
format=$!
run_tests -trait- Category=Long -trait- Category=Torture -trait- Category=Timing -trait- Category=Windows
if wait "$format"; then
    passed=$((passed + 1))
else
    cat "$results/format"
    echo "The format is not the one of .editorconfig: run 'dotnet format'."
    failed=$((failed + 1))
fi
format=
if [ "$long" = false ]; then
    end_run
    exit
fi

end_part
# Most of them measure, so fewer run at a time than of the short ones.
run_tests -trait Category=Long -trait- Category=Timing -maxThreads 1.5x
end_part
if [ "$timing" = true ]; then
    run_tests -trait Category=Timing -parallelMode none
    end_part
    "$root/build/windows.sh" >"$results/windows" || true
    cat "$results/windows"
    grep '^F[a-z]*: ' "$results/windows" >>"$results/closing" || true
    counts=$(counts_of "$results/windows")
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
fi

if [ "$(uname -s)" = Linux ] && [ "$all_skipped" -gt "$max_skipped" ]; then
    echo "$all_skipped tests were skipped: more than $max_skipped of them are not the whole (the reasons are above)."
    failed=$((failed + 1))
fi

echo "Together:"
[ ! -e "$results/closing" ] || cat "$results/closing"
end_run
