namespace NetCoreNetworkBenchmark.Results;

/// <summary>The judgement on the figures of a run.</summary>
/// <param name="Faults">The reasons in the run itself why its figures may not be used, a sentence each.</param>
/// <param name="Disturbances">The reasons outside the run: other work on the machine, a sentence each.</param>
/// <param name="Remarks">Facts that a reader needs to interpret the figures, a sentence each.</param>
public sealed record RunVerdict(IReadOnlyList<string> Faults, IReadOnlyList<string> Disturbances, IReadOnlyList<string> Remarks)
{
    /// <summary>Whether the figures may be used.</summary>
    public bool Valid => Faults.Count + Disturbances.Count == 0;

    /// <summary>
    /// Whether the run is invalid only because of other work on the machine. Then it indicates no fault of the library, and several launches can do without it.
    /// </summary>
    public bool Disturbed => Faults.Count == 0 && Disturbances.Count > 0;
}
