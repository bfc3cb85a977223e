using System.Security.Cryptography;
using NetCoreNetworkBenchmark.Libraries.Epoll.Blocking;
using NetCoreNetworkBenchmark.Libraries.Epoll.Connections;
using NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;
using NetCoreNetworkBenchmark.Libraries.Epoll.Streams;

namespace NetCoreNetworkBenchmark.Libraries.Epoll;

/// <summary>Linux' own calls, and OpenSSL over the same sockets. They show the limit of the kernel for a .NET program.</summary>
/// <remarks>
/// UDP (this folder): <see cref="EpollServer"/> and <see cref="EpollClient"/> are an <see cref="EpollSocket"/> each. All sockets of a thread share a
/// <see cref="ThreadMemory"/>, with a <see cref="ReceiveBatch"/> and a <see cref="SendBatch"/>: the vectors of one system call. TCP and TLS (Streams): a
/// <see cref="StreamConnection"/> divides its stream into messages, and moves the bytes by a <see cref="StreamTransport"/>, which is plain or OpenSSL's
/// (OpenSsl). The connections of a thread share a <see cref="StreamThread"/>. A <see cref="StreamListener"/> accepts for its own thread or, in a
/// <see cref="MainSubServer"/>, for others. Blocking has the servers without an event loop, and Connections the client that opens one connection after the
/// other.
/// </remarks>
public sealed class EpollBenchmark : INetworkBenchmark
{
    private const string Workers = "workers";
    private const string Reactor = "reactor";
    private const string ThreadPerConnection = "threads";
    private const string Pool = "pool";
    private const string ReusePort = "reuseport";
    private const string Handoff = "handoff";

    private static readonly LibrarySetting s_batch = new(
        "batch",
        [.. Enum.GetNames<BatchMode>().Select(name => name.ToLowerInvariant())],
        Default: "mmsg",
        "messages per system call: one, a vector, or a vector of segmented datagrams")
    {
        Tuned = "gso",
        Protocols = [Protocol.Udp],
    };

    private static readonly LibrarySetting s_architecture = new(
        "architecture",
        [Workers, Reactor, ThreadPerConnection, Pool],
        Default: Workers,
        "threads of connections: an event loop for each server thread (workers), one loop (reactor), a thread for each connection, or " +
            "a fixed pool of threads behind a queue")
    {
        HasVariants = true,
        Protocols = [Protocol.Tcp, Protocol.Ssl],
    };

    private static readonly LibrarySetting s_accept = new(
        "accept",
        [ReusePort, Handoff],
        Default: ReusePort,
        "listening sockets of workers: one for each event loop (reuseport), or one for a loop that hands connections to the others round-robin (handoff)")
    {
        Protocols = [Protocol.Tcp, Protocol.Ssl],
    };

    // One instance serves one run. Made for a TLS server alone: every start of the program creates an instance, and random numbers load OpenSSL.
    private byte[]? _ticketKeys;

    public string Name => "Epoll";

    public LibraryInfo Info => field ??= Describe(OpenSslLibrary.FindProblem());

    internal LibraryInfo Describe(string? problemOfOpenSsl) => new()
    {
        Name = Name,
        Version = Environment.OSVersion.Version.ToString(),
        Protocols = problemOfOpenSsl is null ? [Protocol.Udp, Protocol.Tcp, Protocol.Ssl] : [Protocol.Udp, Protocol.Tcp],
        Framings = Enum.GetValues<Framing>(),
        UnavailableProtocols = problemOfOpenSsl is null ? [] : [new UnavailableProtocol(Protocol.Ssl, problemOfOpenSsl)],
        ServerPushTransports = problemOfOpenSsl is null ? [Protocol.Udp, Protocol.Tcp, Protocol.Ssl] : [Protocol.Udp, Protocol.Tcp],
        UpdateTransports = [Protocol.Udp],
        Transmissions = [new TransmissionInfo(Transmission.Unreliable, OverheadBytes: 0, RunPlan.LargestDatagram)],
        Settings = [s_batch, s_architecture, s_accept, StreamSendSetting.Setting],
        ConnectionTransports = problemOfOpenSsl is null ? [Protocol.Tcp, Protocol.Ssl] : [Protocol.Tcp],
        HasMulticastGroups = true,
        MaxServerThreads = null,
        ClientThreadsByPlan = true,
        ClientRank = 2,
        HasPlainDatagrams = true,
        IsBaseline = true,
        FindFault = FindFault,
        Unavailable = OperatingSystem.IsLinux() ? null : "it uses system calls that only Linux has",
    };

