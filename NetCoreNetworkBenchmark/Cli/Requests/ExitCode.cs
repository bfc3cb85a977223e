namespace NetCoreNetworkBenchmark.Cli.Requests;

internal static class ExitCode
{
    public const int Success = 0;

    /// <summary>A failed, invalid or aborted run.</summary>
    public const int Failed = 1;

    public const int BadInput = 2;

    /// <summary>A comparison that found a slower case, if the user wants a regression to fail.</summary>
    public const int Regression = 3;
}
