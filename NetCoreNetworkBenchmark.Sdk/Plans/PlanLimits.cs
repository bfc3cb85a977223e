namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The limits for the numbers of a plan, whether they come from the command line or from another process.</summary>
public static class PlanLimits
{
    /// <summary>The largest number of clients.</summary>
    public const int MostClients = 1_000_000;

    /// <summary>The largest number of messages that a client keeps in flight.</summary>
    public const int MostMessages = 1_000_000;

    /// <summary>The largest number of iterations of a run.</summary>
    public const int MostIterations = 10_000;

    /// <summary>The longest time of any kind, in seconds: one day.</summary>
    public const double MostSeconds = 86_400;

    /// <summary>The lowest rate of an open loop, in messages per second.</summary>
    public const double LeastRate = 0.1;

    /// <summary>The highest rate of an open loop, in messages per second.</summary>
    public const double MostRate = 100_000_000;

    /// <summary>The largest number of threads of a side.</summary>
    public const int MostThreads = 1_024;

    /// <summary>The largest number of cores; more than any system has.</summary>
    public const int MostCores = 1_024;
}