    public IBenchmarkServer StartServer(ServerSetup setup)
    {
        if (setup.Plan.Protocol.IsStream())
        {
            return StartStreams(setup);
        }

        BatchMode mode = ModeOf(setup.Plan, setup.Recorder, Segmentation.IsSupported);
        return PolledServer.Start(Name, setup, (loop, each) => new EpollServer(each, loop, Bind(each, mode), mode));
    }

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken)
    {
        if (setup.Plan.Protocol.IsStream())
        {
            var side = StreamSide.For(setup);
            var streams = new ConcurrentDictionary<PollLoop, StreamThread>();
            return PolledClientGroup.ConnectAsync(
                Name,
                setup,
                (loop, observer) =>
                {
                    StreamThread thread = streams.GetOrAdd(loop, _ => new StreamThread(loop, side, TransportFactoryOf(setup)));
                    return setup.Connections is { } handler
                        ? new ConnectingClient(setup, handler, observer, thread)
                        : StreamClient.Connect(setup, observer, thread);
                },
                cancellationToken);
        }

        BatchMode mode = ModeOf(setup.Plan, setup.Recorder, Segmentation.IsSupported);
        int maxWaiting = DatagramConnection.MaxWaiting(setup);
        var threads = new ConcurrentDictionary<PollLoop, ThreadMemory>();
        return PolledClientGroup.ConnectAsync(
            Name,
            setup,
            (loop, observer) =>
            {
                ThreadMemory memory = threads.GetOrAdd(loop, _ => new ThreadMemory(loop, setup.Plan, setup.Recorder, mode, isServer: false, maxWaiting));
                Socket? group = setup.Group is null
                    ? null
                    : MulticastGroup.Join(setup, socket => Prepare(socket, SocketBuffers.NeededByClient(setup.Plan), mode));
                try
                {
                    return new EpollClient(setup, observer, Connect(setup, mode), group, memory);
                }
                catch
                {
                    group?.Dispose();
                    throw;
                }
            },
            cancellationToken);
    }

    internal static BatchMode ModeOf(RunPlan plan, RunRecorder recorder, bool kernelHasSegmentation)
    {
        BatchMode mode = Enum.Parse<BatchMode>(plan.SettingOf(s_batch), ignoreCase: true);
        if (mode == BatchMode.Gso && !kernelHasSegmentation)
        {
            recorder.Remark("This kernel has no UDP GSO and GRO (Linux 5.0), so Epoll's batch=gso fell back to mmsg.");
            return BatchMode.Mmsg;
        }

        return mode;
    }

    internal static void Prepare(Socket socket, int receiveBuffer, BatchMode mode)
    {
        socket.Blocking = false;
        SocketBuffers.Reserve(socket, receiveBuffer);
        if (mode == BatchMode.Gso)
        {
            Segmentation.Enable(socket);
        }
    }

    internal Func<int, StreamTransport> TransportFactoryOf(ServerSetup setup) =>
        TransportFactoryOf(setup.Plan.Protocol == Protocol.Ssl
            ? TlsContext.OfServer(setup, _ticketKeys ??= RandomNumberGenerator.GetBytes(TlsContext.TicketKeySize))
            : null);

    internal static Func<int, StreamTransport> TransportFactoryOf(ClientSetup setup) =>
        TransportFactoryOf(setup.Plan.Protocol == Protocol.Ssl ? TlsContext.OfClients(setup) : null);

    private static BenchmarkException? FindFault(RunPlan plan, IWorkload workload)
    {
        string architecture = plan.SettingOf(s_architecture);
        string setting = $"Epoll.{s_architecture.Name}={architecture}";
        return architecture switch
        {
            _ when !plan.Protocol.IsStream() => null,
            Reactor when plan.ServerThreads > 1 => OptionValues.Rejected(
                "--server-threads", $"Epoll has one server thread with {s_architecture.Name}={Reactor}; {plan.ServerThreads} were requested."),
            Workers when plan.ServerThreads > 1 && plan.Protocol == Protocol.Ssl && plan.Tls.Resumption == TlsPlan.BySession => OptionValues.Rejected(
                "--resumption", $"each event loop of Epoll keeps its own sessions, so {TlsPlan.BySession} requires --server-threads 1."),
            ThreadPerConnection when plan.Clients > BlockingServer.MaxConnections && workload is not IConnectionWorkload => OptionValues.Rejected(
                "--clients",
                FormattableString.Invariant(
                    $"{setting} serves at most {BlockingServer.MaxConnections:N0} clients; {plan.Clients:N0} were requested. Use {Workers} or {Reactor}.")),
            Pool when workload is not IConnectionWorkload => OptionValues.Rejected(
                "--set", $"{setting} is for short connections, so {plan.Test} is not applicable. Use {Workers}, {Reactor} or {ThreadPerConnection}."),
            ThreadPerConnection when workload.LatencyKind == LatencyKind.OneWay => OptionValues.Rejected(
                "--set", $"{setting} has no server push. Use {Workers} or {Reactor}."),
            ThreadPerConnection when workload is not IConnectionWorkload && !StreamSendSetting.SendsEachMessage(plan, isServer: true) =>
                OptionValues.Rejected("--set", $"{setting} has a send call for each message. Use Epoll.send=message."),
            ThreadPerConnection when plan.Liveness.Heartbeat is not null => OptionValues.Rejected(
                "--heartbeat", $"{setting} sends no heartbeats. Use {Workers} or {Reactor}."),
            not Workers when plan.SettingOf(s_accept) == Handoff => OptionValues.Rejected(
                "--set", $"{setting} has no event loops to hand connections to. Use Epoll.{s_accept.Name}={ReusePort}."),
            _ => null,
        };
    }

    private IBenchmarkServer StartStreams(ServerSetup setup)
    {
        string architecture = setup.Plan.SettingOf(s_architecture);
        var limit = new ConnectionLimit(setup);
        return architecture is not (Workers or Reactor) ? new BlockingServer(setup, TransportFactoryOf(setup), isPool: architecture == Pool)
            : setup.Plan.SettingOf(s_accept) == Handoff
                ? new MainSubServer(Name, setup, limit, [.. Enumerable.Range(0, setup.Plan.ServerThreads).Select(_ => TransportFactoryOf(setup))])
            : PolledServer.Start(Name, setup, (loop, each) => StreamListener.Serving(each, loop, limit, TransportFactoryOf(each)));
    }

    private static Func<int, StreamTransport> TransportFactoryOf(TlsContext? context) => context is null
        ? descriptor => new PlainTransport(descriptor)
        : StreamTransport.Owning(descriptor => new TlsTransport(descriptor, context));

    private static Socket Bind(ServerSetup setup, BatchMode mode) =>
        ServerSocket.Bind(setup, socket =>
        {
            Prepare(socket, SocketBuffers.NeededByServer(setup.Plan), mode);
            if (setup.Group is not null)
            {
                MulticastGroup.PrepareSender(socket, setup.Plan);
            }
        });

    private static Socket Connect(ClientSetup setup, BatchMode mode) =>
        new Socket(setup.EndPoint.AddressFamily, SocketType.Dgram, ProtocolType.Udp).SetUp(socket =>
        {
            Prepare(socket, SocketBuffers.NeededByClient(setup.Plan), mode);
            socket.Connect(setup.EndPoint);
        });
}
