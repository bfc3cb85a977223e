using NetCoreNetworkBenchmark.Cli.Progress;

namespace NetCoreNetworkBenchmark.Tests.Running.Sides;

/// <summary>The figures of a run while it lasts.</summary>
public sealed class LiveReaderTests
{
    [Fact]
    public void Merge_adds_counts_and_takes_the_highest_percentiles()
    {
        var first = new LiveFigures(10) { P50Microseconds = 1, P99Microseconds = 9, InFlight = 2, Lost = 1, ClientCores = 0.5 };
        var second = new LiveFigures(20) { P50Microseconds = 2, P99Microseconds = 8, InFlight = 3, Lost = 2, ClientCores = 0.25 };
        Assert.Equal(
            new LiveFigures(30) { P50Microseconds = 2, P99Microseconds = 9, InFlight = 5, Lost = 3, ClientCores = 0.75 }, LiveFigures.Merge([first, second]));
        Assert.Null(LiveFigures.Merge([first, second with { InFlight = null }]).InFlight);
    }

    [Fact]
    public void A_line_has_the_figures_that_are_known_and_nothing_is_written_without_figures()
    {
        var lines = new List<string>();
        var live = new LiveLines(lines.Add);
        var progress = new RunProgress(RunPhase.Measure, TimeSpan.FromSeconds(1.5), null, 0);
        live.Report(progress);
        live.Report(progress with { Figures = new LiveFigures(1_234.56) { P50Microseconds = 12.3456, InFlight = 7, CoresOfBoth = 1.5 } });
        Assert.Equal(
            [
                "{\"phase\":\"measure\",\"seconds\":1.5,\"messagesPerSecond\":1234.6,\"p50Microseconds\":12.346," +
                    "\"inFlight\":7,\"lost\":0,\"cores\":1.5}",
            ],
            lines);
    }

    [Fact]
    public void Lines_of_a_phase_are_a_second_apart_and_a_phase_begins_with_a_line()
    {
        var lines = new List<string>();
        var live = new LiveLines(lines.Add);
        var progress = new RunProgress(RunPhase.WarmUp, TimeSpan.Zero, null, 0, new LiveFigures(1));
        live.Report(progress);
        live.Report(progress with { Phase = RunPhase.Measure });
        Assert.Equal(["warmUp", "measure"], lines.Select(line => JsonDocument.Parse(line).RootElement.GetProperty("phase").GetString()));
    }
}
