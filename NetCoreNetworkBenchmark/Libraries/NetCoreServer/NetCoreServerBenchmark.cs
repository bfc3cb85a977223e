using System.Net.Sockets;
using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Core.Streams;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// NetCoreServer's servers and clients over UDP, TCP and SSL, which call back from the thread pool. The library adds no protocol to UDP, so the
/// greeting of the harness makes the connections there.
/// </summary>
public sealed class NetCoreServerBenchmark : INetworkBenchmark
{
    private const string Inline = "inline";
    private const string NestedReceive = "nested";
    private const int LongestChain = 1024;
    private const int LeastBound = 1024 * 1024;

    private static readonly LibrarySetting s_completions = new(
        "completions", ["pool", Inline], Default: "pool", "where the runtime calls back: on the thread pool, or on its own epoll thread")
    {
        Tuned = Inline,
    };

    private static readonly LibrarySetting s_receive = new(
        "receive", ["pool", NestedReceive], Default: "pool", "how the next receive begins: by the thread pool, as in the library's examples, or within the callback for up to 1,024 in a row")
    {
        Tuned = NestedReceive,
        Protocols = [Protocol.Udp],
    };

    /// <inheritdoc/>
    public string Name => "NetCoreServer";

    /// <inheritdoc/>
    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = typeof(global::NetCoreServer.UdpServer).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl],
        SendsUnasked = [Protocol.Udp, Protocol.Tcp, Protocol.Ssl],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        Settings = [s_completions, s_receive, StreamSendSetting.Setting],
    };

    /// <inheritdoc/>
    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ChooseCompletions(setup.Plan, setup.Recorder);
        return setup.Plan.Protocol switch
        {
            Protocol.Tcp => Listen(setup, new NetCoreTcpServer(setup), static server => server.Start()),
            Protocol.Ssl => Listen(setup, new NetCoreSslServer(setup), static server => server.Start()),
            _ => NetCoreUdpServer.Bind(setup),
        };
    }

    /// <inheritdoc/>
    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ChooseCompletions(setup.Plan, setup.Recorder);
        DotNetTls? tls = setup.Plan.Protocol == Protocol.Ssl ? DotNetTls.Of(setup) : null;
        return CallbackClientGroup.ConnectAsync(Name, setup, observer => ClientOf(setup, tls, observer), cancellationToken);
    }

    private static T Listen<T>(ServerSetup setup, T server, Func<T, bool> start)
    {
        // The library keeps a socket that it could not bind, with nobody able to close it; so a socket of our own tries first.
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

    private static ICallbackClient ClientOf(ClientSetup setup, DotNetTls? tls, IConnectObserver observer)
    {
        if (tls is not null)
        {
            return new NetCoreSslClient(setup, tls, observer);
        }

        return setup.Plan.Protocol.IsStream() ? new NetCoreTcpClient(setup, observer) : new NetCoreUdpClient(setup, observer);
    }

    // A buffer that no datagram fills: a full one makes the library double it in the middle of the run.
    internal static int BufferSize(RunPlan plan) => Math.Max(plan.MessageSize, DatagramGreeting.Size) + 1;

    /// <summary>
    /// The most bytes that the library may hold for one connection. It receives whether or not its answers are taken, so what a peer does not
    /// read would pile up without end; nobody keeps more in flight than a plan's window.
    /// </summary>
    internal static int MostUnsent(RunPlan plan) =>
        (int)Math.Min(LeastBound + (2L * plan.ParallelMessages * StreamFramer.SizeOnStream(plan, plan.MessageSize)), int.MaxValue);

    /// <summary>What begins the next receive of an endpoint; made for each of them.</summary>
    internal static Action<T> ReceiveAgain<T>(RunPlan plan, Action<T> receive)
    {
        int inARow = 0;

        // The library's own examples receive again through the thread pool: a receive that completes at once calls back within the
        // call, and a chain of such calls overflows the stack. Through the common queue, as they do: from a thread's own queue the pool's
        // other threads take it away, which costs a tenth of the rate of one client.
        void ByThreadPool(T endpoint) => ThreadPool.UnsafeQueueUserWorkItem(receive, endpoint, preferLocal: false);

        // So a chain is broken off in time, also for whatever else waits for a thread of the pool: behind what waits there already.
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
            recorder.Remark($"The runtime's sockets were in use before, so completions=inline is without effect; set {InlineCompletions.Variable}=1 before the start.");
        }
    }
}
