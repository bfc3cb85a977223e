using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using NetCoreNetworkBenchmark.Plans;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

public sealed class RunTests : IDisposable
{
    private const string Short = "-p 0 -c 10 -m 2 -d 0.2 --warmup 0.1 --any-machine";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory();

    public static IEnumerable<TheoryDataRow<string>> OverUdp() =>
        LibraryUnderTest.TransportsWithNetwork().Where(row => row.Data.Item2 == Protocol.Udp).Select(row => new TheoryDataRow<string>(row.Data.Item1));

    [Theory]
    [MemberData(nameof(OverUdp))]
    public async Task A_run_prints_its_result_as_json_and_nothing_else(string name)
    {
        LibraryUnderTest.Create(name);
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync($"-l {name} --json {Short}");
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
        Assert.Equal(0, exitCode);
        Assert.Equal((name, 10, 2), (result.Library, result.Clients, result.ParallelMessages));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Equal((0, 0, 0, 0, 0), (result.Lost, result.Duplicated, result.Reordered, result.Corrupted, result.Errors));
    }

    [Fact]
    public async Task A_run_prints_markdown_with_the_lines_of_the_original_in_their_order()
    {
        (int exitCode, string output, _) = await BenchmarkProcess.RunLineAsync($"-l Sockets {Short}");
        string[] lines =
        [
            "* OS: ",
            "* Framework: ",
            "* Test: PingPong",
            "* Address: 127.0.0.1, Port: ",
            "* Number of clients: 10",
            "* Parallel messages per client: 2",
            "* Message size: 32 bytes",
            "* Defined duration: 0.2 seconds",
            "#### Sockets",
            "Duration: 0.",
            "Messages sent by clients: ",
            "Messages server received: ",
            "Messages sent by server: ",
            "Messages clients received: ",
            "Total data: ",
            "Data throughput: ",
            "Message throughput: ",
            "Message latency: ",
        ];
        int position = 0;
        foreach (string line in lines)
        {
            int found = output.IndexOf($"\n{line}", position, StringComparison.Ordinal);
            Assert.True(found >= 0, $"'{line}' is not where it must be in:\n{output}");
            position = found;
        }

        Assert.Equal(0, exitCode);
    }

    [Fact]
    public async Task Output_writes_a_file_of_every_format()
    {
        (int exitCode, _, _) = await BenchmarkProcess.RunLineAsync($"-l Sockets {Short} -o {_folder.FullName}");
        Assert.Equal(0, exitCode);
        Assert.Equal(
            ["result.csv", "result.hgrm", "result.hlog", "result.html", "result.json", "result.md"],
            _folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Without_LiteNetLib_in_the_build_the_default_is_Sockets_and_one_line_says_so()
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

    [Theory]
    [InlineData("--cleints 4", 2, "Error: Unknown option --cleints.")]
    [InlineData("-l Nothing", 2, "Error: --library: \"Nothing\" is not one of ENet,")]
    [InlineData("-l Sockets -c 0", 2, "Error: --clients: \"0\" is not a whole number from 1 to")]
    [InlineData("-l Sockets -s 65508", 2, "Error: --size: Sockets (Udp, Unreliable) supports at most 65,507 bytes in a message; 65,508 were requested.")]
    [InlineData("-l Sockets -r Reliable", 2, "Error: --transmission: Sockets has no Reliable delivery over Udp. Use Unreliable.")]
    [InlineData("-l Sockets -a nowhere.invalid", 2, "Error: --address: \"nowhere.invalid\" is not an IP address or a host name that can be resolved")]
    [InlineData("-l Sockets -a 192.0.2.1", 2, "Error: --address: 192.0.2.1 is not an address of this machine. Use one of its addresses, such as 127.0.0.1.")]
    public async Task Bad_input_is_one_sentence_on_standard_error_and_an_exit_code(string arguments, int expected, string sentence)
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(arguments);
        Assert.Equal((expected, string.Empty), (exitCode, output));
        Assert.StartsWith(sentence, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_output_folder_that_cannot_be_made_is_refused_before_the_run()
    {
        string file = Path.Combine(_folder.FullName, "file");
        await File.WriteAllTextAsync(file, string.Empty, TestContext.Current.CancellationToken);
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunAsync("-l", "Sockets", "-p", "0", "-o", Path.Combine(file, "below"));
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.StartsWith("Error: --output: the folder '", Assert.Single(BenchmarkProcess.WithoutWarnings(errors)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_port_in_use_is_a_failed_run_that_names_the_port()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        int port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets -p {port}");
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Equal(
            [$"Error: Port {port} of 127.0.0.1 is in use. Use -p 0 for a free one."],
            BenchmarkProcess.WithoutWarnings(errors));
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
    public async Task Verbose_tells_the_phases_in_their_order(string arguments, params string[] phases)
    {
        (_, _, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets -p 0 -c 10 -d 0.2 --warmup 0.1 --any-machine --verbose {arguments}");
        string[] lines = errors.Split('\n');
        Assert.Equal(phases, lines.Intersect(phases));
    }

    [Fact]
    public async Task Nobody_is_told_the_phases_who_did_not_ask()
    {
        (int exitCode, _, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets {Short}");
        Assert.Equal(0, exitCode);
        Assert.Empty(BenchmarkProcess.WithoutWarnings(errors));
    }

    [Theory]
    [InlineData("Sockets")]
    [InlineData("ENet")]
    public async Task Interrupt_ends_a_run_and_keeps_what_was_measured(string name)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no command that sends Ctrl+C to one process.");
        LibraryUnderTest.Create(name);
        using BenchmarkProcess process = BenchmarkProcess.Start([.. $"-l {name} --json -p 0 -c 10 -d 600 --warmup 0.1 --verbose".Split(' ')]);
        await process.MeasuringAsync();
        await process.InterruptAsync();
        (int exitCode, string output, string errors) = await process.EndAsync();
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        Assert.Equal((1, true, false), (exitCode, result.Aborted, result.Valid));
        Assert.InRange(result.Messages.ClientReceived, 1, long.MaxValue);
        Assert.Contains("Invalid: The run was aborted after", errors, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
