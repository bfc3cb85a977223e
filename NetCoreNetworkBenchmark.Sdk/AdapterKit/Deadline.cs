namespace NetCoreNetworkBenchmark.AdapterKit;

/// <summary>What does not end before its deadline ends the run, with a sentence such as "The server's thread did not end within 5 s."</summary>
public static class Deadline
{
    /// <summary>Waits for a task.</summary>
    /// <param name="task">The task, which goes on after the deadline.</param>
    /// <param name="deadline">The longest time to wait.</param>
    /// <param name="fault">The sentence before the time, such as "The server's thread did not end".</param>
    /// <returns>A task that ends as the other one does.</returns>
    /// <exception cref="BenchmarkException">The task did not end before the deadline.</exception>
    public static async Task WithinAsync(this Task task, TimeSpan deadline, string fault)
    {
        try
        {
            await task.WaitAsync(deadline).ConfigureAwait(false);
        }
        catch (TimeoutException exception)
        {
            throw Missed(fault, deadline, exception);
        }
    }

    /// <summary>Creates the exception for a wait that is over; the sentence reads the same under every culture.</summary>
    /// <param name="fault">The sentence before the time.</param>
    /// <param name="deadline">The time that was waited.</param>
    /// <param name="exception">The reason, if there is one.</param>
    /// <returns>The exception to throw.</returns>
    public static BenchmarkException Missed(string fault, TimeSpan deadline, Exception? exception = null) =>
        new(FormattableString.Invariant($"{fault} within {deadline.TotalSeconds:0.#} s."), exception);
}
