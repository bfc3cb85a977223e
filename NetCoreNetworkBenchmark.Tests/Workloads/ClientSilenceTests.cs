using NetCoreNetworkBenchmark.Workloads.InFlight;

namespace NetCoreNetworkBenchmark.Tests.Workloads;

/// <summary>With a clock that the test sets. All times are in milliseconds; a phase begins a millisecond after its call.</summary>
public sealed class ClientSilenceTests : IDisposable
{
    private static readonly long s_millisecond = Stopwatch.Frequency / 1_000;
    private readonly SetClock _clock = new();
    private readonly RunRecorder _recorder;
    private readonly WorkerStatistics _worker;
    private readonly ClientSilences _silences = new(new RunPlan { Library = "Sockets", Clients = 2, Rate = 100 });
    private readonly ClientSilence _first;
    private readonly ClientSilence _second;

    public ClientSilenceTests()
    {
        _recorder = new RunRecorder(clock: _clock);
        _worker = _recorder.AddWorker(recordsLatency: true);
        (_first, _second) = (_silences.Take(_worker), _silences.Take(_worker));
        Enter(RunPhase.WarmUp, 100);
    }

    [Fact]
    public void Silence_counts_from_the_begin_of_the_measurement_to_its_end()
    {
        Answer(_first, 200);
        Enter(RunPhase.Measure, 999);
        Answer(_first, 1_300);
        Answer(_first, 3_200);
        Enter(RunPhase.CoolDown, 3_999);
        AssertTimes(1_900, 3_000);
        Answer(_second, 9_000);
        Enter(RunPhase.Drain, 9_999);
        AssertTimes(1_900, 3_000);
    }

    [Fact]
    public void A_silence_goes_on_from_one_part_of_the_measurement_to_the_next()
    {
        Enter(RunPhase.Measure, 999);
        Answer(_first, 1_100);
        Answer(_second, 1_100);
        Enter(RunPhase.Measure, 1_999);
        Answer(_first, 2_500);
        Answer(_second, 2_900);
        Enter(RunPhase.Drain, 2_999);
        AssertTimes(1_400, 1_800);
    }

    [Theory, InlineData(2_900, 2), InlineData(3_000, 1), InlineData(4_500, 1)]
    public void Clients_that_were_answered_in_the_last_second_or_after_it_have_gone_on(int answer, int ended)
    {
        Enter(RunPhase.Measure, 999);
        Answer(_second, 1_500);
        if (answer < 4_000)
        {
            Answer(_first, answer);
        }

        Enter(RunPhase.CoolDown, 3_999);
        if (answer > 4_000)
        {
            Answer(_first, answer);
        }

        Assert.Equal(ended, _silences.CountEnded().Value);
    }

    [Fact]
    public void Clients_that_send_seldom_are_given_the_time_of_ten_messages()
    {
        var seldom = new ClientSilences(new RunPlan { Library = "Sockets", Clients = 1, Rate = 5 });
        ClientSilence client = seldom.Take(_worker);
        Enter(RunPhase.Measure, 999);
        Answer(client, 8_100);
        Enter(RunPhase.CoolDown, 9_999);
        Assert.Equal(0, seldom.CountEnded().Value);
    }

    [Fact]
    public void A_client_that_connects_again_continues_the_silence_of_one_that_lost_its_connection()
    {
        Enter(RunPhase.Measure, 999);
        Answer(_first, 1_200);
        Answer(_second, 1_200);
        _silences.Leave(_second);
        ClientSilence again = _silences.Take(_worker);
        Answer(_first, 1_900);
        Answer(again, 1_800);
        Enter(RunPhase.Drain, 1_999);
        AssertTimes(600, 700);
        Assert.Equal(0, _silences.CountEnded().Value);
    }

    [Fact]
    public void PingPong_has_the_silence_of_a_run_with_interruptions_alone()
    {
        var plan = new RunPlan
        {
            Library = "Sockets",
            Clients = 2,
            Rate = 100,
            Impairment = new ImpairmentPlan { Roam = TimeSpan.FromSeconds(5) },
        };
        using var roaming = new ClientLink(new PingPong(), plan);
        roaming.Due();
        roaming.AnswerAll();
        Assert.Equal((ClientSilences.Longest, 2L), (Assert.Single(roaming.Handler.Distributions).Name, roaming.Handler.Distributions[0].Histogram.Count));
        Assert.Equal(ClientSilences.Ended, Assert.Single(roaming.Handler.ComputeFigures()).Name);
        using var plain = new ClientLink(new PingPong(), plan with { Impairment = new ImpairmentPlan { Loss = 0.1 } });
        Assert.Empty(plain.Handler.Distributions);
        Assert.Empty(plain.Handler.ComputeFigures());
    }

    public void Dispose() => _recorder.Dispose();

    private void Enter(RunPhase phase, int time)
    {
        _clock.Time = time * s_millisecond;
        _recorder.Enter(phase);
    }

    private void Answer(ClientSilence client, int time)
    {
        _clock.Time = time * s_millisecond;
        _worker.ReadClock();
        client.OnAnswer(_worker);
    }

    private void AssertTimes(int shorter, int longer)
    {
        LatencyHistogram times = _silences.Times();
        Assert.Equal(2, times.Count);
        Assert.InRange(times.Min, 0.99 * shorter * 1e6, 1.01 * shorter * 1e6);
        Assert.InRange(times.Max, 0.99 * longer * 1e6, 1.01 * longer * 1e6);
    }
}
