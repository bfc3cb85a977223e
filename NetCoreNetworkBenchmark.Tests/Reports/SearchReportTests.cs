namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class SearchReportTests
{
    [Fact]
    public void A_sweep_has_the_load_and_the_cost_of_the_server_at_the_answer()
    {
        SweepResult sweep = SampleSearches.Sweep with
        {
            Plan = SampleSearches.Sweep.Plan with { Impairment = new ImpairmentPlan { Delay = TimeSpan.FromMilliseconds(30) } },
            Steps = [SampleSearches.Sweep.Steps[0] with { Result = SampleResults.Valid }, .. SampleSearches.Sweep.Steps.Skip(1)],
        };
        string console = sweep.Summary();
        console.AssertHas(
            "Highest rate of ENet with p99=5ms and nothing lost but by the impairment: **1,000 msg/s**, where a message costs the server 37.7 µs of CPU time. ",
            "\nLoad: 1,000 clients, 32 bytes, UDP, unreliable, delay 30ms each way.\n", "server CPU per message");
    }

    [Fact]
    public void A_sweep_that_found_nothing_says_whether_it_ended_by_itself_and_what_the_impairment_dropped()
    {
        SweepResult sweep = SampleSearches.Sweep with { HighestRate = null };
        sweep.Summary().AssertHas("At no rate did ENet have p99=5ms and nothing lost but by the impairment. ");
        (sweep with { Aborted = true }).Summary().AssertHas("No rate of ENet was found. ");
        (sweep with { Steps = [SampleSearches.Sweep.Steps[0] with { Result = SampleResults.Valid }] }).Summary().AssertHas("p99=5ms and nothing lost. ");
    }

    [Fact]
    public void A_sweep_of_the_clients_has_the_load_of_each_client()
    {
        SampleSearches.Players.Markdown().AssertHas("\nLoad: 20 msg/s for each client, 32 bytes, UDP.\n");
        SampleSearches.Sweeps.Markdown().AssertHas(", and the figures there (20 msg/s for each client, 32 bytes, UDP):");
        (SampleSearches.Players with { HighestClients = null }).Markdown().AssertHas("\nLoad: 32 bytes, UDP.\n");
    }
}
