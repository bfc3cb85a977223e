namespace NetCoreNetworkBenchmark.Core.Streams;

/// <summary>What the connections of one side have in common: whom they call, and where they count. The same for servers and clients.</summary>
public sealed class StreamSide
{
    private readonly bool _readsClock;

    private StreamSide(RunPlan plan, RunRecorder recorder, IPeerHandler handler, string name, bool isServer)
    {
        (Plan, Recorder, Name, Handler) = (plan, recorder, name, handler);
        (HoldsBack, _readsClock) = (isServer, !isServer);
        SendsEachMessage = StreamSendSetting.SendsEachMessage(plan, isServer);
    }

    /// <summary>The plan of the run.</summary>
    public RunPlan Plan { get; }

    /// <summary>Where statistics and errors go.</summary>
    public RunRecorder Recorder { get; }

    /// <summary>The side's name in the names of errors: server or client.</summary>
    public string Name { get; }

    /// <summary>Whom to call.</summary>
    public IPeerHandler Handler { get; }

    /// <summary>Whether nothing more is read from a peer that does not take its answers. Clients always read, or two sides could wait for each other.</summary>
    public bool HoldsBack { get; }

    /// <summary>Whether each message is handed to the library by a call of its own; otherwise one call takes all that the workload sends within one of its calls.</summary>
    public bool SendsEachMessage { get; }

    /// <summary>The side of a server.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <returns>The side.</returns>
    public static StreamSide Of(ServerSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        return new StreamSide(setup.Plan, setup.Recorder, setup.Handler, "server", isServer: true);
    }

    /// <summary>The side of the clients.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <returns>The side.</returns>
    public static StreamSide Of(ClientSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        return new StreamSide(setup.Plan, setup.Recorder, setup.Handler, "client", isServer: false);
    }

    /// <summary>Counts an error of this side.</summary>
    /// <param name="error">What is wrong, such as a socket error's name.</param>
    public void CountError(string error) => Recorder.CountError($"{Name} {error}");

    /// <summary>The statistics of the calling thread, at a client with the clock just read.</summary>
    /// <returns>The statistics.</returns>
    public WorkerStatistics CurrentWorker()
    {
        WorkerStatistics worker = Recorder.ForCurrentThread();
        if (_readsClock)
        {
            worker.ReadClock();
        }

        return worker;
    }
}
