# Builds, checks the format and runs the tests. With --all also those that take minutes (categories Long and Torture). Each part ends with
# the line 'N passed, N failed', and so does the whole.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
$all = $false
if ($args.Count -eq 1 -and $args[0] -eq '--all') {
    $all = $true
} elseif ($args.Count -gt 0) {
    [Console]::Error.WriteLine("'$args' is not understood: the only option is --all, for the long tests too.")
    exit 2
}

Set-Location $root
$script:passed = 0
$script:failed = 0

function Complete-Run {
    "$script:passed passed, $script:failed failed"
    exit [int]($script:failed -gt 0)
}

function Invoke-Tests($options) {
    $account = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    Push-Location NetCoreNetworkBenchmark.Tests/bin/Release/net10.0
    dotnet NetCoreNetworkBenchmark.Tests.dll -noColor -preEnumerateTheories -trx $account @options
    Pop-Location
    if (Test-Path $account) {
        $counters = ([xml](Get-Content $account)).TestRun.ResultSummary.Counters
        $script:passed += [int]$counters.passed
        $script:failed += [int]$counters.executed - [int]$counters.passed
        $skipped = [int]$counters.total - [int]$counters.executed
        if ($skipped -gt 0) { "$skipped tests were skipped." }
        Remove-Item $account
    } else {
        'The tests did not come to an end.'
        $script:failed++
    }
}

if (-not (Get-Command dotnet -ErrorAction SilentlyContinue)) {
    [Console]::Error.WriteLine('The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.')
    exit 1
}

dotnet build NetCoreNetworkBenchmark.sln --configuration Release --verbosity quiet --nologo
if ($LASTEXITCODE -ne 0) { 'The build failed.'; $script:failed = 1; Complete-Run }

dotnet format NetCoreNetworkBenchmark.sln --verify-no-changes --no-restore
if ($LASTEXITCODE -eq 0) { $script:passed++ } else { "The format is not the one of .editorconfig: run 'dotnet format'."; $script:failed++ }

Invoke-Tests '-trait-', 'Category=Long', '-trait-', 'Category=Torture'
if (-not $all) { Complete-Run }

"$script:passed passed, $script:failed failed"
$shortPassed = $script:passed
$shortFailed = $script:failed
Invoke-Tests '-trait', 'Category=Long', '-trait', 'Category=Torture'
"$($script:passed - $shortPassed) passed, $($script:failed - $shortFailed) failed"
'Together:'
Complete-Run
