# Builds, checks the format and runs all tests. The last line is 'N passed, N failed'.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
Set-Location $root
$passed = 0
$failed = 0
$skipped = 0

function Complete-Run {
    if ($skipped -gt 0) { "$passed passed, $failed failed, $skipped skipped" } else { "$passed passed, $failed failed" }
    exit [int]($failed -gt 0)
}

if (-not (Get-Command dotnet -ErrorAction SilentlyContinue)) {
    [Console]::Error.WriteLine('The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.')
    exit 1
}

dotnet build NetCoreNetworkBenchmark.sln --configuration Release --verbosity quiet --nologo
if ($LASTEXITCODE -ne 0) { 'The build failed.'; $failed = 1; Complete-Run }

dotnet format NetCoreNetworkBenchmark.sln --verify-no-changes --no-restore
if ($LASTEXITCODE -eq 0) { $passed++ } else { "The format is not the one of .editorconfig: run 'dotnet format'."; $failed++ }

$results = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
dotnet test NetCoreNetworkBenchmark.sln --configuration Release --no-build --nologo `
    --results-directory $results --logger 'trx;LogFileName=tests.trx' --logger 'console;verbosity=normal'
$account = Join-Path $results 'tests.trx'
if (Test-Path $account) {
    $counters = ([xml](Get-Content $account)).TestRun.ResultSummary.Counters
    $passed += [int]$counters.passed
    $skipped = [int]$counters.total - [int]$counters.executed
    $failed += [int]$counters.executed - [int]$counters.passed
    Remove-Item -Recurse $results
} else {
    'The tests did not come to an end.'
    $failed++
}

Complete-Run
