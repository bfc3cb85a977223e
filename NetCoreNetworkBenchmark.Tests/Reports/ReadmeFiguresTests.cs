using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>The figures of README, which build/publish-figures.sh writes, against the committed results that they are from.</summary>
public sealed class ReadmeFiguresTests : InTemporaryFolder
{
    private const string Start = "<!-- figures of build/publish-figures.sh -->\n";
    private const string End = "<!-- end of the figures -->\n";
    private const string Baseline = "*baseline* ";
    private const string Tuned = " (tuned)";
    private const string Invalid = " (invalid)";
    private const string Script = "publish-figures.sh";

    private static readonly string s_readme = Golden.ReadSource("README.md").ReplaceLineEndings("\n");
    private static readonly string s_block = s_readme.Split(Start)[1].Split(End)[0];

    // Of the page whose link stands above the table.
    private static readonly string s_folder = Regex.Match(s_block, @"\((Benchmarks/[^/)]+)/README\.md\)").Groups[1].Value;
    private static readonly SuiteResult s_suite = (SuiteResult)ResultFile.Parse(Golden.ReadSource($"{s_folder}/results.json"));
    private static readonly string s_page = PageOf(s_suite);

    [Fact]
    public void Every_figure_of_README_is_that_of_the_committed_results() => Assert.Empty(DifferencesOf(s_block, s_page));

    [Fact]
    public void The_rule_finds_a_changed_figure_and_a_missing_row()
    {
        string[] rows = [.. s_block.Split('\n').Where(line => line.StartsWith('|'))];
        string figure = rows[^1].Split('|')[^2];
        string Without(string row) => s_block.Replace($"{row}\n", string.Empty, StringComparison.Ordinal);
        string changed = Assert.Single(DifferencesOf(s_block.Replace($"{figure}|\n", " 9.99 |\n", StringComparison.Ordinal), s_page));
        Assert.Contains(figure.Trim(), changed, StringComparison.Ordinal);
        Assert.Equal($"{rows[2].Split('|')[1].Trim()} is missing", Assert.Single(DifferencesOf(Without(rows[2]), s_page)));
        Assert.Equal("no raw sockets", Assert.Single(DifferencesOf(Without(rows[^1]), s_page)));
    }

