#!/bin/sh
# Prints the size of each folder: lines, lines without blank lines, braces and comments, files and types; then the lines of the tests, the words of the
# documents, and the files of 400 lines or more.
set -eu
cd "$(dirname -- "$0")/.."

# sources FOLDER...: their source files, without what a build writes.
sources() {
    find "$@" -name '*.cs' ! -path '*/obj/*' ! -path '*/bin/*'
}

# row NAME FOLDER...: one row of the table.
row() {
    name=$1
    shift
    modifiers='public|internal|private|protected|sealed|static|abstract|readonly|partial|unsafe|ref|file'
    type="^[[:space:]]*(($modifiers) )*(class|struct|interface|enum|record) "
    sources "$@" | tr '\n' '\0' | xargs -0 -r cat | awk -v type="$type" -v name="$name" -v files="$(sources "$@" | wc -l)" '
        { lines++ }
        !/^[[:space:]]*($|[{}();,]+$|\/\/)/ { code++ }
        $0 ~ type { types++ }
        END { printf "%-44s %8d %8d %6d %6d\n", name, lines, code, files, types }'
}

printf '%-44s %8s %8s %6s %6s\n' folder lines code files types
product="NetCoreNetworkBenchmark.Sdk NetCoreNetworkBenchmark.Libraries NetCoreNetworkBenchmark.Workloads NetCoreNetworkBenchmark.Benchmarks NetCoreNetworkBenchmark"
for project in $product; do
    for folder in "$project"/*/; do
        [ -d "$folder" ] || continue
        [ -z "$(sources "$folder")" ] || row "${folder%/}" "$folder"
    done
    # A project without folders.
    [ -n "$(sources "$project"/*/ 2>/dev/null)" ] || row "$project" "$project"
done
row NetCoreNetworkBenchmark.Microbenchmarks NetCoreNetworkBenchmark.Microbenchmarks
# shellcheck disable=SC2086 # Words: the projects.
row "product, without the microbenchmarks" $product
row NetCoreNetworkBenchmark.Tests NetCoreNetworkBenchmark.Tests
printf '%-44s %8d\n' "words of Docs" "$(cat Docs/*.md | wc -w)"
printf '%-44s %8d\n' "words of README" "$(wc -w <README.md)"
large=$(for file in $(sources .); do
    lines=$(wc -l <"$file")
    [ "$lines" -lt 400 ] || printf '%8d %s\n' "$lines" "$file"
done)
[ -z "$large" ] || printf 'Files of 400 lines or more:\n%s\n' "$large"
