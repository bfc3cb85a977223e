namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>The whole program without a process of its own, and a folder for its files.</summary>
public class ProgramInFolder : InTemporaryFolder
{
    public static IReadOnlyList<IReport> Formats { get; } =
    [
        new CsvReport(), new HgrmReport(), new HlogReport(), new HtmlReport(), new JsonReport(), new MarkdownReport(), new SummaryReport(), new SvgReport(),
    ];

    public static Task<(int Code, string Output, string Errors)> RunAsync(params string[] arguments) => RunAsync(LibraryUnderTest.Catalog, arguments);

    /// <summary>Runs the program with other libraries than those of this build.</summary>
    internal static async Task<(int Code, string Output, string Errors)> RunAsync(Catalog catalog, params string[] arguments)
    {
        await using var output = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        await using var errors = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        return (await new Application(catalog, Formats, output, errors).RunAsync(arguments), output.ToString(), errors.ToString());
    }

    public static Task<(int Code, string Output, string Errors)> RunLineAsync(string arguments) =>
        RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>Runs a measurement with <c>--json</c>, which must end with success. One that other work on the machine disturbed is repeated.</summary>
    public static async Task<RunResult> ResultAsync(string arguments)
    {
        const int MaxRuns = 3;
        (int Code, string Output, string Errors) run = await RunLineAsync(arguments);
        for (int number = 1; number < MaxRuns && run is { Code: not 0, Output.Length: > 0 } && BenchmarkProcess.AnyResultOf(run).Verdict.Disturbed; number++)
        {
            run = await RunLineAsync(arguments);
        }

        return BenchmarkProcess.ResultOf(run, arguments);
    }

    /// <summary>Runs a measurement with <c>--json</c> whose result may be invalid, such as on a busy machine.</summary>
    public static async Task<RunResult> AnyResultAsync(string arguments) => BenchmarkProcess.AnyResultOf(await RunLineAsync(arguments));

    /// <summary>Runs the program with invalid input: only one line is printed, and the exit code is 2.</summary>
    public static Task AssertRefusedAsync(string sentence, params string[] arguments) => AssertRefusedAsync(LibraryUnderTest.Catalog, sentence, arguments);

    internal static async Task AssertRefusedAsync(Catalog catalog, string sentence, params string[] arguments)
    {
        (int code, string output, string errors) = await RunAsync(catalog, arguments);
        Assert.Equal((2, string.Empty), (code, output));
        errors.AssertBegins(sentence);
        Assert.Single(errors.TrimEnd().Split('\n'));
    }

    /// <summary>Runs the program with arguments that make it fail: beside warnings, only the error is printed.</summary>
    public static async Task AssertFailsAsync(string arguments, string error, int exitCode = 2)
    {
        (int code, string output, string errors) = await RunLineAsync(arguments);
        Assert.Equal((exitCode, string.Empty), (code, output));
        Assert.Single(BenchmarkProcess.WithoutWarnings(errors)).AssertBegins($"Error: {error}");
    }

    public static IEnumerable<string> FilesIn(string folder) => Directory.GetFiles(folder).Select(file => Path.GetFileName(file)).Order(StringComparer.Ordinal);

    /// <summary>Writes a result into a folder of its own, and returns this folder.</summary>
    public string Save(string folder, Result result)
    {
        var report = new JsonReport();
        using var writer = new StreamWriter(Path.Combine(Folder.CreateSubdirectory(folder).FullName, report.FileNameOf(result)!)) { NewLine = "\n" };
        report.Write(result, writer);
        return PathOf(folder);
    }
}
