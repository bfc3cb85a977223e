using NetCoreNetworkBenchmark.AdapterKit.Sockets;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Cli;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class RunTests : InTemporaryFolder
{
    private const string Short = "-p 0 -c 10 -m 2 -d 0.2 --warmup 0.1 --any-machine";

    public static IEnumerable<TheoryDataRow<string>> OverUdp() =>
        LibraryUnderTest.TransportsWithNetwork().Where(row => row.Data.Item2 == Protocol.Udp).Select(row => new TheoryDataRow<string>(row.Data.Item1));

    [Theory, MemberData(nameof(OverUdp))]
    public async Task A_run_prints_its_result_as_json_and_nothing_else(string name)
    {
        LibraryUnderTest.Create(name);
        RunResult result = await BenchmarkProcess.ResultAsync($"-l {name} --json {Short}");
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
        Assert.Empty(BenchmarkProcess.WithoutWarnings(errors));
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

    [Theory]
    [InlineData("-l Sockets -s 65508", "--size: Sockets (Udp, Unreliable) supports at most 65,507 bytes in a message; 65,508 were requested.")]
    [InlineData("-l Sockets -r Reliable", "--transmission: Sockets has no Reliable delivery over Udp. Use Unreliable.")]
    [InlineData("-l Sockets -a nowhere.invalid", "--address: \"nowhere.invalid\" is not an IP address or a host name that can be resolved")]
    [InlineData("-l Sockets -a 192.0.2.1", "--address: 192.0.2.1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.")]
    public Task Run_refuses_what_the_library_or_the_machine_cannot_do(string arguments, string error) =>
        ProgramInFolder.AssertFailsAsync($"{arguments} -p 0", error);

    [Theory, InlineData("127.0.0.1"), InlineData("::1")]
    public async Task Run_names_a_port_that_is_in_use_with_its_address(string address)
    {
        var endPoint = new IPEndPoint(IPAddress.Parse(address), 0);
        Assert.SkipWhen(BindFailure.Find(endPoint, Protocol.Udp) is not null, $"This machine has no {address}.");
        using var socket = new Socket(endPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(endPoint);
        int port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        await ProgramInFolder.AssertFailsAsync(
            $"-l Sockets -a {address} -p {port}", $"Port {port} of {address} is in use. Use -p 0 for a free one.", exitCode: 1);
    }

    [Fact]
    public async Task Verbose_shows_where_an_error_came_from()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunLineAsync("-l Sockets -a 192.0.2.1 --verbose");
        Assert.Equal(2, exitCode);
        Assert.Contains("   at NetCoreNetworkBenchmark.", errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-m 2", "Run: connecting", "Run: warming up", "Run: measuring", "Run: ending")]
    [InlineData("-m 2 --launches 1", "[1/1] PingPong, Sockets, launch 1: measuring", "[1/1] PingPong, Sockets, launch 1: ending")]
    [InlineData("--sweep --limit p50=1ns --rate 1", "1 msg/s: measuring", "1 msg/s: ending")]
    public async Task Verbose_prints_the_phases_in_their_order(string arguments, params string[] phases)
    {
        (_, _, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets -p 0 -c 10 -d 0.2 --warmup 0.1 --any-machine --verbose {arguments}");
        string[] lines = errors.Split('\n');
        Assert.Equal(phases, lines.Intersect(phases));
    }

    [Theory, InlineData("Sockets"), InlineData("ENet")]
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
