namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>What a workload judges after a run: the load as the clients saw it.</summary>
public sealed record LoadOutcome
{
    /// <summary>The server by name, such as <c>the server of Kestrel</c>.</summary>
    public required string Server { get; init; }

    /// <summary>Whether the user ended the run early.</summary>
    public bool Aborted { get; init; }

    /// <summary>The number of times that the load ran from its start to its end; 1 for a load that lasts.</summary>
    public int Repetitions { get; init; } = 1;

    /// <summary>Messages of the measurement that were answered, each counted once, correct in size and content.</summary>
    public long Answered { get; init; }

    /// <summary>Messages that were lost from the start of the measurement to the end of the drain.</summary>
    public long Lost { get; init; }

    /// <summary>The TLS handshakes that the clients read from their connections; empty without TLS.</summary>
    public IReadOnlyList<TlsHandshakes> Handshakes { get; init; } = [];

    /// <summary>How often each of the workload's own times was recorded, by its name; empty if the workload has none.</summary>
    public IReadOnlyDictionary<string, long> TimesRecorded { get; init; } = new Dictionary<string, long>();
}
