namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class RunTests : InTemporaryFolder
{
    private const string Short = "-p 0 -c 10 -m 2 -d 0.2 --warmup 0.1 --any-machine";

    public static IEnumerable<TheoryDataRow<string, Protocol>> OverUdp() =>
        LibraryUnderTest.OneInPlain(LibraryUnderTest.Transports().Where(row => row.Data.Item2 == Protocol.Udp), "Sockets");

    [Theory, MemberData(nameof(OverUdp))]
    public async Task A_run_prints_its_result_as_json_and_nothing_else(string name, Protocol protocol)
    {
        LibraryUnderTest.Create(name);
        RunResult result = await BenchmarkProcess.ResultAsync($"-l {name} -P {protocol} --json {Short}");
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal((name, 10, 2), (result.Library, result.Plan.Clients, result.Plan.ParallelMessages));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal((0, 0, 0, 0, 0), (result.Lost, result.Duplicated, result.Reordered, result.Corrupted, result.Errors));
    }

    [Fact]
    public async Task Run_prints_the_lines_of_the_original_in_their_order_and_writes_a_file_of_every_format()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets {Short} -o {Folder}");
        AssertLines(
            output, "* OS: ", "* Framework: ", "* Test: PingPong", "* Address: 127.0.0.1, Port: ", "* Number of clients: 10",
            "* Parallel messages per client: 2", "* Message size: 32 bytes", "* Defined duration: 0.2 seconds", "#### Sockets", "Duration: 0.",
            "Messages sent by clients: ", "Messages server received: ", "Messages sent by server: ", "Messages clients received: ", "Total data: ",
            "Data throughput: ", "Message throughput: ", "Message latency: ");
        Assert.Equal(0, exitCode);
        Assert.Equal([$"Written to {Folder}"], BenchmarkProcess.WithoutWarnings(errors));
        Assert.Equal(
            ["result.csv", "result.hgrm", "result.hlog", "result.html", "result.json", "result.md"],
            Folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Default_library_is_Sockets_with_a_note_when_LiteNetLib_is_not_in_the_build()
    {
        bool inBuild = LibraryUnderTest.Catalog.Libraries.Contains("LiteNetLib");
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"--json {Short}");
        Assert.Equal(0, exitCode);
        Assert.Equal(inBuild ? "LiteNetLib" : "Sockets", JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!.Library);
        Assert.Equal(
            inBuild ? [] : ["LiteNetLib, the default, is not in this build (--list shows why), so Sockets runs instead."],
            BenchmarkProcess.WithoutWarnings(errors).Where(line => !line.StartsWith("Note: ", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task List_shows_every_known_library_in_this_build_or_not()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunAsync("--list");
        Assert.Equal(0, exitCode);
        Assert.All(["ENet", "ENet-CSharp", "kcp2k", "LiteNetLib", "NetCoreServer", "Sockets"], name =>
            Assert.Matches($@"\| {name} +\| ([0-9.]+|not in this build|cannot run here) +\|", output));
        Assert.All(LibraryUnderTest.Catalog.NotInBuild, missing =>
            Assert.Contains($"{missing.Library} is not in this build: {missing.Reason}.", output, StringComparison.Ordinal));
        Assert.Contains(
            "WebSockets Reliable: 6 bytes from the protocol's definition: 2 of the header of a message of up to 125 bytes and 4 of the mask of a client (RFC",
            output.ReplaceLineEndings(" "),
            StringComparison.Ordinal);
        Assert.DoesNotMatch(@"\b1 bytes", output);
    }

    [Fact]
    public async Task Version_is_that_of_the_harness()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunAsync("--version");
        Assert.Equal((0, ResultBuilder.HarnessVersion), (exitCode, output.Trim()));
    }

    [Fact]
    public async Task Bad_input_is_one_line_on_standard_error_and_an_exit_code()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync("--cleints 4");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.StartsWith("Error: Unknown option --cleints.", Assert.Single(errors.TrimEnd().Split('\n')), StringComparison.Ordinal);
    }

    [Fact]
    public Task Run_names_an_address_that_this_machine_does_not_have() => ProgramInFolder.AssertFailsAsync(
        "-l Sockets -p 0 -a 192.0.2.1", "--address: 192.0.2.1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.");

    [Theory, InlineData("Sockets", "127.0.0.1"), InlineData("Sockets", "::1"), InlineData("Epoll", "127.0.0.1")]
    public async Task Run_names_a_port_that_is_in_use_with_its_address(string library, string address)
    {
        LibraryUnderTest.Create(library);
        var endPoint = new IPEndPoint(IPAddress.Parse(address), 0);
        Assert.SkipWhen(BindFailure.Find(endPoint, Protocol.Udp) is not null, $"This machine has no {address}.");
        using var socket = new Socket(endPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(endPoint);
        int port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        await ProgramInFolder.AssertFailsAsync(
            $"-l {library} -c 1 -a {address} -p {port}", $"Port {port} of {address} is in use. Use -p 0 for a free one.", exitCode: 1);
    }

    [Fact]
    public async Task Verbose_shows_where_an_error_came_from()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunLineAsync("-l Sockets -a 192.0.2.1 --verbose");
        Assert.Equal(2, exitCode);
        Assert.Contains("   at NetCoreNetworkBenchmark.", errors, StringComparison.Ordinal);
    }

    [Theory, Trait("Category", "Long")]
    [InlineData("-m 2", "Run: connecting", "Run: warming up", "Run: measuring", "Run: ending")]
    [InlineData("-m 2 --launches 1", "[1/1] PingPong, Sockets, launch 1: measuring", "[1/1] PingPong, Sockets, launch 1: ending")]
    [InlineData("--sweep --limit p50=1ns --rate 1", "1 msg/s: measuring", "1 msg/s: ending")]
    public async Task Verbose_prints_the_phases_in_their_order(string arguments, params string[] phases)
    {
        (_, _, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets -p 0 -c 10 -d 0.2 --warmup 0.1 --any-machine --verbose {arguments}");
        string[] lines = errors.Split('\n');
        Assert.Equal(phases, lines.Intersect(phases));
    }

    [Theory, Trait("Category", "Long")]
    [InlineData("--limit p99=60m --limit loss=100% --limit server-cpu=60m", 0)]
    [InlineData("--limit p99=60m --launches 1", 0)]
    [InlineData("--limit max=0 --limit loss=100%", 4, "Limit: max=0 is broken: ")]
    [InlineData("--limit server-cpu=0 --launches 2", 4, "Limit: server-cpu=0 is broken: ")]
    [InlineData("--limit p50=0", 4, "Limit: p50=0 is broken: ")]
    public async Task A_limit_of_a_run_decides_the_exit_code(string arguments, int expected, string? sentence = null)
    {
        // A measurement by time could end before the first message comes back, if the machine is busy.
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-l Sockets -P Tcp -p 0 -c 2 -t FixedCount --count 1000 --any-machine {arguments}");
        Assert.True(exitCode == expected, $"{errors}{output}");
        string[] lines = [.. errors.Split('\n').Where(line => line.StartsWith("Limit: ", StringComparison.Ordinal))];
        Assert.Equal(sentence is null ? 0 : 1, lines.Length);
        Assert.All(lines, line => Assert.StartsWith(sentence!, line, StringComparison.Ordinal));
        string verdict = sentence is null ? "Limit p99=60m holds: " : sentence.Replace("Limit: ", "Limit ", StringComparison.Ordinal);
        Assert.Contains(verdict, output, StringComparison.Ordinal);
    }

    [Theory, Trait("Category", "Long")]
    [InlineData("--rate 50", "cores")]
    [InlineData("--rate 50 --pin clients=0", "clientCores")]
    [InlineData("--rate 50 --launches 1", "clientCores")]
    [InlineData("-P Tcp --sweep --limit p50=0 --rate 1", "clientCores")]
    public async Task Live_figures_are_lines_of_JSON_on_standard_error_and_the_result_is_alone(string arguments, string cores)
    {
        Assert.SkipWhen(arguments.Contains("--pin", StringComparison.Ordinal) && !OperatingSystem.IsLinux(), "Only Linux binds the process here.");
        (_, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-l Sockets -p 0 -c 5 --warmup 1 -d 2 --any-machine --json --live json {arguments}");
        JsonElement[] lines =
        [
            .. errors.TrimEnd('\n').Split('\n').Select(line => JsonDocument.Parse(line).RootElement)
                .Where(line => !line.TryGetProperty("message", out _)),
        ];
        Assert.NotEmpty(lines);
        Assert.All(lines, line =>
        {
            Assert.Contains(line.GetProperty("phase").GetString(), (string[])["warmUp", "measure"]);
            Assert.InRange(line.GetProperty("inFlight").GetInt64(), 0, long.MaxValue);
            Assert.InRange(line.GetProperty("messagesPerSecond").GetDouble(), 0, double.MaxValue);
            Assert.InRange(line.GetProperty(cores).GetDouble(), 0, Environment.ProcessorCount + 1);
            Assert.True(line.TryGetProperty("seconds", out _) && line.TryGetProperty("lost", out _));
        });
        _ = JsonDocument.Parse(output);
    }

    [Theory, InlineData("Sockets"), InlineData("ENet", Traits = ["Category", "Long"])]
    public async Task Interrupt_ends_a_run_and_keeps_what_was_measured(string name)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        LibraryUnderTest.Create(name);
        using BenchmarkProcess process = BenchmarkProcess.Start([.. $"-l {name} --json -p 0 -c 10 -d 600 --warmup 0.1 --verbose".Split(' ')]);
        await process.MeasuringAsync();
        (int exitCode, string output, string errors) = await process.InterruptedAsync();
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((1, true, false), (exitCode, result.Clients.Aborted, result.Valid));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Contains("Invalid: The run was aborted after", errors, StringComparison.Ordinal);
    }

    /// <summary>Asserts that lines begin with these words, in their order.</summary>
    internal static void AssertLines(string output, params string[] lines)
    {
        int position = 0;
        foreach (string line in lines)
        {
            position = output.IndexOf($"\n{line}", position, StringComparison.Ordinal);
            Assert.True(position >= 0, $"'{line}' is not where it must be in:\n{output}");
        }
    }
}

/// <summary>Settings of .NET's runtime reach the processes that measure, which report their effect.</summary>
public sealed class RuntimeTests
{
    [Fact, Trait("Category", "Long")]
    public async Task A_setting_has_its_effect_in_both_processes()
    {
        RunResult result = await RelayedRun.RunAsync(
            "-P Tcp -c 4 -d 0.3 --warmup 0.1 --runtime gcServer=1 --runtime gcConcurrent=0 --runtime TieredCompilation=0");
        Assert.Equal(["TieredCompilation=0", "gcConcurrent=0", "gcServer=1"], result.Plan.Runtime.Settings.Select(setting => $"{setting.Key}={setting.Value}"));

        Assert.Contains("--runtime TieredCompilation=0 --runtime gcConcurrent=0 --runtime gcServer=1", result.Command, StringComparison.Ordinal);
        Assert.Equal(("not tiered", "0"), (result.Environment.Jit, result.Environment.RuntimeSettings["DOTNET_TieredCompilation"]));

        // On one core the runtime takes the workstation's collector.
        Assert.SkipWhen(Environment.ProcessorCount == 1, "The server's garbage collector needs two cores.");
        Assert.Equal(
            ("Server", "Server", "Server"), (result.Server!.GarbageCollector, result.Clients.GarbageCollector, result.Environment.GarbageCollector));
    }

    [Fact, Trait("Category", "Long")]
    public async Task Values_of_a_setting_are_interleaved_and_compared_to_the_first()
    {
        SuiteResult result = await SuiteTests.MeasuredAsync(
            "-l Sockets -P Tcp -c 4 -d 0.2 --warmup 0.1 -p 0 --any-machine --launches 2 --json --runtime gcServer=0,1");
        BenchmarkResult benchmark = Assert.Single(result.Benchmarks);
        Assert.Equal("Sockets (gcServer=0)", benchmark.Baseline);
        Assert.Equal(["Sockets (gcServer=0)", "Sockets (gcServer=1)"], benchmark.Cases.Select(caseResult => caseResult.Library));
        Assert.All(benchmark.Cases, caseResult => Assert.Equal(2, caseResult.Launches.Count));
        Assert.NotNull(benchmark.Cases[1].ToBaseline);
        Assert.Contains("--runtime gcServer=0,1", result.Command, StringComparison.Ordinal);
    }
}

/// <summary>A start loads only the files that it needs. This has the largest effect on the start time, and does not depend on the machine.</summary>
public sealed class StartTests : InTemporaryFolder
{
    private static readonly string[] s_heavy = ["BenchmarkDotNet", "Microsoft.CodeAnalysis", "Spectre.Console"];
    private static readonly string[] s_libraries = ["LiteNetLib", "NetCoreServer", "ENet-CSharp", "kcp2k", "libenet", "Microsoft.AspNetCore"];

    [Theory]
    [InlineData("--help")]
    [InlineData("--version")]
    [InlineData("-l Sockets -p 0 -c 1 -d 0.1 --warmup 0")]
    [InlineData("-l Sockets -p 0 -c 1 -d 0.1 --warmup 0 --json")]
    public async Task Start_loads_neither_what_it_does_not_need_nor_another_library(string arguments)
    {
        string[] loaded = await LoadedByAsync(arguments);
        Assert.DoesNotContain(loaded, name => s_heavy.Concat(s_libraries).Any(unwanted => name.StartsWith(unwanted, StringComparison.OrdinalIgnoreCase)));
        Assert.Contains("System.CommandLine", loaded);
    }

    [Fact]
    public async Task List_is_seen_to_load_what_it_needs() => Assert.Contains("Spectre.Console", await LoadedByAsync("--list"));

    private async Task<string[]> LoadedByAsync(string arguments)
    {
        string file = PathOf("loaded");
        await BenchmarkProcess.RunWithAsync(
            new() { ["DOTNET_STARTUP_HOOKS"] = typeof(StartTests).Assembly.Location, [StartupHook.File] = file }, arguments.Split(' '));
        string[] loaded = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
        Assert.Contains("NetCoreNetworkBenchmark", loaded);
        return loaded;
    }
}

/// <summary>
/// Times that a relay adds are in the figures of a run in full. A busy machine can only add to them, so these tests hold on every machine;
/// <see cref="TruthTests"/> compares the figures themselves.
/// </summary>
[Trait("Category", "Long")]
public sealed class LeastTimeTests
{
    [Theory, MemberData(nameof(TruthTests.Protocols), MemberType = typeof(TruthTests))]
    public async Task The_median_is_no_less_than_the_delay_of_both_ways(Protocol protocol)
    {
        TruthTests.RequirePath(protocol);
        RunResult result = await RelayedRun.RunAsync($"-P {protocol} {StreamRun.KeyOf(protocol)} -c 4 --rate 1000 --warmup 0.2 -d 0.5 --delay 5ms");
        Assert.InRange(result.LatencyMicroseconds!.P50, 10_000, double.MaxValue);
    }

    /// <summary>RFC 8446 (1.3) and RFC 5246 (1.2): the messages that the client waits for before its handshake is complete.</summary>
    [Theory, InlineData("1.3", "none", 1), InlineData("1.2", "none", 2), InlineData("1.3", "ticket", 1), InlineData("1.2", "ticket", 1)]
    public async Task A_TLS_handshake_takes_no_less_than_the_round_trips_of_its_protocol(string version, string resumption, int roundTrips)
    {
        LossTests.Require();
        RunResult result = await RelayedRun.RunAsync(
            $"-P Ssl -t Handshake --tls {version} --resumption {resumption} --key P256 -c 4 --warmup 0.3 -d 1 --delay 50ms");
        Assert.Equal(0, result.Errors);
        Assert.InRange(result.Clients.Parts!.Single(part => part.Name == "TLS handshake").Latency.Microseconds!.P50, roundTrips * 100_000, double.MaxValue);
    }
}
