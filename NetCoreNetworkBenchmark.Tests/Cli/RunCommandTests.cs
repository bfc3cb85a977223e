using System.Globalization;
using NetCoreNetworkBenchmark.Cli;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class RunCommandTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_an_adapter_did_otherwise_is_told_also_beside_json(bool json)
    {
        await using var output = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        await using var errors = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        var request = new CliRequest
        {
            Action = CliAction.Run,
            Plan = new RunPlan { Library = "ENet" },
            LibraryWasChosen = true,
            Json = json,
            BenchmarkDuration = TimeSpan.FromSeconds(1),
            BenchmarkPort = 0,
            MicrobenchmarkTime = TimeSpan.FromSeconds(1),
        };
        RunResult result = SampleResults.Chosen;
        int code = await RunCommand.ShowAsync(
            request, null, new CommandContext(LibraryUnderTest.Catalog, ProgramInFolder.Formats, output, errors), _ => Task.FromResult(result));
        Assert.Equal(ExitCode.Success, code);
        Assert.Contains($"Note: {result.Remarks[0]}\n", errors.ToString(), StringComparison.Ordinal);
        Assert.Equal(!json, output.ToString().Contains($"\nNote: {result.Remarks[0]}\n", StringComparison.Ordinal));
    }
}
