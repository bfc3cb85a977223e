namespace NetCoreNetworkBenchmark.Core.Streams;

/// <summary>What the connections of one side have in common: whom they call, and where they count. The same for servers and clients.</summary>
public abstract class StreamSide
{
    private StreamSide(RunPlan plan, RunRecorder recorder, string name) => (Plan, Recorder, Name) = (plan, recorder, name);

    /// <summary>The plan of the run.</summary>
    public RunPlan Plan { get; }

    /// <summary>Where statistics and errors go.</summary>
    public RunRecorder Recorder { get; }

    /// <summary>The side's name in the names of errors: server or client.</summary>
    public string Name { get; }

    /// <summary>Whether nothing more is read from a peer that does not take its answers. Clients always read, or two sides could wait for each other.</summary>
    public abstract bool HoldsBack { get; }

    /// <summary>The side of a server.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <returns>The side.</returns>
    public static StreamSide Of(ServerSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        return new ServersSide(setup);
    }

    /// <summary>The side of the clients.</summary>
    /// <param name="setup">What the adapter was given.</param>
    /// <returns>The side.</returns>
    public static StreamSide Of(ClientSetup setup)
    {
        ArgumentNullException.ThrowIfNull(setup);
        return new ClientsSide(setup);
    }

    /// <summary>Counts an error of this side.</summary>
    /// <param name="error">What is wrong, such as a socket error's name.</param>
    public void CountError(string error) => Recorder.CountError($"{Name} {error}");

    /// <summary>The statistics of the calling thread, at a client with the clock just read.</summary>
    /// <returns>The statistics.</returns>
    public abstract WorkerStatistics CurrentWorker();

    /// <summary>Passes <c>OnConnected</c> on.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    public abstract void OnConnected(IPeer peer, WorkerStatistics worker);

    /// <summary>Passes <c>OnMessage</c> on.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="message">The message.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    public abstract void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker);

    /// <summary>Passes <c>OnWritable</c> on.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    public abstract void OnWritable(IPeer peer, WorkerStatistics worker);

    /// <summary>Passes <c>OnClosed</c> on.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="worker">The statistics of the calling thread.</param>
    public abstract void OnClosed(IPeer peer, WorkerStatistics worker);

    private sealed class ServersSide(ServerSetup setup) : StreamSide(setup.Plan, setup.Recorder, "server")
    {
        public override bool HoldsBack => true;

        public override WorkerStatistics CurrentWorker() => setup.Recorder.ForCurrentThread();

        public override void OnConnected(IPeer peer, WorkerStatistics worker) => setup.Handler.OnConnected(peer, worker);

        public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => setup.Handler.OnMessage(peer, message, worker);

        public override void OnWritable(IPeer peer, WorkerStatistics worker) => setup.Handler.OnWritable(peer, worker);

        public override void OnClosed(IPeer peer, WorkerStatistics worker) => setup.Handler.OnClosed(peer, worker);
    }

    private sealed class ClientsSide(ClientSetup setup) : StreamSide(setup.Plan, setup.Recorder, "client")
    {
        public override bool HoldsBack => false;

        public override WorkerStatistics CurrentWorker()
        {
            WorkerStatistics worker = setup.Recorder.ForCurrentThread();
            worker.ReadClock();
            return worker;
        }

        public override void OnConnected(IPeer peer, WorkerStatistics worker) => setup.Handler.OnConnected(peer, worker);

        public override void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker) => setup.Handler.OnMessage(peer, message, worker);

        public override void OnWritable(IPeer peer, WorkerStatistics worker) => setup.Handler.OnWritable(peer, worker);

        public override void OnClosed(IPeer peer, WorkerStatistics worker) => setup.Handler.OnClosed(peer, worker);
    }
}
