using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>What the server counted while one process of clients measured. Others that measure meanwhile are in it.</summary>
internal sealed class ServerFigures(ServerSide server)
{
    private readonly SortedDictionary<string, long> _before = server.Errors();
    private readonly SortedDictionary<string, long> _foreignBefore = server.Foreign();
    private ServerMark _start = server.Mark();
    private ServerMark? _end;

    public bool AreTold { get; private set; }

    /// <summary>The clients have entered a phase.</summary>
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
