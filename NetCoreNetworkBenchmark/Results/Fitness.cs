namespace NetCoreNetworkBenchmark.Results;

/// <summary>The conditions that could disturb a run, before and during its measurement. Values that a system does not report are null.</summary>
public sealed record Fitness
{
    /// <summary>
    /// Processes that ran or waited to run, on average over the minute before the run (Linux: /proc/loadavg). The average still includes processes
    /// that ran minutes before, so it is no reason for a warning.
    /// </summary>
    public double? LoadAverage { get; init; }

    /// <summary>The policy by which the processor chooses its frequency, such as performance or powersave (Linux: cpufreq).</summary>
    public string? CpuGovernor { get; init; }

    /// <summary>Logical processors of the machine; those that the process may use are <see cref="EnvironmentInfo.Cores"/>.</summary>
    public int? MachineCores { get; init; }

    /// <summary>The share (0 to 1) of the machine's CPU time that its hypervisor gave to others during the measurement (Linux: /proc/stat).</summary>
    public double? StealShare { get; init; }

    /// <summary>
    /// The share (0 to 1) of the machine's CPU time that other programs used during the measurement; null if the system does not report it,
    /// or if a relay took part.
    /// </summary>
    public double? OtherShare { get; init; }

    /// <summary>The conditions found before the run that may spoil its figures, a sentence each.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}
