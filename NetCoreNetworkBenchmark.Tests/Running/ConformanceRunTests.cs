namespace NetCoreNetworkBenchmark.Tests.Running;

public sealed class ConformanceRunTests
{
    private static readonly LibraryInfo s_info = new() { Name = "Any", Version = "1.0", Protocols = [Protocol.Udp], Transmissions = [] };

    [Fact]
    public async Task A_check_that_does_not_end_is_stopped_and_the_checks_after_a_vital_one_are_not_started()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The process is a script of a Unix shell.");
        const string Hangs = """echo '{"type":"ready","endPoint":null}'; while sleep 0.2; do echo '{"type":"progress","progress":null}'; done""";
        int started = 0;
        var run = new ConformanceRun(new RunPlan { Library = s_info.Name }, s_info, Start, TimeSpan.FromSeconds(0.5));
        ConformanceCheck[] checks =
        [
            new("no use", _ => Task.CompletedTask) { NotApplicable = (_, _) => "it has no use" },
            new("first", _ => Task.CompletedTask) { IsVital = true },
            new("second", _ => Task.CompletedTask),
        ];
        List<CheckResult> results = await run.RunAsync(checks, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken);
        Assert.Equal(
            [
                new CheckResult("no use", CheckVerdict.NotApplicable, "it has no use."),
                new CheckResult("first", CheckVerdict.Failed, "The check's process did not end within its deadline of 0.5 s and was stopped."),
                new CheckResult("second", CheckVerdict.NotApplicable, "\"first\" failed."),
            ],
            results);
        Assert.Equal(1, started);

        AgentProcess Start()
        {
            started++;
            return new AgentProcess(AgentRole.Check, new ProcessStartInfo("sh", ["-c", Hangs]));
        }
    }
}
