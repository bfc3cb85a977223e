namespace NetCoreNetworkBenchmark.Conformance;

internal static partial class ConformanceChecks
{
    private const int LargestOfStream = 1_000_000;

    // Larger messages make fewer round trips.
    private const int LargeSize = 60_000;

    private static Task EchoAsync(CheckSubject subject) => EchoAsync(subject, subject.Plan.MessageSize);

    private static async Task SizesAsync(CheckSubject subject)
    {
        int largest = Math.Min(
            LargestOfStream, subject.Library.Info.Find(subject.Plan.Protocol, subject.Plan.Transmission)?.LargestMessage ?? LargestOfStream);
        foreach (int size in ((int[])[1, 16, SmallSize, 1_000, LargeSize, largest]).Where(size => size <= largest).Distinct())
        {
            await EchoAsync(subject, size);
        }
    }

    // Each client keeps the window of the plan in flight, with content of its own.
    private static async Task EchoAsync(CheckSubject subject, int size)
    {
        int window = subject.Plan.ParallelMessages;
        await using CheckSession session = subject.Open(clients: 4, window, size: size);
        int roundTrips = size > LargeSize ? 3 * window : Math.Max(10, 5 * window);
        var (right, wrong) = (new Tally(), new Tally());
        int clients = 0;
        session.Client.Started = peer =>
        {
            var content = new Content(size, client: Interlocked.Increment(ref clients)) { Sent = window };
            peer.State = content;
            for (int number = 0; number < window; number++)
            {
                session.Require(peer.Send(content.Message), $"Send returned false for message {number + 1} of {window} in flight.");
            }
        };
        session.Client.Message = (peer, answer) =>
        {
            var content = (Content)peer.State!;
            (answer.AsSpan().SequenceEqual(content.Message) ? right : wrong).Add();
            if (++content.Sent <= roundTrips)
            {
                peer.Send(content.Message);
            }
        };
        await session.LoadAsync();
        int sent = session.Plan.Clients * roundTrips;
        await session.ReachesAsync(
            right, sent, $"messages of {size:N0} bytes came back to their clients as they were sent",
            () => wrong.Count > 0 ? $" {wrong.Count} came back changed, or to another client." : string.Empty);
        session.Require(wrong.Count == 0, $"{wrong.Count} messages of {size:N0} bytes came back changed, or to another client.");
        session.Require(
            session.Server.Received == sent, $"All {sent} messages were answered, but the server's handler was called for {session.Server.Received}.");
        session.RequireNoErrors();
    }

    // The messages of several windows, by their numbers, each with content of its own.
    private static async Task CountedAsync(CheckSubject subject, bool inOrder, int messages = 1_000, int inFlight = 50, int? channel = null)
    {
        const int Clients = 2;
        int window = Math.Max(inFlight, subject.Plan.ParallelMessages);
        await using CheckSession session = subject.Open(Clients, window);
        var (arrived, clients) = (new Tally(), new ConcurrentBag<Numbers>());
        int started = 0;
        var fault = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        bool Send(IPeer peer, byte[] message) => channel is { } reliable ? peer.SendReliable(message, reliable) : peer.Send(message);
        session.Server.Message = (peer, message) => Send(peer, message);
        session.Client.Started = peer =>
        {
            var numbers = new Numbers(messages, client: Interlocked.Increment(ref started));
            clients.Add(numbers);
            peer.State = numbers;
            for (int number = 0; number < window; number++)
            {
                Send(peer, numbers.Message(numbers.Sent++));
            }
        };
        session.Client.Message = (peer, answer) =>
        {
            var numbers = (Numbers)peer.State!;
            if (numbers.FindFault(answer, inOrder) is { } sentence)
            {
                fault.TrySetResult(sentence);
                return;
            }

            arrived.Add();
            if (numbers.Sent < messages)
            {
                Send(peer, numbers.Message(numbers.Sent++));
            }
        };
        await session.LoadAsync();
        Task all = session.ReachesAsync(
            arrived, Clients * messages, "messages came back", () => $" Message {clients.Min(client => client.FirstMissing)} of a client is missing.");
        bool isFaulty = await Task.WhenAny(fault.Task, all) == fault.Task;
        session.Require(!isFaulty, isFaulty ? await fault.Task : string.Empty);
        await all;
        session.Require(
            session.Server.Received == Clients * messages,
            $"All {Clients * messages} messages were answered, but the server's handler was called for {session.Server.Received}.");
        session.RequireNoErrors();
    }

