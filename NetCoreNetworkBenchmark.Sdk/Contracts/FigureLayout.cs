namespace NetCoreNetworkBenchmark.Contracts;

/// <summary>The lines of a report that users compare with the output of another program.</summary>
public enum FigureLayout
{
    /// <summary>The lines of the original harness.</summary>
    Original,

    /// <summary>The lines that NetCoreServer's own performance programs print.</summary>
    NetCoreServer,
}
