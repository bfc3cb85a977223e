# Builds and runs the benchmark with the options given; with none, the predefined one (-b).
# ENet on Windows: put enet.dll (ENet 1.3, x64) beside the program or on the PATH.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot

if (-not (Get-Command dotnet -ErrorAction SilentlyContinue)) {
    [Console]::Error.WriteLine('The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.')
    exit 1
}

dotnet build "$root/NetCoreNetworkBenchmark" --configuration Release --verbosity quiet --nologo -consoleLoggerParameters:NoSummary | ForEach-Object { [Console]::Error.WriteLine($_) }
if ($LASTEXITCODE -ne 0) { exit 1 }

$options = if ($args.Count -gt 0) { $args } else { @('--benchmark') }
& "$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark" @options
exit $LASTEXITCODE
