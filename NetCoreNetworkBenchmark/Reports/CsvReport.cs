using System.Buffers;
using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Reports;

/// <summary>RFC 4180, for R and pandas: a row for each launch, step or compared case, with all digits in the invariant culture (Docs/results.md).</summary>
public sealed class CsvReport : IJoiningReport
{
    // The form that JSON has.
    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK";

    private static readonly SearchValues<char> s_quoted = SearchValues.Create(",\"\r\n");

    // A spreadsheet would calculate a text that begins with one of these, even within quotes. Names and reasons come from loaded libraries and other hosts.
    private static readonly SearchValues<char> s_formula = SearchValues.Create("=+-@\t\r");

    private static readonly Column<(ComparisonResult Source, ComparedCase Case)>[] s_comparison =
    [
        new("kind", row => ResultFile.NameOf(row.Source.Kind)),
        new("old", row => row.Source.Old),
        new("new", row => row.Source.New),
        new("threshold", row => row.Source.Threshold),
        new("benchmark", row => row.Case.Benchmark),
        new("library", row => row.Case.Library),
        new("oldLaunches", row => row.Case.OldLaunches),
        new("newLaunches", row => row.Case.NewLaunches),
        new("oldMedian", row => row.Case.OldMedian),
        new("newMedian", row => row.Case.NewMedian),
        new("ratio", row => row.Case.Ratio),
        new("lower", row => row.Case.Lower),
        new("upper", row => row.Case.Upper),
        new("decidedBy.confidence", row => row.Case.DecidedBy?.Confidence),
        new("decidedBy.lower", row => row.Case.DecidedBy?.Lower),
        new("decidedBy.upper", row => row.Case.DecidedBy?.Upper),
        new("verdict", row => row.Case.Verdict.ToString().ToLowerInvariant()),
        new("baseline", row => row.Case.Baseline),
        .. ColumnsOf("serverCost", JudgedFigure.ServerCpu),
        .. ColumnsOf("p99", JudgedFigure.P99),
        .. ColumnsOf("allocatedBytes", JudgedFigure.AllocatedBytes),
        new("control.ratio", row => row.Source.Control?.Ratio),
        new("harnessVersion", row => row.Source.HarnessVersion),
    ];

    public string Name => "csv";

    /// <summary>False: a brief result has hardly more than the figures of its JSON, from which this can be made at any time.</summary>
    public bool IsKeptWithBrief => false;

    public string? FileNameOf(Result result) => result.Kind == ResultKind.Server ? null : $"{ResultFile.FileNameOf(result.Kind)}.csv";

    public void WriteAll(IReadOnlyList<Result> results, TextWriter writer)
    {
        ComparisonResult[] comparisons = [.. results.OfType<ComparisonResult>()];
        if (comparisons.Any(comparison => comparison.Cases.Count > 0) && comparisons.Length < results.Count)
        {
            throw BenchmarkException.BadInput("Comparisons and launches have different columns. Write the comparisons to a file of their own.");
        }

        // A launch that several results have is one row.
        Table table = comparisons.Length == results.Count
            ? Table.Create("Cases", s_comparison, from source in comparisons from compared in source.Cases select (source, compared))
            : Table.Create(
                "Launches", LaunchColumns.All, results.SelectMany(LaunchRow.From).DistinctBy(row => row.Id is { } id ? (id, row.Part?.Step) : (object)row));
        Write(table, writer);
    }

    internal static void Write(Table table, TextWriter writer)
    {
        writer.WriteLine(string.Join(',', table.Columns.Select(column => Cell(column.Title))));
        foreach (TableRow row in table.Rows)
        {
            writer.WriteLine(string.Join(',', row.Cells.Select(cell => Cell(cell.Value))));
        }
    }

    private static Column<(ComparisonResult Source, ComparedCase Case)>[] ColumnsOf(string name, JudgedFigure judged)
    {
        Column<(ComparisonResult Source, ComparedCase Case)> Of(string column, Func<ComparedFigure, object?> value) => new(
            $"{name}{column}", row => row.Case.Figures.FirstOrDefault(figure => figure.Figure == judged) is { } figure ? value(figure) : null);
        return
        [
            Of(".old", figure => figure.Old),
            Of(".new", figure => figure.New),
            Of(".ratio", figure => figure.Ratio),
            Of(".lower", figure => figure.Lower),
            Of(".upper", figure => figure.Upper),
            Of("DecidedBy.lower", figure => figure.DecidedBy?.Lower),
            Of("DecidedBy.upper", figure => figure.DecidedBy?.Upper),
            Of(".verdict", figure => figure.Verdict.ToString().ToLowerInvariant()),
        ];
    }

    private static string Cell(object? value)
    {
        string text = value switch
        {
            null => string.Empty,
            bool flag => flag ? "true" : "false",
            DateTimeOffset time => time.ToString(TimeFormat, CultureInfo.InvariantCulture),
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString() is { Length: > 0 } other && s_formula.Contains(other[0]) ? $"'{other}" : $"{value}",
        };

        // A parser may drop a space at the ends of a cell without quotes.
        return text.AsSpan().ContainsAny(s_quoted) || text != text.Trim() ? $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : text;
    }
}
