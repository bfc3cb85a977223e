namespace NetCoreNetworkBenchmark.Cli.Requests;

internal static class ExitCode
{
    public const int Success = 0;

    /// <summary>A failed, invalid or aborted run.</summary>
    public const int Failed = 1;

    public const int BadInput = 2;

    /// <summary>A slower case, found by <c>regress</c> or by <c>compare --fail-on-regression</c>.</summary>
    public const int Regression = 3;

    /// <summary>A valid result that breaks a limit of the user (<c>--limit</c>).</summary>
    public const int BrokenLimit = 4;

    /// <summary>No common case, or in a gate (<c>regress</c>, <c>compare --fail-on-regression</c>) none that is decided.</summary>
    public const int Undecided = 5;

    public static int From(bool isGood, bool limitsHold) => !isGood ? Failed : limitsHold ? Success : BrokenLimit;
}
