using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Libraries;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A standalone server survives every connection for greetings, with any input, and still returns its result.</summary>
public sealed class HostileClientsTests
{
    private static readonly RunPlan s_plan = RunningServer.ShortPlan;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, string> WrongValues => new()
    {
        { "plan", "null" },
        { "version", "null" },
        { "version", "7" },
        { "role", "99" },
        { "plan.library", "null" },
        { "plan.settings", "null" },
        { "plan.tls", "null" },
        { "plan.protocol", "77" },
        { "plan.clients", "0" },
        { "plan.clients", "-1000000" },
        { "plan.clients", "-2147483648" },
        { "plan.clients", "1e99" },
        { "plan.parallelMessages", "-1" },
        { "plan.iterations", "0" },
        { "plan.messageSize", "-32" },
        { "plan.port", "65536" },
        { "plan.rate", "1e999" },
        { "plan.rate", "-1" },
        { "plan.duration", "\"10675199.02:48:05.4775807\"" },
        { "plan.warmUp", "\"-10675199.02:48:05.4775808\"" },
        { "plan.lossDeadline", "\"10675199.02:48:05.4775807\"" },
        { "plan.connectDeadline", "\"-00:00:01\"" },
        { "plan.stopDeadline", "\"10675199.02:48:05.4775807\"" },
        { "plan.impairment", "{\"loss\":1e999}" },
    };

    [Theory]
    [MemberData(nameof(WrongValues))]
    public async Task A_hello_with_a_wrong_value_ends_its_own_connection(string name, string value)
    {
        JsonNode hello = JsonNode.Parse(Hello(s_plan))!;
        string[] path = name.Split('.');
        JsonNode parent = path[..^1].Aggregate(hello, (node, part) => node[part]!);
        parent[path[^1]] = JsonValue.Create("@");
        await OnlyItsOwnConnectionEndsAsync(hello.ToJsonString().Replace("\"@\"", value, StringComparison.Ordinal));
    }

    [Fact]
    public Task A_hello_without_a_plan_ends_its_own_connection() =>
        OnlyItsOwnConnectionEndsAsync($$"""{"type":"hello","id":1,"version":"{{ResultBuilder.HarnessVersion}}","role":"Client"}""");

