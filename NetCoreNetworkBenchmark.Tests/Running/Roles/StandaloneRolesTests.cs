using NetCoreNetworkBenchmark.Running.Roles;

namespace NetCoreNetworkBenchmark.Tests.Running.Roles;

/// <summary>A server and clients that are started separately, for every library that can be divided into processes.</summary>
public sealed class StandaloneRolesTests
{
    private static readonly RunPlan s_plan = new()
    {
        Library = "Sockets",
        Clients = 10,
        ParallelMessages = 2,
        WarmUp = TimeSpan.FromMilliseconds(50),
        Duration = TimeSpan.FromMilliseconds(200),
        AnyMachine = true,
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static IEnumerable<TheoryDataRow<string>> Divisible() => LibraryUnderTest.Transports()
        .Where(row => row.Data.Item2 == Protocol.Udp)
        .Select(row => new TheoryDataRow<string>(row.Data.Item1));

    [Theory, MemberData(nameof(Divisible))]
    public async Task Each_side_reports_its_own_figures_and_the_departure_of_clients_is_no_error(string library)
    {
        RunPlan plan = s_plan with { Library = library };
        await using RunningServer server = await RunningServer.StartAsync(plan with { Clients = 2 * plan.Clients });
        RunResult[] results = await Task.WhenAll(
            MeasureAsync(plan, server.EndPoint), MeasureAsync(plan with { Duration = 2 * plan.Duration }, server.EndPoint));
        Assert.All(results, result => Assert.True(result.Valid, string.Join(' ', result.InvalidReasons)));
        Assert.All(results, result => Assert.Equal(
            (ServerKind.Separate, null, null, null), (result.ServerKind, result.Messages.ServerReceived, result.Costs.Server, result.Costs.Combined)));
        Assert.All(results, result => Assert.Contains(
            result.Remarks, remark => remark.StartsWith("The server's cost was not measured here", StringComparison.Ordinal)));
        ServerResult served = await server.StopAsync();
        Assert.Empty(served.Server.Errors);
        Assert.Equal(results.Sum(result => result.Totals.Sent), served.Server.Received);
        Assert.Equal((served.Server.Received, served.Server.Received), (served.Server.Sent, served.Server.Cost!.Messages));
        Assert.InRange(served.DurationSeconds!.Value, served.Server.Cost!.Seconds - 0.001, double.MaxValue);
    }

    [Fact]
    public async Task A_server_serves_new_clients_when_earlier_ones_have_gone_and_its_idle_time_is_apart()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        for (int run = 1; run <= 3; run++)
        {
            RunResult result = await MeasureAsync(s_plan, server.EndPoint);
            Assert.True(result.Valid, string.Join(' ', result.InvalidReasons));
            await Task.Delay(TimeSpan.FromSeconds(0.3), Token);
        }

        ServerResult served = await server.StopAsync();
        Assert.InRange(served.DurationSeconds!.Value - served.Server.Cost!.Seconds, 0.2, double.MaxValue);
    }

    [Fact]
    public async Task A_server_without_clients_reports_no_duration_of_messages()
    {
        await using RunningServer server = await RunningServer.StartAsync(s_plan);
        ServerResult served = await server.StopAsync();
        Assert.Equal((0, null), (served.Server.Received, served.DurationSeconds));
    }

    [Fact]
    public async Task The_result_of_a_server_has_its_settings_and_threads()
    {
        Assert.SkipUnless(SharedPort.IsSupported, "This system does not spread clients over sockets.");
        RunPlan plan = s_plan with { Settings = new Dictionary<string, string> { ["batch"] = "call", ["mode"] = "fast" } };
        await using RunningServer server = await RunningServer.StartAsync(plan with { ServerThreads = 2 });
        RunResult result = await MeasureAsync(plan with { ClientThreads = 3 }, server.EndPoint);
        Assert.Equal((null, 3), (result.Server?.Threads, result.Clients.Threads));
        ServerResult served = await server.StopAsync();
        Assert.Equal((plan.Settings, 2), (served.Plan.Settings, served.Server.Threads));
    }

