using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The ranking alone, for a person at a terminal: what a first look writes.</summary>
internal static class RankingPage
{
    public static void Write(SuiteResult result, TextWriter writer)
    {
        if (!DecisionTable.Fits(result))
        {
            SuitePage.WriteSummary(result, writer);
            return;
        }

        using var notes = new StringWriter { NewLine = writer.NewLine };
        WriteNotes(result, notes);
        writer.Write(notes.ToString().TrimStart());
        writer.WriteLines(notes.GetStringBuilder().Length > 0 ? [string.Empty] : []);
        WriteRanking(result, writer, isNarrow: true);
        SuitePage.WriteMissing(result, writer);
    }

    /// <summary>Writes the outcome in words, the tables by which a reader decides, and what is undecided.</summary>
    /// <param name="result">The result, which fits <see cref="DecisionTable"/>.</param>
    /// <param name="writer">The page.</param>
    /// <param name="isNarrow">Whether the tables must fit a terminal of 80 columns.</param>
    public static void WriteRanking(SuiteResult result, TextWriter writer, bool isNarrow)
    {
        IEnumerable<string> sentences = RankingSentences.Of(result).Select(sentence => $"* {sentence}");
        writer.WriteLines([RankingSentences.ConditionsOf(result), string.Empty, .. sentences, string.Empty]);
        writer.WriteTable(isNarrow ? DecisionTable.NarrowOf(result) : DecisionTable.Of(result, ofBaselines: false));
        if (!isNarrow && DecisionTable.Of(result, ofBaselines: true) is { Rows.Count: > 0 } baselines)
        {
            writer.WriteLines(string.Empty, $"{DecisionTable.TitleOfBaselines}:", string.Empty);
            writer.WriteTable(baselines);
        }

        writer.WriteParagraphs($"{DecisionTable.LegendOf(result)}{(isNarrow ? DecisionTable.FirstsOf(result) : string.Empty)}");

        string[] undecided = [.. RankingSentences.UndecidedOf(result).Select(sentence => $"* {sentence}")];
        writer.WriteLines(undecided.Length > 0 ? [string.Empty, .. undecided] : []);
    }

    // Invalid cases, remarks and warnings.
    private static void WriteNotes(SuiteResult result, TextWriter writer)
    {
        writer.WriteParagraphs(
            from benchmark in result.Benchmarks
            from found in benchmark.Cases
            from reason in found.InvalidReasons
            select $"Invalid: {benchmark.Title}, {found.Library}: {reason}");
        SuitePage.WriteRemarks(result, writer);
    }
}
