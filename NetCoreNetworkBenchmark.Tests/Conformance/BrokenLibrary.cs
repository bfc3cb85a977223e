namespace NetCoreNetworkBenchmark.Tests.Conformance;

/// <summary>The ways in which <see cref="BrokenLibrary"/> is broken.</summary>
public enum Defect
{
    HangsInStop,
    SendsTwice,
    SwapsMessages,
    LosesTheLast,
    AllocatesPerMessage,
    IgnoresPause,
    AnswersFromTwoThreads,
    BlocksTheLoop,
    ClosesEarly,
    NeverConnects,
    NeverCongested,
    ClosesAll,
    HasNoCallToAll,
    TicksOneClient,
    EchoesByItself,
    ReceivesTwice,
    SharesAnswers,
    ClientsFromTwoThreads,
    DueLate,
    BindsElsewhere,
    StopsSlowly,
    WakesForEachMessage,
    LeaksSockets,
    AcceptsAllPeers,
    CountsNoUnsolicited,
    RepeatsOneOfThousands,
    ReordersOneOfThousands,
}

/// <summary>The library Sockets with one defect. Disposing ends what the defect has left behind.</summary>
internal sealed class BrokenLibrary(Defect defect) : INetworkBenchmark, IAsyncDisposable
{
    // More than other tests close meanwhile.
    private const int LeakedPerServer = 20;

    private readonly SocketsBenchmark _inner = new();
    private readonly ManualResetEventSlim _isOver = new(initialState: false, spinCount: 0);
    private readonly RunRecorder _other = new();
    private readonly List<Socket> _leaked = [];
    private IBenchmarkServer? _server;

