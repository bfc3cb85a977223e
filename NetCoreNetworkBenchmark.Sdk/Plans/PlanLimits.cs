namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The limits for the numbers of a plan, whether they come from the command line or from another process.</summary>
public static class PlanLimits
{
    /// <summary>The largest number of clients.</summary>
    public const int MaxClients = 1_000_000;

    /// <summary>The largest number of messages that a client keeps in flight.</summary>
    public const int MaxMessages = 1_000_000;

    /// <summary>The largest number of iterations of a run.</summary>
    public const int MaxIterations = 10_000;

    /// <summary>The shortest iteration. In a shorter one, the wake-up of the waiting thread would be a large part of the time.</summary>
    public static readonly TimeSpan MinIteration = TimeSpan.FromMilliseconds(10);

    /// <summary>The longest time in seconds: one day.</summary>
    public const double MaxSeconds = 86_400;

    /// <summary>The longest time with a unit.</summary>
    public static readonly TimeSpan LongestTime = TimeSpan.FromHours(1);

    /// <summary>The shortest interval of heartbeats. The sides check their connections every 50 ms.</summary>
    public static readonly TimeSpan MinHeartbeat = TimeSpan.FromMilliseconds(200);

    /// <summary>The largest number of heartbeats that may be missed.</summary>
    public const int MaxMisses = 100;

    /// <summary>The lowest rate of an open loop, in messages per second.</summary>
    public const double MinRate = 0.1;

    /// <summary>The highest rate of an open loop, in messages per second.</summary>
    public const double MaxRate = 100_000_000;

    /// <summary>The largest number of steps of a rate. Each has histograms of its own in each thread.</summary>
    public const int MaxRateSteps = 100;

    /// <summary>The shortest step of a rate.</summary>
    public static readonly TimeSpan MinRateStep = TimeSpan.FromMilliseconds(100);

    /// <summary>The least number of messages in a step of a rate: fewer have no 99th percentile.</summary>
    public const int MinMessagesOfStep = 100;

    /// <summary>The largest number of threads of a side.</summary>
    public const int MaxThreads = 1_024;

    /// <summary>The largest number of cores; more than any system has.</summary>
    public const int MaxCores = 1_024;
}
