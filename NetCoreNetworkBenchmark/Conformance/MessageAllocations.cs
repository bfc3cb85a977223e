namespace NetCoreNetworkBenchmark.Conformance;

/// <summary>
/// The path of a message allocates nothing. The runtime counts allocations on the threads that serve messages, over several windows of messages. A one-time
/// allocation (a static field at its first use, code that is compiled again) falls into one window; an allocation for messages falls into all of them.
/// </summary>
internal static class MessageAllocations
{
    private const int Warm = 2_000;
    private const int Windows = 5;

    // The thread pool has many threads, and one of them has to serve all windows.
    private const int Counted = 1_000;

    public static async Task CheckAsync(CheckSession session)
    {
        var (server, client) = (new CountingServer(session.Server, Counted), new CountingClient(session.Client, Counted));
        byte[] message = new byte[session.Plan.MessageSize];
        session.Client.Started = peer =>
        {
            for (int number = 1; number < session.Plan.ParallelMessages; number++)
            {
                peer.Send(message);
            }
        };
        session.Client.Think = (peer, _) => peer.Send(message);
        session.Handlers = (server, client);
        await session.LoadAsync();
        foreach ((string side, ThreadAccount thread) in ((string, ThreadAccount)[])[("server", server.Thread), ("clients", client.Thread)])
        {
            await session.ReachesAsync(thread.Done, 1, $"threads of the {side} served {Warm + (Windows * Counted):N0} messages");

            // Less than a byte each: the runtime's pool occasionally allocates a larger queue. The smallest possible allocation for a message is 24 bytes.
            session.Require(
                thread.Allocated < Counted, $"A thread of the {side} allocates {(double)thread.Allocated / Counted:N0} bytes for each message.");
        }
    }

    /// <summary>The fewest bytes that the first thread that served enough messages allocated in a window, including its work between them.</summary>
    internal sealed class ThreadAccount(int counted)
    {
        private const long Unknown = -1;
        private readonly ConcurrentDictionary<int, Account> _accounts = new();
        private long _allocated = Unknown;

        public Tally Done { get; } = new();
        public long Allocated => Volatile.Read(ref _allocated);

        public void OnMessage()
        {
            Account account = _accounts.GetOrAdd(Environment.CurrentManagedThreadId, static _ => new Account());
            if (++account.Messages < Warm || (account.Messages - Warm) % counted != 0)
            {
                return;
            }

            long now = GC.GetAllocatedBytesForCurrentThread();
            account.Min = account.Messages == Warm ? long.MaxValue : Math.Min(account.Min, now - account.Before);
            account.Before = now;
            if (account.Messages == Warm + (Windows * counted) && Interlocked.CompareExchange(ref _allocated, account.Min, Unknown) == Unknown)
            {
                Done.Add();
            }
        }

        private sealed class Account
        {
            public long Messages { get; set; }
            public long Before { get; set; }
            public long Min { get; set; } = long.MaxValue;
        }
    }

    internal sealed class CountingServer(IServerHandler inner, int counted) : IServerHandler
    {
        public ThreadAccount Thread { get; } = new(counted);

        public void OnConnected(IPeer peer, WorkerStatistics worker) => inner.OnConnected(peer, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            Thread.OnMessage();
            inner.OnMessage(peer, message, worker);
        }

        public void OnClosed(IPeer peer, WorkerStatistics worker) => inner.OnClosed(peer, worker);
    }

    internal sealed class CountingClient(IClientHandler inner, int counted) : IClientHandler
    {
        public ThreadAccount Thread { get; } = new(counted);

        public void OnConnected(IPeer peer, WorkerStatistics worker) => inner.OnConnected(peer, worker);

        public void OnStart(IPeer peer, WorkerStatistics worker) => inner.OnStart(peer, worker);

        public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
        {
            Thread.OnMessage();
            inner.OnMessage(peer, message, worker);
        }

        public void OnDue(IPeer peer, long due, WorkerStatistics worker) => inner.OnDue(peer, due, worker);

        public void OnTick(IPeer peer, WorkerStatistics worker) => inner.OnTick(peer, worker);

        public void OnClosed(IPeer peer, WorkerStatistics worker) => inner.OnClosed(peer, worker);
    }
}
