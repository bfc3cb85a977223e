using NetCoreNetworkBenchmark.Libraries.ENet;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The program on Windows, as a user starts it. On Linux, <c>build/windows.sh</c> runs these tests under Wine.</summary>
[Trait("Category", "Windows")]
public sealed class WindowsTests : InTemporaryFolder
{
    private const string Load = "-p 0 -d 0.3 --warmup 0.1 --any-machine";
    private const string InThreeProcesses = "-l Sockets -p 0 -c 10 -m 2 -d 600 --warmup 0.1 --any-machine --delay 0.1ms --verbose";

    public WindowsTests() => Assert.SkipUnless(OperatingSystem.IsWindows(), "This is not Windows.");

    private string Results => PathOf("Ergebnisse mit Leerzeichen é");

    public static TheoryData<string> Loads =>
    [
        "-c 10 -l Sockets",
        "-c 100 -l Sockets",
        "-c 10 -l Sockets -m 10 -s 1200",
        "-c 10 -l Sockets --rate 500",
        "-c 10 -l Sockets --delay 5ms",
        "-c 10 -l Sockets -P Tcp",
        "-c 100 -l Sockets -P Tcp",
        "-c 10 -l Sockets -P Tcp -t RoundTrip",
        "-c 10 -l Sockets -P Tcp --rate 500",
        "-c 10 -l Sockets -P Tcp --set Sockets.send=receive -m 10",
        "-c 10 -l Kestrel -P Tcp",
        "-c 10 -l WebSockets -P Tcp",
        "-c 10 -l Sockets -P Tcp -t Multicast",
        "-c 10 -l LiteNetLib",
        "-c 10 -l LiteNetLib --set LiteNetLib.native=on",
        "-c 10 -l LiteNetLib -r Reliable --rate 500 --loss 5%",
        "-c 10 -l Sockets --pin server=0,clients=0",
        "-c 70 -l ENet -t RoundTrip",
        "-c 10 -l ENet -r Reliable -s 1200..5000",
        "-c 2 -l ENet -s 200000",
    ];

    public static TheoryData<string, string> WrongInputs => new()
    {
        { "-l Sockets -c 10 --protokol Tcp", "Unknown option --protokol" },
        { "-l Sockets -c ten", "--clients" },
        { "-l Sockets --pin server=64", "this process may not use core 64" },
        { "-l Epoll -c 10", "only Linux has" },
        { "-l ENet -c 10 --port 70000", "--port" },
        { "report C:\\no\\such.json", "such.json" },
        { "-l Sockets -c 10 -o C:\\a|b", "--output" },
    };

    [Theory, MemberData(nameof(Loads))]
    public async Task Load_is_measured(string load)
    {
        Assert.SkipWhen(load.Contains("ENet", StringComparison.Ordinal) && EnetLibrary.Problem is not null, $"{EnetLibrary.Problem}");
        RunResult result = await BenchmarkProcess.AnyResultAsync($"{Load} {load} --json");
        Assert.True(result.Totals.Received > 0, string.Join(' ', result.InvalidReasons));
        Assert.Equal((0, 0), (result.Corrupted, result.Duplicated));
    }

    [Theory, MemberData(nameof(WrongInputs))]
    public async Task Wrong_input_gets_one_sentence(string arguments, string words)
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(arguments);
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Contains(words, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Libraries_are_listed_with_the_reason_why_one_cannot_run()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunAsync("--list");
        Assert.Equal(0, exitCode);
        Assert.Contains("Epoll cannot run here: it uses system calls that only Linux has.", output, StringComparison.Ordinal);
        Assert.Contains(EnetLibrary.Problem is null ? $"| {EnetLibrary.Version} " : "vcpkg install enet", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Results_are_written_to_a_path_with_spaces_and_read_from_it()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunAsync([.. $"{Load} -c 10 -l Sockets -P Tcp -o".Split(' '), Results]);
        Assert.True(exitCode == 0, errors);
        string file = Assert.Single(Directory.GetFiles(Results, "*.json"));
        Assert.True(Path.IsPathFullyQualified(file) && file[1] == ':', file);
        (exitCode, string report, errors) = await BenchmarkProcess.RunAsync("report", file);
        Assert.True(exitCode == 0, errors);
        Assert.Contains("Sockets", report, StringComparison.Ordinal);
        Assert.Contains("µs", report, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Launches_and_a_comparison_run_in_processes_of_their_own()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"{Load} -c 10 -l Sockets --launches 2 --json");
        Assert.True(exitCode == 0, errors + output);
        (_, output, errors) = await BenchmarkProcess.RunLineAsync($"{Load} -c 10 -l Sockets,LiteNetLib --launches 2 --json");
        SuiteResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.SuiteResult)!;
        Assert.All(result.Benchmarks.Single().Cases, @case => Assert.True(@case.Launches.Any(launch => launch.Result is not null), errors));
    }

