using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// One format in which results are told. A class with a parameterless constructor that implements this is found by itself, and its
/// files are written wherever result files are.
/// </summary>
public interface IReport
{
    /// <summary>The file for the result of one run.</summary>
    string RunFile { get; }

    /// <summary>The file for the results of the predefined benchmark.</summary>
    string SuiteFile { get; }

    /// <summary>Writes the result of one run. The text is the same in every culture.</summary>
    /// <param name="result">The result.</param>
    /// <param name="writer">Where to; lines end as the writer's do.</param>
    void Write(RunResult result, TextWriter writer);

    /// <summary>Writes the results of the predefined benchmark. The text is the same in every culture.</summary>
    /// <param name="result">The results.</param>
    /// <param name="writer">Where to; lines end as the writer's do.</param>
    void Write(SuiteResult result, TextWriter writer);
}