    private static async Task WindowAsync(CheckSession session)
    {
        int window = session.Plan.ParallelMessages;

        // The server holds every message back until the whole window of its client has arrived.
        session.Server.Message = (peer, message) =>
        {
            var held = (List<byte[]>)(peer.State ??= new List<byte[]>());
            held.Add(message);
            if (held.Count == window)
            {
                held.ForEach(message => peer.Send(message));
            }
        };
        session.Client.Started = peer =>
        {
            for (int number = 0; number < window; number++)
            {
                peer.Send(Enumerable.Repeat((byte)number, SmallSize).ToArray());
            }
        };
        await session.LoadAsync();
        await session.ReachesAsync(session.Client.Answers, session.Plan.Clients * window, "answers to messages that were in flight together arrived");
    }

    private static async Task ManyClientsAsync(CheckSession session)
    {
        session.Client.Started = SendSmall;
        await session.LoadAsync();
        await session.ReachesAsync(session.Client.Answers, session.Plan.Clients, "clients had an answer");
        session.RequireNoErrors();
    }

    private static async Task PauseAsync(CheckSession session)
    {
        var due = new Tally();
        session.Client.Due = (_, _, _) => due.Add();
        await session.LoadAsync();
        await session.ReachesAsync(due, 20, "messages became due");

        // The phase stays, as in another one the kit calls OnDue no more by itself.
        session.Pause();
        long start = Stopwatch.GetTimestamp();
        for (int before = -1; before != due.Count;)
        {
            TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
            session.Require(elapsed < session.Plan.ConnectDeadline, $"OnDue still came {CheckSession.Seconds(elapsed)} after Pause.");
            before = due.Count;
            await Task.Delay(TimeSpan.FromMilliseconds(200));
        }

        session.Load();
        await session.ReachesAsync(due, due.Count + 20, "messages became due after the load had been resumed");
        session.RequireNoErrors();
    }

    // Messages that are not read must not accumulate without bound, and all arrive once they are read. The client stays in the call for its first message,
    // and its messages have more bytes than the buffers of the system can hold.
    private static async Task BackPressureAsync(CheckSubject subject)
    {
        bool isStream = subject.Plan.Protocol.IsStream();
        (int clients, int size, int pushed, int expected) = isStream ? (1, 16_000, 4_000, 4_000) : (3, SmallSize, 20_000, 1_000);
        await using CheckSession session = subject.Open(clients, size: size);
        var (sent, ended, nested) = (new Tally(), new Tally(), new Tally());
        using var reads = new ManualResetEventSlim(!isStream);
        session.Server.Message = (peer, _) => SendOn(peer);
        session.Server.Writable = SendOn;
        session.Client.Started = peer => peer.Send(new byte[size]);
        session.Client.Message = (_, _) => reads.Wait(session.Plan.ConnectDeadline);
        await session.LoadAsync();

        // A server that is never congested sends all in its first call, however slowly.
        await session.ReachesAsync(ended, 1, "calls of a server that pushes ended");
        for (int before = -1; isStream && before != sent.Count;)
        {
            before = sent.Count;
            await Task.Delay(TimeSpan.FromMilliseconds(200));
        }

        bool isBounded = !isStream || sent.Count < pushed;
        reads.Set();
        session.Require(isBounded, $"The server accepted {pushed:N0} messages of {size:N0} bytes for a client that reads none, and IsCongested stayed false.");
        await session.ReachesAsync(session.Client.Answers, expected, "messages of a server that pushes arrived");
        session.Require(nested.Count == 0, "OnWritable was called within another call for the same peer.");
        session.RequireNoErrors();

        void SendOn(IPeer peer)
        {
            var state = (Sender)(peer.State ??= new Sender());
            if (state.IsSending)
            {
                nested.Add();
            }

            state.IsSending = true;
            byte[] message = new byte[size];
            while (state.Sent < pushed && !peer.IsCongested)
            {
                state.Sent++;
                sent.Add();
                peer.Send(message);
            }

            state.IsSending = false;
            ended.Add();
        }
    }

