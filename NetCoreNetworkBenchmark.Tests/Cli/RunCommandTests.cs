namespace NetCoreNetworkBenchmark.Tests.Cli;

public sealed class RunCommandTests : ProgramInFolder
{
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_result_whose_files_cannot_be_written_is_printed_all_the_same(bool json)
    {
        string folder = PathOf("results");
        var files = new ResultFiles(folder, Formats);
        Directory.Delete(folder);
        await File.WriteAllTextAsync(folder, "A file is where the folder was.", TestContext.Current.CancellationToken);
        (_, string output, string errors, BenchmarkException? exception) = await ShowAsync(SampleResults.Invalid, json, files);
        exception!.Message.AssertBegins($"The result could not be written to '{folder}");
        Assert.False(exception.IsBadInput);
        output.AssertHas(SampleResults.Invalid.InvalidReasons[0]);
        errors.AssertHas($"Invalid: {SampleResults.Invalid.InvalidReasons[0]}\n");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task ShowAsync_prints_remarks_of_an_adapter_also_with_json(bool json)
    {
        string remark = SampleResults.Chosen.Remarks[0];
        (int code, string output, string errors, _) = await ShowAsync(SampleResults.Chosen, json, files: null);
        Assert.Equal((ExitCode.Success, json), (code, errors.Contains($"Note: {remark}\n", StringComparison.Ordinal)));
        Assert.Equal(!json, output.Contains($"\nNote: {remark}\n", StringComparison.Ordinal));
    }

    [Theory, InlineData(true, ExitCode.BrokenLimit), InlineData(false, ExitCode.Failed)]
    public async Task A_broken_limit_is_named_on_standard_error_and_has_its_exit_code_if_the_run_is_valid(bool isValid, int expected)
    {
        RunResult limited = (isValid ? SampleResults.Valid : SampleResults.Valid.WithFaults("It was aborted."))
            .WithPlan(plan => plan with { Limits = [PlanValues.Limit("--limit", "loss=1%"), PlanValues.Limit("--limit", "server-cpu=1us")] });
        (int code, string output, string errors, _) = await ShowAsync(limited, json: false, files: null);
        Assert.Equal((expected, 0), (code, errors.Split('\n').Count(line => line.StartsWith("Limit: loss", StringComparison.Ordinal))));
        errors.AssertHas("Limit: server-cpu=1us is broken: 37.68 µs.\n");
        output.AssertHas("Limit loss=1% holds: 0 %.\n");
    }

    [Fact]
    public void An_earlier_result_is_kept_unless_the_user_lets_it_be_replaced()
    {
        string run = Save("run", SampleResults.Valid);
        var context = new CommandContext(LibraryUnderTest.Catalog, Formats, TextWriter.Null, TextWriter.Null);
        CliRequest request = Request(json: false) with { Output = run };
        string earlier = $"--output: '{Path.Combine(run, "result.json")}' has an earlier result. Use --force to replace it, or another folder.";
        BadInput.Throws(earlier, () => context.FilesFor(request, ResultKind.Run));
        BadInput.Throws(
            "--force requires --output DIR, because this command writes no files without it.",
            () => context.FilesFor(Request(json: false) with { Force = true }, ResultKind.Run));
        BadInput.Throws(
            "--continue requires a command of several runs, and this one is a single run. Add what the interrupted one had: " +
                "--launches, --versions, --sweep, or several values to compare, such as -l ENet,LiteNetLib.",
            () => context.FilesFor(request with { Continue = true }, ResultKind.Run));
        BadInput.Throws(
            "--continue requires --output DIR, because this command writes no files without it.",
            () => context.FilesFor(Request(json: false) with { Continue = true }, ResultKind.Sweep));
        Assert.NotNull(context.FilesFor(request, ResultKind.Suite));
        Assert.NotNull(context.FilesFor(request with { Force = true }, ResultKind.Run));
        Directory.CreateDirectory(Path.Combine(run, SessionLog.FolderName));
        File.WriteAllText(Path.Combine(run, SessionLog.FolderName, SessionLog.FileName), "{}");
        Save("run", SampleSuites.Suite);
        BadInput.Throws(
            $"--output: '{run}' has an interrupted measurement. Use --continue to continue it, --force to delete it and start anew, or another folder.",
            () => context.FilesFor(request, ResultKind.Suite));
        Assert.NotNull(context.FilesFor(request with { Continue = true }, ResultKind.Suite));
        Assert.NotNull(context.FilesFor(request with { Force = true }, ResultKind.Suite));
        BadInput.Throws(earlier, () => context.FilesFor(request, ResultKind.Run));
    }

    [Theory]
    [InlineData("-l Sockets -p 0 -c 2 -d 0.2 --warmup 0 --any-machine")]
    [InlineData("-l Sockets -p 0 --launches 2 -d 0.2")]
    [InlineData("-b=quick")]
    [InlineData("-t MaxClients -l Sockets -p 0")]
    [InlineData("-l Sockets -p 0 --sweep --limit p99=5ms")]
    public async Task An_earlier_result_is_found_before_anything_is_measured(string arguments)
    {
        string folder = Folder.FullName;
        string machine = PathOf(BenchmarksFolder.MachineName(MachineInspector.Inspect()));
        Directory.CreateDirectory(machine);
        foreach (string name in (string[])["result", "results", "maxclients", "sweep"])
        {
            File.WriteAllText(Path.Combine(folder, $"{name}.json"), "{}");
            File.WriteAllText(Path.Combine(machine, $"{name}.json"), "{}");
        }

        await AssertRefusedAsync("Error: --output: '", [.. arguments.Split(' '), "-o", folder]);
    }

    [Fact]
    public async Task Warn_reports_values_that_may_be_misread_and_the_state_of_the_machine_but_not_that_of_hosts()
    {
        await using var errors = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        var context = new CommandContext(LibraryUnderTest.Catalog, Formats, TextWriter.Null, errors);
        CliRequest request = CommandLineTests.Read("--runtime GCHeapCount=10,1");
        context.Warn(request, SampleResults.Valid.Fitness with { Warnings = ["The machine is busy."] });
        Assert.Equal("Note: GCHeapCount=10 is hexadecimal, as .NET reads it: 16 in decimal.\nWarning: The machine is busy.\n", errors.ToString());
        errors.GetStringBuilder().Clear();
        context.Warn(CommandLineTests.Read("--server-host a --client-hosts b"), SampleResults.Valid.Fitness with { Warnings = ["The machine is busy."] });
        Assert.Empty(errors.ToString());
    }

    [Fact]
    public void A_screen_shows_a_warning_once()
    {
        Fitness fitness = SampleResults.Valid.Fitness with { Warnings = ["The machine is busy.", "The server swapped."] };
        foreach (Result result in (Result[])[SampleResults.Valid with { Fitness = fitness }, SampleSuites.Suite with { Fitness = fitness }])
        {
            Result shown = CommandContext.WithoutWarnings(result, ["The machine is busy."]);
            shown.Markdown().AssertHasNo("The machine is busy.");
            shown.Markdown().AssertHas("Warning: The server swapped.");
        }
    }

    private static async Task<(int Code, string Output, string Errors, BenchmarkException? Failure)> ShowAsync(RunResult result, bool json, ResultFiles? files)
    {
        await using var output = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        await using var errors = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        var context = new CommandContext(LibraryUnderTest.Catalog, Formats, output, errors);
        int code = ExitCode.Failed;
        var failure = await Record.ExceptionAsync(async () =>
            code = await new RunCommand(Request(json), context, TestContext.Current.CancellationToken).ShowAsync(files, _ => Task.FromResult(result)));
        return (code, output.ToString(), errors.ToString(), (BenchmarkException?)failure);
    }

    private static CliRequest Request(bool json) => new()
    {
        Action = CliAction.Run,
        Plan = new RunPlan { Library = "ENet" },
        BenchmarkPart = new AllPart(),
        Json = json,
    };
}
