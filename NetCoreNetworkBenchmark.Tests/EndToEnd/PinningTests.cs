namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class PinningTests
{
    private const string Load = "-c 10 -m 2 --warmup 0.1 --any-machine";

    [Fact, Trait("Category", "Long")]
    public async Task Every_thread_of_a_side_is_on_its_cores_the_relay_is_bound_to_none_and_the_result_says_so()
    {
        (int server, int clients) = Cores();
        string allowed = CoreList.Text(CoreAffinity.OfProcess()).Replace('+', ',');
        using BenchmarkProcess process = BenchmarkProcess.Start(
            $"-l Sockets -p 0 {Load} -d 600 --verbose --delay 1ms --json --pin server={server},clients={clients}".Split(' '));
        int[] children = await process.MeasuringChildrenAsync(3);
        Assert.Equal([$"{server}", allowed, $"{clients}"], children.Select(child => Assert.Single(CoresOf(child))));
        RunResult result = JsonSerializer.Deserialize((await process.InterruptedAsync()).Output, ResultJson.Readable.RunResult)!;
        AssertSide(server, result.Server!.Pinning);
        AssertSide(clients, result.Clients.Pinning);
        Assert.NotNull(result.Costs.Server);
        Assert.Contains($" --client-threads 1 --pin server={server},clients={clients} ", result.Command, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Every_launch_is_bound_and_the_commands_say_so()
    {
        (int server, int clients) = Cores();
        (_, string output, _) = await BenchmarkProcess.RunLineAsync(
            $"-l Sockets -p 0 {Load} -d 0.3 --launches 2 --server-threads 2 --json --pin server={server},clients={clients}");
        var suite = (SuiteResult)ResultFile.Parse(output);
        RunResult[] runs = [.. Assert.Single(Assert.Single(suite.Benchmarks).Cases).Launches.Select(launch => launch.Result!)];
        Assert.Equal(2, runs.Length);
        Assert.All(runs, run =>
        {
            AssertSide(server, run.Server!.Pinning);
            AssertSide(clients, run.Clients.Pinning);
            Assert.Equal((2, 1), (run.Server?.Threads, run.Clients.Threads));
        });
        Assert.All([suite.Command, .. runs.Select(run => run.Command)], command =>
            Assert.Contains($" --server-threads 2 --client-threads 1 --pin server={server},clients={clients} ", command, StringComparison.Ordinal));
    }

    [Fact, Trait("Category", "Long")]
    public async Task Sides_by_hand_bind_all_their_threads_and_each_reports_its_own()
    {
        LibraryUnderTest.Create("ENet");
        (int server, int clients) = Cores();
        using BenchmarkProcess serving = await BenchmarkProcess.StartServerAsync($"-l ENet --json --pin server={server}");
        Assert.Equal($"{server}", Assert.Single(CoresOf(serving.Id)));
        RunResult result = await BenchmarkProcess.AnyResultAsync($"--role Client -l ENet -p {serving.Port} {Load} -d 0.3 --json --pin clients={clients}");
        AssertSide(clients, result.Clients.Pinning);
        AssertSide(server, (await serving.StopServerAsync()).Server.Pinning);
    }

    // With only one core, both sides share it; the rest of the test still holds.
    private static (int Server, int Clients) Cores()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The cores are read from Linux's /proc.");
        IReadOnlyList<int> allowed = CoreAffinity.OfProcess();
        return (allowed[^1], allowed[0]);
    }

    private static void AssertSide(int core, SidePinning? side)
    {
        Assert.Equal([core], side!.Requested);
        Assert.Equal([core], side.Cores);
    }

    // The core lists of all threads of a process, without duplicates.
    private static IEnumerable<string> CoresOf(int process) =>
        Directory.GetDirectories($"/proc/{process}/task")
            .Select(task => SystemFiles.StatusOf($"{process}/task/{Path.GetFileName(task)}", "Cpus_allowed_list")).OfType<string>().Distinct();
}
