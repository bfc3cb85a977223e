using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The parts that are the same on the pages of all results.</summary>
internal static class PageParts
{
    /// <summary>Writes the heading of a page, and an item for the system, the framework and each fact.</summary>
    /// <param name="writer">The page.</param>
    /// <param name="title">The title.</param>
    /// <param name="version">The version of the harness.</param>
    /// <param name="machine">The machine; null if the page does not name it.</param>
    /// <param name="facts">The facts, of which those that are null are left out.</param>
    public static void WriteHeader(this TextWriter writer, string title, string version, EnvironmentInfo? machine, params IEnumerable<string?> facts)
    {
        writer.WriteLine($"### {title} (v {version})");
        string[] ofMachine = machine is null ? [] : [$"OS: {machine.Os}", $"Framework: {machine.Framework}"];
        string[] items = [.. ofMachine.Concat(facts.OfType<string>()).Select(fact => $"* {fact}")];
        writer.WriteLines(items.Length == 0 ? [] : [string.Empty, .. items]);
    }

    /// <summary>Returns what ran: the version of the library, transport, delivery and framing.</summary>
    public static string Transport(LibraryResult result) =>
        $"{result.LibraryVersion}, {result.Protocol}, {result.Transmission}{StreamLines.Framing(result.Framing)}";

    public static void WriteLines(this TextWriter writer, params IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            writer.WriteLine(line);
        }
    }

    /// <summary>Writes a paragraph for each text, after an empty line.</summary>
    public static void WriteParagraphs(this TextWriter writer, params IEnumerable<string> texts) =>
        writer.WriteLines(texts.SelectMany(text => (string[])[string.Empty, text]));

    /// <summary>Writes items under a heading, after an empty line; nothing if there are no items.</summary>
    public static void WriteList(this TextWriter writer, string heading, IEnumerable<string> items) =>
        writer.WriteLines(items.Any() ? [string.Empty, heading, string.Empty, .. items.Select(item => $"* {item}")] : []);

    /// <summary>Writes the conditions that could disturb a measurement.</summary>
    public static void WriteWarnings(this TextWriter writer, Fitness fitness) =>
        writer.WriteParagraphs(fitness.Warnings.Select(warning => $"Warning: {warning}"));

    /// <summary>Writes that the user ended a measurement.</summary>
    /// <param name="writer">The page.</param>
    /// <param name="isAborted">Whether the user ended it; otherwise, nothing is written.</param>
    /// <param name="what">The measurement, and the consequence.</param>
    public static void WriteAborted(this TextWriter writer, bool isAborted, string what) =>
        writer.WriteParagraphs(isAborted ? [$"**Aborted:** the user ended {what}"] : []);
}
