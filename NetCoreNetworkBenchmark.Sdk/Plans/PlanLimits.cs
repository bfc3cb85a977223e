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

    /// <summary>The shortest iteration. In a shorter one, the wake-up of the waiting thread would be a large part of the time.</summary>
    public static readonly TimeSpan LeastIteration = TimeSpan.FromMilliseconds(10);

    /// <summary>The longest time in seconds: one day.</summary>
    public const double MostSeconds = 86_400;

    /// <summary>The longest time with a unit.</summary>
    public static readonly TimeSpan LongestTime = TimeSpan.FromHours(1);

    /// <summary>The shortest interval of heartbeats. The sides check their connections every 50 ms.</summary>
    public static readonly TimeSpan LeastHeartbeat = TimeSpan.FromMilliseconds(200);

    /// <summary>The largest number of heartbeats that may be missed.</summary>
    public const int MostMisses = 100;

    /// <summary>The lowest rate of an open loop, in messages per second.</summary>
    public const double LeastRate = 0.1;

    /// <summary>The highest rate of an open loop, in messages per second.</summary>
    public const double MostRate = 100_000_000;

    /// <summary>The largest number of steps of a rate. Each has histograms of its own in each thread.</summary>
    public const int MostRateSteps = 100;

    /// <summary>The shortest step of a rate.</summary>
    public static readonly TimeSpan LeastRateStep = TimeSpan.FromMilliseconds(100);

    /// <summary>The least number of messages in a step of a rate: fewer have no 99th percentile.</summary>
    public const int LeastMessagesOfStep = 100;

    /// <summary>The largest number of threads of a side.</summary>
    public const int MostThreads = 1_024;

    /// <summary>The largest number of cores; more than any system has.</summary>
    public const int MostCores = 1_024;
}
