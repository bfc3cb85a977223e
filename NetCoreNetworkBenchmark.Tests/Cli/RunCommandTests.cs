using System.Globalization;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Cli.Files;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Tests.Reports;

namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class RunCommandTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_result_whose_files_cannot_be_written_is_printed_all_the_same(bool json)
    {
        await using var output = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        await using var errors = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        string folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-").FullName;
        var files = new ResultFiles(folder, ProgramInFolder.Formats);
        Directory.Delete(folder);
        await File.WriteAllTextAsync(folder, "A file is where the folder was.", TestContext.Current.CancellationToken);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => RunCommand.ShowAsync(
            Request(json), files, new CommandContext(LibraryUnderTest.Catalog, ProgramInFolder.Formats, output, errors),
            _ => Task.FromResult(SampleResults.Invalid)));
        File.Delete(folder);
        Assert.StartsWith($"The result could not be written to '{folder}", exception.Message, StringComparison.Ordinal);
        Assert.False(exception.IsBadInput);
        Assert.Contains(SampleResults.Invalid.InvalidReasons[0], output.ToString(), StringComparison.Ordinal);
        Assert.Contains($"Invalid: {SampleResults.Invalid.InvalidReasons[0]}\n", errors.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_an_adapter_did_otherwise_is_told_also_beside_json(bool json)
    {
        await using var output = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        await using var errors = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        RunResult result = SampleResults.Chosen;
        int code = await RunCommand.ShowAsync(
            Request(json), null, new CommandContext(LibraryUnderTest.Catalog, ProgramInFolder.Formats, output, errors), _ => Task.FromResult(result));
        Assert.Equal(ExitCode.Success, code);
        Assert.Contains($"Note: {result.Remarks[0]}\n", errors.ToString(), StringComparison.Ordinal);
        Assert.Equal(!json, output.ToString().Contains($"\nNote: {result.Remarks[0]}\n", StringComparison.Ordinal));
    }

    private static CliRequest Request(bool json) => new()
    {
        Action = CliAction.Run,
        Plan = new RunPlan { Library = "ENet" },
        LibraryWasChosen = true,
        Json = json,
        BenchmarkDuration = TimeSpan.FromSeconds(1),
        BenchmarkPort = 0,
        MicrobenchmarkTime = TimeSpan.FromSeconds(1),
    };
}
