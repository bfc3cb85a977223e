using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>What the scripts say where a build cannot start: one sentence with the remedy.</summary>
[UnsupportedOSPlatform("windows")]
public sealed class ScriptErrorTests : IDisposable
{
    private readonly BareEnvironment _environment = new();

    public ScriptErrorTests()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no POSIX shell of its own.");
        _environment.AddTools("cat", "cut", "dirname", "grep", "id", "paste", "sed", "uname");
    }

    [Fact]
    public async Task Script_names_where_to_get_the_SDK_when_it_is_missing() => Assert.Equal(
        (1, string.Empty, "The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download.\n"),
        await _environment.RunAsync(Home()));

    [Theory, InlineData("8.0.100,9.0.302", "8.0.100", "9.0.302"), InlineData("none")]
    public async Task Script_names_an_SDK_of_another_version_or_a_runtime_without_one(string installed, params string[] versions)
    {
        _environment.AddProgram(
            "dotnet", $"[ \"$1\" = --list-sdks ] || exit 1; {string.Join(' ', versions.Select(version => $"echo '{version} [/opt/dotnet/sdk]';"))}");
        Assert.Equal(
            (1, string.Empty, "No .NET SDK here is right for this checkout (wanted: 10.0.100 or a later one of its major version; " +
                $"installed: {installed}): see https://dotnet.microsoft.com/download.\n"),
            await _environment.RunAsync(Home()));
    }

    [Fact]
    public async Task A_home_that_cannot_be_written_to_is_named()
    {
        _environment.AddProgram("dotnet", "exit 1");
        Assert.Equal(
            (1, string.Empty, "dotnet writes to the home folder, and '/nonexistent' cannot be written to: name another one, such as " +
                "HOME=/folder/of/yours before the command.\n"),
            await _environment.RunAsync("HOME=/nonexistent"));
    }

    [Fact]
    public async Task A_checkout_that_cannot_be_written_to_is_named()
    {
        _environment.AddProgram("dotnet", "exit 0");
        (int exitCode, string output, string errors) = await _environment.RunReadOnlyAsync(Home());
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.EndsWith(
            $"The checkout in '{_environment.PathOf("checkout")}' cannot be written to, and has no build: copy it to a folder of yours and build there.\n",
            errors,
            StringComparison.Ordinal);
    }

    public void Dispose() => _environment.Dispose();

    private string Home() => $"HOME={_environment.PathOf("home")}";
}

/// <summary>A checkout with the scripts alone, and an environment with nothing but what a test puts into it.</summary>
[UnsupportedOSPlatform("windows")]
internal sealed class BareEnvironment : InTemporaryFolder
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(2);

    public BareEnvironment()
    {
        string scripts = Folder.CreateSubdirectory("checkout/build").FullName;
        foreach (string script in Directory.GetFiles(Golden.PathOfSource("build"), "*.sh"))
        {
            File.Copy(script, Path.Combine(scripts, Path.GetFileName(script)));
        }

        File.Copy(Golden.PathOfSource("global.json"), PathOf("checkout/global.json"));
        Folder.CreateSubdirectory("checkout/NetCoreNetworkBenchmark");
        Folder.CreateSubdirectory("bin");
        Folder.CreateSubdirectory("home");
    }

    public new string PathOf(params string[] names) => base.PathOf(names);

    /// <summary>Makes a program on the path: a script of the shell.</summary>
    public void AddProgram(string name, string script)
    {
        string file = PathOf($"bin/{name}");
        File.WriteAllText(file, $"#!/bin/sh\n{script}\n");
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute);
    }

    /// <summary>Runs the script of the benchmark, with these variables and a path that has no .NET.</summary>
    public Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] variables) => RunThroughAsync([], variables);

    /// <summary>The same in a checkout that cannot be written to.</summary>
    public async Task<(int ExitCode, string Output, string Errors)> RunReadOnlyAsync(params string[] variables)
    {
        // Root can write to every folder, but not to what is mounted read-only.
        string checkout = PathOf("checkout");
        if (Environment.IsPrivilegedProcess)
        {
            string mount = $"mount --bind '{checkout}' '{checkout}' && mount -o remount,bind,ro '{checkout}' && exec \"$@\"";
            return await RunThroughAsync(["unshare", "--mount", "sh", "-c", mount, "sh"], variables);
        }

        string project = PathOf("checkout/NetCoreNetworkBenchmark");
        UnixFileMode before = File.GetUnixFileMode(project);
        File.SetUnixFileMode(project, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        try
        {
            return await RunAsync(variables);
        }
        finally
        {
            File.SetUnixFileMode(project, before);
        }
    }

    public void AddTools(params string[] names)
    {
        Folder.CreateSubdirectory("tools");
        foreach (string name in names)
        {
            string[] places = [$"/usr/bin/{name}", $"/bin/{name}"];
            File.CreateSymbolicLink(PathOf($"tools/{name}"), places.First(File.Exists));
        }
    }

    private Task<(int ExitCode, string Output, string Errors)> RunThroughAsync(string[] launcher, string[] variables)
    {
        string[] script = [.. variables, "/bin/sh", PathOf("checkout/build/benchmark.sh"), "--version"];
        string[] command = [.. launcher, "env", "-i", $"PATH={PathOf("bin")}:{PathOf("tools")}", .. script];
        return SystemCommand.RunAsync(new ProcessStartInfo(command[0], command[1..]), s_deadline);
    }
}

