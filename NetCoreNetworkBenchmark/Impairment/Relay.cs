namespace NetCoreNetworkBenchmark.Impairment;

/// <summary>
/// Carries traffic between clients and a server, and impairs it. One thread does all the work with packets and never blocks. Delay, jitter and bandwidth act
/// from the start; the other impairments act, and all packets are counted, between <see cref="BeginAsync"/> and <see cref="EndAsync"/>. Every client gets a
/// separate socket to the server. Connections of TCP are carried without a change, but for <see cref="ImpairmentPlan.Cut"/>.
/// </summary>
public sealed class Relay : IAsyncDisposable
{
    private readonly RelaySetup _setup;
    private readonly PollLoop _loop;
    private readonly Traffic _traffic;
    private readonly IRelayListener _listener;
    private readonly CutSchedule? _interruptions;
    private bool _stopped;

    private Relay(RelaySetup setup, PollLoop loop, Traffic traffic, IRelayListener listener)
    {
        (_setup, _loop, _traffic, _listener) = (setup, loop, traffic, listener);

        // A roam is a cut that ends at once.
        _interruptions = (listener, setup.Impairment) switch
        {
            (ConnectionListener connections, { Cut: { } cut }) =>
                new CutSchedule(cut, setup.Recorder.Clock, connections.StartCut, connections.EndCut),
            (DatagramListener datagrams, { Roam: { } period }) =>
                new CutSchedule(new Interruption(TimeSpan.Zero, period), setup.Recorder.Clock, datagrams.Roam, end: static () => { }),
            _ => null,
        };
        EndPoint = _listener.EndPoint;
        loop.Post(() =>
        {
            _listener.Begin();
            loop.Add(_traffic.DelayQueue);
            loop.Add(_traffic.ReorderBuffer);
            if (_interruptions is not null)
            {
                loop.Add(_interruptions);
            }
        });
    }

    /// <summary>The address that clients connect to. If the setup specifies port 0, it has the port that the system chose.</summary>
    public IPEndPoint EndPoint { get; }

    /// <exception cref="ArgumentException">Packets of connections of TCP are to be impaired, which only the relay of a path does.</exception>
    public static Relay Start(RelaySetup setup) => Start(setup, loop =>
    {
        bool isOverTcp = setup.Plan.Protocol.IsOverTcp();
        if (isOverTcp && setup.Impairment.IsOfPackets)
        {
            throw new ArgumentException("Only the relay of a path impairs the packets of TCP.", nameof(setup));
        }

        var traffic = new Traffic(setup.Impairment, setup.Server.AddressFamily);
        return new Relay(
            setup, loop, traffic, isOverTcp ? new ConnectionListener(setup) : new DatagramListener(setup, loop, traffic));
    });

    /// <summary>Carries the IP packets between two devices, in place of datagrams and connections.</summary>
    internal static Relay Between(IPacketDevice server, IPacketDevice client, RelaySetup setup) => Start(setup, loop =>
    {
        var traffic = Traffic.ForPackets(setup.Impairment);
        return new Relay(setup, loop, traffic, new PacketListener(server, client, setup.EndPoint, loop, traffic));
    });

    private static Relay Start(RelaySetup setup, Func<PollLoop, Relay> start)
    {
        var loop = new PollLoop("relay", setup.Recorder, servesClients: false);
        try
        {
            return start(loop);
        }
        catch (SocketException exception)
        {
            // No socket was bound, so there is no need to wait for the empty loop to end.
            _ = loop.StopAsync(setup.Plan.StopDeadline);
            throw BindFailure.Explain(setup.EndPoint, exception);
        }
    }

    /// <summary>Switches the impairment on. Counts, random numbers and interruptions start again. From any thread.</summary>
    public Task BeginAsync() => OnLoopAsync(now =>
    {
        _traffic.Begin(now);
        _interruptions?.Begin(now);
    });

    /// <summary>Switches the impairment off. Traffic in flight still leaves at its time and is counted; interruptions end at once. From any thread.</summary>
    public Task EndAsync() => OnLoopAsync(now =>
    {
        _traffic.End(now);
        _interruptions?.End();
    });

    /// <summary>Returns the counts since the last <see cref="BeginAsync"/>; all are 0 before it. From any thread, also after the end.</summary>
    public async Task<RelayCounts> CountAsync()
    {
        RelayCounts? counts = null;
        await OnLoopAsync(now => counts = Count(now));
        return counts!;
    }

