using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.Reports;

/// <summary>The figures of README, which build/publish-figures.sh writes, against the committed page that they are from.</summary>
public sealed class ReadmeFiguresTests : InTemporaryFolder
{
    private const string Start = "<!-- figures of build/publish-figures.sh -->\n";
    private const string End = "<!-- end of the figures -->\n";
    private const string Script = "publish-figures.sh";

    private static readonly string s_readme = Golden.ReadSource("README.md").ReplaceLineEndings("\n");
    private static readonly string s_block = s_readme.Split(Start)[1].Split(End)[0];

    // The page whose link stands below the table is in a folder of that of the machine.
    private static readonly string s_folder = Regex.Match(s_block, @"\((Benchmarks/[^/)]+)/players/README\.md\)").Groups[1].Value;
    private static readonly string s_page = Golden.ReadSource($"{s_folder}/players/README.md").ReplaceLineEndings("\n");

    [Fact]
    public void Every_figure_of_README_is_that_of_the_committed_page() => Assert.Empty(DifferencesOf(s_block, s_page));

    [Fact]
    public void The_rule_finds_a_changed_figure_and_a_missing_row()
    {
        string[] rows = [.. s_block.Split('\n').Where(line => line.StartsWith('|'))];
        string figure = rows[^1].Split('|')[^2];
        Assert.Single(DifferencesOf(s_block.Replace($"{figure}|\n", " 9.99 |\n", StringComparison.Ordinal), s_page)).AssertHas(figure.Trim());
        string without = s_block.Replace($"{rows[2]}\n", string.Empty, StringComparison.Ordinal);
        Assert.Equal($"{rows[2].Split('|')[1].Trim()} is missing", Assert.Single(DifferencesOf(without, s_page)));
    }

    [Fact]
    public void The_caption_has_the_date_and_the_machine_of_the_committed_page()
    {
        Match conditions = Regex.Match(s_page, @"^(\d{4}-\d\d-\d\d); ([^;]*);", RegexOptions.Multiline);
        string date = DateTime.Parse(conditions.Groups[1].Value, CultureInfo.InvariantCulture).ToString("d MMMM yyyy", CultureInfo.InvariantCulture);
        Assert.Matches($@"Measured on {date} at commit [0-9a-f]+ \({conditions.Groups[2].Value}, ", s_block.Replace('\n', ' '));
    }

    [Fact, UnsupportedOSPlatform("windows")]
    public async Task Publish_figures_writes_the_table_of_a_page_into_README()
    {
        MakeCheckout(s_readme.Replace(s_block, "Measured on a day at commit 0123abc.\n", StringComparison.Ordinal), s_page);
        (int exitCode, _, string errors) = await RunScriptAsync();
        Assert.True(exitCode == 0, errors);
        Assert.Equal(WithoutCommit(s_readme), WithoutCommit(File.ReadAllText(PathOf("README.md"))));
    }

    [Fact, UnsupportedOSPlatform("windows")]
    public async Task Publish_figures_refuses_an_invalid_cell_and_leaves_README_as_it_was()
    {
        string[][] load = ReportText.TablesOf(s_page).First(table => table[0].Contains("of a core"));
        (string library, string share) = (load[1][Array.IndexOf(load[0], "Library")], load[1][Array.IndexOf(load[0], "of a core")]);
        MakeCheckout(s_readme, s_page.Replace($" {share} |", $" {share} (invalid) |", StringComparison.Ordinal));
        (int exitCode, string output, string errors) = await RunScriptAsync();
        Assert.Equal((1, string.Empty), (exitCode, output));
        errors.AssertBegins($"README's table has no invalid cell, and this run has some ({library}");
        errors.AssertEnds("). Measure again on a quieter machine; README.md is as it was.\n");
        Assert.Equal(s_readme, File.ReadAllText(PathOf("README.md")));
    }

    // The lines may be broken at other places, because the commit of the program is in them.
    private static string WithoutCommit(string readme) => Regex.Replace(Regex.Replace(readme, @"\s+", " "), "at commit [0-9a-f]+", "at commit");

    // README has the titles of the page's tables, of which one has the load and one the costs.
    private static IEnumerable<string> DifferencesOf(string block, string page)
    {
        string[][] readme = ReportText.TablesOf(block).First();
        string[][][] pages = [.. ReportText.TablesOf(page).Where(table => table[0].Contains("of a core") || table[0].Contains("allocated bytes per message"))];
        foreach (string missing in Column(pages[0], "Library").Except(Column(readme, "Library")))
        {
            yield return $"{missing} is missing";
        }

        foreach ((string[] row, string title) in readme[1..].SelectMany(row => readme[0][1..].Select(title => (row, title))))
        {
            string[][]? table = pages.FirstOrDefault(candidate => candidate[0].Contains(title));
            int place = table is null ? -1 : Array.IndexOf(Column(table, "Library"), row[0]);
            string? figure = place < 0 ? null : Column(table!, title)[place];
            string cell = row[Array.IndexOf(readme[0], title)];
            if (figure != cell)
            {
                yield return $"{row[0]}, {title}: {cell} in README, {figure ?? "nothing"} in the page";
            }
        }
    }

    private static string[] Column(string[][] table, string title) => [.. table[1..].Select(row => row[Array.IndexOf(table[0], title)])];

    [UnsupportedOSPlatform("windows")]
    private void MakeCheckout(string readme, string page)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no POSIX shell of its own.");
        Folder.CreateSubdirectory("build");
        foreach (string script in (string[])["prerequisites.sh", Script])
        {
            File.Copy(Golden.PathOfSource($"build/{script}"), PathOf("build", script));
        }

        Folder.CreateSubdirectory($"{s_folder}/players");
        File.WriteAllText(PathOf(s_folder, "README.md"), string.Empty);
        File.WriteAllText(PathOf(s_folder, "players", "README.md"), page);
        File.WriteAllText(PathOf("README.md"), readme);
    }

    // Without the program, no picture is drawn.
    private Task<(int ExitCode, string Output, string Errors)> RunScriptAsync() =>
        SystemCommand.RunAsync("/bin/sh", PathOf("build", Script), "--from", s_folder);
}
