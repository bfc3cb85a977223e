using NetCoreNetworkBenchmark.Tests.Plans;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class SuiteTests : InTemporaryFolder
{
    // For what does not depend on the libraries.
    private static string TwoLibraries => string.Join(',', LibrariesOfFirstLook(Protocol.Udp).Take(2));

    [Fact, Trait("Category", "Long")]
    public async Task Quick_benchmark_prints_a_ranking_and_writes_nothing()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        using BenchmarkProcess process = BenchmarkProcess.Start(
            [.. $"-b=quick -l {TwoLibraries} --benchmark-duration 0.2 --any-machine".Split(' ')]);
        await process.PrintsAsync("[1/");
        (int exitCode, string output, string errors) = await process.InterruptedAsync();
        Assert.Equal(1, exitCode);
        Assert.Contains("**Aborted:**", output, StringComparison.Ordinal);
        Assert.Contains("**Benchmark 1**", output, StringComparison.Ordinal);
        Assert.Contains("TCP and TLS: -b=tcp, -b=ssl. The whole benchmark: -b", errors, StringComparison.Ordinal);
        Assert.Contains("Nothing was written; --output DIR writes the result.", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("--continue", errors, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Timing")]
    public async Task A_first_look_ranks_the_libraries_that_are_there_within_150_s_and_without_an_invalid_cell()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync("-b=quick --json");
        Assert.True(exitCode == 0, errors);
        var suite = (SuiteResult)ResultFile.Parse(output);
        Assert.All(suite.Benchmarks, benchmark =>
        {
            Assert.All(benchmark.Cases, caseResult => Assert.Empty(caseResult.InvalidReasons));
            Assert.All(benchmark.Cases.Where(caseResult => !caseResult.IsBaseline), caseResult => Assert.NotNull(caseResult.ToBaseline?.Rank));
        });
        Assert.InRange(suite.Benchmarks.Sum(benchmark => benchmark.Decision!.Seconds), 1, 150);
    }

    private static string[] LibrariesOfFirstLook(Protocol protocol) =>
        [.. LibraryUnderTest.Catalog.Libraries
            .Select(name => LibraryUnderTest.Catalog.CreateLibrary(name)!.Info)
            .Where(info => !info.IsBaseline || info.Name == "Sockets")
            .Where(info => info is { CarriesMessages: true, Unavailable: null } && info.Protocols.Contains(protocol))
            .Select(info => info.Name)];

    /// <summary>Asserts that a first look with one launch of each case wrote its result and the page of the machine.</summary>
    internal static async Task AssertIsFirstLookAsync(DirectoryInfo machine, int exitCode, string output, string errors)
    {
        string page = await ReadAsync(machine, "README.md");
        var suite = (SuiteResult)ResultFile.Parse(await ReadAsync(machine, "results.json"));
        Assert.Equal(["Benchmark 1", "Benchmark 2", "Benchmark 3"], suite.Benchmarks.Select(benchmark => benchmark.Title));
        Assert.All(suite.Benchmarks, benchmark => Assert.Equal(
            LibrariesOfFirstLook(Enum.Parse<Protocol>(benchmark.Cases[0].MedianLaunch()!.Protocol)), benchmark.Cases.Select(caseResult => caseResult.Library)));
        Assert.All(suite.Benchmarks[0].Cases, caseResult => AssertLoad(caseResult, clients: 1000, messages: 1));
        Assert.All(suite.Benchmarks[1].Cases, caseResult => AssertLoad(caseResult, clients: 100, messages: 1000));

        // An ordinary user's socket buffers may be too small for the second launch: then its cell of the ranking is invalid.
        AssertMeasured(suite, exitCode, errors);
        Assert.All(LibrariesOfFirstLook(Protocol.Udp), name => Assert.Contains($"<details><summary>{name}: ", page, StringComparison.Ordinal));
        Assert.All(suite.Missing, missing => Assert.Contains($"* {missing.Library}: ", page, StringComparison.Ordinal));
        Assert.DoesNotContain("Written to", output, StringComparison.Ordinal);
        string[] status = ["TCP and TLS: -b=tcp, -b=ssl. The whole benchmark: -b", $"Written to {machine.FullName}"];
        Assert.Equal(status, BenchmarkProcess.WithoutWarnings(errors)[^2..]);
        Assert.All(suite.Benchmarks, benchmark =>
        {
            Assert.Equal("Sockets", benchmark.Baseline);

            // Slices as short as these may have no ratio.
            Assert.All(benchmark.Cases.Select(caseResult => caseResult.ToBaseline?.Rank ?? 1), rank => Assert.InRange(rank, 1, benchmark.Cases.Count));
        });
        Assert.DoesNotContain('\u001b', errors);
    }

    // The committed result has one launch of each case whole.
    private static void AssertLoad(CaseResult caseResult, int clients, int messages)
    {
        RunResult result = caseResult.MedianLaunch()!;
        Assert.Equal((clients, messages, 32), (result.Plan.Clients, result.Plan.ParallelMessages, result.Plan.MessageSize));

        // On a busy machine half a second may pass before any of 100,000 messages is answered.
        Assert.All(
            [result.Costs.Server!, result.Costs.Clients!],
            cost => Assert.Equal(cost.Messages / cost.CpuSeconds, cost.MessagesPerCpuSecond ?? 0, tolerance: 1e-3));
    }

    /// <summary>Runs a comparison with <c>--json</c>, and asserts that it measured.</summary>
    internal static async Task<SuiteResult> MeasuredAsync(string arguments) => MeasuredIn(await BenchmarkProcess.RunLineAsync(arguments));

    internal static SuiteResult MeasuredIn((int ExitCode, string Output, string Errors) run)
    {
        Assert.True(run.Output.Length > 0, run.Errors);
        var suite = (SuiteResult)ResultFile.Parse(run.Output);
        AssertMeasured(suite, run.ExitCode, run.Errors);
        return suite;
    }

    // On a busy machine some launches are invalid, and all at a rate, which is a figure of the machine. All cases have counted messages.
    internal static void AssertMeasured(SuiteResult suite, int exitCode, string errors)
    {
        CaseResult[] cases = [.. suite.Benchmarks.SelectMany(benchmark => benchmark.Cases)];
        Assert.All(cases, measured => Assert.Contains(measured.Launches, launch => launch.Result is { Totals.Received: > 0 }));
        Assert.Contains(cases, measured => measured.Launches.Any(launch => launch.Result is { Valid: true } or { Plan.Rate: not null }));
        Assert.True(exitCode == (SuiteCommand.IsGood(suite) ? 0 : 1), errors);
    }

    internal static Task<string> ReadAsync(DirectoryInfo folder, string name) =>
        File.ReadAllTextAsync(Path.Combine(folder.FullName, name), TestContext.Current.CancellationToken);
}

/// <summary>The comparison of two builds that take turns. The other build is a copy of this one.</summary>
public sealed class RegressTests : InTemporaryFolder
{
    private const string Short = "--launches 2 --rounds 3 --slice 0.05 -c 10 -m 2 --warmup 0.1";

    private static readonly string s_thisBuild = Path.GetDirectoryName(typeof(Catalog).Assembly.Location)!;

    [Theory, InlineData("-l Sockets"), InlineData("-l Sockets -P Tcp -t Multicast"), Trait("Category", "Long")]
    public async Task Regress_interleaves_two_builds_and_compares_them(string load)
    {
        string build = OperatingSystem.IsWindows()
            ? s_thisBuild
            : Directory.CreateSymbolicLink(PathOf(PastedCommand.HostileName), s_thisBuild).FullName;

        // The noise of so few slices must not make the test fail.
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunAsync(
            ["regress", build, .. load.Split(' '), .. Short.Split(' '), "--threshold", "90%", "--json"]);
        var result = (ComparisonResult)ResultFile.Parse(output);
        Assert.True(exitCode is 0 or 5, errors);
        ComparedCase compared = Assert.Single(result.Cases);
        Assert.Equal((2, 2), (compared.OldLaunches, compared.NewLaunches));
        Assert.Equal((2, 3, 0.05), (result.Interleaving!.Sets, result.Interleaving.Rounds, result.Interleaving.SliceSeconds));
        Assert.InRange(compared.Ratio, compared.Lower!.Value, compared.Upper!.Value);
        Assert.Equal(
            [JudgedFigure.ServerCpu, JudgedFigure.MessagesPerSecond, JudgedFigure.AllocatedBytes], compared.Figures.Select(figure => figure.Figure));
        Assert.All(compared.Figures, figure => Assert.InRange(figure.Ratio, double.Epsilon, double.MaxValue));
        Assert.True(OperatingSystem.IsWindows() || (await PastedCommand.ArgumentsAsync(result.Command!))[1] == build, result.Command);
        Assert.EndsWith("NetCoreNetworkBenchmark.dll", result.Old, StringComparison.Ordinal);
        Assert.Contains(", set 2: Sockets (old) ", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("--duration", result.Command, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Regress_ends_with_the_time_and_records_it()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunAsync(
            ["regress", s_thisBuild, .. "-l Sockets -c 10 --rounds 2 --warmup 0.1 --precision 0.1% --time 1s --threshold 90% --json".Split(' ')]);
        var result = (ComparisonResult)ResultFile.Parse(output);
        Assert.True(exitCode is 0 or 5, errors);
        Assert.Equal((6, 0.001, 1), (Assert.Single(result.Cases).NewLaunches, result.Interleaving!.TargetHalfWidth, result.Interleaving.LimitSeconds));
        Assert.InRange(result.Seconds!.Value, 1, 600);
        Assert.Contains(" --precision 0.1% --time 1s ", result.Command, StringComparison.Ordinal);
        Assert.Contains(", target ±0.1 %", errors, StringComparison.Ordinal);
    }
}

[Trait("Category", "Long")]
public sealed class ContinuedSuiteTests() : InTemporaryFolder(OperatingSystem.IsWindows() ? "NetCoreNetworkBenchmark-" : PastedCommand.HostileName)
{
    private const string ToGoOn = "To continue: ";

    [Fact]
    public async Task A_benchmark_that_was_killed_and_then_interrupted_goes_on_and_has_the_result_and_the_page_of_a_whole_one()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        string[] arguments =
            ["-b=quick", "--launches", "1", "--benchmark-duration", "0.2", "--any-machine", "-o", Folder.FullName];
        using (BenchmarkProcess killed = BenchmarkProcess.Start(arguments))
        {
            await killed.PrintsAsync("[1/");
            await BenchmarkProcess.SignalAsync("KILL", killed.Id);
            await killed.EndAsync();
        }

        DirectoryInfo machine = Assert.Single(Folder.GetDirectories());
        string[] log = await ReadLogAsync(machine);
        int saved = log.Length - 1;
        LaunchResult first = LaunchOf(log[1]);
        string[] again = [.. arguments, "--continue"];
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunAsync([.. again, "--profile", "tuned"]);
        Assert.Equal(2, exitCode);
        Assert.Contains("' differs: its command was ", errors, StringComparison.Ordinal);

        using (BenchmarkProcess interrupted = BenchmarkProcess.Start(again))
        {
            await interrupted.PrintsAsync($"Continuing after {saved} launches, saved in ");
            await interrupted.PrintsAsync("[2/");
            (exitCode, output, errors) = await interrupted.InterruptedAsync();
        }

        Assert.Equal(1, exitCode);
        Assert.DoesNotContain("[1/", errors, StringComparison.Ordinal);
        Assert.Contains("**Aborted:**", output, StringComparison.Ordinal);
        Assert.Equal(again, await PastedCommand.ArgumentsAsync(ToGoOnIn(errors)));
        Assert.Contains("**Aborted:**", await SuiteTests.ReadAsync(machine, "README.md"), StringComparison.Ordinal);
        var suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(machine, "results.json"));
        Assert.True(suite.Benchmarks.Sum(benchmark => benchmark.Cases.Sum(caseResult => caseResult.Launches.Count)) > saved, errors);

        (exitCode, output, errors) = await BenchmarkProcess.RunAsync(again);
        await SuiteTests.AssertIsFirstLookAsync(machine, exitCode, output, errors);
        Assert.Equal([false, false, true], ((string[])["[1/", "[2/", "[3/"]).Select(step => errors.Contains(step, StringComparison.Ordinal)));
        suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(machine, "results.json"));
        Assert.All(suite.Benchmarks, benchmark => Assert.All(benchmark.Cases, caseResult => Assert.Single(caseResult.Launches)));
        LaunchResult kept = suite.Benchmarks[0].Cases[0].Launches[0];
        Assert.Equal((first.MessagesPerSecond, first.Baseline), (kept.MessagesPerSecond, kept.Baseline));
        Assert.False(Directory.Exists(Path.Combine(machine.FullName, "unfinished")));
        (exitCode, _, errors) = await BenchmarkProcess.RunAsync(again);
        Assert.Equal(2, exitCode);
        Assert.Equal($"Error: --continue: '{machine.FullName}' has no interrupted measurement. Omit --continue to start from the beginning.\n", errors);
    }

    [Fact]
    public async Task Launches_that_were_interrupted_go_on_with_the_printed_command_and_are_quoted_with_their_spread()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        string[] arguments =
        [
            .. "-l Sockets -c 2 -d 0.5 --iterations 2 --warmup 0 -p 0 --launches 3 --any-machine --json".Split(' '), "-o", Folder.FullName,
        ];
        using BenchmarkProcess process = BenchmarkProcess.Start(arguments);
        await process.PrintsAsync("[1/3]");
        (int exitCode, _, string errors) = await process.InterruptedAsync();
        Assert.Equal(1, exitCode);
        string[] command = await PastedCommand.ArgumentsAsync(ToGoOnIn(errors));
        Assert.Equal((string[])[.. arguments, "--continue"], command);
        string[] log = await ReadLogAsync(Folder);
        (_, string output, string reports) = await BenchmarkProcess.RunAsync(command);
        Assert.Contains("Continuing after 1 launch, saved in", reports, StringComparison.Ordinal);
        Assert.DoesNotContain("[1/3]", reports, StringComparison.Ordinal);
        var suite = (SuiteResult)ResultFile.Parse(output);
        CaseResult found = Assert.Single(Assert.Single(suite.Benchmarks).Cases);
        Assert.Equal(3, suite.LaunchCount);
        Assert.Equal([1, 2, 3], found.Launches.Select(launch => launch.Number));
        Assert.Equal(LaunchOf(log[1]).MessagesPerSecond, found.Launches[0].MessagesPerSecond);
        Assert.All(found.Launches, launch => Assert.Equal(2, launch.Result!.Clients.Iterations.Count));
        Assert.All(found.Launches, launch => Assert.InRange(launch.Control!.Value, 1, double.MaxValue));
        Spread rate = found.Summary!.MessagesPerSecond;
        Assert.InRange(rate.Median, rate.Lower!.Value, rate.Upper!.Value);
        Assert.Equal(found.Launches.Select(launch => launch.Result!.MessagesPerSecond).Order().ElementAt(1), rate.Median);
        var written = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(Folder, "results.json"));
        Assert.Equal(rate.Median, written.Benchmarks[0].Cases[0].Summary!.MessagesPerSecond.Median);
        Assert.False(Directory.Exists(PathOf("unfinished")));
    }

    // The first line has the facts of the session. The last one may have been cut short.
    private static async Task<string[]> ReadLogAsync(DirectoryInfo folder) =>
        (await SuiteTests.ReadAsync(folder, Path.Combine("unfinished", "log.jsonl"))).Split('\n')[..^1];

    private static LaunchResult LaunchOf(string saved) =>
        JsonSerializer.Deserialize<JsonElement>(saved).GetProperty("launch").Deserialize(ResultJson.Readable.LaunchResult)!;

    private static string ToGoOnIn(string errors) =>
        Assert.Single(errors.Split('\n'), line => line.StartsWith(ToGoOn, StringComparison.Ordinal))[ToGoOn.Length..];
}

