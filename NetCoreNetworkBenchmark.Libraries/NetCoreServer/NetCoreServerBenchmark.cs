using System.Reflection;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>NetCoreServer over UDP, TCP and SSL, which calls back from the thread pool. The harness' handshake connects clients over UDP.</summary>
public sealed class NetCoreServerBenchmark : INetworkBenchmark
{
    private const string Inline = "inline";
    private const string NestedReceive = "nested";
    private const int LongestChain = 1024;
    private const int MinBound = 1024 * 1024;

    private static readonly LibrarySetting s_completions = new(
        "completions", ["pool", Inline], Default: "pool", "thread of the runtime's callbacks: one of the thread pool, or its own epoll thread")
    {
        Tuned = Inline,
    };

    private static readonly LibrarySetting s_receive = new(
        "receive",
        ["pool", NestedReceive],
        Default: "pool",
        "start of the next receive: by the thread pool, as in the library's examples, or within the callback for up to 1,024 in a row")
    {
        Tuned = NestedReceive,
        Protocols = [Protocol.Udp],
    };

    public string Name => "NetCoreServer";

    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = typeof(global::NetCoreServer.UdpServer).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl],
        Framings = Enum.GetValues<Framing>(),
        ServerPushTransports = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl],
        BroadcastTransports = [Protocol.Tcp, Protocol.Ssl],
        HasPlainDatagrams = true,

        // An end point for each datagram (SocketAsyncEventArgs.RemoteEndPoint of ReceiveFromAsync), and over TLS a task for each BeginRead and BeginWrite.
        AllocatingTransports = [Protocol.Udp, Protocol.Ssl],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        Settings = [s_completions, s_receive, StreamSendSetting.Setting],
    };

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        ChooseCompletions(setup.Plan, setup.Recorder);
        return setup.Plan.Protocol switch
        {
            Protocol.Tcp => Listen(setup, new NetCoreTcpServer(setup), static server => server.Start()),
            Protocol.Ssl => Listen(setup, new NetCoreSslServer(setup), static server => server.Start()),
            _ => NetCoreUdpServer.Bind(setup),
        };
    }

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        ChooseCompletions(setup.Plan, setup.Recorder);
        return CallbackClientGroup.ConnectAsync(Name, setup, ClientsOf(setup), cancellationToken);
    }

    private static T Listen<T>(ServerSetup setup, T server, Func<T, bool> start)
    {
        // The library keeps a socket that it could not bind, and no caller can close it. A socket of the harness therefore tries first.
        SharedPort.RequireFree(setup.EndPoint, setup.Plan.Protocol);
        try
        {
            start(server);
            return server;
        }
        catch (SocketException exception)
        {
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    private static Func<IConnectObserver, ICallbackClient> ClientsOf(ClientSetup setup)
    {
        if (!setup.Plan.Protocol.IsStream())
        {
            return observer => new NetCoreUdpClient(setup, observer);
        }

        var side = StreamSide.For(setup);
        if (setup.Plan.Protocol == Protocol.Tcp)
        {
            return observer => new NetCoreTcpClient(setup, side, observer).Peer;
        }

        var tls = DotNetTls.For(setup);
        return observer => new NetCoreSslClient(setup, side, new NetCoreTls(setup, tls), observer).Peer;
    }

    // A buffer that no datagram fills: if a buffer is full, the library doubles it in the middle of the run.
    internal static int BufferSize(RunPlan plan) => Math.Max(plan.MessageSize, DatagramHandshake.Size) + 1;

    // The library receives whether or not its answers are read, so unread bytes would pile up without end. No peer has more in flight than a plan's window.
    internal static int MaxUnsent(RunPlan plan) =>
        (int)Math.Min(MinBound + (2L * plan.ParallelMessages * StreamFramer.SizeOnStream(plan, plan.MessageSize)), int.MaxValue);

    // Each endpoint has its own action.
    internal static Action<T> ReceiveAgain<T>(RunPlan plan, Action<T> receive)
    {
        int inARow = 0;

        // As in the library's examples, through the thread pool: a chain of receives that complete at once would overflow the stack. The common queue is used:
        // from a thread's own, the pool's other threads take the work away, which costs a tenth of the rate of one client.
        void ByThreadPool(T endpoint) => ThreadPool.UnsafeQueueUserWorkItem(receive, endpoint, preferLocal: false);

        // A chain is therefore broken off in time, also for other work that waits for a pool thread: the receive is queued behind it.
        void Nested(T endpoint)
        {
            if (++inARow % LongestChain != 0 && RuntimeHelpers.TryEnsureSufficientExecutionStack())
            {
                receive(endpoint);
            }
            else
            {
                ThreadPool.UnsafeQueueUserWorkItem(receive, endpoint, preferLocal: false);
            }
        }

        return plan.SettingOf(s_receive) == NestedReceive ? Nested : ByThreadPool;
    }

    private static void ChooseCompletions(RunPlan plan, RunRecorder recorder)
    {
        if (plan.SettingOf(s_completions) == Inline && !InlineCompletions.TryEnable())
        {
            recorder.Remark(
                $"The runtime's sockets were in use before, so completions=inline has no effect. Set {InlineCompletions.Variable}=1 before the start.");
        }
    }
}

// .NET's sockets on Linux call back on the runtime's epoll threads. It reads the variable once, at first use (dotnet/runtime, SocketAsyncEngine.Unix.cs).
internal static class InlineCompletions
{
    public const string Variable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    // False if it is known that the runtime had read the variable before.
    public static bool TryEnable()
    {
        Environment.SetEnvironmentVariable(Variable, "1");

        // The runtime does not report the value. Reading its field also makes it read the variable. Windows has no such field, and a later version may not.
        return typeof(Socket).Assembly.GetType("System.Net.Sockets.SocketAsyncEngine")
            ?.GetField("InlineSocketCompletionsEnabled", BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)
            ?.GetValue(null) as bool? ?? OperatingSystem.IsLinux();
    }
}
