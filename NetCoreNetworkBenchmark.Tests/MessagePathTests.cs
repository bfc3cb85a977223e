using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;
using NetCoreNetworkBenchmark.Workloads.Bursts;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// No message passes a lock, an interlocked instruction or a fence of this program. The compiled methods are checked: from the point at which a
/// message is received or due, all calls are followed through the program's own code.
/// </summary>
public sealed class MessagePathTests
{
    // Volatile is an ordinary load or store on x86-64, and a load-acquire or store-release on Arm; neither waits for other cores.
    private static readonly Assembly[] s_assemblies =
        [typeof(LatencyHistogram).Assembly, typeof(SocketsClient).Assembly, typeof(PingPongServer).Assembly];

    private static readonly string[] s_allowed = ["System.Threading.Volatile"];

    private static readonly string[] s_sharing = ["System.Threading", "System.Collections.Concurrent"];

    // Calls that are rare by contract and may lock: an error, a fault, traffic of strangers, a call once per connection, and a call once per
    // full outbox.
    private static readonly HashSet<string> s_rare =
    [
        "RunRecorder.CountDisconnect",
        "RunRecorder.CountError",
        "RunRecorder.CountUnsolicited",
        "RunRecorder.CountHandshake",
        "RunRecorder.Remark",
        "RunRecorder.ReportFault",
        "IPeerHandler.OnConnected",
        "IPeerHandler.OnClosed",
        "IConnectObserver.Answered",
        "IConnectObserver.Connected",
        "IConnectObserver.Lost",
        "IConnectObserver.Refused",
        "ConnectionLimit.Leave",
        "PollLoop.Add",
        "PollLoop.Remove",
        "StreamPeer.Close",
        "IPeer.Close",
        "StreamConnection.Enqueue",

        // Calls once per thread.
        "ThreadStates`1.Add",

        // Calls once per turn of many messages, and requests that clients make once per run.
        "IPeer.Wake",
        "PushPeer.Wake",
        "PushServer.Start",
        "PushServer.Stop",
        "PushPacer.TryAdd",
        "PushPacer.Remove",
    ];

    public static TheoryData<Type, string> Paths => new()
    {
        { typeof(PingPongServer), "OnMessage" },
        { typeof(PingPongClients), "OnMessage" },
        { typeof(InterruptedClients), "OnMessage" },
        { typeof(BurstClients), "OnMessage" },
        { typeof(PacedClients), "OnMessage" },
        { typeof(PacedClients), "OnDue" },
        { typeof(PushServer), "OnWritable" },
        { typeof(PushClients), "OnMessage" },
        { typeof(PushClients), "OnDue" },
        { typeof(SocketsServer), "ReceiveOne" },
        { typeof(SocketsClient), "OnReadable" },
        { typeof(SocketsClient), "Due" },
        { typeof(EpollSocket), "OnReadable" },
        { typeof(EpollClient), "Due" },
        { typeof(FramedPeer), "Deliver" },
        { typeof(StreamConnection), "OnReadable" },
        { typeof(StreamConnection), "OnWritable" },
        { typeof(StreamClient), "Due" },
        { typeof(Pacer), "OnDue" },
        { typeof(EpollReadiness), "Wait" },
        { typeof(EpollReadiness), "WaitExactly" },
        { typeof(WorkerStatistics), "ReadClock" },
    };

    [Theory, MemberData(nameof(Paths))]
    public void A_message_shares_nothing_with_other_threads(Type type, string method) =>
        Assert.Empty(Sharing(Graph(OwnTypes()).CallsFrom([MethodOf(type, method)])));

    // Others may send as many datagrams as the clients, and the handler gets none of these.
    [Fact]
    public void An_unsolicited_datagram_shares_nothing_with_other_threads()
    {
        Type[] types = [.. OwnTypes().Where(type => !type.Namespace!.StartsWith("NetCoreNetworkBenchmark.Workloads", StringComparison.Ordinal))];
        var graph = new CallGraph(types, s_rare.Where(call => call != "RunRecorder.CountUnsolicited").ToHashSet());
        IReadOnlyList<(MethodBase Caller, MethodBase Called)> calls = graph.CallsFrom([MethodOf(typeof(DatagramPeers<>), "OnDatagram")]);
        Assert.Contains("WorkerStatistics.CountUnsolicitedDatagram", calls.Select(call => CallGraph.NameOf(call.Called)));
        Assert.Empty(Sharing(calls));
    }

    [Fact]
    public void The_path_of_an_answer_is_followed_to_its_end()
    {
        IEnumerable<MethodBase> called = Graph(OwnTypes()).CallsFrom([MethodOf(typeof(SocketsClient), "OnReadable")]).Select(call => call.Called);
        string[] names = [.. called.Select(CallGraph.NameOf)];
        Assert.Contains("ClosedWindow.OnAnswer", names);
        Assert.Contains("PacedWindow.OnAnswer", names);
        Assert.Contains("LatencyHistogram.Record", names);
        Assert.Contains("MessageTag.WriteTo", names);
        Assert.Contains("Socket.Send", names);
    }

