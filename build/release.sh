#!/bin/sh
# Makes every artefact of a release in a new folder: the packages of the tool, the SDK and the templates, an archive of the program with its runtime for each
# system, and SHA256SUMS. A system whose runtime is in no package source has no archive, and a sentence says so.
#
#   ./build/release.sh DIR [SYSTEM...]
#
# A SYSTEM is a runtime identifier of .NET, such as linux-x64. Without any, all systems of a release have an archive.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
if [ "$#" -eq 0 ]; then
    echo "The first argument is the new folder of the release, such as ./build/release.sh release." >&2
    exit 2
fi
release=$1
shift
[ "$#" -gt 0 ] || set -- linux-x64 linux-musl-x64 osx-arm64 win-x64
if [ -e "$release" ]; then
    echo "'$release' exists. Name a new folder." >&2
    exit 2
fi

. "$root/build/prerequisites.sh"
require_dotnet
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/release"

# run_dotnet COMMAND PROJECT OPTION...: the folders of the checkout stay as they are. The analyzers have run in the build of the tests.
run_dotnet() {
    command=$1
    project=$2
    shift 2
    dotnet "$command" "$root/$project" --configuration Release --artifacts-path "$work/built" --nologo --verbosity quiet -nodeReuse:false \
        -p:RunAnalyzers=false -p:NuGetAudit=false -p:ContinuousIntegrationBuild=true "$@" >"$work/log" 2>&1
}

for project in NetCoreNetworkBenchmark.Sdk NetCoreNetworkBenchmark.Templates NetCoreNetworkBenchmark; do
    if ! run_dotnet pack "$project" --output "$work/release"; then
        cat "$work/log" >&2
        exit 1
    fi
done

version=$(basename "$work"/release/NetCoreNetworkBenchmark.Tool.*.nupkg .nupkg | sed 's/^NetCoreNetworkBenchmark\.Tool\.//')
for system in "$@"; do
    name=netbench-$version-$system
    if run_dotnet publish NetCoreNetworkBenchmark --runtime "$system" --self-contained --output "$work/$name"; then
        tar -C "$work" -czf "$work/release/$name.tar.gz" "$name"
    elif grep -q 'error NU110[12]' "$work/log"; then
        report "There is no archive for $system: its runtime is in no package source."
    else
        cat "$work/log" >&2
        exit 1
    fi
done

(cd "$work/release" && sha256sum -- * >SHA256SUMS)
mkdir -p "$(dirname -- "$release")"
mv "$work/release" "$release"
ls -l "$release"
