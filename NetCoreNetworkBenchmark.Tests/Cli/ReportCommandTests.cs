namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class ReportCommandTests : ProgramInFolder
{
    [Theory]
    [InlineData("{}", "it is no result of this program. Use")]
    [InlineData("[1]", "it is no result of this program. Use")]
    [InlineData("text", "it is not JSON of this program (")]
    [InlineData("{ \"schema\": 1, \"kind\": \"run\" }", "it is of schema 1, and this version reads schema 4. Use")]
    [InlineData("{ \"schema\": \"2\" }", "it is of schema \"2\", and this version reads schema 4. Use")]
    [InlineData("{ \"schema\": 4, \"kind\": \"poem\" }", "'poem' is not a known kind of result. Use")]
    [InlineData("{ \"schema\": 4, \"kind\": \"run\" }", "its 'id' is missing")]
    public async Task A_file_that_is_no_result_is_refused_with_the_reason(string content, string reason)
    {
        string file = PathOf("wrong.json");
        File.WriteAllText(file, content);
        await AssertRefusedAsync($"Error: '{file}' cannot be read: {reason}", "report", file);
    }

    [Theory, InlineData("json"), InlineData("Markdown"), InlineData("hlog"), InlineData("hgrm"), InlineData("csv"), InlineData("html")]
    public async Task Report_prints_a_result_in_any_format(string format)
    {
        string file = Save("run", SampleResults.Valid);
        string expected = Formats.Single(report => report.Name.Equals(format, StringComparison.OrdinalIgnoreCase)).Render(SampleResults.Valid);
        Assert.Equal((0, expected, string.Empty), await RunAsync("report", file, "-f", format));
    }

    [Fact]
    public async Task Report_reads_every_kind_of_result_from_a_folder()
    {
        Result[] results =
        [
            SampleResults.Valid, SampleSuites.Suite, SampleResults.Server, SampleSearches.Sweep, SampleSearches.Sweeps, SampleSearches.MaxClients,
            SampleResults.Comparison,
        ];
        Assert.Equal(Enum.GetValues<ResultKind>(), results.Select(result => result.Kind));
        Array.ForEach(results, result => Save($"all/{result.Kind}", result));
        (int code, string output, string errors) = await RunAsync("report", PathOf("all"), "-f", "markdown");
        Assert.Equal((0, string.Empty), (code, errors));
        Assert.All(results, result => output.AssertHas(result.Markdown()));
    }

    [Theory, InlineData("html"), InlineData("json"), InlineData("svg")]
    public async Task Report_refuses_several_results_in_a_format_that_has_one_document(string format)
    {
        string[] suites = [Save("one", SampleSuites.Decided), Save("other", SampleSuites.Decided)];
        await AssertRefusedAsync(
            $"Error: --format: {format} has one document for one result; 2 were given. Name one of them, or use markdown or csv.\n",
            ["report", .. suites, "-f", format]);
        Assert.Equal(0, (await RunAsync("report", suites[0], "-f", format)).Code);
    }

    [Fact]
    public async Task Report_writes_the_files_of_all_formats_of_one_result()
    {
        string file = Save("run", SampleResults.Valid);
        string output = PathOf("out");
        Assert.Equal((0, string.Empty, $"Written to {output}\n"), await RunAsync("report", file, "-o", output));
        Assert.Equal(["result.csv", "result.hgrm", "result.hlog", "result.html", "result.json", "result.md"], FilesIn(output));
        string other = Save("other", SampleResults.Invalid);
        await AssertRefusedAsync("Error: --output: one result can be written; 2 were given. Name one of them.", "report", file, other, "-o", output);
    }

    [Fact]
    public async Task Report_joins_the_launches_of_several_results_in_one_table()
    {
        string run = Save("run", SampleResults.Valid.As("another launch"));
        (int code, string output, string errors) = await RunAsync("report", run, Save("suite", SampleSuites.Suite), "-f", "csv");
        Assert.Equal((0, string.Empty), (code, errors));
        string[] lines = output.TrimEnd('\n').Split('\n');
        Assert.Equal(1 + 1 + 5, lines.Length);
        Assert.Single(lines, line => line.StartsWith("kind,", StringComparison.Ordinal));
        string comparison = Save("comparison", SampleResults.Comparison);
        await AssertRefusedAsync("Error: Comparisons and launches have different columns. ", "report", run, comparison, "-f", "csv");
    }

    [Fact]
    public async Task Report_writes_the_file_of_one_format()
    {
        string result = Save("run", SampleResults.Valid);
        string page = PathOf("below", "page.html");
        (_, string expected, _) = await RunAsync("report", result, "-f", "html");
        Assert.Equal((0, string.Empty, $"Written to {page}\n"), await RunAsync("report", result, "-f", "html", "-o", page));
        Assert.Equal(["page.html"], FilesIn(PathOf("below")));
        Assert.Equal(expected, await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken), ignoreLineEndingDifferences: true);
        string other = Save("other", SampleResults.Invalid);
        await AssertRefusedAsync(
            "Error: --output: one result can be written; 2 were given. Name one of them.", "report", result, other, "-f", "html", "-o", page);
    }

    [Fact]
    public async Task Report_replaces_the_report_of_the_same_result_alone()
    {
        string run = Save("run", SampleResults.Valid);
        string other = Save("other", SampleResults.Valid with { Id = Guid.NewGuid() });
        string file = Path.Combine(run, "result.json");
        Assert.Equal((0, string.Empty, $"Written to {run}\n"), await RunAsync("report", run, "-o", run));
        await AssertRefusedAsync($"Error: --output: '{file}' has an earlier result. Use --force to replace it, or another folder.", "report", other, "-o", run);
        await AssertRefusedAsync(
            $"Error: --output: '{file}' has an earlier result. Use --force to replace it, or another file.", "report", other, "-f", "json", "-o", file);
        string suite = Save("suite", SampleSuites.Suite);
        Assert.Equal(0, (await RunAsync("report", suite, "-o", run)).Code);
        Assert.Equal(0, (await RunAsync("report", suite, "-o", suite)).Code);
        string sweep = Save("sweep", SampleSearches.Sweep);
        Assert.Equal(0, (await RunAsync("report", sweep, "-o", sweep)).Code);
        string changed = Save("changed", SampleSearches.Sweep with { Conclusion = "Another one." });
        await AssertRefusedAsync("Error: --output: '", "report", changed, "-o", sweep);
        File.WriteAllText(file, "damaged");
        await AssertRefusedAsync($"Error: --output: '{file}' has an earlier result. Use --force ", "report", other, "-o", run);
        Assert.Equal(0, (await RunAsync("report", other, "-o", run, "--force")).Code);
        Assert.Equal(File.ReadAllText(Path.Combine(other, "result.json")), File.ReadAllText(file));
    }

    [Theory, InlineData("html"), InlineData("csv")]
    public async Task Report_replaces_a_file_only_if_that_is_forced(string format)
    {
        string run = Save("run", SampleResults.Valid);
        string file = PathOf($"page.{format}");
        File.WriteAllText(file, "earlier");
        await AssertRefusedAsync(
            $"Error: --output: '{file}' has an earlier result. Use --force to replace it, or another file.", "report", run, "-f", format, "-o", file);
        Assert.Equal("earlier", File.ReadAllText(file));
        Assert.Equal((0, string.Empty, $"Written to {file}\n"), await RunAsync("report", run, "-f", format, "-o", file, "--force"));
        Assert.NotEqual("earlier", File.ReadAllText(file));
    }

    [Theory, InlineData("page.html"), InlineData("page.html", "-f", "json"), InlineData("page", "-f", "html")]
    public async Task Report_takes_any_other_output_for_a_folder(string name, params string[] format)
    {
        string output = PathOf(name);
        Assert.Equal((0, string.Empty, $"Written to {output}\n"), await RunAsync(["report", Save("run", SampleResults.Valid), .. format, "-o", output]));
        Assert.Equal(["result.csv", "result.hgrm", "result.hlog", "result.html", "result.json", "result.md"], FilesIn(output));
    }

    [Fact]
    public async Task Report_writes_the_table_for_a_spreadsheet_if_it_is_requested()
    {
        string suite = Save("suite", SampleSuites.Suite);
        (_, string printed, _) = await RunAsync("report", suite, "-f", "summary");
        string file = PathOf("figures.csv");
        Assert.Equal((0, string.Empty, $"Written to {file}\n"), await RunAsync("report", suite, "-f", "summary", "-o", file));
        Assert.Equal(printed, File.ReadAllText(file));
        string folder = PathOf("all");
        Assert.Equal(0, (await RunAsync("report", suite, "-f", "summary", "-o", folder)).Code);
        Assert.Equal(printed, File.ReadAllText(Path.Combine(folder, "results.summary.csv")));
    }

    [Fact]
    public async Task Report_omits_results_to_which_a_format_is_not_applicable_and_refuses_if_no_other_is_there()
    {
        string run = Save("run", SampleResults.Valid);
        string server = Save("server", SampleResults.Server);
        (_, string expected, _) = await RunAsync("report", run, "-f", "hgrm");
        Assert.Equal(
            (0, expected, $"Note: '{Path.Combine(server, "server.json")}' is omitted: hgrm is not applicable to this server.\n"),
            await RunAsync("report", run, server, "-f", "hgrm"));
        await AssertRefusedAsync("Error: --format: hgrm is not applicable to this server. Use html, json or markdown.", "report", server, "-f", "hgrm");
        await AssertRefusedAsync(
            "Error: --format: \"xml\" is not one of csv, hgrm, hlog, html, json, markdown, summary, svg.",
            "report", run, "-f", "xml");
    }

    [Fact]
    public async Task Report_refuses_a_damaged_histogram()
    {
        string file = Save("run", SampleResults.Valid.WithHistogram("HISTFAAAAA=="));
        await AssertRefusedAsync("Error: A histogram in the results cannot be read: ", "report", file, "-f", "hlog");
        (int code, string printed, string errors) = await RunAsync("report", file, Save("good", SampleResults.Valid), "-f", "hlog");
        Assert.Equal(1, code);
        printed.AssertBegins("#[Histogram log format");
        errors.AssertBegins("Error: A histogram in the results cannot be read: ");
        string output = PathOf("out");
        await AssertRefusedAsync("Error: A histogram in the results cannot be read: ", "report", file, "-o", output);

        // Its rows have no histogram.
        Assert.Equal(["result.csv"], FilesIn(output));
    }
}