    [Fact]
    public void The_path_of_a_streams_bytes_is_followed_through_both_transports()
    {
        IEnumerable<MethodBase> called = Graph(OwnTypes()).CallsFrom([MethodOf(typeof(StreamConnection), "OnReadable")]).Select(call => call.Called);
        string[] names = [.. called.Select(CallGraph.NameOf)];
        Assert.Contains("ClosedWindow.OnAnswer", names);
        Assert.Contains("Outbox.TryAdd", names);
        Assert.Contains("SysSocket.recv", names);
        Assert.Contains("OpensslSsl.SSL_write", names);
    }

    [Theory]
    [InlineData(nameof(Sample.Interlocks), "Interlocked.Increment")]
    [InlineData(nameof(Sample.Locks), "Lock.EnterScope")]
    [InlineData(nameof(Sample.LocksAnObject), "Monitor.Enter")]
    [InlineData(nameof(Sample.Fences), "Interlocked.MemoryBarrier")]
    [InlineData(nameof(Sample.CallsThroughAnInterface), "Interlocked.Increment")]
    [InlineData(nameof(Sample.CallsLater), "Interlocked.Increment")]
    [InlineData(nameof(Sample.Queues), "ConcurrentQueue`1.Enqueue")]
    [InlineData(nameof(Sample.IsSynchronized), "Sample.Synchronized")]
    public void The_reader_finds_what_is_shared(string method, string expected)
    {
        CallGraph graph = Graph(
            typeof(MessagePathTests).GetNestedTypes(BindingFlags.NonPublic).SelectMany(type => type.GetNestedTypes(BindingFlags.NonPublic).Append(type)));
        Assert.Contains(Sharing(graph.CallsFrom([MethodOf(typeof(Sample), method)])), call => call.EndsWith($" -> {expected}", StringComparison.Ordinal));
    }

    private static CallGraph Graph(IEnumerable<Type> types) => new(types, s_rare);

    private static IEnumerable<string> Sharing(IEnumerable<(MethodBase Caller, MethodBase Called)> calls) =>
        from call in calls
        where IsSharing(call.Called.DeclaringType!) || call.Called.MethodImplementationFlags.HasFlag(MethodImplAttributes.Synchronized)
        select $"{CallGraph.NameOf(call.Caller)} -> {CallGraph.NameOf(call.Called)}";

    private static bool IsSharing(Type type) => s_sharing.Contains(type.Namespace) && !s_allowed.Contains(type.FullName);

    private static MethodInfo MethodOf(Type type, string name) => Assert.Single(type.GetMethods(CompiledMethod.Declared), method => method.Name == name);

    // The peers of the other libraries belong to their adapters: that of NetCoreServer, for example, is called from several threads.
    private static IEnumerable<Type> OwnTypes() => s_assemblies.SelectMany(assembly => assembly.GetTypes()).Where(type => type.Namespace is { } room
        && (room.StartsWith("NetCoreNetworkBenchmark.AdapterKit", StringComparison.Ordinal)
            || room.StartsWith("NetCoreNetworkBenchmark.Libraries.Epoll", StringComparison.Ordinal)
            || room.StartsWith("NetCoreNetworkBenchmark.Workloads", StringComparison.Ordinal)
            || room is "NetCoreNetworkBenchmark.Contracts" or "NetCoreNetworkBenchmark.Histograms"
                or "NetCoreNetworkBenchmark.Recording" or "NetCoreNetworkBenchmark.Plans"
                or "NetCoreNetworkBenchmark.Libraries.Sockets"));

    private interface ICounter
    {
        void Count();
    }

    private sealed class InterlockedCounter : ICounter
    {
        private long _count;

        public void Count() => Interlocked.Increment(ref _count);
    }

    private sealed class Sample(ICounter counter)
    {
        private readonly Lock _lock = new();
        private readonly object _object = new();
        private readonly ConcurrentQueue<int> _queue = new();
        private int _count;

        public void Interlocks() => Interlocked.Increment(ref _count);

        public void Locks()
        {
            lock (_lock)
            {
                _count++;
            }
        }

        public void LocksAnObject()
        {
            lock (_object)
            {
                _count++;
            }
        }

        public void Fences()
        {
            _count++;
            Interlocked.MemoryBarrier();
        }

        public void CallsThroughAnInterface() => counter.Count();

        public Action CallsLater() => () => Interlocks();

        public void Queues() => _queue.Enqueue(_count);

        public void IsSynchronized() => Synchronized();

        [MethodImpl(MethodImplOptions.Synchronized)]
        private void Synchronized() => _count++;
    }
}