    private static async Task WakeAsync(CheckSession session)
    {
        var (requested, woken) = (new Tally(), new Tally());
        IPeer? client = null;
        session.Server.Message = (peer, _) =>
        {
            Volatile.Write(ref client, peer);
            requested.Add();
        };
        session.Server.Writable = peer =>
        {
            woken.Add();
            SendSmall(peer);
        };
        session.Client.Started = SendSmall;
        await session.LoadAsync();
        await session.ReachesAsync(requested, 1, "messages reached the server");
        for (int wake = 1; wake <= 3; wake++)
        {
            await Task.Run(client!.Wake);
            await session.ReachesAsync(woken, 1, "calls of OnWritable came after Wake");
            await session.ReachesAsync(session.Client.Answers, 1, "messages arrived that were sent in OnWritable");
        }

        await session.CloseClientsAsync();
        await session.ReachesAsync(session.Server.Closed, 1, "closes were seen by the server");
        client!.Wake();
    }

    // Each client receives each message once.
    private static async Task OneCallToAllAsync(CheckSession session)
    {
        int clients = session.Plan.Clients;
        const int Messages = 10;
        session.SendsToAll = true;
        var (requested, sent) = (new Tally(), new Tally());
        var received = new ConcurrentDictionary<(IPeer Client, byte Number), bool>();
        int receivers = 0;
        session.Server.Message = (_, _) => requested.Add();
        session.Server.Writable = peer =>
        {
            receivers = peer.Receivers;
            for (byte number = 0; number < Messages && sent.Count < Messages; number++)
            {
                byte[] message = new byte[SmallSize];
                message[0] = number;
                peer.Send(message);
                sent.Add();
            }
        };
        session.Client.Started = SendSmall;
        session.Client.Message = (peer, message) => received.TryAdd((peer, message[0]), true);
        await session.LoadAsync();
        await session.ReachesAsync(requested, clients, "messages reached the server");
        session.Require(session.Server.Group is not null, "The server has no peer that represents all clients (ServerSetup.SendsToAll).");
        session.Server.Group!.Wake();
        await session.ReachesAsync(sent, Messages, "messages were sent to all clients");
        await session.ReachesAsync(session.Client.Answers, clients * Messages, "messages arrived that were sent to all clients");
        session.Require(receivers == clients, $"The peer that represents all clients has {receivers} receivers; there are {clients} clients.");
        session.Require(
            received.Count == clients * Messages, $"{clients * Messages} messages arrived, and {clients * Messages - received.Count} of them twice.");
    }

    private sealed class Numbers(int messages, int client)
    {
        private readonly bool[] _arrived = new bool[messages];
        private int _last;

        public int Sent { get; set; }
        public int FirstMissing => _arrived.IndexOf(false) is >= 0 and var first ? first : messages;

        public byte[] Message(int number)
        {
            var message = new byte[SmallSize];
            message.AsSpan().Fill((byte)(number + (client * 101)));
            BitConverter.TryWriteBytes(message, number);
            return message;
        }

        public string? FindFault(byte[] answer, bool inOrder)
        {
            int number = answer.Length == SmallSize ? BitConverter.ToInt32(answer) : -1;
            if (number < 0 || number >= messages || !answer.AsSpan().SequenceEqual(Message(number)))
            {
                return "A message came back changed, or to another client.";
            }

            int last = _last;
            (_last, bool isRepeated) = (number, _arrived[number]);
            _arrived[number] = true;
            return isRepeated ? $"Message {number} of a client came back twice."
                : inOrder && number < last ? $"Message {number} of a client came back after message {last}."
                : null;
        }
    }

    private sealed class Content
    {
        public Content(int size, int client)
        {
            Message = new byte[size];
            new Random(client).NextBytes(Message);
            Message[0] = (byte)client;
        }

        public byte[] Message { get; }
        public int Sent { get; set; }
    }

    private sealed class Sender
    {
        public int Sent { get; set; }
        public bool IsSending { get; set; }
    }
}
