namespace NetCoreNetworkBenchmark.Core;

/// <summary>
/// A run cannot start or go on, for a reason that one sentence tells its user (a port in use, clients that did not
/// connect). The program prints <see cref="Exception.Message"/> alone and ends with exit code 1, or 2 for <see cref="IsBadInput"/>.
/// </summary>
public sealed class BenchmarkException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">One whole sentence: what was wrong, and what would be right.</param>
    /// <param name="innerException">What caused it; shown with <c>--verbose</c> only.</param>
    public BenchmarkException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>Whether the user's input is the reason, so that another value would help.</summary>
    public bool IsBadInput { get; init; }

    /// <summary>Creates an exception whose reason is the user's input.</summary>
    /// <param name="message">One whole sentence that names the option, the value and what is valid.</param>
    /// <param name="innerException">What caused it; shown with <c>--verbose</c> only.</param>
    /// <returns>The exception, to be thrown.</returns>
    public static BenchmarkException BadInput(string message, Exception? innerException = null) =>
        new(message, innerException) { IsBadInput = true };
}
