namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>Can be used from any thread.</summary>
internal sealed class StepBarrier(int generators)
{
    private readonly Lock _lock = new();
    private TaskCompletionSource _all = New();
    private int _arrived;

    /// <returns>A task that never ends if one of the load generators does not do the step.</returns>
    public Task ArriveAsync()
    {
        lock (_lock)
        {
            TaskCompletionSource all = _all;
            if (++_arrived == generators)
            {
                (_arrived, _all) = (0, New());
                all.SetResult();
            }

            return all.Task;
        }
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
