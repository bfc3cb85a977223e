# Builds the benchmark and runs it with the given options. Without options it prints a first ranking of all libraries in about two minutes (-b=quick);
# the whole predefined benchmark is -b. ENet on Windows: put an enet.dll of ENet 1.3, such as that of 'vcpkg install enet', on the PATH.
$ErrorActionPreference = 'Stop'
$root = Split-Path -Parent $PSScriptRoot

if (-not (Get-Command dotnet -ErrorAction SilentlyContinue)) {
    [Console]::Error.WriteLine('The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.')
    exit 1
}

[Console]::Error.WriteLine('Building ...')
$built = dotnet build "$root/NetCoreNetworkBenchmark" --configuration Release --nologo
if ($LASTEXITCODE -ne 0) {
    $built | ForEach-Object { [Console]::Error.WriteLine($_) }
    [Console]::Error.WriteLine('The build failed.')
    exit 1
}

# Packages that no source has, reported once by the build that tried them.
$built | Where-Object { $_ -match 'Left out of this build' } | ForEach-Object { [Console]::Error.WriteLine($_.Trim()) }

# PowerShell makes an array of what has a comma, and a string of an array with one element, which would be passed letter by letter.
$options = @($args | ForEach-Object { $_ -join ',' })
if ($options.Count -eq 0) { $options = @('--benchmark=quick') }
$typed = $MyInvocation.InvocationName
$env:NETBENCH_PROGRAM = if ($typed -eq '&' -or $typed -eq '.') { $PSCommandPath } else { $typed }
& "$root/NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark" @options
exit $LASTEXITCODE
