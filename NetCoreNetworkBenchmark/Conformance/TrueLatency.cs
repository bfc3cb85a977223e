namespace NetCoreNetworkBenchmark.Conformance;

/// <summary>
/// The clock of a client is read after the receive call that returned its message. Both sides share a clock that also advances by a step whenever the server
/// answers. A receive call cannot return before the server sends the received bytes, so the reading of an answer is never before the answer, on any machine.
/// </summary>
internal static class TrueLatency
{
    // A library may send at intervals only, so a small window has no more turns than a large one.
    private const int Turns = 100;
    private const int MaxAnswers = 3_000;
    private const int Size = 32;

    public static async Task CheckAsync(CheckSubject subject)
    {
        foreach (int window in (int[])[1, 64, 1_000])
        {
            var answers = new AnswerTimes(Math.Min(Turns * window, MaxAnswers));
            await subject.WithinAsync(session => CheckAsync(session, answers, window), clients: 1, window, size: Size, clock: answers.Clock);
        }
    }

    private static async Task CheckAsync(CheckSession session, AnswerTimes answers, int window)
    {
        byte[] message = new byte[Size];
        (int sent, int? answered) = (0, null);
        session.Server.Message = (peer, received) =>
        {
            answers.Answer(BitConverter.ToInt32(received));
            peer.Send(received);
        };
        session.Client.Started = peer =>
        {
            for (int number = 0; number < window; number++)
            {
                Send(peer);
            }
        };
        session.Client.Message = (_, answer) => answered = BitConverter.ToInt32(answer);
        session.Client.Think = (peer, worker) =>
        {
            if (answered is { } number)
            {
                answers.Judge(number, worker.Now);
                if (sent < answers.Count + window)
                {
                    Send(peer);
                }
            }
        };
        await session.LoadAsync();
        await session.ReachesAsync(answers.Judged, answers.Count, "answers arrived");
        session.Require(
            answers.Early is null,
            $"The latency of message {answers.Early} would be too short: the client's clock was not read after the receive call that returned its answer.");

        void Send(IPeer peer)
        {
            BitConverter.TryWriteBytes(message, sent++);
            answers.Clock.Send();
            peer.Send(message);
        }
    }

    /// <summary>
    /// The machine's clock, ahead by a step for every answer of the server. A few of its readings at the client return only after the server has
    /// sent further answers, so a receive call that follows such a reading returns messages that were answered after the reading.
    /// </summary>
    internal sealed class SteppingClock : TimeProvider
    {
        private static readonly long s_step = Stopwatch.Frequency / 100_000;

        // More messages than a server receives by one call and answers together, so some answers have been sent.
        private const int ManyAnswers = 300;

        // Messages in flight may still wait in the library for the thread that reads the clock.
        private static readonly TimeSpan s_longestWait = TimeSpan.FromMilliseconds(50);

        private long _ahead;
        private int _inFlight;
        private int _client;
        private int _server;
        private int _lateOnes = 4;

        public override long GetTimestamp()
        {
            long time = Read();
            int thread = Environment.CurrentManagedThreadId;
            if (thread == Volatile.Read(ref _client) && thread != Volatile.Read(ref _server) && Volatile.Read(ref _inFlight) > 0 && _lateOnes > 0)
            {
                _lateOnes--;
                long many = Volatile.Read(ref _ahead) + (ManyAnswers * s_step);
                SpinWait.SpinUntil(() => Volatile.Read(ref _ahead) >= many || Volatile.Read(ref _inFlight) <= 0, s_longestWait);
            }

            return time;
        }

        public long Send()
        {
            Volatile.Write(ref _client, Environment.CurrentManagedThreadId);
            Interlocked.Increment(ref _inFlight);
            return Read();
        }

        public long Answer()
        {
            Volatile.Write(ref _server, Environment.CurrentManagedThreadId);
            Interlocked.Decrement(ref _inFlight);
            return Stopwatch.GetTimestamp() + Interlocked.Add(ref _ahead, s_step);
        }

        private long Read() => Stopwatch.GetTimestamp() + Volatile.Read(ref _ahead);
    }

    private sealed class AnswerTimes(int count)
    {
        // Those in flight after the last one that is judged are answered too.
        private readonly long[] _answered = new long[2 * count];

        public int Count => count;
        public SteppingClock Clock { get; } = new();
        public Tally Judged { get; } = new();
        public int? Early { get; private set; }

        public void Answer(int number) => Volatile.Write(ref _answered[number], Clock.Answer());

        public void Judge(int number, long received)
        {
            Early ??= received < Volatile.Read(ref _answered[number]) ? number : null;
            Judged.Add();
        }
    }
}