    public LibraryInfo Info => _inner.Info;

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        if (defect == Defect.LeaksSockets)
        {
            _leaked.AddRange(Enumerable.Range(0, LeakedPerServer).Select(_ => new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)));
        }

        _server = _inner.StartServer(setup with
        {
            Plan = defect == Defect.AcceptsAllPeers ? setup.Plan with { Clients = 1_000 } : setup.Plan,
            Recorder = defect == Defect.CountsNoUnsolicited ? _other : setup.Recorder,
            EndPoint = defect == Defect.BindsElsewhere ? new IPEndPoint(IPAddress.Any, setup.EndPoint.Port) : setup.EndPoint,
            Handler = new Handler(defect, setup.Handler, setup.Recorder, _isOver),
        });
        return defect switch
        {
            Defect.HangsInStop => new HangingServer(_server),
            Defect.BindsElsewhere => new ElsewhereServer(_server),
            Defect.StopsSlowly => new SlowServer(_server),
            _ => _server,
        };
    }

    public async Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        if (defect == Defect.NeverConnects)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }

        setup = defect is Defect.TicksOneClient or Defect.ClientsFromTwoThreads or Defect.DueLate
            ? setup with { Handler = new BrokenClients(defect, setup.Handler, setup.Recorder, _isOver) }
            : setup;
        IClientGroup group = await _inner.ConnectAsync(setup, cancellationToken);
        return defect == Defect.IgnoresPause ? new RestlessClients(group) : group;
    }

    public async ValueTask DisposeAsync()
    {
        _isOver.Set();
        if (_server is not null)
        {
            await _server.DisposeAsync();
        }

        _leaked.ForEach(socket => socket.Dispose());
        _other.Dispose();
    }

    private sealed class HangingServer(IBenchmarkServer inner) : IBenchmarkServer
    {
        public IPEndPoint EndPoint => inner.EndPoint;

        public async ValueTask DisposeAsync() => await Task.Delay(Timeout.Infinite);
    }

    private sealed class ElsewhereServer(IBenchmarkServer inner) : IBenchmarkServer
    {
        public IPEndPoint EndPoint => new(IPAddress.Loopback, inner.EndPoint.Port);

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }

    private sealed class SlowServer(IBenchmarkServer inner) : IBenchmarkServer
    {
        public IPEndPoint EndPoint => inner.EndPoint;

        public async ValueTask DisposeAsync()
        {
            await Task.Delay(TimeSpan.FromSeconds(0.8));
            await inner.DisposeAsync();
        }
    }

    private sealed class RestlessClients(IClientGroup inner) : IClientGroup
    {
        public void Start() => inner.Start();

        public void Pause()
        {
            // The schedule goes on.
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }

    private sealed class Handler(Defect defect, IServerHandler inner, RunRecorder recorder, ManualResetEventSlim isOver) : IServerHandler
    {
        private int _messages;
        private int _closes;
        private readonly ConcurrentBag<IPeer> _peers = [];
        private byte[] _allocated = [];
        private byte[]? _shared;

        public int Allocated => _allocated.Length;

        public void OnConnected(IPeer peer, WorkerStatistics worker)
        {
            var broken = new Peer(defect, peer);
            peer.State = broken;
            _peers.Add(peer);
            inner.OnConnected(broken, worker);
        }

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            var broken = (Peer)peer.State!;
            switch (defect)
            {
                case Defect.AllocatesPerMessage:
                    Volatile.Write(ref _allocated, new byte[64]);
                    break;
                case Defect.AnswersFromTwoThreads:
                    byte[] copy = message.ToArray();
                    ThreadPool.QueueUserWorkItem(_ => inner.OnMessage(broken, copy, recorder.ForCurrentThread()));
                    break;
                case Defect.SharesAnswers:
                    inner.OnMessage(broken, _shared ??= message.ToArray(), worker);
                    return;
                case Defect.EchoesByItself:
                    peer.Send(message);
                    return;
                case Defect.ReceivesTwice:
                    // The answer comes last, so that the client never has it before both calls.
                    broken.IsMuted = true;
                    inner.OnMessage(broken, message, worker);
                    broken.IsMuted = false;
                    break;
                case Defect.BlocksTheLoop when ++_messages > 1:
                    isOver.Wait(LibraryUnderTest.Deadline);
                    break;
                case Defect.ClosesEarly when ++broken.Messages > 5:
                    peer.Close();
                    return;
                default:
                    break;
            }

            inner.OnMessage(broken, message, worker);
        }

        public void OnWritable(IPeer peer, WorkerStatistics worker) => inner.OnWritable((Peer)peer.State!, worker);

        public void OnClosed(IPeer peer, WorkerStatistics worker)
        {
            // The others are closed before the check learns of the first one.
            bool closesOthers = defect == Defect.ClosesAll && Interlocked.Exchange(ref _closes, 1) == 0;
            foreach (IPeer other in closesOthers ? _peers.Where(other => other != peer) : [])
            {
                other.Close();
            }

            inner.OnClosed((Peer)peer.State!, worker);
        }
    }

    private sealed class BrokenClients(Defect defect, IClientHandler inner, RunRecorder recorder, ManualResetEventSlim isOver) : IClientHandler
    {
        private IPeer? _ticked;
        private int _dues;

        public void OnConnected(IPeer peer, WorkerStatistics worker) => inner.OnConnected(peer, worker);

        public void OnStart(IPeer peer, WorkerStatistics worker) => inner.OnStart(peer, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            if (defect == Defect.ClientsFromTwoThreads)
            {
                byte[] copy = message.ToArray();
                ThreadPool.QueueUserWorkItem(_ => inner.OnMessage(peer, copy, recorder.ForCurrentThread()));
                return;
            }

            inner.OnMessage(peer, message, worker);
        }

        public void OnDue(IPeer peer, long due, WorkerStatistics worker)
        {
            inner.OnDue(peer, due, worker);
            if (defect == Defect.DueLate)
            {
                // Some clients are served so late that the next ones are later.
                _dues++;
                isOver.Wait(TimeSpan.FromMilliseconds(_dues % 10 == 0 ? 30 : 0));
            }
        }

        public void OnTick(IPeer peer, WorkerStatistics worker)
        {
            if (defect != Defect.TicksOneClient || peer == (_ticked ??= peer))
            {
                inner.OnTick(peer, worker);
            }
        }

        public void OnClosed(IPeer peer, WorkerStatistics worker) => inner.OnClosed(peer, worker);
    }

    private sealed class Peer(Defect defect, IPeer inner) : IPeer
    {
        private const int Thousands = 5_000;

        private int _sent;
        private byte[]? _held;

        public object? State { get; set; }
        public int Messages { get; set; }
        public bool IsMuted { get; set; }
        public bool IsCongested => defect != Defect.NeverCongested && inner.IsCongested;

        public bool Send(ReadOnlySpan<byte> message)
        {
            byte[]? held = _held;
            switch (defect)
            {
                case Defect.ReceivesTwice when IsMuted:
                    return true;
                case Defect.SendsTwice:
                    return inner.Send(message) && inner.Send(message);
                case Defect.SwapsMessages:
                    _held = held is null ? message.ToArray() : null;
                    return held is null || (inner.Send(message) && inner.Send(held));
                case Defect.RepeatsOneOfThousands:
                    return inner.Send(message) && (++_sent % Thousands != 0 || inner.Send(message));
                case Defect.ReordersOneOfThousands:
                    _held = ++_sent % Thousands == 0 ? message.ToArray() : null;
                    return _held is not null || (inner.Send(message) && (held is null || inner.Send(held)));
                case Defect.LosesTheLast:
                    _held = message.ToArray();
                    return held is null || inner.Send(held);
                case Defect.AnswersFromTwoThreads:
                    // Only the thread that owns the peer may send.
                    return true;
                default:
                    return inner.Send(message);
            }
        }

        public void Wake() => inner.Wake();

        public void Close() => inner.Close();
    }
}
