namespace NetCoreNetworkBenchmark.Plans;

/// <summary>
/// The exception for a run that cannot start or continue, for a reason that one sentence explains to the user (a port in use, clients that did not
/// connect). The program prints <see cref="Exception.Message"/> alone and ends with exit code 1, or with exit code 2 for <see cref="IsBadInput"/>.
/// </summary>
/// <param name="message">One line: the fault and the remedy.</param>
/// <param name="innerException">The cause; shown with <c>--verbose</c> only.</param>
public sealed class BenchmarkException(string message, Exception? innerException = null) : Exception(message, innerException)
{
    /// <summary>Whether the user's input is the reason, so that another value would help.</summary>
    public bool IsBadInput { get; init; }

    /// <summary>Creates an exception whose reason is the user's input.</summary>
    /// <param name="message">One line that names the option, the fault and the remedy.</param>
    /// <param name="innerException">The cause; shown with <c>--verbose</c> only.</param>
    /// <returns>The exception to throw.</returns>
    public static BenchmarkException BadInput(string message, Exception? innerException = null) =>
        new(message, innerException) { IsBadInput = true };
}
