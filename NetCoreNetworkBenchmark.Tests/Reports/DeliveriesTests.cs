using NetCoreNetworkBenchmark.Reports.Builders;
using NetCoreNetworkBenchmark.Reports.Documents;

namespace NetCoreNetworkBenchmark.Tests.Reports;

public sealed class DeliveriesTests
{
    [Theory, InlineData(10_000, true, true), InlineData(500, false, true), InlineData(50, false, false)]
    public void The_plot_of_round_trips_has_no_percentile_for_which_the_messages_are_too_few(int messages, bool hasP999, bool hasP99)
    {
        BenchmarkResult loss = SampleSuites.Loss.Benchmarks[1];
        loss = loss with
        {
            Cases =
            [
                .. from result in loss.Cases
                   where result.Summary?.Delivery is not null
                   let few = result.Summary!.Delivery! with { Sent = messages, Lost = 0 }
                   select result with { Summary = result.Summary! with { Delivery = few } },
            ],
        };
        Plot plot = Deliveries.PlotsOf([loss], new Palette(loss.Cases.Select(result => result.Library))).First();
        LatencySummary[] latencies = [.. loss.Cases.Select(result => result.Summary!.Delivery!.Microseconds)];
        Assert.Equal(
            latencies.Select(latency => (latency.P50, hasP999 ? latency.P999 : hasP99 ? latency.P99 : latency.P50, hasP99 ? latency.P99 : (double?)null)),
            plot.Ranges.Select(range => (range.Low, range.High, range.Cross)));
    }

    [Theory]
    [InlineData(Protocol.Udp, Transmission.Unreliable, null, ", UDP")]
    [InlineData(Protocol.Udp, Transmission.Reliable, null, ", UDP, reliable")]
    [InlineData(Protocol.Udp, Transmission.Unreliable, "--delay 30ms --loss 1%", ", UDP, unreliable, delay 30ms each way, loss 1% each way")]
    [InlineData(Protocol.Udp, Transmission.Reliable, "--delay 30ms --jitter 5ms", ", UDP, reliable, delay 30ms each way, jitter 5ms each way")]
    [InlineData(Protocol.Tcp, Transmission.Reliable, "--delay 30ms", ", TCP, delay 30ms each way")]
    public void A_heading_of_a_load_names_its_delivery_and_its_impairment(Protocol protocol, Transmission transmission, string? impairment, string end)
    {
        RunPlan plan = (impairment?.Split(' ') ?? []).Chunk(2).Aggregate(
            SampleResults.Valid.Plan with { Protocol = protocol, Transmission = transmission },
            (changed, option) => PlanOptions.All.Single(known => known.Name == option[0]).Apply(changed, option[1]));
        Loads.Describe(SampleSuites.SuiteOf(SampleResults.Valid.WithPlan(_ => plan)).Benchmarks[0]).AssertEnds($"bytes{end}");
    }
}
