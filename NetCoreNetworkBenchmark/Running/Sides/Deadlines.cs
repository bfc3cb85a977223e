using NetCoreNetworkBenchmark.Running.Machine.Processes;

namespace NetCoreNetworkBenchmark.Running.Sides;

internal static class Deadlines
{
    /// <summary>For starting a process and its runtime, and for ending them.</summary>
    public static readonly TimeSpan Process = TimeSpan.FromSeconds(15);

    /// <summary>For the first frame of the process that has started this one.</summary>
    public static readonly TimeSpan Hello = TimeSpan.FromSeconds(10);

    /// <summary>For figures that are ready, such as those of a server whose measurement has ended.</summary>
    public static readonly TimeSpan Result = TimeSpan.FromSeconds(15);

    private static readonly TimeSpan s_lossInSlices = TimeSpan.FromSeconds(1);

    // For a coordinator that is alive and never resumes the process. Its end is noticed at once.
    private static readonly TimeSpan s_slicesOfOthers = TimeSpan.FromMinutes(10);

    /// <summary>Each start of a load generator takes a core for a while, here or at the program that reaches its host.</summary>
    public const int MaxStarting = 8;

    public static TimeSpan ForConnecting(RunPlan plan, int loadGenerators) =>
        (Process + plan.ConnectDeadline) * ((loadGenerators + MaxStarting - 1) / MaxStarting);

    public static TimeSpan ForLoad(RunPlan plan) => plan.ConnectDeadline + plan.WarmUp + plan.Duration + plan.LossDeadline + (2 * plan.StopDeadline) + Process;

    /// <summary>Without retransmission, an answer arrives after the round trip of the path or never, so that a slice does not have to wait longer.</summary>
    /// <param name="hasReliable">Whether the load also has messages that are retransmitted (<see cref="IWorkload.NeedsReliableDelivery"/>).</param>
    public static TimeSpan ForLossInSlices(RunPlan plan, bool hasReliable = false) =>
        !hasReliable
        && plan is { Rate: not null, Transmission: Transmission.Unreliable, Impairment: { IsNone: false, BandwidthBitsPerSecond: null } path }
        && s_lossInSlices + (2 * (path.Delay + path.Jitter)) + (path.Stall?.Length ?? TimeSpan.Zero) is var deadline && deadline < plan.LossDeadline
            ? deadline
            : plan.LossDeadline;

    /// <summary>Start, begin and result of the relay; start, two memory readings and result of the server; the load generators; the end of all.</summary>
    public static TimeSpan ForRun(RunPlan plan) =>
        (4 * Process) + (4 * Result) + ForConnecting(plan, Math.Max(1, plan.Hosts.ClientHosts.Count)) + ForLoad(plan);

    /// <summary>The longest silence of the coordinator: a run of its own, or the slices of other loads while this one is paused.</summary>
    public static TimeSpan ForSilence(RunPlan plan) => ForRun(plan) + s_slicesOfOthers;

    /// <summary>Uses a new thread, because the call may block, and the thread pool may be busy with the library.</summary>
    /// <param name="fault">What is wrong if it does not end, such as "A did not stop its server".</param>
    /// <exception cref="BenchmarkException">It did not end before the deadline. Its threads go on until this process ends.</exception>
    public static Task StopAsync(this IAsyncDisposable served, string fault, RunPlan plan)
    {
        // Shorter than the adapters' own, so that the message of one side is printed within the five seconds after SIGTERM.
        TimeSpan deadline = 0.8 * plan.StopDeadline;
        return OwnThread.RunAsync(() => served.DisposeAsync().AsTask()).Unwrap().WithinAsync(deadline, fault);
    }

    /// <param name="what">The subject of the sentence, such as "The warm-up".</param>
    /// <param name="silent">Who has not answered, each as the subject of a sentence; none if the subject of the sentence names them.</param>
    public static BenchmarkException Hung(string what, TimeSpan deadline, Exception? exception = null, params IEnumerable<string> silent)
    {
        string who = string.Join(", ", silent.Select(name => $"{char.ToLowerInvariant(name[0])}{name[1..]}"));
        return new(
            Invariant($"{what} did not end within its deadline of {deadline.TotalSeconds:0.#} s and was stopped.")
                + (who.Length == 0 ? string.Empty : $" No answer came from {who}."),
            exception);
    }
}

/// <summary>For waits that a fault of another thread or process ends: a task of the reason, which otherwise never completes.</summary>
internal static class Faults
{
    public static readonly Task<Exception> Never = new TaskCompletionSource<Exception>().Task;

    public static async Task<Exception> NamedAsync(this Task<Exception> fault, string what)
    {
        Exception reason = await fault;
        return new BenchmarkException($"{what} failed: {reason.Message}", reason);
    }

    /// <exception cref="Exception">A fault came first, and this is its reason.</exception>
    public static async Task OrFaultAsync(this Task work, params IEnumerable<Task<Exception>> faults)
    {
        Task first = await Task.WhenAny([work, .. faults]);
        if (first != work)
        {
            throw await ((Task<Exception>)first);
        }

        await work;
    }

    public static async Task<T> OrFaultAsync<T>(this Task<T> work, Task<Exception> fault)
    {
        await ((Task)work).OrFaultAsync(fault);
        return await work;
    }
}