    [Fact]
    public async Task A_server_and_clients_by_themselves_measure_and_Ctrl_Break_ends_the_server_in_order()
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync("-l Sockets -P Tcp -c 10 --json");
        RunResult clients = await BenchmarkProcess.AnyResultAsync(
            $"--role Client -l Sockets -P Tcp -c 10 -d 0.3 --warmup 0.1 --any-machine --json -p {server.Port}");
        ServerResult served = await server.StopServerAsync();
        Assert.Equal(clients.Totals.Sent, served.Server.Received);
    }

    [Theory, InlineData("Udp"), InlineData("Tcp")]
    public async Task A_port_in_use_is_reported(string protocol)
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l Sockets -P {protocol} -c 10");
        (int exitCode, _, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets -P {protocol} -c 10 --any-machine -p {server.Port}");
        Assert.Equal(1, exitCode);
        Assert.Contains($"Port {server.Port} of 127.0.0.1 is in use.", errors, StringComparison.Ordinal);
    }

    [Theory, InlineData("Udp"), InlineData("Tcp")]
    public async Task Another_program_cannot_take_a_part_of_the_messages_by_sharing_the_port(string protocol)
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l Sockets -P {protocol} -c 10");
        using var thief = protocol == "Udp"
            ? new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
            : new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        thief.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        Assert.Throws<SocketException>(() => thief.Bind(new IPEndPoint(IPAddress.Loopback, int.Parse(server.Port, CultureInfo.InvariantCulture))));
    }

    [Fact]
    public async Task Clients_that_are_killed_do_not_disturb_a_server_over_UDP()
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync("-l Sockets -c 20 --json");
        string client = $"--role Client -l Sockets -c 10 -m 10 --warmup 0.1 --any-machine --verbose -p {server.Port}";
        using BenchmarkProcess killed = BenchmarkProcess.Start($"{client} -d 600".Split(' '));
        await killed.MeasuringAsync();

        // The server's answers to closed ports come back as ICMP port unreachable.
        killed.Kill();
        RunResult result = await BenchmarkProcess.AnyResultAsync($"{client} -d 0.5 --json");
        Assert.True(result.Totals.Received > 0);
    }

    [Fact]
    public async Task Ctrl_Break_ends_a_run_and_its_processes_with_the_figures_so_far()
    {
        int[] before = [.. Processes()];
        using BenchmarkProcess run = BenchmarkProcess.Start($"{InThreeProcesses} --json".Split(' '));
        await run.MeasuringAsync();
        (int exitCode, string output, string errors) = await run.InterruptedAsync();
        Assert.Equal(1, exitCode);
        Assert.False(BenchmarkProcess.AnyResultOf((exitCode, output, errors)).Valid);
        Assert.Empty(Processes().Except(before));
    }

    [Fact]
    public async Task A_program_that_is_killed_leaves_no_process()
    {
        int[] before = [.. Processes()];
        using BenchmarkProcess run = BenchmarkProcess.Start(InThreeProcesses.Split(' '));
        await run.MeasuringAsync();
        Assert.Equal(4, Processes().Except(before).Count());
        using (var parent = Process.GetProcessById(run.Id))
        {
            parent.Kill(entireProcessTree: false);
        }

        await Wait.UntilAsync(() => !Processes().Except(before).Any(), "the end of the agents");
    }

    [Fact]
    public async Task The_output_to_NUL_is_no_error()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunThroughShellAsync($"{Load} -c 10 -l Sockets -P Tcp >NUL");
        Assert.True(exitCode == 0, errors);
    }

    [Fact]
    public async Task The_output_is_UTF_8_in_every_code_page()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughShellAsync($"{Load} -c 10 -l Sockets -P Tcp", "chcp 850 >NUL");
        Assert.True(exitCode == 0, errors);
        Assert.Contains("µs", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_part_without_certificates_does_not_end_the_others()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"{Load} -c 10 -l Sockets,Kestrel -P Ssl --launches 1 --json");
        SuiteResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.SuiteResult)!;
        Assert.All(
            result.Benchmarks.Single().Cases.SelectMany(@case => @case.Launches),
            launch => Assert.True(launch.Result is not null || launch.Failure!.Contains("certificates of the run", StringComparison.Ordinal), errors));
        Assert.Equal(SuiteCommand.IsGood(result) ? 0 : 1, exitCode);
    }

    private static IEnumerable<int> Processes()
    {
        foreach (Process process in Process.GetProcessesByName(Path.GetFileNameWithoutExtension(typeof(Catalog).Assembly.Location)))
        {
            using (process)
            {
                yield return process.Id;
            }
        }
    }
}