/// <summary>
/// The predefined benchmarks of TLS handshakes, as a user starts them. No other test runs at the same time: each handshake of a hundred clients is work for
/// all cores, and each case needs some that are complete in its time.
/// </summary>
[CollectionDefinition(nameof(HandshakeSuiteTests), DisableParallelization = true)]
[Collection(nameof(HandshakeSuiteTests))]
[Trait("Category", "Long")]
public sealed class HandshakeSuiteTests : InTemporaryFolder
{
    [Fact]
    public async Task Tls_has_a_row_for_each_server_and_architecture()
    {
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-b=tls --launches 1 --benchmark-duration 0.3 --any-machine -o {Folder.FullName}");
        var suite = (SuiteResult)ResultFile.Parse(await SuiteTests.ReadAsync(Assert.Single(Folder.GetDirectories()), "results.json"));
        Assert.Equal(["TLS handshakes, Rsa2048", "TLS handshakes, P256"], suite.Benchmarks.Select(benchmark => benchmark.Title));
        Assert.Equal("NetCoreNetworkBenchmark --benchmark=tls --launches 1 --any-machine", suite.Command);
        string[] servers =
        [
            "Epoll (workers)", "Epoll (reactor)", "Epoll (threads)", "Epoll (pool)", "Kestrel (own-context)", "Kestrel (shared-context)", "Kestrel (http)",
            "Sockets (own-context)", "Sockets (shared-context)",
        ];
        Assert.All(suite.Benchmarks, benchmark =>
        {
            RunResult[] runs = RunsOf(benchmark);
            Assert.Empty(servers.Except(runs.Select(run => run.Name)));
            Assert.All(runs, run => Assert.Equal((0, 0), (run.Errors, run.Lost)));
            Assert.All(runs, run => Assert.All(run.Tls!.Clients, handshake => Assert.False(handshake.Resumed)));
            Assert.All(servers, server => Assert.Contains($"| {server}", output, StringComparison.Ordinal));
        });
        Assert.DoesNotContain("failed", errors, StringComparison.Ordinal);
    }

    private static RunResult[] RunsOf(BenchmarkResult benchmark)
    {
        Assert.All(benchmark.Cases, caseResult => Assert.Null(caseResult.Launches[0].Failure));
        return [.. benchmark.Cases.Select(caseResult => caseResult.Launches[0].Result!)];
    }
}
