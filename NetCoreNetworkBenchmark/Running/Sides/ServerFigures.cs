using NetCoreNetworkBenchmark.Recording;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>The counts of the server during the measurement of one client process. They include other processes that measure meanwhile.</summary>
internal sealed class ServerFigures(ServerSide server)
{
    private readonly SortedDictionary<string, long> _before = server.Errors();
    private readonly SortedDictionary<string, long> _foreignBefore = server.Foreign();
    private ServerMark _start = server.Mark();
    private ServerMark? _end;

    public bool AreTold { get; private set; }

    /// <summary>Notifies that the clients have entered a phase.</summary>
    public void Enter(RunPhase phase)
    {
        if (phase == RunPhase.Measure)
        {
            _start = server.Mark();
        }
        else if (phase == RunPhase.Drain)
        {
            _end = server.Mark();
        }
    }

    public ServerReport Tell()
    {
        AreTold = true;
        return server.Between(_start, _end ?? server.Mark(), _before, _foreignBefore);
    }
}
