namespace NetCoreNetworkBenchmark.AdapterKit.Streams;

/// <summary>The common data of the connections of one side, a server's or that of clients.</summary>
public sealed class StreamSide
{
    private readonly IClientHandler? _load;

    // Clients that open connections have no handler of peers.
    private StreamSide(RunPlan plan, RunRecorder recorder, bool isServer, IPeerHandler? handler)
    {
        (Plan, Recorder, Name, Handler, _load) = (plan, recorder, isServer ? "server" : "client", handler!, isServer ? null : (IClientHandler?)handler);
        AppliesBackPressure = isServer;
        SendsEachMessage = StreamSendSetting.SendsEachMessage(plan, isServer);
        Timer = plan.Liveness.Heartbeat is null ? null : new LivenessTimer(recorder);
    }

    /// <summary>The plan of the run.</summary>
    public RunPlan Plan { get; }

    /// <summary>The recorder of statistics and errors.</summary>
    public RunRecorder Recorder { get; }

    /// <summary>The present time by the run's clock.</summary>
    public long Now => Recorder.Clock.GetTimestamp();

    /// <summary>The side's name in the names of errors: server or client.</summary>
    public string Name { get; }

    /// <summary>The handler that is called.</summary>
    public IPeerHandler Handler { get; }

    /// <summary>The same handler at the side of the clients, which start the load.</summary>
    /// <exception cref="InvalidOperationException">It is the side of a server.</exception>
    public IClientHandler Load => _load ?? throw new InvalidOperationException("A server starts no load.");

    /// <summary>
    /// Whether no more data is read from a peer that does not receive its answers. Clients always read: the two sides could wait for each other.
    /// </summary>
    public bool AppliesBackPressure { get; }

    /// <summary>Whether each message is handed to the library by its own call, and not all messages of one call of the workload together.</summary>
    public bool SendsEachMessage { get; }

    /// <summary>The timer for the heartbeats of connections whose library calls back; null if the plan has no heartbeats.</summary>
    internal LivenessTimer? Timer { get; }

    /// <summary>Creates the side of a server.</summary>
    public static StreamSide For(ServerSetup setup) => new(setup.Plan, setup.Recorder, isServer: true, setup.Handler);

    /// <summary>Creates the side of the clients.</summary>
    public static StreamSide For(ClientSetup setup) => new(
        setup.Plan, setup.Recorder, isServer: false, setup.Connections is null ? setup.Handler : null);

    /// <summary>Counts an error of this side, such as a socket error's name.</summary>
    public void CountError(string error) => Recorder.CountError($"{Name} {error}");

    /// <summary>Counts the end of a connection before the end of the run (<see cref="RunRecorder.CountDisconnect"/>).</summary>
    public void CountDisconnect(string reason) => Recorder.CountDisconnect($"{Name} {reason}");

    /// <summary>Gets the statistics of the calling thread. At a client, the clock is read first.</summary>
    public WorkerStatistics CurrentWorker()
    {
        WorkerStatistics worker = Recorder.ForCurrentThread();
        if (!AppliesBackPressure)
        {
            worker.ReadClock();
        }

        return worker;
    }
}

/// <summary>The setting <c>send</c> of every library that offers a stream: the amount of data that one call hands to the library.</summary>
public static class StreamSendSetting
{
    private const string Message = "message";
    private const string Receive = "receive";

    /// <summary>The setting. The value <c>echo</c> stands for <c>receive</c> at the server and <c>message</c> at the clients.</summary>
    public static LibrarySetting Setting { get; } = new(
        "send",
        [Message, Receive, "echo"],
        Default: Message,
        "messages per send call: one, all of one receive call, or all of one receive call at the server and one at the clients")
    {
        Tuned = Receive,
        Protocols = [Protocol.Tcp, Protocol.Ssl, Protocol.Quic],
    };

    /// <summary>Determines whether one side makes a call for each message, or one call for all messages in answer to one receive call.</summary>
    public static bool SendsEachMessage(RunPlan plan, bool isServer) => plan.SettingOf(Setting) switch
    {
        Message => true,
        Receive => false,
        _ => !isServer,
    };
}
