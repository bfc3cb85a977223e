using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// One format in which results are told. A public class with a parameterless constructor that implements this is found by itself, and its
/// files are written wherever result files are.
/// </summary>
public interface IReport
{
    /// <summary>The name by which the user asks for the format, compared without regard to case.</summary>
    string Name { get; }

    /// <summary>The name of the file for a result.</summary>
    /// <param name="result">The result.</param>
    /// <returns>The name; null where this format has nothing to tell of such a result.</returns>
    string? FileNameOf(IResult result);

    /// <summary>Writes a result that <see cref="FileNameOf"/> has a name for. The text is the same in every culture.</summary>
    /// <param name="result">The result.</param>
    /// <param name="writer">Where to; lines end as the writer's do.</param>
    /// <exception cref="FormatException">The result holds a histogram that cannot be read.</exception>
    void Write(IResult result, TextWriter writer);
}