/// <summary>What the program says to a newcomer: one sentence with the remedy.</summary>
[Trait("Category", "Long")]
public sealed class ProgramErrorTests
{
    private const string Brief = "-c 1 -d 0.3 --warmup 0 --any-machine";
    private const string TooFew =
        "This process may have 64 open descriptors and needs about 224 besides those of the clients. Raise the limit with 'ulimit -n 4096'.";

    private const string TooFewForBenchmark =
        "This benchmark cannot run here: 1,000 clients need about 1,224 open descriptors, and this process may have 256; " +
            "raise the limit with 'ulimit -n 1224'.";

    [Theory, InlineData(64, $"-l Sockets -p 0 {Brief}", TooFew), InlineData(64, "-b=quick", TooFew)]
    [InlineData(256, "-b=quick", TooFewForBenchmark), InlineData(256, "regress BUILD -b=quick", TooFewForBenchmark)]
    [InlineData(
        300, "-l Sockets",
        "--clients: 1,000 clients need about 1,224 open descriptors, and this process may have 300; raise the limit with 'ulimit -n 1224' or use at most " +
            "76 clients.")]
    public async Task Program_refuses_too_few_descriptors_before_anything_is_measured(int limit, string arguments, string sentence)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit is set by a POSIX shell.");
        using BenchmarkProcess process = BenchmarkProcess.StartWithDescriptors(
            limit, [.. arguments.Split(' ').Select(argument => argument == "BUILD" ? AppContext.BaseDirectory : argument)]);
        Assert.Equal((2, string.Empty, $"Error: {sentence}\n"), await process.EndAsync());
    }

    [Fact]
    public async Task A_missing_libenet_is_named_with_its_package()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "A file is hidden by a mount, which takes root.");
        string hide = "for library in /usr/lib/*/libenet.so*; do [ ! -e \"$library\" ] || mount --bind /dev/null \"$library\"; done; exec \"$@\"";
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["unshare", "--mount", "sh", "-c", hide, "sh"], [.. $"-l ENet -p 0 {Brief}".Split(' ')]);
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Equal(
            "Error: --library: ENet cannot run here: libenet.so.7 (ENet 1.3) was not found on this machine; install it with 'apt-get install libenet7', or " +
                "your system's package of ENet 1.3.\n",
            errors);
    }
}

