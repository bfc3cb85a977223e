namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed class PacerTests
{
    private static readonly SendSchedule s_schedule = new(messagesPerSecond: 20_000, clients: 5);

    [Fact]
    public void Pacer_serves_clients_in_the_order_of_the_schedule()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        long start = AnHourAgo();
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, start);
        calls.Serve(100, pacer);
        Assert.Equal(
            Enumerable.Range(0, calls.All.Count).Select(message => (message % 5, s_schedule.DueAt(start, message / 5, message % 5))),
            calls.All.Select(call => (call.Client, call.Due)));
        Assert.Equal(s_schedule.DueAt(start, calls.All.Count / 5, calls.All.Count % 5), pacer.NextDue);
    }

    [Fact]
    public void Threads_share_the_schedule_without_duplicates()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        long start = AnHourAgo();
        calls.Serve(300, calls.CreatePacer(first: 0, step: 2, start), calls.CreatePacer(first: 1, step: 2, start));

        // The slower half determines the number of rounds that both have completed.
        int rounds = Enumerable.Range(0, 5).Min(client => calls.All.Count(call => call.Client == client));
        Assert.InRange(rounds, 40, int.MaxValue);
        for (int client = 0; client < 5; client++)
        {
            Assert.Equal(
                Enumerable.Range(0, rounds).Select(round => s_schedule.DueAt(start, round, client)),
                calls.All.Where(call => call.Client == client).Take(rounds).Select(call => call.Due));
        }
    }

    [Fact]
    public void What_is_overdue_is_caught_up_in_portions_and_none_is_left_out()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, AnHourAgo());
        for (int portion = 1; portion <= 10; portion++)
        {
            pacer.OnDue(Stopwatch.GetTimestamp());
            Assert.Equal(32 * portion, calls.All.Count);
            Assert.True(pacer.NextDue <= Stopwatch.GetTimestamp(), "what is left stays due");
        }
    }

    [Fact]
    public void No_message_is_early_and_the_clock_has_just_been_read()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        long start = Stopwatch.GetTimestamp() + (Stopwatch.Frequency / 100);
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, start);
        Assert.Equal(start, pacer.NextDue);
        calls.Serve(500, pacer);
        Assert.All(calls.All, call => Assert.InRange(call.Now, call.Due, call.At));
        Assert.Equal(calls.All.Select(call => call.Now).Order(), calls.All.Select(call => call.Now));
    }

    [Fact]
    public void End_lets_messages_be_sent_that_were_due_before_the_load_ended_and_no_others()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        long start = Stopwatch.GetTimestamp() - (Stopwatch.Frequency / 20);
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, start);
        long end = recorder.Enter(RunPhase.Drain);
        pacer.End();
        while (pacer.NextDue != long.MaxValue)
        {
            Assert.True(calls.Worker.HasUnsent);
            pacer.OnDue(Stopwatch.GetTimestamp());
        }

        Assert.False(calls.Worker.HasUnsent);
        int sent = calls.All.Count;
        Assert.Equal((true, true), (s_schedule.DueAt(start, (sent - 1) / 5, (sent - 1) % 5) < end, s_schedule.DueAt(start, sent / 5, sent % 5) >= end));
        pacer.OnDue(Stopwatch.GetTimestamp());
        Assert.Equal(sent, calls.All.Count);

        // The next load has a schedule of its own.
        recorder.Enter(RunPhase.Paused);
        recorder.Enter(RunPhase.WarmUp);
        pacer.OnDue(Stopwatch.GetTimestamp());
        Assert.Equal((sent, long.MaxValue), (calls.All.Count, pacer.NextDue));
    }

    [Fact]
    public void A_message_that_is_due_in_no_load_is_not_sent()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, recorder.Enter(RunPhase.Drain));
        long first = pacer.NextDue;
        while (pacer.NextDue < first + (Stopwatch.Frequency / 100))
        {
            pacer.OnDue(Stopwatch.GetTimestamp());
        }

        Assert.Empty(calls.All);
    }

    // What a thread does that is late by the whole measurement, it does at once at the end.
    [Theory, InlineData(Arrivals.Even, false), InlineData(Arrivals.Even, true), InlineData(Arrivals.Poisson, true)]
    public void The_rate_rises_where_a_part_of_the_measurement_begins(Arrivals arrivals, bool isLate)
    {
        var clock = new SetClock { Time = 1_000 };
        using var recorder = new RunRecorder(clock: clock);
        recorder.Enter(RunPhase.WarmUp);
        var calls = new Calls(recorder);
        var schedule = new SendSchedule(1_000, clients: 5) { LastRate = 3_000, Parts = 3, Arrivals = arrivals };
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, clock.Time, schedule);
        long[] begins = [clock.Time, .. ((RunPhase[])[RunPhase.Measure, RunPhase.Measure, RunPhase.Measure, RunPhase.CoolDown]).Select(PassUntil)];
        clock.Time += Stopwatch.Frequency;
        Catch();

        // The last of the warm-up, the three parts, and the time after them at the last rate.
        double[] rates = [1_000, 1_000, 2_000, 3_000, 3_000];
        long[] ends = [.. begins.Skip(1), clock.Time];
        double tolerance = arrivals == Arrivals.Even ? 2 : 6 * Math.Sqrt(3_000);
        Assert.All(rates.Index(), part => Assert.Equal(
            part.Item * (ends[part.Index] - begins[part.Index]) / Stopwatch.Frequency,
            calls.All.Count(call => call.Due >= begins[part.Index] && call.Due < ends[part.Index]), tolerance));
        Assert.Equal(calls.All.Select(call => call.Due).Order(), calls.All.Select(call => call.Due));

        // A second later.
        long PassUntil(RunPhase phase)
        {
            clock.Time += Stopwatch.Frequency;
            if (!isLate)
            {
                Catch();
            }

            return recorder.Enter(phase);
        }

        void Catch()
        {
            while (pacer.NextDue <= clock.Time)
            {
                pacer.OnDue(clock.Time);
            }
        }
    }

    [Fact]
    public void In_updates_a_message_is_due_at_the_first_update_after_its_time_in_the_schedule()
    {
        using RunRecorder recorder = Loaded();
        var calls = new Calls(recorder);
        long start = AnHourAgo();
        var updates = new UpdateTimes(start - 1, rate: 1_000);
        Pacer pacer = calls.CreatePacer(first: 0, step: 1, start, updates: updates);
        Assert.Equal(start - 1 + (Stopwatch.Frequency / 1_000), pacer.NextDue);
        calls.Serve(100, pacer);
        Assert.Equal(
            Enumerable.Range(0, calls.All.Count).Select(message => updates.AtOrAfter(s_schedule.DueAt(start, message / 5, message % 5))),
            calls.All.Select(call => call.Due));
        Assert.InRange(calls.All.Select(call => call.Due).Distinct().Count(), 2, calls.All.Count / 10);
    }

    private static RunRecorder Loaded()
    {
        var recorder = new RunRecorder();
        recorder.Enter(RunPhase.WarmUp);
        return recorder;
    }

    private static long AnHourAgo() => Stopwatch.GetTimestamp() - (3600 * Stopwatch.Frequency);

    private sealed record Call(int Client, long Due, long Now, long At);

    private sealed class Calls(RunRecorder recorder)
    {
        public WorkerStatistics Worker { get; } = recorder.AddWorker(recordsLatency: true);
        public List<Call> All { get; } = [];

        public Pacer CreatePacer(int first, int step, long start, SendSchedule? schedule = null, UpdateTimes? updates = null)
        {
            IPacedClient[] clients =
            [
                .. Enumerable.Range(0, s_schedule.Clients).Where(client => client % step == first).Select(client => new Client(client, this)),
            ];
            return new Pacer(schedule ?? s_schedule, clients, first, step, start, Worker, updates);
        }

        public void Serve(int messages, params Pacer[] pacers)
        {
            while (All.Count < messages)
            {
                Array.ForEach(pacers, pacer => pacer.OnDue(Stopwatch.GetTimestamp()));
            }
        }

        private sealed class Client(int number, Calls calls) : IPacedClient
        {
            public void Due(long due) => calls.All.Add(new Call(number, due, calls.Worker.Now, Stopwatch.GetTimestamp()));
        }
    }
}
