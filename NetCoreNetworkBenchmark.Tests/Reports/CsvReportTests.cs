namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed partial class CsvReportTests
{
    // Columns that the JSON of a run has in another form, or not at all.
    private static readonly string[] s_calculated =
    [
        "case", "launch", "invalidReasons", "framing", "clientLibrary", "settings", "testOptions", "impairment.requested", "thinkMilliseconds", "arrivals",
        .. ((string[])["server", "clients", "combined"]).SelectMany(
            side => (string[])[$"costs.{side}.userCpuMicrosecondsPerMessage", $"costs.{side}.systemCpuMicrosecondsPerMessage"]),
    ];

    private static readonly Dictionary<string, Result> s_samples = new(ReportTests.AllSamples.IntersectBy(
        [
            "run", "invalid-run", "open-loop", "chosen", "stream", "cut-connections", "steps", "suite", "turns", "framed", "sweep", "sweeps", "max-clients",
            "comparison",
        ],
        sample => sample.Key))
    {
        ["brief-suite"] = SampleSuites.Suite.Brief(),
        ["odd-names"] = OddNames,
    };

    public static TheoryData<string> Samples => [.. s_samples.Keys];

    private static RunResult OddNames => SampleResults.Invalid
        .WithPlan(plan => plan with { Library = "a, \"b\"", Settings = new Dictionary<string, string> { [" first"] = "1" } })
        .WithFaults("It has a comma, a \"quote\"\nand a line break.", "And =1+1.");

    [Theory, MemberData(nameof(Samples))]
    public void Csv_is_the_golden_file_in_every_culture(string sample)
    {
        string[] texts = [Csv(s_samples[sample], "en-US"), Csv(s_samples[sample], "de-DE")];
        Assert.All(texts, text => Golden.Verify(text, $"Reports/{sample}.csv.golden"));
    }

    [Theory, MemberData(nameof(Samples))]
    public void All_rows_have_the_columns_of_the_header(string sample)
    {
        List<List<string>> rows = Parse(Csv(s_samples[sample]));
        Assert.True(rows.Count > 1);
        Assert.All(rows, row => Assert.Equal(rows[0].Count, row.Count));
        Assert.Equal(rows[0], rows[0].Distinct());
    }

    [Fact]
    public void Launches_of_all_kinds_of_results_have_the_same_columns() => Assert.Single(
        s_samples.Values.Where(result => result is not ComparisonResult).Select(result => Csv(result).Split('\n')[0]).Distinct());

    [Fact]
    public void A_cell_with_a_comma_a_quote_and_a_line_break_is_read_back()
    {
        Dictionary<string, string> row = Assert.Single(Rows(OddNames));
        Assert.Equal(("a, \"b\"", "It has a comma, a \"quote\"\nand a line break. And =1+1."), (row["library"], row["invalidReasons"]));
        Assert.Equal(" first=1", row["settings"]);
    }

    [Theory]
    [InlineData("=HYPERLINK(1)", "'=HYPERLINK(1)"), InlineData("+1", "'+1"), InlineData("-2", "'-2"), InlineData("@SUM(1)", "'@SUM(1)")]
    [InlineData("\t=1", "'\t=1"), InlineData("a=1", "a=1")]
    public void A_text_that_a_spreadsheet_would_calculate_begins_with_an_apostrophe(string reason, string cell) =>
        Assert.Equal(cell, Assert.Single(Rows(SampleResults.Invalid.WithFaults(reason)))["invalidReasons"]);

    [Theory, InlineData("run"), InlineData("open-loop"), InlineData("chosen"), InlineData("stream"), InlineData("cut-connections")]
    public void The_figures_of_a_run_are_those_in_its_json(string sample)
    {
        Result result = s_samples[sample];
        using var document = JsonDocument.Parse(result.Json());
        Dictionary<string, string> row = Assert.Single(Rows(result));
        int compared = 0;
        foreach ((string name, string cell) in row)
        {
            if (Find(document.RootElement, PathOf(name)) is { ValueKind: not (JsonValueKind.Array or JsonValueKind.Object) } value)
            {
                Assert.Equal($"{name}: {Describe(value)}", $"{name}: {cell}", ignoreCase: true);
                compared++;
            }
            else if (cell.Length > 0)
            {
                Assert.Contains(name, s_calculated);
            }
        }

        Assert.True(compared > 50, $"{compared}");
    }

    [Fact]
    public void The_time_of_a_side_is_divided_into_user_and_system()
    {
        Dictionary<string, string> row = Assert.Single(Rows(SampleResults.Valid));
        double Value(string name) => double.Parse(row[$"costs.server.{name}CpuMicrosecondsPerMessage"], CultureInfo.InvariantCulture);
        Assert.Equal(20.5 * 1e6 / 1_585_734, Value("user"), 9);
        Assert.Equal(39.25 * 1e6 / 1_585_734, Value("system"), 9);
        Assert.Equal(double.Parse(row["costs.server.cpuMicrosecondsPerMessage"], CultureInfo.InvariantCulture), Value("user") + Value("system"), 9);
        Assert.Equal(string.Empty, row["costs.combined.cpuMicrosecondsPerMessage"]);
    }

    [Fact]
    public void A_launch_that_took_turns_has_its_ratio_to_the_baseline()
    {
        ILookup<string, string> ratios = Rows(SampleSuites.Turns).ToLookup(row => row["case"], row => row["ratioToBaseline"]);
        Assert.All(ratios["Fast"], text => Assert.Equal(2, double.Parse(text, CultureInfo.InvariantCulture), 0.1));
        Assert.Equal(3, ratios["Fast"].Count());
        Assert.Equal(["1", "1", "1"], ratios["Sockets"]);
        Assert.Equal([string.Empty], ratios["Broken"]);
    }

    [Fact]
    public void A_launch_without_a_result_has_the_load_of_its_case_and_the_figures_that_are_kept()
    {
        List<Dictionary<string, string>> whole = Rows(SampleSuites.Suite);
        List<Dictionary<string, string>> brief = Rows(SampleSuites.Suite.Brief());
        Assert.Equal(whole.Count, brief.Count);
        string[] columns =
        [
            "case", "launch", "valid", "library", "test", "clients", "startedAt", "messagesPerSecond", "latencyMicroseconds.p50", "latencyMicroseconds.p99",
            "costs.server.cpuMicrosecondsPerMessage", "control",
        ];
        Assert.All(columns, name => Assert.Equal(whole.Select(row => row[name]), brief.Select(row => row[name])));
        Assert.Contains(brief, row => row["valid"] == "true" && row["latencyMicroseconds.p90"].Length == 0);
    }

    [Fact]
    public void Each_other_load_has_another_row()
    {
        Func<RunPlan, RunPlan>[] loads =
        [
            plan => plan, plan => plan with { Clients = 10 }, plan => plan with { ParallelMessages = 9 }, plan => plan with { MessageSize = 90 },
            plan => plan with { SmallestMessage = 20 }, plan => plan with { MessageLoad = MessageLoad.Random },
            plan => plan with { Payload = new Payload("file", 1, 1, new string('a', 64)) },
            plan => plan with { Payload = new Payload("file", 1, 1, new string('b', 64)) },
            plan => plan with { Think = TimeSpan.FromMilliseconds(1) }, plan => plan with { Think = TimeSpan.FromMilliseconds(2) },
            plan => plan with { Rate = 5 }, plan => plan with { Rate = 5, Arrivals = Arrivals.Poisson },
            plan => plan with { Rate = 5, ServerUpdateRate = 60 }, plan => plan with { Rate = 5, ClientUpdateRate = 60 },
            plan => plan with { Transmission = Transmission.Reliable }, plan => plan with { Protocol = Protocol.Tcp },
            plan => plan with { Protocol = Protocol.Tcp, Framing = Framing.Checked }, plan => plan with { Impairment = new ImpairmentPlan { Loss = 0.1 } },
            plan => plan.WithWorkloadOption("--path", "/a"),
        ];
        Assert.Equal(loads.Length, loads.Select(load => Csv(SampleResults.Valid.WithPlan(load))).Distinct().Count());
    }

    // Names of columns stay, and the JSON is composed by side.
    private static string PathOf(string column) => column switch
    {
        "startedAt" or "aborted" or "connectSeconds" or "warmUpSeconds" or "durationSeconds" or "latencyKind" => $"clients.{column}",
        "valid" or "disturbed" => $"verdict.{column}",
        "library" or "profile" or "variant" or "test" or "protocol" or "transmission" or "clients" or "parallelMessages" or "messageSize" or "messageLoad"
            or "smallestMessage" or "serverUpdateRate" or "clientUpdateRate" => $"plan.{column}",
        "serverThreads" => "server.threads",
        "clientThreads" => "clients.threads",
        _ => column.Replace("latencyMicroseconds", "clients.latency.microseconds", StringComparison.Ordinal)
            .Replace("costs.server", "server.cost", StringComparison.Ordinal).Replace("costs.clients", "clients.cost", StringComparison.Ordinal),
    };

    private static string Describe(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString()!,
        JsonValueKind.Null => string.Empty,
        JsonValueKind.True => "true",
        JsonValueKind.False => "false",
        _ => value.GetDouble().ToString(CultureInfo.InvariantCulture),
    };

    private static JsonElement? Find(JsonElement root, string path)
    {
        JsonElement found = root;
        foreach (string step in path.Split('.'))
        {
            if (found.ValueKind == JsonValueKind.Array)
            {
                found = found[int.Parse(step, CultureInfo.InvariantCulture)];
            }
            else if (found.ValueKind != JsonValueKind.Object || !found.TryGetProperty(step, out found))
            {
                return null;
            }
        }

        return found;
    }

    private static List<Dictionary<string, string>> Rows(Result result)
    {
        List<List<string>> rows = Parse(Csv(result));
        return [.. rows.Skip(1).Select(row => rows[0].Zip(row).ToDictionary(cell => cell.First, cell => cell.Second))];
    }

    // By the rules of RFC 4180, apart from the writer.
    private static List<List<string>> Parse(string text)
    {
        MatchCollection rows = Row().Matches(text);
        Assert.Equal(text.Length, rows.Sum(row => row.Length));
        return [.. rows.Select(row => row.Groups["cell"].Captures.Select(cell => Unquote(cell.Value)).ToList())];
    }

    private static string Unquote(string cell) => cell.StartsWith('"') ? cell[1..^1].Replace("\"\"", "\"", StringComparison.Ordinal) : cell;

    private static string Csv(Result result, string culture = "en-US") => new CsvReport().Render(result, culture);

    [GeneratedRegex("""\G(?:(?<cell>"(?:[^"]|"")*"|[^",\n]*)[,\n])+?(?<=\n)""")]
    private static partial Regex Row();
}
