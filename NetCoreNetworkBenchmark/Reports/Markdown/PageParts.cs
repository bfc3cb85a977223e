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
    public static string Transport(string libraryVersion, string protocol, string transmission, string? framing) =>
        $"{libraryVersion}, {protocol}, {transmission}{StreamLines.Framing(framing)}";

    public static void WriteLines(this TextWriter writer, IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            writer.WriteLine(line);
        }
    }

    /// <summary>Writes a paragraph for each text, after an empty line.</summary>
    public static void WriteParagraphs(this TextWriter writer, IEnumerable<string> texts) =>
        writer.WriteLines(texts.SelectMany(text => (string[])[string.Empty, text]));
}
