namespace NetCoreNetworkBenchmark.Running.Machine.Processes;

/// <summary>Runs work on a new thread, because it blocks, or because the thread pool belongs to the measured library.</summary>
internal static class OwnThread
{
    // The scheduler of the thread pool starts a thread for each long-running task. What waits for the work does not continue on that thread.
    private const TaskCreationOptions Options = TaskCreationOptions.LongRunning | TaskCreationOptions.RunContinuationsAsynchronously;

    /// <summary>What waits for the work continues on its thread, and not on the thread pool.</summary>
    public static Task RunAndContinueAsync(Action work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public static Task RunAsync(Action work) => Task.Factory.StartNew(work, CancellationToken.None, Options, TaskScheduler.Default);

    public static Task<T> RunAsync<T>(Func<T> work) => Task.Factory.StartNew(work, CancellationToken.None, Options, TaskScheduler.Default);

    /// <summary>For work that changes its thread, as its namespace. It completes no awaited task: a thread that the pool then starts inherits it.</summary>
    public static Task<T> RunIsolatedAsync<T>(Func<T> work) => RunAsync(() =>
    {
        var isolated = new Task<T>(work);
        var thread = new Thread(isolated.RunSynchronously) { IsBackground = true };
        thread.Start();
        thread.Join();
        return isolated.GetAwaiter().GetResult();
    });
}
