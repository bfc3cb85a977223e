using NetCoreNetworkBenchmark.Running.Interleaving;

namespace NetCoreNetworkBenchmark.Tests.Running.Interleaving;

public sealed class InterleavedOutcomeTests
{
    [Theory, InlineData(0L, null), InlineData(50L, 10_000.0), InlineData(null, 5_000.0)]
    public void The_messages_of_clients_count_for_the_cost_of_a_server_that_counts_none(long? messages, double? microseconds) =>
        Assert.Equal([microseconds], SeriesOf([Slice(messages: 100)], new ServerSlice(1, messages, 0.5, 0)).ServerCpuMicroseconds);

    [Fact]
    public void The_cost_of_a_server_with_ticks_is_that_of_the_messages_that_reached_its_clients() => Assert.Equal(
        [5_000.0, 10_000.0],
        SeriesOf([Slice(messages: 100), Slice(messages: 50)], TimeSpan.FromMilliseconds(50), new ServerSlice(1, 100, 0.5, 0), new ServerSlice(1, 100, 0.5, 0))
            .ServerCpuMicroseconds);

    [Fact]
    public void A_slice_with_more_than_5_percent_of_late_messages_is_left_out()
    {
        var ofServer = new ServerSlice(1, null, 0.3, 0);
        SliceSeries series = SeriesOf([Slice(100, late: 0.05), Slice(200, late: 0.0501), Slice(300)], ofServer, ofServer, ofServer);
        Assert.Equal([100.0, null, 300.0], series.MessagesPerSecond);
        Assert.Equal([3_000.0, null, 1_000.0], series.ServerCpuMicroseconds);
        Assert.Equal([1_000.0, null, 3_000.0], series.P50Microseconds!);
        Assert.Equal([2_000.0, null, 6_000.0], series.P99Microseconds!);
        Assert.Equal([0.05, 0.0501, 0], series.LateShares);
    }

    [Theory, InlineData(2, 2), InlineData(3, 4)]
    public void Late_slices_are_kept_if_most_slices_are_late(int late, int kept) => Assert.Equal(
        kept,
        SeriesOf([.. Enumerable.Range(0, 4).Select(round => Slice(100, late: round < late ? 0.5 : 0))]).MessagesPerSecond.Count(rate => rate is not null));

    [Theory, InlineData(2, 2), InlineData(3, 4)]
    public void Slices_with_a_compiler_are_kept_if_it_ran_in_most(int compiled, int kept) => Assert.Equal(
        kept,
        SeriesOf([.. Enumerable.Range(0, 4).Select(round => Slice(100) with { CompilationSeconds = round < compiled ? 0.11 : 0.1 })])
            .MessagesPerSecond.Count(rate => rate is not null));

    [Fact]
    public void The_cost_of_a_server_is_without_its_compiler_and_does_not_depend_on_that_of_the_clients()
    {
        SliceSeries series = SeriesOf(
            [Slice(100), Slice(100) with { CompilationSeconds = 0.5 }, Slice(100)],
            new ServerSlice(1, 100, 0.5, 0.1), new ServerSlice(1, 100, 0.5, 0), new ServerSlice(1, 100, 0.5, 0.11));
        Assert.Equal([4_000.0, 5_000.0, null], series.ServerCpuMicroseconds);
        Assert.Equal([100.0, null, null], SeriesOf([Slice(100), Slice(100) with { CompilationSeconds = 0.5 }, Slice(0)]).MessagesPerSecond);
    }

    [Fact]
    public void Late_slices_are_left_out_although_a_compiler_ran_in_most() => Assert.Equal(
        [null, 100.0, 100.0],
        SeriesOf([.. Enumerable.Range(0, 3).Select(round => Slice(100, late: round == 0 ? 0.5 : 0) with { CompilationSeconds = 0.5 })]).MessagesPerSecond);

    [Fact]
    public void Slices_of_one_load_generator_are_kept_whole_and_those_of_several_have_the_largest_late_share_and_no_percentiles()
    {
        SliceReport one = Slice(100, late: 0.02);
        Assert.Same(one, SliceReport.Merge([one]));
        Assert.Equal(new SliceReport(1, 300, 0, 0, 0) { LateShare = 0.05 }, SliceReport.Merge([one, Slice(200, late: 0.05)]));
    }

    // Its percentiles are 10 and 20 us for each message.
    private static SliceReport Slice(long messages, double late = 0) => new(1, messages, 0, 0, 0)
    {
        LateShare = late,
        P50Microseconds = 10 * messages,
        P99Microseconds = 20 * messages,
    };

    private static SliceSeries SeriesOf(IReadOnlyList<SliceReport> slices, params IReadOnlyList<ServerSlice> ofServer) =>
        SeriesOf(slices, tick: null, ofServer);

    private static SliceSeries SeriesOf(IReadOnlyList<SliceReport> slices, TimeSpan? tick, params IReadOnlyList<ServerSlice> ofServer)
    {
        LibraryInfo library = SampleLibrary.Info;
        var plan = new RunPlan { Library = library.Name, Tick = tick };
        var measured = new SuiteCase("Case", plan, library, new PingPong(), Launches: 1);
        return new InterleavedOutcome(measured, slices, ofServer, IsJitQuiet: true, Result: null, Failure: null).Series();
    }
}
