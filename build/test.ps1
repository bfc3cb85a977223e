# Builds, checks the format and runs the tests; each part and the whole end with 'N passed, N failed'. --long adds the tests that take minutes
# (category Long), --all also those that compare times (Timing), for a quiet machine. A failed test is run once more, alone, unless it
# counts leaks (Leak). If it passes then, it is printed as flaky; more than three flaky tests fail the run.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot
$mostFlaky = 3
$mostRepeated = 20
$option = "$args"
if ($option -notin '', '--long', '--all') {
    [Console]::Error.WriteLine("'$option' is not understood: the options are --long, for the long tests too, and --all, also for those that compare times.")
    exit 2
}

Set-Location $root
$env:DOTNET_EnableWriteXorExecute = '0'
$script:passed = 0
$script:failed = 0
$script:passedBefore = 0
$script:failedBefore = 0
$script:closing = @()
$script:flaky = 0

function Complete-Part {
    "$($script:passed - $script:passedBefore) passed, $($script:failed - $script:failedBefore) failed"
    $script:passedBefore = $script:passed
    $script:failedBefore = $script:failed
}

function Complete-Run {
    if ($script:flaky -gt $mostFlaky) {
        "$script:flaky tests passed only the second time: more than $mostFlaky of them are a fault of the tests or of the machine."
        $script:failed++
    }

    "$script:passed passed, $script:failed failed"
    exit [int]($script:failed -gt 0)
}

function Invoke-TestProgram($options) {
    Push-Location NetCoreNetworkBenchmark.Tests/bin/Release/net10.0
    dotnet NetCoreNetworkBenchmark.Tests.dll -noColor -preEnumerateTheories @options
    Pop-Location
}

function Get-Outcomes($account, $outcome) {
    @(([xml](Get-Content -Raw $account)).TestRun.Results.UnitTestResult | Where-Object { $_.outcome -eq $outcome })
}

# The names of the failed tests that pass when each is run once more, alone. A test that has no row of its own in the list is repeated with all rows of its
# method.
function Get-PassedAgain($tests, $account) {
    if ($tests.Count -eq 0 -or $tests.Count -gt $mostRepeated) { return @() }
    $list = Invoke-TestProgram '-list', 'full/json' | Out-String | ConvertFrom-Json
    $cases = foreach ($name in $tests.testName) {
        $found = @($list | Where-Object { $_.DisplayName.Replace('\', '') -ceq $name.Replace('\', '') })
        if ($found.Count -eq 0) { $found = @($list | Where-Object DisplayName -CEQ ($name -replace '(?s)\(.*')) }
        $found | Where-Object { $_.Traits.Category -notcontains 'Leak' }
    }
    if (-not $cases) { return @() }
    Invoke-TestProgram (@($cases.ID | Sort-Object -Unique | ForEach-Object { '-id', $_ }) + '-parallelMode', 'none', '-result-trx', $account) | Out-Host
    if (-not (Test-Path $account)) { Write-Host 'The second attempt did not come to an end.'; return @() }
    $failedAgain = @((Get-Outcomes $account Failed).testName)
    @((Get-Outcomes $account Passed).testName | Where-Object { $_ -cnotin $failedAgain })
}

function Invoke-Tests($options) {
    $account = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    Invoke-TestProgram ($options + '-result-trx', $account)
    $code = $LASTEXITCODE
    if (-not (Test-Path $account)) {
        'The tests did not come to an end.'
        $script:failed++
        return
    }

    $counters = ([xml](Get-Content -Raw $account)).TestRun.ResultSummary.Counters
    $failures = Get-Outcomes $account Failed
    if ($code -ne 0 -and $failures.Count -eq 0) {
        "The tests ended with exit code $code although none of them failed."
        $script:failed++
    }

    $again = "$account.again"
    $passedAgain = Get-PassedAgain $failures $again
    $flaky = @($failures | Where-Object { $_.testName -cin $passedAgain })
    $script:flaky += $flaky.Count
    $script:passed += [int]$counters.passed + $flaky.Count
    $script:failed += [int]$counters.executed - [int]$counters.passed - $flaky.Count
    $lines = @($failures | Where-Object { $_.testName -cnotin $passedAgain } | ForEach-Object {
        "Failed: $($_.testName)"
        "    $($_.Output.ErrorInfo.Message)"
    })
    $lines += @($flaky | ForEach-Object { "Flaky: $($_.testName), $($_.Output.ErrorInfo.Message -replace '\s+', ' ' -replace '(?<=^.{300}).+', ' ...')" })
    $lines
    $script:closing += $lines
    $skipped = [int]$counters.total - [int]$counters.executed
    if ($skipped -gt 0) { "$skipped tests were skipped." }
    Remove-Item $account, $again -ErrorAction SilentlyContinue
}

if (-not (Get-Command dotnet -ErrorAction SilentlyContinue)) {
    [Console]::Error.WriteLine('The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.')
    exit 1
}

dotnet build NetCoreNetworkBenchmark.slnx --configuration Release --verbosity quiet --nologo
if ($LASTEXITCODE -ne 0) { 'The build failed.'; $script:failed = 1; Complete-Run }

dotnet format NetCoreNetworkBenchmark.slnx --verify-no-changes --no-restore
if ($LASTEXITCODE -eq 0) { $script:passed++ } else { "The format is not the one of .editorconfig: run 'dotnet format'."; $script:failed++ }

Invoke-Tests '-trait-', 'Category=Long', '-trait-', 'Category=Torture', '-trait-', 'Category=Timing', '-trait-', 'Category=Windows'
if ($option -eq '') { Complete-Run }

Complete-Part
Invoke-Tests '-trait', 'Category=Long', '-trait-', 'Category=Timing', '-maxThreads', '1.5x'
Complete-Part
if ($option -eq '--all') {
    Invoke-Tests '-trait', 'Category=Timing', '-trait', 'Category=Windows', '-parallelMode', 'none'
    Complete-Part
}

'Together:'
$script:closing
Complete-Run