    [Theory]
    [InlineData("""{"type":"go","id":2}""")]
    [InlineData("""{"type":"stop","id":2}""")]
    [InlineData("""{"type":"ack","of":2}""")]
    public async Task A_process_that_says_more_than_any_client_would_is_hung_up_on(string frame)
    {
        const int Most = 64 * 1024 * 1024;
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        using Socket socket = await ConnectAsync(server.Greetings);
        await SendAsync(socket, Hello(s_plan));
        byte[] flood = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat($"{frame}\n", 1_000)));
        Assert.InRange(await FloodAsync(socket, flood, Most), 0, Most - 1);

        await StillServesAsync(server, processes: 2, lost: s_plan.Clients);
    }

    [Fact]
    public async Task A_phase_that_does_not_follow_ends_its_own_connection()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        using Socket socket = await ConnectAsync(server.Greetings);
        await SendAsync(socket, Hello(s_plan));
        await SendAsync(socket, """{"type":"phase","id":2,"phase":"Measure"}""");
        await SendAsync(socket, """{"type":"phase","id":3,"phase":"Measure"}""");
        await ReadToEndAsync(socket);
        await StillServesAsync(server, processes: 2, lost: s_plan.Clients);
    }

    [Fact]
    public async Task Who_has_not_said_hello_costs_no_thread()
    {
        const int Strangers = 40;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads are counted by their names in /proc.");
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        Socket[] strangers = await ConnectManyAsync(server.Greetings, Strangers);

        // Connections are accepted in order, so all strangers were accepted before it.
        await server.MeasureAsync();
        Assert.InRange(ThreadsOfChannels(), 0, Strangers - 1);
        Array.ForEach(strangers, stranger => stranger.Dispose());
    }

    [Fact]
    public async Task A_refused_process_is_told_why_without_costing_a_thread()
    {
        const int Refused = 40;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads are counted by their names in /proc.");
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        Socket[] refused = await ConnectManyAsync(server.Greetings, Refused);
        foreach (Socket socket in refused)
        {
            await SendAsync(socket, Hello(s_plan with { Clients = 6 }));
            string answer = await ReadUntilAsync(socket, "too many");
            Assert.StartsWith("{\"type\":\"ack\",\"of\":1,", answer, StringComparison.Ordinal);
        }

        Assert.InRange(ThreadsOfChannels(), 0, Refused - 1);
        Array.ForEach(refused, socket => socket.Dispose());
        await StillServesAsync(server, processes: 1, lost: 0);
    }

    [Theory]
    [InlineData("settings")]
    [InlineData("clientSettings")]
    [InlineData("workloadOptions")]
    [InlineData("tls")]
    [InlineData("pinning")]
    [InlineData("impairment")]
    public Task A_plan_without_one_of_its_parts_ends_only_its_own_connection(string part) =>
        OnlyItsOwnConnectionEndsAsync(Hello(s_plan).Replace($"\"{part}\":", $"\"{part}s\":", StringComparison.Ordinal));

    [Fact]
    public async Task Random_and_damaged_frames_on_many_connections_leave_nothing_behind()
    {
        const int Connections = 300;
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        var random = new Random(12);
        for (int number = 0; number < Connections; number++)
        {
            byte[] frames = RandomFrames(random);
            bool ends = random.Next(2) == 0;
            try
            {
                using Socket socket = await ConnectAsync(server.Greetings);
                await socket.SendAsync(frames, Token);
                if (ends)
                {
                    socket.Shutdown(SocketShutdown.Send);
                    await ReadToEndAsync(socket);
                }
            }
            catch (SocketException)
            {
                // The server has closed the connection in the meantime, which the end of the connect can already report.
                continue;
            }
        }

        await UntilAsync(() => server.Connections == 0);
        await UntilAsync(() => ThreadsOfChannels() < 16);
        RunResult run = await server.MeasureWhenThereIsRoomAsync();
        Assert.True(run.Valid, string.Join(' ', run.InvalidReasons));
        ServerResult result = await server.StopAsync();
        Assert.InRange(result.Received!.Value, run.Totals.Sent, long.MaxValue);
        Assert.All(result.ErrorsByName, error => Assert.Equal((RunRecorder.PeerLost, 0), (error.Key, error.Value % s_plan.Clients)));
    }

    private static byte[] RandomFrames(Random random)
    {
        string[] valid =
        [
            Hello(s_plan),
            .. from frame in SampleFrames.All select JsonSerializer.Serialize(frame, FrameJson.Default.Frame),
        ];
        var said = new List<byte>();
        for (int frames = random.Next(1, 5); frames > 0; frames--)
        {
            // Half of them start as a client process does.
            byte[] line = Encoding.UTF8.GetBytes(said.Count == 0 && random.Next(2) == 0 ? valid[0] : valid[random.Next(valid.Length)]);
            for (int damage = random.Next(4); damage > 0; damage--)
            {
                line[random.Next(line.Length)] = (byte)random.Next(256);
            }

            said.AddRange(line.AsSpan(0, random.Next(4) == 0 ? random.Next(line.Length) : line.Length));
            said.Add((byte)'\n');
        }

        return [.. said];
    }

    private static async Task OnlyItsOwnConnectionEndsAsync(string line)
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        using Socket socket = await ConnectAsync(server.Greetings);
        await SendAsync(socket, line);
        Assert.DoesNotContain("\"ready\"", await ReadToEndAsync(socket), StringComparison.Ordinal);
        await StillServesAsync(server, processes: 1, lost: 0);
    }

    private static async Task StillServesAsync(RunningServer server, int processes, int lost)
    {
        RunResult run = await server.MeasureWhenThereIsRoomAsync();
        Assert.True(run.Valid, string.Join(' ', run.InvalidReasons));
        ServerResult result = await server.StopAsync();
        Assert.Equal(processes, result.ClientProcesses);
        Assert.Equal(lost, result.ErrorsByName.Values.Sum());
        Assert.Equal(run.Totals.Sent, result.Received);
    }

    private static async Task<long> FloodAsync(Socket socket, byte[] flood, long most)
    {
        long sent = 0;
        try
        {
            while (sent < most)
            {
                sent += await socket.SendAsync(flood, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
            }
        }
        catch (SocketException)
        {
            // The server has closed the connection.
            return sent;
        }

        return sent;
    }

    private static async Task<Socket[]> ConnectManyAsync(IPEndPoint server, int count)
    {
        var sockets = new List<Socket>();
        while (sockets.Count < count)
        {
            sockets.Add(await ConnectAsync(server));
        }

        return [.. sockets];
    }

    private static async Task<Socket> ConnectAsync(IPEndPoint server)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
        return socket;
    }

    private static Task<int> SendAsync(Socket socket, string line) => socket.SendAsync(Encoding.UTF8.GetBytes(line + "\n"), Token).AsTask();

    private static Task<string> ReadToEndAsync(Socket socket) => ReadUntilAsync(socket, null);

    private static async Task<string> ReadUntilAsync(Socket socket, string? text)
    {
        var said = new StringBuilder();
        byte[] buffer = new byte[64 * 1024];
        try
        {
            while (text is null || !said.ToString().Contains(text, StringComparison.Ordinal))
            {
                int length = await socket.ReceiveAsync(buffer, Token).AsTask().WaitAsync(LibraryUnderTest.Deadline, Token);
                if (length == 0)
                {
                    break;
                }

                said.Append(Encoding.UTF8.GetString(buffer, 0, length));
            }
        }
        catch (SocketException)
        {
            // A reset is also an end.
            return said.ToString();
        }

        return said.ToString();
    }

    private static string Hello(RunPlan plan) =>
        JsonSerializer.Serialize(new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, plan, null) { Id = 1 }, FrameJson.Default.Frame);

    // The kernel keeps the first 15 characters of a thread's name.
    private static int ThreadsOfChannels() =>
        Directory.GetDirectories("/proc/self/task").Count(task => NameOf(task).StartsWith("Read A clients'", StringComparison.Ordinal));

    private static string NameOf(string task)
    {
        try
        {
            return File.ReadAllText(Path.Combine(task, "comm"));
        }
        catch (IOException)
        {
            // The thread has ended in the meantime.
            return string.Empty;
        }
    }

    private static async Task UntilAsync(Func<bool> holds)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(Token);
        deadline.CancelAfter(LibraryUnderTest.Deadline);
        while (!holds())
        {
            await Task.Delay(20, deadline.Token);
        }
    }
}
