namespace NetCoreNetworkBenchmark.Running.Sides;

/// <summary>
/// Counts the messages of an open loop by the part of the measurement in which they were due. Their numbers are known when the measurement has drained.
/// </summary>
internal sealed class DueCounting(RunRecorder recorder)
{
    // The begins of the parts since the last drain.
    private readonly List<long> _begins = [];

    public bool HasUnsent => recorder.Sum(worker => worker.HasUnsent ? 1 : 0) > 0;

    /// <summary>Reserves memory for the course of a measurement, before it begins.</summary>
    public void Reserve(TimeSpan length, TimeSpan interval)
    {
        // The last part is not whole, and the measurement may be longer by a little.
        const int MoreParts = 2;
        recorder.Reserve(interval, (int)(length / interval) + MoreParts);
    }

    public void Begin(long since) => _begins.Add(since);

    /// <summary>Sets the numbers of messages of the last iterations, of which each is a part. Called when the measurement has drained.</summary>
    public void Complete(List<IterationResult> iterations)
    {
        int first = iterations.Count - _begins.Count;
        for (int part = 0; part < _begins.Count; part++)
        {
            long since = _begins[part];
            iterations[first + part] = iterations[first + part] with { Messages = recorder.Sum(worker => worker.ReceivedSince(since)) };
        }

        _begins.Clear();
    }

    /// <summary>
    /// Counts the messages of some phases. A message that was due and could not be sent before the end of the drain counts as sent late and lost.
    /// </summary>
    public MessageCounters Count(params ReadOnlySpan<RunPhase> phases)
    {
        MessageCounters counters = recorder.Count(phases);
        long unsent = recorder.Sum(worker => worker.Waiting);
        counters.ClientSent += unsent;
        counters.SentLate += unsent;
        counters.GivenUp += unsent;
        return counters;
    }
}
