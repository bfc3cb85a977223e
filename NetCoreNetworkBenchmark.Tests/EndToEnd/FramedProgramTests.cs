namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The C program <c>build/limit/framed.c</c>, by itself, and each of its sides with the harness as the other one.</summary>
public sealed partial class FramedProgramTests(CompiledPrograms programs) : IClassFixture<CompiledPrograms>
{
    private static readonly byte[] s_heartbeat = [0, 0, 0, 6, 0, 6];
    private static readonly byte[] s_hi = [0, 0, 0, 8, 1, 8, (byte)'h', (byte)'i'];

    public static TheoryData<string, string, int, int, int, int> Loads => new()
    {
        { "message", "window", 1, 1, 1, 1 },
        { "message", "window", 2, 3, 2, 100_000 },
        { "message", "burst", 1, 1, 3, 1_000_000 },
        { "message", "burst", 3, 5, 1_000, 2 },
        { "receive", "window", 3, 20, 50, 32 },
        { "receive", "burst", 2, 5, 10_000, 2 },
        { "receive", "burst", 1, 2, 5, 100_000 },
    };

    [Theory, MemberData(nameof(Loads))]
    public void Program_makes_round_trips_and_prints_their_durations(string way, string shape, int loops, int clients, int messages, int size)
    {
        string printed = CCompiler.Run(Compile(), way, shape, Text(loops), Text(clients), Text(messages), "0.2", Text(size));
        AssertFigures(printed);
        Assert.Equal(shape == "burst", printed.Contains("\nburst_microseconds min ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("-t PingPong -c 4 -m 3 -s 1000")]
    [InlineData("-t RoundTrip -c 1 -m 1 -s 1")]
    [InlineData("-t RoundTrip -c 2 -m 4 -s 100000 --set epoll.send=receive")]
    public async Task Its_server_serves_the_clients_of_the_harness(string load)
    {
        using var server = new Server(Compile(), "message", loops: 2);
        RunResult run = await BenchmarkProcess.ResultAsync(
            $"--role Client -l Epoll -P Tcp --framing checked {load} -p {server.Port} --warmup 0.1 -d 0.2 --any-machine --json");
        Assert.InRange(run.Totals.Received, 1, long.MaxValue);
        Assert.Equal((0, 0, 0), (run.Errors, run.Lost, run.Corrupted));
    }

    [Fact]
    public async Task Its_clients_drive_a_server_of_the_harness()
    {
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync(
            "-l Epoll -P Tcp --framing checked -c 4 -s 1000 --set epoll.accept=handoff --server-threads 2 --json");
        AssertFigures(CCompiler.Run(Compile(), "client", server.Port, "message", "burst", "4", "50", "0.2", "1000"));
        ServerResult result = await server.StopServerAsync();
        Assert.Contains("Connections were handed to 2 event loops round-robin: 2, 2.", result.Server.Remarks);
        Assert.InRange(result.Server.Received!.Value, 4 * 50, long.MaxValue);
    }

    [Theory, InlineData("message"), InlineData("receive")]
    public async Task Its_server_answers_messages_and_takes_heartbeats(string way)
    {
        using var server = new Server(Compile(), way, loops: 1);
        await using NetworkStream stream = await server.ConnectAsync();
        await stream.WriteAsync((byte[])[.. s_heartbeat, .. s_hi, .. s_heartbeat, .. s_heartbeat, .. s_hi, .. s_hi], TestContext.Current.CancellationToken);
        byte[] answers = await ReadAsync(stream, 3 * s_hi.Length);
        Assert.Equal((byte[])[.. s_hi, .. s_hi, .. s_hi], answers);
    }

    [Fact]
    public async Task Its_server_ends_the_connection_of_a_package_that_cannot_be_and_no_other()
    {
        using var server = new Server(Compile(), "message", loops: 1);
        await using NetworkStream good = await server.ConnectAsync();
        byte[][] bads = [[.. s_hi[..^1], (byte)'j'], [0, 0, 0, 6, 1, 7], [255, 0, 0, 0, 1, 0], [0, 0, 0, 8, 2, 0, 1, 1], [0, 0, 0, 7, 0, 0, 7]];
        foreach (byte[] bad in bads)
        {
            await using NetworkStream stream = await server.ConnectAsync();
            await stream.WriteAsync(bad, TestContext.Current.CancellationToken);
            await Libraries.Streams.StreamService.ReadToEndAsync(stream);
        }

        await good.WriteAsync(s_hi, TestContext.Current.CancellationToken);
        Assert.Equal(s_hi, await ReadAsync(good, s_hi.Length));
    }

    private static async Task<byte[]> ReadAsync(NetworkStream stream, int count)
    {
        byte[] read = new byte[count];
        await stream.ReadExactlyAsync(read, TestContext.Current.CancellationToken).AsTask().WaitAsync(LibraryUnderTest.Deadline);
        return read;
    }

    private static void AssertFigures(string printed)
    {
        Match figures = Figures().Match(printed);
        Assert.True(figures.Success, $"It printed '{printed}'.");
        double[] values = [.. figures.Groups.Values.Skip(1).Select(figure => double.Parse(figure.ValueSpan, CultureInfo.InvariantCulture))];
        Assert.InRange(values[0], 1, double.MaxValue);
        Assert.InRange(values[2], values[1], values[3]);
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private string Compile() => programs.Compile("framed.c");

    [GeneratedRegex("^round_trips_per_second ([0-9]+) lost 0\nround_trip_microseconds min ([0-9.]+) mean ([0-9.]+) max ([0-9.]+)\n")]
    private static partial Regex Figures();

    /// <summary>The server side of the program, for messages of up to 100,000 bytes.</summary>
    private sealed class Server : IDisposable
    {
        private readonly Process _process;

        public Server(string program, string way, int loops)
        {
            _process = Process.Start(new ProcessStartInfo(program, ["server", way, Text(loops), "100000"]) { RedirectStandardOutput = true })!;
            Port = int.Parse(_process.StandardOutput.ReadLine()!, CultureInfo.InvariantCulture);
        }

        public int Port { get; }

        public async Task<NetworkStream> ConnectAsync()
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await socket.ConnectAsync(IPAddress.Loopback, Port, TestContext.Current.CancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        }

        public void Dispose()
        {
            _process.Kill();
            _process.Dispose();
        }
    }
}

/// <summary>The C programs of <c>build/limit</c>, each compiled at its first use.</summary>
public sealed class CompiledPrograms : InTemporaryFolder
{
    private readonly Dictionary<string, string> _programs = [];

    public string Compile(string file, params string[] libraries)
    {
        if (!_programs.TryGetValue(file, out string? program))
        {
            string source = Path.Combine(AppContext.BaseDirectory, "limit", file);
            program = CCompiler.Compile(source, Folder.CreateSubdirectory(file), libraries);
            _programs.Add(file, program);
        }

        return program;
    }
}
