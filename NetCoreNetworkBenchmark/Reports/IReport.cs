namespace NetCoreNetworkBenchmark.Reports;

/// <summary>
/// A format for results. A public class with a parameterless constructor that implements this interface is found automatically, and its files are
/// written with all other result files.
/// </summary>
public interface IReport
{
    /// <summary>The name by which the user selects the format. It is compared without regard to case.</summary>
    string Name { get; }

    /// <summary>Whether a brief result, whose files are meant to be committed, has a file of this format.</summary>
    bool IsKeptWithBrief => true;

    /// <summary>Whether the files of a result include one of this format. Otherwise the user requests it.</summary>
    bool IsWrittenByDefault => true;

    /// <summary>Whether the text of one result after that of another is no valid text of this format.</summary>
    bool IsOneDocument => false;

    /// <summary>Returns the name of the file for a result; null if this format does not apply to such a result.</summary>
    string? FileNameOf(Result result);

    /// <summary>Writes a result for which <see cref="FileNameOf"/> returns a name. The text is the same in every culture.</summary>
    /// <param name="writer">The writer of the text, which defines the line ends.</param>
    /// <exception cref="FormatException">The result contains a histogram that cannot be read.</exception>
    void Write(Result result, TextWriter writer);
}

/// <summary>A format that has one text for several results, not the text of one after that of another.</summary>
public interface IJoiningReport : IReport
{
    void IReport.Write(Result result, TextWriter writer) => WriteAll([result], writer);

    /// <summary>Writes results for each of which <see cref="IReport.FileNameOf"/> returns a name.</summary>
    /// <param name="writer">The writer of the text, which defines the line ends.</param>
    /// <exception cref="BenchmarkException">The format cannot have these results together.</exception>
    void WriteAll(IReadOnlyList<Result> results, TextWriter writer);
}