    [Theory, MemberData(nameof(Divisible))]
    public async Task A_server_that_does_not_answer_is_named(string library)
    {
        // No other program gets this port while it is bound, and a bound socket that is not read does not answer.
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        RunPlan plan = s_plan with { Library = library, ConnectDeadline = TimeSpan.FromSeconds(1) };
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => MeasureAsync(plan, (IPEndPoint)silent.LocalEndPoint!));
        Assert.StartsWith(
            $"No server answers at {silent.LocalEndPoint} (Only 0 of 10 clients connected to {silent.LocalEndPoint} within 1 s). ", exception.Message,
            StringComparison.Ordinal);
        Assert.EndsWith($"Start one there with --role Server --library {library} and the same options.", exception.Message, StringComparison.Ordinal);
    }

    private static Task<RunResult> MeasureAsync(RunPlan plan, IPEndPoint server)
    {
        RunPlan at = plan with { Address = server.Address.ToString(), Port = server.Port };
        return Task.Run(() => RunningServer.MeasureAsync(at, LibraryUnderTest.Create(plan.Library), null))
            .WaitAsync(2 * LibraryUnderTest.Deadline, Token);
    }
}

/// <summary>The addresses of a name, of which a server of another program has one.</summary>
public sealed class ServerSearchTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, InlineData(Protocol.Tcp), InlineData(Protocol.Ssl), InlineData(Protocol.Udp)]
    public async Task FindAsync_passes_over_addresses_that_refuse(Protocol protocol)
    {
        await using var echo = new PlainEcho();
        var refusing = new IPEndPoint(IPAddress.Parse("127.0.0.2"), echo.EndPoint.Port);
        Assert.Equal(echo.EndPoint, await ServerSearch.FindAsync(protocol, [refusing, echo.EndPoint], Token));
        Assert.Equal(echo.EndPoint, await ServerSearch.FindAsync(protocol, [echo.EndPoint, refusing], Token));
        Assert.Null(await ServerSearch.FindAsync(protocol, [refusing, new IPEndPoint(IPAddress.Parse("127.0.0.3"), echo.EndPoint.Port)], Token));
    }

    [Fact]
    public async Task FindAsync_does_not_wait_for_an_address_that_is_silent()
    {
        // A full backlog: further connections get no answer.
        using var full = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        full.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.4"), 0));
        full.Listen(0);
        var silent = (IPEndPoint)full.LocalEndPoint!;
        using Socket first = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await first.ConnectAsync(silent, Token);
        await using var echo = new PlainEcho();
        Assert.Equal(echo.EndPoint, await ServerSearch.FindAsync(Protocol.Tcp, [silent, echo.EndPoint], Token));
    }
}

public sealed class ActiveTimeTests
{
    private readonly ProcessSnapshot _none = new ProcessMeter().Read();
    private int _seconds;
    private long _received;

    [Fact]
    public void Total_has_the_intervals_with_messages_and_Duration_the_time_between_them()
    {
        ActiveTime active = Start();
        Pass(active, 0, 5, 7, 0, 0, 0, 2, 0, 0);
        active.End();
        Assert.Equal((14, 2 + 1 + 1 + 1), (active.Total!.Counters.ServerReceived, SecondsOf(active.Total)));

        // From the second before the first message to the second in which the last interval ended.
        Assert.Equal(TimeSpan.FromSeconds(7), active.Duration);
    }

    [Fact]
    public void End_counts_what_came_since_the_last_update()
    {
        ActiveTime active = Start();
        Pass(active, 0, 0);
        (_seconds, _received) = (_seconds + 1, 3);
        active.End();
        Assert.Equal((3, 1), (active.Total!.Counters.ServerReceived, SecondsOf(active.Total)));
    }

    [Fact]
    public void Without_messages_there_is_no_total()
    {
        ActiveTime active = Start();
        Pass(active, 0, 0, 0);
        active.End();
        Assert.Equal((null, null), (active.Total, active.Duration));
    }