/// <summary>The functions of <c>build/test-results.sh</c>, with which the script of the tests repeats the failed ones.</summary>
public sealed class TestResultsScriptTests : InTemporaryFolder
{
    private const string Results = """
        <TestRun>
          <Results>
            <UnitTestResult testName="A.B.Passes" outcome="Passed" testId="1" />
            <UnitTestResult testName="A.B.Row(text: \&quot;x &lt;y&gt;\&quot;, rate: 2)" outcome="Failed" testId="2">
              <Output>
                <ErrorInfo>
                  <Message>Assert.InRange() Failure: Value not in range
        Range:  (0 - 2500)
        Actual: 2514</Message>
                  <StackTrace>at A.B</StackTrace>
                </ErrorInfo>
              </Output>
            </UnitTestResult>
            <UnitTestResult testName="A.B.Leaks" outcome="Failed" testId="3">
              <Output>
                <ErrorInfo>
                  <Message>5 &amp; 6</Message>
                </ErrorInfo>
              </Output>
            </UnitTestResult>
            <UnitTestResult testName="A.B.Method(value: Func)" outcome="Failed" testId="4">
              <Output>
                <ErrorInfo>
                  <Message>late</Message>
                </ErrorInfo>
              </Output>
            </UnitTestResult>
          </Results>
          <ResultSummary outcome="Failed">
            <Counters total="5" executed="4" passed="1" failed="3" />
          </ResultSummary>
        </TestRun>
        """;

    private const string Cases = """
        Assembly: A.dll
          - Display name: "A.B.Row(text: \"x <y>\", rate: 1)"
            Test method:  A.B.Row
            ID:           101
          - Display name: "A.B.Row(text: \"x <y>\", rate: 2)"
            Test method:  A.B.Row
            ID:           102
            Traits:
              "Category": ["Long"]
          - Display name: "A.B.Leaks"
            Test method:  A.B.Leaks
            ID:           103
            Traits:
              "Category": ["Long", "Leak"]
          - Display name: "A.B.Method"
            Test method:  A.B.Method
            ID:           104
        """;

