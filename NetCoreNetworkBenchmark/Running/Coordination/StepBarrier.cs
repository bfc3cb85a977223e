namespace NetCoreNetworkBenchmark.Running.Coordination;

/// <summary>Lets several drivers wait for each other, at one step after the other. Can be used from any thread.</summary>
/// <param name="drivers">The number of drivers.</param>
internal sealed class StepBarrier(int drivers)
{
    private readonly Lock _lock = new();
    private TaskCompletionSource _all = New();
    private int _arrived;

    /// <summary>Notifies that a driver has done the step.</summary>
    /// <returns>A task that ends when all drivers have done it. It never ends if one of them does not.</returns>
    public Task ArriveAsync()
    {
        lock (_lock)
        {
            TaskCompletionSource all = _all;
            if (++_arrived == drivers)
            {
                (_arrived, _all) = (0, New());
                all.SetResult();
            }

            return all.Task;
        }
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
