using System.Globalization;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

public sealed class RemoteFramesTests
{
    [Fact]
    public void Options_of_a_workload_are_fit_to_be_printed() => Assert.Equal(
        [KeyValuePair.Create("--fan?out", "3?")],
        Admit(new RunPlan { Library = "Sockets", WorkloadOptions = new Dictionary<string, string> { ["--fan\nout"] = "3\u202e" } }).WorkloadOptions);

    [Fact]
    public void More_options_of_a_workload_than_any_has_are_refused()
    {
        var options = Enumerable.Range(0, 1_001).ToDictionary(number => number.ToString(CultureInfo.InvariantCulture), _ => "1");
        var exception = Assert.Throws<InvalidDataException>(() => Admit(new RunPlan { Library = "Sockets", WorkloadOptions = options }));
        Assert.Equal("the number of workloadOptions is 1001, and 0 to 1000 is valid", exception.Message);
    }

    private static RunPlan Admit(RunPlan plan) =>
        ((HelloFrame)new RemoteFrames().Admit(new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, plan, null), 10)).Plan;
}
