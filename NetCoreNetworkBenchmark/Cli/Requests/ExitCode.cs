namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The exit codes of the program.</summary>
internal static class ExitCode
{
    /// <summary>A valid result.</summary>
    public const int Success = 0;

    /// <summary>A failed, invalid or aborted run.</summary>
    public const int Failed = 1;

    /// <summary>Input that is not valid.</summary>
    public const int BadInput = 2;

    /// <summary>A comparison that found a slower case, if the user wants a regression to fail.</summary>
    public const int Regression = 3;
}
