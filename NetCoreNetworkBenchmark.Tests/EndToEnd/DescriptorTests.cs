using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Tests.Hosts;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Processes that cannot open more descriptors (EMFILE) continue to run.</summary>
public sealed class DescriptorTests
{
    private const int Connections = 200;
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_silence = TimeSpan.FromSeconds(2);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("Sockets")]
    [InlineData("Epoll")]
    [InlineData("Kestrel")]
    public async Task Server_refuses_connections_and_prints_its_result_when_its_limit_is_lowered(string library)
    {
        const int Limit = 300;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit of another process is set by Linux' prlimit.");
        using BenchmarkProcess server = await BenchmarkProcess.StartServerAsync($"-l {library} -P Tcp -c 100 --any-machine --json");
        string client = $"--role Client -l {library} -P Tcp -c 10 --warmup 0.2 -d 0.3 --any-machine --json -p {server.Port}";

        // With the first clients, the server loads the files that it needs, which also takes descriptors.
        Assert.Equal(0, (await BenchmarkProcess.RunLineAsync(client)).ExitCode);
        (int limited, _, string refused) = await SystemCommand.RunAsync("prlimit", "--pid", $"{server.Id}", $"--nofile={Limit}:{Limit}");
        Assert.True(limited == 0, refused);
        Socket[] sockets = Connect(IPEndPoint.Parse($"127.0.0.1:{server.Port}"));
        await Wait.UntilAsync(() => sockets.Count(IsClosed) >= Connections - (Limit - DescriptorLimit.Own), "connections that are refused");
        Assert.InRange(Directory.GetFiles($"/proc/{server.Id}/fd").Length, 1, Limit - 1);
        Array.ForEach(sockets, socket => socket.Dispose());
        (int exitCode, _, string reason) = await BenchmarkProcess.RunLineAsync(client);
        Assert.True(exitCode == 0, reason);
        ServerResult result = await server.StopServerAsync();
        Assert.InRange(result.Server.Received!.Value, 1, long.MaxValue);
        Assert.InRange(result.Server.Errors.GetValueOrDefault("server TooManyOpenSockets"), 1, Connections);

        static bool IsClosed(Socket socket) => socket.Poll(0, SelectMode.SelectRead);
    }

    [Fact]
    public async Task Relay_continues_without_descriptors_and_has_a_remark()
    {
        const int Limit = 200;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit is set by a POSIX shell.");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var plan = new RunPlan
        {
            Library = "Sockets",
            Protocol = Protocol.Tcp,
            Clients = 1,
            Impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(1) },
        };
        string script = $"ulimit -n {Limit}; exec dotnet '{typeof(Catalog).Assembly.Location}' {AgentProgram.Option}";
        await using var relay = new AgentProcess(AgentRole.Relay, new ProcessStartInfo("sh", ["-c", script]));
        string at = (await relay.SendHelloAsync(plan, listener.LocalEndpoint.ToString(), null, Token).WaitAsync(ChannelPair.Deadline, Token))!;
        Array.ForEach(Connect(IPEndPoint.Parse(at)), socket => socket.Dispose());
        await ExhaustAsync(listener);
        using var client = new TcpClient();
        await client.ConnectAsync(IPEndPoint.Parse(at), Token).AsTask().WaitAsync(s_deadline, Token);
        await client.GetStream().WriteAsync(new byte[] { 42 }, Token);
        await ArrivesAsync(listener, relay, 42);
        relay.Send(new StopFrame());
        ResultFrame result = await relay.ResultAsync(ChannelPair.Deadline, Token);
        Assert.Contains(result.Remarks, remark => remark.Contains("ulimit -n", StringComparison.Ordinal));
    }

    // Connections that the server keeps open stay open at the relay too, until it has no descriptor left for another.
    private static async Task ExhaustAsync(TcpListener listener)
    {
        var kept = new List<TcpClient>();
        try
        {
            while (true)
            {
                using var silence = CancellationTokenSource.CreateLinkedTokenSource(Token);
                silence.CancelAfter(s_silence);
                kept.Add(await listener.AcceptTcpClientAsync(silence.Token));
            }
        }
        catch (OperationCanceledException) when (!Token.IsCancellationRequested)
        {
            kept.ForEach(connection => connection.Dispose());
        }
    }

    // The connections before it have sent nothing.
    private static async Task ArrivesAsync(TcpListener listener, AgentProcess relay, byte expected)
    {
        while (true)
        {
            Task<TcpClient> accepted = listener.AcceptTcpClientAsync(Token).AsTask();
            Assert.Same(accepted, await Task.WhenAny(accepted, relay.Broken).WaitAsync(s_deadline, Token));
            using TcpClient connection = await accepted;
            byte[] said = new byte[1];
            try
            {
                if (await connection.GetStream().ReadAsync(said, Token).AsTask().WaitAsync(s_deadline, Token) == 1)
                {
                    Assert.Equal(expected, said[0]);
                    return;
                }
            }
            catch (IOException)
            {
                // The relay had no descriptor left to forward this connection.
                continue;
            }
        }
    }

    private static Socket[] Connect(IPEndPoint endPoint)
    {
        Socket[] sockets = [.. Enumerable.Range(0, Connections).Select(_ => new Socket(SocketType.Stream, ProtocolType.Tcp))];
        Array.ForEach(sockets, socket => Connect(socket, endPoint));
        return sockets;
    }

    private static void Connect(Socket socket, IPEndPoint endPoint)
    {
        try
        {
            socket.ConnectAsync(endPoint).WaitAsync(s_deadline, Token).GetAwaiter().GetResult();
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionReset)
        {
            // The peer had no descriptor left for it and closed it before this side noticed that it was established.
            return;
        }
    }
}
