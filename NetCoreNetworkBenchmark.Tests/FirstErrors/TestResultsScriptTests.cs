using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

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
