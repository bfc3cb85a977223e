using NetCoreNetworkBenchmark.Tests.Cli;
using NetCoreNetworkBenchmark.Tests.Plans;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The comparison of two builds that take turns. The other build is a copy of this one.</summary>
public sealed class VersusTests : InTemporaryFolder
{
    private const string Short = "--launches 2 --rounds 3 --slice 0.05 -c 10 -m 2 --warmup 0.1";

    private static readonly string s_thisBuild = Path.GetDirectoryName(typeof(Catalog).Assembly.Location)!;

    [Theory, InlineData("-l Sockets"), InlineData("-l Sockets -P Tcp -t Multicast", Traits = ["Category", "Long"])]
    public async Task Versus_interleaves_two_builds_and_compares_them(string load)
    {
        string build = OperatingSystem.IsWindows()
            ? s_thisBuild
            : Directory.CreateSymbolicLink(PathOf(PastedCommand.HostileName), s_thisBuild).FullName;

        // The noise of so few slices must not make the test fail.
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunAsync(
            ["versus", build, .. load.Split(' '), .. Short.Split(' '), "--threshold", "90%", "--json"]);
        var result = (ComparisonResult)ResultFile.Parse(output);
        Assert.True(exitCode == 0, errors);
        ComparedCase compared = Assert.Single(result.Cases);
        Assert.Equal((2, 2), (compared.OldLaunches, compared.NewLaunches));
        Assert.Equal((2, 3, 0.05), (result.Interleaving!.Sets, result.Interleaving.Rounds, result.Interleaving.SliceSeconds));
        Assert.InRange(compared.Ratio, compared.Lower!.Value, compared.Upper!.Value);
        Assert.InRange(compared.ServerCost!.Ratio, double.Epsilon, double.MaxValue);
        Assert.True(OperatingSystem.IsWindows() || (await PastedCommand.ArgumentsAsync(result.Command!))[1] == build, result.Command);
        Assert.EndsWith("NetCoreNetworkBenchmark.dll", result.Old, StringComparison.Ordinal);
        Assert.Contains(", set 2 of 2: new / old ", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/nowhere -l Sockets", "'/nowhere' has no build of this program. Use a folder with NetCoreNetworkBenchmark.dll")]
    [InlineData("BUILD -l Sockets -t FixedCount", "--test: FixedCount ends by itself, so it cannot be divided into slices.")]
    [InlineData("BUILD -l Sockets -t Burst --bursts 2", "--test: Burst ends by itself, so it cannot be divided into slices.")]
    [InlineData("BUILD -l Sockets --rounds 0", "--rounds: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("BUILD -l Sockets --threshold 0%", "--threshold: \"0%\" is not a percentage above 0% and below 100%, such as 5%.")]
    [InlineData("BUILD -l Sockets --continue", "Unknown option --continue.")]
    public Task Versus_refuses_what_cannot_be_divided_into_slices(string arguments, string error) => ProgramInFolder.AssertRefusedBesideWarningsAsync(
        $"Error: {error}", ["versus", .. arguments.Split(' ').Select(argument => argument == "BUILD" ? s_thisBuild : argument)]);
}