    /// <summary>Closes all sockets and ends the thread. Traffic in flight is lost.</summary>
    public async ValueTask DisposeAsync()
    {
        await _loop.StopAsync(_setup.Plan.StopDeadline);
        _stopped = true;
        _listener.Dispose();
    }

    private RelayCounts Count(long now)
    {
        long? missed = _listener.MissedFromClients;
        if (missed is null && _listener is DatagramListener)
        {
            _setup.Recorder.Remark(
                "The system does not report how many datagrams it dropped because the relay was too slow (SO_MEMINFO), so such losses count as the network's.");
        }

        bool areConnections = _listener is ConnectionListener;
        return new RelayCounts(
            Packets(_traffic.ToServer.Count(missed)),
            Packets(_traffic.ToClients.Count(_listener.MissedFromServer)),
            _traffic.DelayQueue.Stalls.CountAt(now),
            _listener.Clients)
        {
            Cuts = areConnections ? _interruptions?.Count ?? 0 : 0,
            ResetConnections = areConnections ? _interruptions?.ResetConnections ?? 0 : 0,
            Outages = _traffic.Outages.CountAt(now),
            Roams = areConnections ? 0 : _interruptions?.Count ?? 0,
        };

        RelayDirectionCounts Packets(RelayDirectionCounts counts) => areConnections ? counts with { Wire = null } : counts;
    }

    private async Task OnLoopAsync(Action<long> action)
    {
        if (_stopped)
        {
            // The thread has ended, so its state is not accessed concurrently.
            action(Stopwatch.GetTimestamp());
            return;
        }

        var completion = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _loop.Post(() =>
        {
            action(Stopwatch.GetTimestamp());
            completion.SetResult();
        });
        await completion.Task.WithinAsync(_setup.Plan.StopDeadline, "The relay did not answer");
    }
}

/// <summary>The setup of a relay.</summary>
/// <param name="Plan">Defines the sizes of the sockets' buffers, the number of clients that share the memory, and the deadline for the end.</param>
public sealed record RelaySetup(IPEndPoint EndPoint, IPEndPoint Server, ImpairmentPlan Impairment, RunPlan Plan, RunRecorder Recorder)
{
    /// <summary>Returns the most sockets for which the process has descriptors. Further connections wait, and datagrams of further clients are lost.</summary>
    public Func<int> MaxSockets { get; init; } = () => int.MaxValue;

    /// <summary>A relay has both ends of a connection, or a socket that forwards datagrams. For a client that roams it has the socket before it too.</summary>
    public static int SocketsPerClient(Protocol protocol, ImpairmentPlan impairment) => protocol.IsOverTcp() || impairment.Roam is not null ? 2 : 1;

    /// <summary>Gets the setup of a relay before a server, with a port that the system chooses.</summary>
    public static RelaySetup From(RunPlan plan, IPEndPoint server, RunRecorder recorder) =>
        new(new IPEndPoint(server.Address, 0), server, plan.Impairment, plan, recorder);
}

internal interface IRelayListener : IDisposable
{
    IPEndPoint EndPoint { get; }

    /// <summary>Addresses that datagrams came from, or connections that were accepted.</summary>
    int Clients { get; }

    /// <summary>The number of datagrams from clients that arrived too fast; null if the system does not report it, and for connections.</summary>
    long? MissedFromClients => null;

    long? MissedFromServer => null;

    // On the loop's thread, which closes all sockets when it ends.
    void Begin();
}

/// <summary>The error that the system has no descriptor (EMFILE, ENFILE) or no memory (ENOBUFS) for one more connection.</summary>
internal static class ResourceShortage
{
    public static bool Is(SocketException exception) => exception.SocketErrorCode is SocketError.TooManyOpenSockets or SocketError.NoBufferSpaceAvailable;

    /// <summary>Has no effect for another error.</summary>
    public static void Remark(SocketException exception, RunRecorder recorder)
    {
        if (Is(exception))
        {
            Remark(exception.Message.TrimEnd('.'), recorder);
        }
    }

    /// <summary>Whether there is no socket for one more client. .NET ends a process that starts a thread without a descriptor, so some are left.</summary>
    public static bool IsNear(RelaySetup setup, int clients)
    {
        bool isNear = clients * RelaySetup.SocketsPerClient(setup.Plan.Protocol, setup.Impairment) >= setup.MaxSockets();
        if (isNear)
        {
            Remark("its process has no descriptor to spare", setup.Recorder);
        }

        return isNear;
    }

    private static void Remark(string reason, RunRecorder recorder) =>
        recorder.Remark($"The relay could not accept a client for a time ({reason}). 'ulimit -n' raises the limit of open descriptors.");
}
