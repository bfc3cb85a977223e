namespace NetCoreNetworkBenchmark.Results;

/// <summary>What could disturb a run, as it was before and while it was measured. What a system does not tell is null.</summary>
public sealed record Fitness
{
    /// <summary>
    /// Processes that ran or waited to, on average over the minute before the run (Linux: /proc/loadavg). It still holds what ran minutes before,
    /// so it is no reason for a warning.
    /// </summary>
    public double? LoadAverage { get; init; }

    /// <summary>How the processor chooses its frequency, such as performance or powersave (Linux: cpufreq).</summary>
    public string? CpuGovernor { get; init; }

    /// <summary>Logical processors of the machine; those that the process may use are <see cref="EnvironmentInfo.Cores"/>.</summary>
    public int? MachineCores { get; init; }

    /// <summary>Share (0 to 1) of the machine's CPU time that its hypervisor gave to others during the measurement (Linux: /proc/stat).</summary>
    public double? StealShare { get; init; }

    /// <summary>
    /// Share (0 to 1) of the machine's CPU time that other programs took during the measurement; null where the system does not tell,
    /// or where a relay took part.
    /// </summary>
    public double? OtherShare { get; init; }

    /// <summary>What was found before the run and may spoil its figures, a sentence each.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}
