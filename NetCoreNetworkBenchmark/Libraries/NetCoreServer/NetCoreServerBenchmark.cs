using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Libraries.NetCoreServer;

/// <summary>
/// NetCoreServer's UDP server and client, which call back from the thread pool. The library adds no protocol to UDP, so the greeting
/// of the harness makes the connections.
/// </summary>
public sealed class NetCoreServerBenchmark : INetworkBenchmark
{
    private const string Inline = "inline";
    private const string Nested = "nested";

    private static readonly LibrarySetting s_completions = new(
        "completions", ["pool", Inline], Default: "pool", "where the runtime calls back: on the thread pool, or on its own epoll thread")
    {
        Tuned = Inline,
    };

    private static readonly LibrarySetting s_receive = new(
        "receive", ["pool", Nested], Default: "pool", "how the next receive begins: by the thread pool, as in the library's examples, or within the callback")
    {
        Tuned = Nested,
    };

    /// <inheritdoc/>
    public string Name => "NetCoreServer";

    /// <inheritdoc/>
    public LibraryInfo Info => field ??= new()
    {
        Name = Name,
        Version = typeof(global::NetCoreServer.UdpServer).Assembly.GetName().Version!.ToString(3),
        Protocols = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        Settings = [s_completions, s_receive],
    };

    /// <inheritdoc/>
    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ChooseCompletions(setup.Plan, setup.Recorder);
        return NetCoreUdpServer.Bind(setup);
    }

    /// <inheritdoc/>
    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(setup);
        ChooseCompletions(setup.Plan, setup.Recorder);
        return NetCoreUdpClientGroup.ConnectAsync(setup, cancellationToken);
    }

    // A buffer that no datagram fills: a full one makes the library double it in the middle of the run.
    internal static int BufferSize(RunPlan plan) => Math.Max(plan.MessageSize, DatagramGreeting.Size) + 1;

    /// <summary>What begins the next receive of an endpoint.</summary>
    internal static Action<T> ReceiveAgain<T>(RunPlan plan, Action<T> receive)
    {
        // The library's own examples receive again through the thread pool: a receive that completes at once calls back within the
        // call, and a chain of such calls overflows the stack.
        void ByThreadPool(T endpoint) => ThreadPool.UnsafeQueueUserWorkItem(receive, endpoint, preferLocal: true);
        void NestedWhereTheStackAllows(T endpoint)
        {
            if (RuntimeHelpers.TryEnsureSufficientExecutionStack())
            {
                receive(endpoint);
            }
            else
            {
                ByThreadPool(endpoint);
            }
        }

        return plan.SettingOf(s_receive) == Nested ? NestedWhereTheStackAllows : ByThreadPool;
    }

    private static void ChooseCompletions(RunPlan plan, RunRecorder recorder)
    {
        if (plan.SettingOf(s_completions) == Inline && !InlineCompletions.TryEnable())
        {
            recorder.Remark($"The runtime's sockets were in use before, so completions=inline is without effect; set {InlineCompletions.Variable}=1 before the start.");
        }
    }
}