    public TestResultsScriptTests()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no POSIX shell of its own.");
        File.WriteAllText(PathOf("trx"), Results);
        File.WriteAllText(PathOf("list"), Cases);
    }

    [Fact]
    public async Task Results_of_has_a_line_for_each_test_with_the_outcome()
    {
        Assert.Equal("A.B.Passes\n", await RunAsync("results_of Passed trx"));
        Assert.Equal(
            "A.B.Row(text: \"x <y>\", rate: 2)\tAssert.InRange() Failure: Value not in range\tRange:  (0 - 2500)\tActual: 2514\n" +
                "A.B.Leaks\t5 & 6\nA.B.Method(value: Func)\tlate\n",
            await RunAsync("results_of Failed trx"));
    }

    [Fact]
    public async Task Counter_reads_the_summary() => Assert.Equal("4\n", await RunAsync("counter executed trx"));

    [Theory]
    [InlineData("230 passed, 1 failed", "230 1\n")]
    [InlineData("The build failed.", "0 1\nThe script did not come to an end.\n")]
    [InlineData("", "0 1\nThe script did not come to an end.\n")]
    public async Task Counts_of_a_script_without_its_last_line_are_one_failure(string output, string counts)
    {
        await File.WriteAllTextAsync(PathOf("output"), output, TestContext.Current.CancellationToken);
        Assert.Equal(counts, await RunAsync("counts_of output 2>errors; cat errors"));
    }

    [Theory, InlineData(Results, "complete\n"), InlineData("<TestRun><Results>", ""), InlineData(null, "")]
    public async Task Has_counts_is_false_for_a_run_that_did_not_end(string? trx, string expected)
    {
        File.Delete(PathOf("trx"));
        await File.WriteAllTextAsync(PathOf(trx is null ? "other" : "trx"), trx, TestContext.Current.CancellationToken);
        Assert.Equal(expected, await RunAsync("if has_counts trx; then echo complete; fi"));
    }

    [Fact]
    public async Task The_comparison_of_the_CI_ends_well_without_an_earlier_commit()
    {
        string[] workflow = await File.ReadAllLinesAsync(Golden.PathOfSource(".github/workflows/ci.yml"), TestContext.Current.CancellationToken);
        IEnumerable<string> step = workflow.SkipWhile(line => !line.EndsWith("name: Compare with the last main", StringComparison.Ordinal)).Skip(2)
            .TakeWhile(line => line.StartsWith("          ", StringComparison.Ordinal));
        string zeros = new('0', 40);
        Assert.Equal(
            $"There is no last main to compare with ({zeros}).\n",
            await RunAsync($"set -e; git init --quiet; LAST_MAIN={zeros}; exec 2>errors\n{string.Join('\n', step)}"));
    }

    [Fact]
    public async Task Cases_to_repeat_are_the_rows_and_methods_that_failed_and_count_no_leaks() =>
        Assert.Equal("102\n104\n", await RunAsync("results_of Failed trx >failed; cases_to_repeat failed list"));

    [Fact]
    public async Task Names_choose_the_lines_of_a_list()
    {
        Assert.Equal("A.B.Leaks\n", await RunAsync("results_of Failed trx >failed; echo A.B.Leaks >names; only_names failed names | cut -f 1"));
        Assert.Equal(2, (await RunAsync("results_of Failed trx >failed; echo A.B.Leaks >names; without_names failed names")).Count('\n'.Equals));
        Assert.Equal(3, (await RunAsync("results_of Failed trx >failed; : >names; without_names failed names")).Count('\n'.Equals));
    }

    [Fact]
    public async Task A_failed_test_that_passes_alone_is_counted_as_passed_and_flaky()
    {
        File.Move(PathOf("trx"), PathOf("tests.trx"));
        const string Again = """
            <TestRun><Results><UnitTestResult testName="A.B.Method(value: Func)" outcome="Passed" testId="4" /></Results><ResultSummary outcome="Completed">
            <Counters total="1" executed="1" passed="1" failed="0" /></ResultSummary></TestRun>
            """;
        await File.WriteAllTextAsync(PathOf("second"), Again, TestContext.Current.CancellationToken);
        const string Program = """
            test_program() { case "$1" in -list) awk '{ printf "%s\r\n", $0 }' all ;; *) echo "$*" >arguments; cp second again.trx ;; esac; }
            mv list all; results=.; count_tests; cat arguments; cut -c 1-30 lines; echo "$passed passed, $failed failed, $all_flaky flaky"
            """;
        Assert.Equal(
            """
            The failed tests once more, each alone:
            -id 102 -id 104 -parallelMode none -result-trx ./again.trx
            Failed: A.B.Row(text: "x <y>",
                Assert.InRange() Failure: 
                Range:  (0 - 2500)
                Actual: 2514
            Failed: A.B.Leaks
                5 & 6
            Flaky: A.B.Method(value: Func)
            2 passed, 2 failed, 1 flaky

            """,
            await RunAsync(Program));
    }

    [Fact]
    public async Task A_failed_test_has_its_message_below_and_a_flaky_one_beside_it()
    {
        Assert.Equal("Failed: A.B.Method(value: Func)\n    late\n", await RunAsync("results_of Failed trx | tail -n 1 | as_failed"));
        Assert.Equal(
            "Flaky: A.B.Row(text: \"x <y>\", rate: 2), Assert.InRange() Failure: Value not in range Range: (0 - 2500) Actual: 2514\n",
            await RunAsync("results_of Failed trx | head -n 1 | as_flaky"));
    }

    private async Task<string> RunAsync(string commands)
    {
        var start = new ProcessStartInfo("/bin/sh", ["-c", $". '{Golden.PathOfSource("build/test-results.sh")}'; {commands}"])
        {
            WorkingDirectory = Folder.FullName,
        };
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(1));
        Assert.Equal((0, string.Empty), (exitCode, errors));
        return output;
    }
}