    private ActiveTime Start() => new(
        () => new ServerSnapshot(_none with { Timestamp = _seconds * Stopwatch.Frequency }, new MessageCounters { ServerReceived = _received }),
        () => _received);

    // One update after each second, in which so many messages came.
    private void Pass(ActiveTime active, params int[] received)
    {
        foreach (int messages in received)
        {
            (_seconds, _received) = (_seconds + 1, _received + messages);
            active.Update();
        }
    }

    private static long SecondsOf(ServerSnapshot mark) => mark.Reading.Timestamp / Stopwatch.Frequency;
}

/// <summary>A standalone server in this process, on a port of its own.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource<IPEndPoint> _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task<ServerResult> _running;

    private RunningServer(RunPlan plan, INetworkBenchmark library)
    {
        var server = new StandaloneServer(plan with { Port = 0 }, library, new PingPong()) { Listening = _listening.SetResult };
        _running = Task.Run(() => server.RunAsync(_stop.Token));
    }

    public static async Task<RunningServer> StartAsync(RunPlan plan, INetworkBenchmark? library = null)
    {
        var server = new RunningServer(plan, library ?? LibraryUnderTest.Create(plan.Library));
        await server._listening.Task.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
        return server;
    }

    public IPEndPoint EndPoint => _listening.Task.Result;

    /// <summary>Runs the clients of a plan in this process, against the server at the plan's address.</summary>
    public static async Task<RunResult> MeasureAsync(RunPlan plan, INetworkBenchmark library, INetworkBenchmark? clients)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        ParticipantGroup participants = await Placement.AtSeparateServerAsync(plan, library, new PingPong(), clients, token);
        return await new Run(plan, library.Info.DrivenBy(clients?.Info, plan.Protocol), new PingPong(), participants).RunAsync(token);
    }

    public async Task<ServerResult> StopAsync()
    {
        await _stop.CancelAsync();
        return await _running.WaitAsync(LibraryUnderTest.Deadline, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _stop.Dispose();
    }
}

/// <summary>A server that is not part of the program. It sends back received bytes over UDP and TCP, as inetd's echo does.</summary>
internal sealed class PlainEcho : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Socket _socket;
    private readonly TcpListener _listener;
    private readonly Task _running;

    public PlainEcho()
    {
        (_socket, _listener) = Listen();
        _running = Task.WhenAll(EchoDatagramsAsync(), EchoConnectionsAsync());
    }

    public IPEndPoint EndPoint => (IPEndPoint)_socket.LocalEndPoint!;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _listener.Dispose();
        _socket.Dispose();
        _stop.Dispose();
    }

    /// <summary>Binds a port for datagrams and listens on it over TCP. The port that the system chooses for the one may be in use for the other.</summary>
    private static (Socket Datagrams, TcpListener Listener) Listen()
    {
        const int MaxAttempts = 20;
        for (int attempt = 1; ; attempt++)
        {
            Socket datagrams = Bind();
            var listener = new TcpListener((IPEndPoint)datagrams.LocalEndPoint!);
            try
            {
                listener.Start();
                return (datagrams, listener);
            }
            catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AddressAlreadyInUse && attempt < MaxAttempts)
            {
                listener.Dispose();
                datagrams.Dispose();
            }
        }
    }

    private static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private async Task EchoDatagramsAsync()
    {
        byte[] buffer = new byte[65_536];
        while (true)
        {
            SocketReceiveFromResult received = await _socket.ReceiveFromAsync(buffer, SocketFlags.None, new IPEndPoint(IPAddress.Any, 0), _stop.Token);
            await _socket.SendToAsync(buffer.AsMemory(0, received.ReceivedBytes), SocketFlags.None, received.RemoteEndPoint, _stop.Token);
        }
    }

    private async Task EchoConnectionsAsync()
    {
        while (true)
        {
            using TcpClient connection = await _listener.AcceptTcpClientAsync(_stop.Token);
            NetworkStream stream = connection.GetStream();
            await stream.CopyToAsync(stream, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
