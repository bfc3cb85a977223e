using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;
using NetCoreNetworkBenchmark.Reports.Renderers;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Reports as text, written in a culture.</summary>
internal static class ReportText
{
    public static string Render(this IReport report, Result result, string culture = "en-US") => In(culture, writer => report.Write(result, writer));

    public static string Markdown(this Result result) => new MarkdownReport().Render(result);

    public static string Json(this Result result) => new JsonReport().Render(result);

    public static string Html(this Result result) => new HtmlReport().Render(result);

    /// <summary>What a command prints at its end.</summary>
    public static string Summary(this Result result, int width = int.MaxValue, string culture = "en-US") =>
        In(culture, writer => MarkdownReport.WriteSummary(result, writer, width));

    /// <summary>A result as it is drawn on a terminal.</summary>
    public static string Drawn(this Result result, int width = 80, string culture = "en-US", ColorSystemSupport colours = ColorSystemSupport.NoColors) =>
        DocumentBuilder.Create(result).Drawn(width, culture, colours);

    public static string Drawn(
        this Document document, int width = 80, string culture = "en-US", ColorSystemSupport colours = ColorSystemSupport.NoColors) => In(culture, writer =>
        {
            IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
            {
                Ansi = colours == ColorSystemSupport.NoColors ? AnsiSupport.No : AnsiSupport.Yes,
                ColorSystem = colours,
                Interactive = InteractionSupport.No,
                Out = new AnsiConsoleOutput(writer),
            });
            console.Profile.Width = width;
            console.Profile.Capabilities.Unicode = true;
            new TerminalRenderer(console).Draw(document);
        }).ReplaceLineEndings("\n");

    /// <summary>The cells of each table in Markdown, its header first, without the rule below it.</summary>
    public static IEnumerable<string[][]> TablesOf(string markdown) =>
        from table in Regex.Matches(markdown, @"(?:^\|.*\n)+", RegexOptions.Multiline)
        let lines = table.Value.TrimEnd('\n').Split('\n')
        select (string[][])[CellsOf(lines[0]), .. lines[2..].Select(CellsOf)];

    /// <summary>The cells of a row of a table in Markdown.</summary>
    public static string[] CellsOf(string row) =>
        [.. Regex.Split(row.Trim('|'), @"(?<!\\)\|").Select(cell => cell.Replace("\\|", "|", StringComparison.Ordinal).Trim())];

    public static string In(string culture, Action<TextWriter> write)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
            using var writer = new StringWriter(CultureInfo.CurrentCulture) { NewLine = "\n" };
            write(writer);
            return writer.ToString();
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
