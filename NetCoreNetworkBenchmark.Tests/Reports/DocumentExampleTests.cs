using NetCoreNetworkBenchmark.Cli.Progress;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>Output that the documents show, compared with what the program prints of a fixed result.</summary>
public sealed class DocumentExampleTests
{
    private const string Results = "Docs/results.md";
    private const string Drawing = "Reports/run-80.terminal.golden";

    [Fact]
    public void The_drawing_of_a_run_in_the_document_is_the_head_of_the_golden_file()
    {
        const string Begin = "A run on a terminal:\n\n```\n";
        string document = Golden.ReadSource(Results).ReplaceLineEndings("\n");
        int begin = document.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        string drawn = string.Join('\n', Golden.Read(Drawing).ReplaceLineEndings("\n").Split('\n').Select(line => line.TrimEnd())).TrimEnd('\n');
        int end = document.IndexOf("\n```\n", begin, StringComparison.Ordinal);
        string head = drawn[..drawn.IndexOf("\nDuration", StringComparison.Ordinal)];
        Golden.VerifySource($"{document[..begin]}{head}\n...{document[end..]}", Results);
    }

    [Fact]
    public void The_line_of_live_figures_in_the_document_has_fields_of_such_a_line()
    {
        HashSet<string> fields = [.. typeof(LiveLine).GetProperties().Select(property => JsonNamingPolicy.CamelCase.ConvertName(property.Name))];
        string[] lines = [.. Regex.Matches(Golden.ReadSource("Docs/usage.md"), "^\\{\"phase\".*$", RegexOptions.Multiline).Select(line => line.Value)];
        Assert.NotEmpty(lines);
        Assert.All(lines, line => Assert.Subset(fields, Regex.Matches(line, "\"(\\w+)\":").Select(field => field.Groups[1].Value).ToHashSet()));
    }

    /// <summary>A field that a documented filter of jq names is one of a result, or of a line of live figures.</summary>
    [Fact]
    public void Every_filter_of_jq_in_a_document_names_fields_that_exist()
    {
        string schema = Golden.ReadSource("Docs/results.schema.json");
        string[] lines =
        [
            .. from file in Directory.EnumerateFiles(Golden.PathOfSource("Docs"), "*.md").Append(Golden.PathOfSource("README.md"))
               from line in File.ReadLines(file)
               where Regex.IsMatch(line, @"(^|\| )jq ")
               select line[line.IndexOf("jq ", StringComparison.Ordinal)..],
        ];
        Assert.NotEmpty(lines);
        Assert.All(lines, line => Assert.All(Regex.Matches(line, @"(?<![\w/])\.([a-z]\w+)"), field => Assert.True(
            schema.Contains($"\"{field.Groups[1].Value}\": {{", StringComparison.Ordinal)
                || typeof(LiveLine).GetProperty(field.Groups[1].Value, BindingFlags.IgnoreCase | BindingFlags.Public | BindingFlags.Instance) is not null,
            line)));
    }
}