    [Fact]
    public void The_caption_has_the_unit_and_the_date_of_the_committed_results()
    {
        string caption = s_block.Replace('\n', ' ');
        string unit = Regex.Match(caption, @"1\.00 is .*?\.(?= |$)").Value;
        Assert.Contains(unit, s_page, StringComparison.Ordinal);
        string date = s_suite.StartedAt.UtcDateTime.ToString("d MMMM yyyy", CultureInfo.InvariantCulture);
        Assert.Contains($"Measured on {date} at commit ", caption, StringComparison.Ordinal);
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Publish_figures_writes_the_table_of_a_page_into_README()
    {
        MakeCheckout(
            s_readme.Replace(s_block, "Measured on a day at commit 0123abc.\n", StringComparison.Ordinal),
            s_page.Replace(Invalid, string.Empty, StringComparison.Ordinal));
        (int exitCode, _, string errors) = await RunScriptAsync();
        Assert.True(exitCode == 0, errors);
        Assert.Equal(
            WithoutCommit(s_readme.Replace(Invalid, string.Empty, StringComparison.Ordinal)), WithoutCommit(File.ReadAllText(PathOf("README.md"))));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Publish_figures_writes_the_p99_with_its_interval()
    {
        string page = PageOf(SampleSuites.Decided);
        MakeCheckout(s_readme, page);
        (int exitCode, _, string errors) = await RunScriptAsync();
        Assert.True(exitCode == 0, errors);
        string block = File.ReadAllText(PathOf("README.md")).Split(Start)[1].Split(End)[0];
        string[][] table = TablesOf(block).First();
        Assert.Equal(("3: p99", "2.00 ±7 %"), (table[0][^1], table[3][^1]));
        Assert.Empty(DifferencesOf(block, page));
        Assert.Matches(@"and p99 1\.57 ms in Benchmark 3\. Measured on", block.Replace('\n', ' '));
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Publish_figures_refuses_an_invalid_cell_and_leaves_README_as_it_was()
    {
        string page = s_page.Replace(Invalid, string.Empty, StringComparison.Ordinal);
        string name = TablesOf(page).First()[1][0];
        string row = page.Split('\n').First(line => line.StartsWith($"| {name} ", StringComparison.Ordinal));
        string[] cells = row.Split('|');
        cells[3] = $"{cells[3].TrimEnd()}{Invalid} ";
        MakeCheckout(s_readme, page.Replace(row, string.Join('|', cells), StringComparison.Ordinal));
        string reason = $"README's table has no invalid cell, and this run has some ({name}). Measure again on a quieter machine; README.md is as it was.\n";
        Assert.Equal((1, string.Empty, reason), await RunScriptAsync());
        Assert.Equal(s_readme, File.ReadAllText(PathOf("README.md")));
    }

    private static string PageOf(Result suite)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        new MarkdownReport().Write(suite, text);
        return text.ToString();
    }

    // The lines may be broken at other places, because the commit of the program is in them.
    private static string WithoutCommit(string readme) => Regex.Replace(Regex.Replace(readme, @"\s+", " "), "at commit [0-9a-f]+", "at commit");

    // The header cells of README begin with the number of a benchmark and the figure, as those of the page do.
    private static IEnumerable<string> DifferencesOf(string block, string page)
    {
        string[][] readme = TablesOf(block).First();
        string[][][] pages = [.. TablesOf(page).Take(2)];
        string[] names = [.. readme[1..].Select(row => row[0])];
        foreach (string missing in pages[0][1..].Select(row => row[0]).Where(name => !name.EndsWith(Tuned, StringComparison.Ordinal)).Except(names))
        {
            yield return $"{missing} is missing";
        }

        if (!names.Any(name => name.StartsWith(Baseline, StringComparison.Ordinal)))
        {
            yield return "no raw sockets";
        }

        foreach (string[] row in readme[1..])
        {
            bool isBaseline = row[0].StartsWith(Baseline, StringComparison.Ordinal);
            string[][] measured = pages[isBaseline ? 1 : 0];
            string[]? figures = measured[1..].FirstOrDefault(candidate => candidate[0] == row[0].Replace(Baseline, string.Empty, StringComparison.Ordinal));
            foreach ((int column, string title) in readme[0].Index().Skip(1))
            {
                int index = Array.FindIndex(measured[0], candidate => candidate == title || candidate.StartsWith($"{title} ", StringComparison.Ordinal));
                string? figure = index < 0 || figures is null ? null : Regex.Replace(figures[index], @" \(\d[^()]* – [^()]*\)", string.Empty);
                if (figure != row[column])
                {
                    yield return $"{row[0]}, {title}: {row[column]} in README, {figure ?? "nothing"} in the results";
                }
            }
        }
    }

    // The cells of each table, its header first, without the rule below it.
    private static IEnumerable<string[][]> TablesOf(string text)
    {
        var rows = new List<string[]>();
        foreach (string line in text.Split('\n'))
        {
            if (line.StartsWith('|'))
            {
                rows.Add([.. line.Trim('|').Split('|').Select(cell => cell.Trim())]);
            }
            else if (rows.Count > 0)
            {
                yield return [rows[0], .. rows[2..]];
                rows.Clear();
            }
        }
    }

    [UnsupportedOSPlatform("windows")]
    private void MakeCheckout(string readme, string page)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no POSIX shell of its own.");
        Folder.CreateSubdirectory("build");
        foreach (string script in (string[])["prerequisites.sh", Script])
        {
            File.Copy(Golden.PathOfSource($"build/{script}"), PathOf("build", script));
        }

        Folder.CreateSubdirectory(s_folder);
        File.WriteAllText(PathOf(s_folder, "README.md"), page);
        File.WriteAllText(PathOf("README.md"), readme);
    }

    // Without the program, no picture is drawn.
    private Task<(int ExitCode, string Output, string Errors)> RunScriptAsync() =>
        SystemCommand.RunAsync("/bin/sh", PathOf("build", Script), "--from", s_folder);
}
