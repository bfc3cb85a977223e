namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>Lets several load generators wait for each other, at one step after the other. Can be used from any thread.</summary>
internal sealed class StepBarrier(int generators)
{
    private readonly Lock _lock = new();
    private TaskCompletionSource _all = New();
    private int _arrived;

    /// <returns>A task that ends when all load generators have done the step. It never ends if one of them does not.</returns>
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
