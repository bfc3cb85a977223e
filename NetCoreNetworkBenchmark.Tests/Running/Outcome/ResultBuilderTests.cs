using NetCoreNetworkBenchmark.Microbenchmarks.Memory;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Tests.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Outcome;

public sealed class ResultBuilderTests
{
    // Three quarters of the machine were busy: with a quarter for the clients and a quarter for the server, a quarter was used by others.
    [Theory, InlineData(2.0), InlineData(0.5)]
    public void Other_programs_took_a_share_of_all_cores_of_the_machine_however_long_the_server_watched(double serverSeconds)
    {
        // More than this process may use.
        const int Cores = 4_096;
        RunResult result = ResultOf(
            SampleFrames.Clients with { Cost = BusyFor(0.25 * Cores, seconds: 2), Machine = new MachineUse(0.75, 0, Cores) },
            SampleFrames.Server with { Cost = BusyFor(0.25 * Cores, serverSeconds) });
        Assert.Equal(0.25, result.Fitness.OtherShare!.Value, tolerance: 1e-9);
    }

    [Theory, InlineData(0.03, 0, true), InlineData(0.01, 0, false), InlineData(0.03, 0.02, false)]
    public void A_side_that_works_while_its_load_is_paused_is_named_unless_it_compiles(double cores, double compiling, bool isNamed)
    {
        const double Seconds = 10;
        ProcessCost idle = BusyFor(cores, Seconds) with { CompilationSeconds = compiling * Seconds };
        RunResult result = ResultOf(
            SampleFrames.Clients with { Idle = BusyFor(0, Seconds), Remarks = [] },
            SampleFrames.Server with { Idle = idle, Remarks = [] });
        Assert.Equal(
            isNamed ? ["The server used more than 2 % of a core while the load was paused: the library is not idle between slices."] : [], result.Remarks);
    }

    private static RunResult ResultOf(ClientReport clients, ServerReport server) => ResultBuilder.Build(new RunMeasurements
    {
        Plan = new RunPlan { Library = "Memory" },
        Library = new MemoryBenchmark().Info,
        EndPoint = new IPEndPoint(IPAddress.Loopback, 1),
        Workload = new PingPong(),
        LoadGenerators = [clients],
        Server = server,
        Fitness = new Fitness { Warnings = [] },
    });

    private static ProcessCost BusyFor(double cores, double seconds) =>
        SampleFrames.Server.Cost with { Seconds = seconds, UserCpuSeconds = cores * seconds, SystemCpuSeconds = 0 };
}
