using System.Net;
using NetCoreNetworkBenchmark.Libraries.Memory;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Machine;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Running.Agents;
using NetCoreNetworkBenchmark.Workloads.RoundTrips;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class ResultBuilderTests
{
    // Three quarters of the machine were busy: with a quarter for the clients and a quarter for the server, a quarter was used by others.
    [Theory]
    [InlineData(2.0)]
    [InlineData(0.5)]
    public void What_other_programs_took_is_not_told_by_how_long_the_server_watched(double serverSeconds)
    {
        double cores = Environment.ProcessorCount;
        RunResult result = ResultBuilder.Build(new RunMeasurements
        {
            Plan = new RunPlan { Library = "Memory" },
            Library = new MemoryBenchmark().Info,
            EndPoint = new IPEndPoint(IPAddress.Loopback, 1),
            Workload = new PingPong(),
            Drivers = [SampleFrames.Clients with { Cost = BusyFor(0.25 * cores, seconds: 2), Machine = new MachineUse(0.75, 0) }],
            Server = SampleFrames.Server with { Cost = BusyFor(0.25 * cores, serverSeconds) },
            Fitness = new Fitness { Warnings = [] },
        });
        Assert.Equal(0.25, result.Fitness.OtherShare!.Value, tolerance: 1e-9);
    }

    private static ProcessCost BusyFor(double cores, double seconds) =>
        SampleFrames.Server.Cost with { Seconds = seconds, UserCpuSeconds = cores * seconds, SystemCpuSeconds = 0 };
}
