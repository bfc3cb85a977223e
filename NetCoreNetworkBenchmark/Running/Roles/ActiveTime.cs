using NetCoreNetworkBenchmark.Running.Sides;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>
/// Adds up the cost of a server over the time in which it has messages, from snapshots at regular times. A server without clients waits, and what it uses
/// meanwhile belongs to no message. The ends of an active interval are exact to the time between two snapshots.
/// </summary>
/// <param name="snapshot">Reads the counters and the resources. It may stop all threads for a moment, so it is not called while messages come.</param>
internal sealed class ActiveTime(Func<ServerSnapshot> snapshot, Func<long> messages)
{
    // The last snapshot before the active interval, or the last one of all while the server is idle.
    private ServerSnapshot _before = snapshot();
    private long _counted;
    private bool _isActive;
    private ServerSnapshot? _first;
    private ServerSnapshot? _last;

    public ServerSnapshot? Total { get; private set; }

    /// <summary>The time from the first to the last message, with the idle time between them; null if there was no message.</summary>
    public TimeSpan? Duration => _last is null ? null : Stopwatch.GetElapsedTime(_first!.Reading.Timestamp, _last.Reading.Timestamp);

    public void Update()
    {
        if (_isActive && messages() is var count && count != _counted)
        {
            _counted = count;
            return;
        }

        // The snapshot has its own count, so that a message that came after the one above is not left out.
        ServerSnapshot now = snapshot();
        if (now.Messages != _counted)
        {
            (_isActive, _counted) = (true, now.Messages);
        }
        else if (_isActive)
        {
            Add(now);
        }
        else
        {
            _before = now;
        }
    }

    public void End()
    {
        ServerSnapshot now = snapshot();
        if (_isActive || now.Messages != _counted)
        {
            Add(now);
        }
    }

    private void Add(ServerSnapshot end)
    {
        Total = end.Since(_before).Plus(Total);
        _first ??= _before;
        (_before, _last, _counted, _isActive) = (end, end, end.Messages, false);
    }
}
