using NetCoreNetworkBenchmark.Impairment;

namespace NetCoreNetworkBenchmark.Conformance;

internal static partial class ConformanceChecks
{
    private static async Task ConnectAsync(CheckSession session)
    {
        int clients = session.Plan.Clients;
        await session.StartAsync();
        await session.ReachesAsync(session.Server.Connected, clients, "clients were seen by the server");
        session.Require(session.Server.Connected.Count == clients, "The server saw a client connect twice.");
        session.Require(session.Client.Connected.Count == clients, $"OnConnected came {session.Client.Connected.Count} times to {clients} clients.");
        session.Require(session.Server.Closed.Count + session.Client.Closed.Count == 0, "OnClosed came although nothing was closed.");
        session.RequireNoErrors();
    }

    private static async Task StopAsync(CheckSession session)
    {
        session.Client.Started = SendSmall;
        session.Client.Message = SendAgain;
        await session.LoadAsync();
        for (int times = 1; times <= 2; times++)
        {
            await TimedAsync(session, "clients", session.CloseClientsAsync);
            await TimedAsync(session, "server", session.CloseServerAsync);
        }

        session.Require(!session.Recorder.Fault.IsCompleted, "Stopping made a thread fail.");
    }

    private static async Task AllCloseAsync(CheckSession session, Func<Task> closeAsync, Tally closes, string what)
    {
        await session.StartAsync();
        await session.ReachesAsync(session.Server.Connected, session.Plan.Clients, "clients were seen by the server");
        await closeAsync();
        await session.ReachesAsync(closes, session.Plan.Clients, what);
    }

    private static async Task OneClosesAsync(CheckSession session)
    {
        int started = 0;
        session.Client.Started = peer =>
        {
            if (Interlocked.Increment(ref started) == 1)
            {
                peer.Close();
            }
            else
            {
                SendSmall(peer);
            }
        };
        session.Client.Message = SendAgain;
        await session.LoadAsync();
        await session.ReachesAsync(session.Server.Closed, 1, "closes were seen by the server");
        await session.ReachesAsync(session.Client.Closed, 1, "closes were seen by the client");
        await RemainAsync(session);
        session.Require((session.Server.Closed.Count, session.Client.Closed.Count) == (1, 1), "Close of one peer closed others too.");
    }

    private static Task RemainAsync(CheckSession session) => session.ReachesAsync(
        session.Client.Answers, session.Client.Answers.Count + (10 * (session.Plan.Clients - 1)), "answers arrived at the clients that remained");

    // A client of a process that is killed: its connection is reset, and without connections its datagrams end. The others go on.
    private static async Task KilledPeerAsync(CheckSession session)
    {
        var served = new Tally();
        var peers = new ConcurrentDictionary<IPeer, bool>();
        session.Client.Started = SendSmall;
        session.Client.Message = (peer, answer) =>
        {
            if (peers.TryAdd(peer, true))
            {
                served.Add();
            }

            peer.Send(answer);
        };
        session.StartServer();
        using var recorder = new RunRecorder();
        var relay = Relay.Start(RelaySetup.From(session.Plan, session.EndPoint, recorder));
        await using (relay)
        {
            await session.ConnectAsync(clients: session.Plan.Clients - 1);
            await session.ConnectAsync(relay.EndPoint, clients: 1);
            session.Load();

            // The relay may connect to the server after the other clients have had many answers.
            await session.ReachesAsync(served, session.Plan.Clients, "clients had an answer");
        }

        if (session.Plan.Protocol.IsOverTcp())
        {
            await session.ReachesAsync(session.Server.Closed, 1, "closes were seen by the server of a client that was killed");
        }

        await RemainAsync(session);
        session.Require(!session.Recorder.Fault.IsCompleted, "The loss of a client made a thread fail.");
    }

    private static async Task UnsolicitedAsync(CheckSession session)
    {
        const int Strangers = 200;
        Tally answers = session.Client.Answers;
        session.Client.Started = SendSmall;
        session.Client.Message = SendAgain;
        await session.LoadAsync();
        await session.ReachesAsync(answers, 10 * session.Plan.Clients, "answers arrived");
        var random = new Random(Strangers);
        for (int number = 0; number < Strangers; number++)
        {
            await SendGarbageAsync(session, random, isReset: number % 2 == 0);
        }

        await session.ReachesAsync(answers, answers.Count + (10 * session.Plan.Clients), "answers arrived after unsolicited traffic");
        session.Require(!session.Recorder.Fault.IsCompleted, "Unsolicited traffic made a thread fail.");
        session.Require(session.Client.Closed.Count == 0, "Unsolicited traffic closed the connection of a client.");
        session.Require(
            session.Plan.Protocol != Protocol.Udp || !session.Subject.Library.Info.CountsUnsolicitedDatagrams || session.Recorder.Unsolicited().Count > 0,
            $"None of {Strangers} datagrams of unknown senders was counted by WorkerStatistics.CountUnsolicitedDatagram.");
    }

    private static async Task SendGarbageAsync(CheckSession session, Random random, bool isReset)
    {
        using Socket unsolicited = SocketFor(session.Plan.Protocol, session.EndPoint.AddressFamily);
        byte[] garbage = new byte[random.Next(1_500)];
        random.NextBytes(garbage);
        try
        {
            using var deadline = new CancellationTokenSource(session.Plan.ConnectDeadline);
            await unsolicited.ConnectAsync(session.EndPoint, deadline.Token);
            await unsolicited.SendAsync(garbage, deadline.Token);
            if (isReset && session.Plan.Protocol.IsOverTcp())
            {
                unsolicited.LingerState = new LingerOption(enable: true, seconds: 0);
            }
        }
        catch (SocketException exception) when (
            exception.SocketErrorCode is SocketError.ConnectionReset or SocketError.ConnectionRefused or SocketError.Shutdown)
        {
            // The server ended the connection first, as it may.
            return;
        }
    }

    private static async Task NoServerAsync(CheckSession session)
    {
        using Socket silent = Silent(session.Subject);
        var deadline = TimeSpan.FromMilliseconds(300);
        string reason = await ReasonAsync(() => session.ConnectAsync((IPEndPoint)silent.LocalEndPoint!, deadline))
            ?? throw new BenchmarkException("ConnectAsync reported success without a server.");

        // A connection of TCP is accepted by the system itself. Then the answer to TLS is missing, for which client and group have the same deadline.
        string late = $"Only 0 of {session.Plan.Clients} clients connected to {silent.LocalEndPoint} within 0.3 s.";
        string[] expected = session.Plan.Protocol switch
        {
            Protocol.Tcp => ["A client could not connect: "],
            Protocol.Quic => [late, $"A client could not connect: {silent.LocalEndPoint} cannot be reached: "],
            Protocol.Ssl => [late, "A client could not connect: the TLS handshake failed: the server did not complete it within 0.3 s"],
            _ => [late],
        };
        session.Require(
            Array.Exists(expected, begin => reason.StartsWith(begin, StringComparison.Ordinal)),
            $"ConnectAsync without a server failed with \"{reason}\" instead of \"{expected[0]}\".");
    }

    private static async Task PortInUseAsync(CheckSession first)
    {
        first.StartServer();
        await first.Subject.WithinAsync(
            async second =>
            {
                string reason = await ReasonAsync(() => Task.Run(() => second.StartServer(first.EndPoint.Port)))
                    ?? throw new BenchmarkException("StartServer took a port that is in use.");
                string expected = $"Port {first.EndPoint.Port} of {first.Subject.Loopback} is in use";
                first.Require(
                    reason.Contains(expected, StringComparison.Ordinal), $"StartServer at a port in use failed with \"{reason}\" instead of \"{expected}\".");
            },
            clients: 1);
    }

    private static async Task HandlerFailsAsync(CheckSubject subject)
    {
        const string Fault = "the handler is broken";
        foreach (bool isAtServer in (bool[])[true, false])
        {
            await using CheckSession session = subject.Open(clients: 1);
            session.Client.Started = SendSmall;
            Action<IPeer, byte[]> fail = (_, _) => throw new InvalidOperationException(Fault);
            session.Server.Message = isAtServer ? fail : null;
            session.Client.Message = isAtServer ? null : fail;
            await session.LoadAsync();
            Task deadline = Task.Delay(session.Plan.ConnectDeadline);
            bool isReported = await Task.WhenAny(session.Recorder.Fault, deadline) != deadline
                && (await session.Recorder.Fault).Message == Fault;
            session.Require(isReported, $"An exception of the {(isAtServer ? "server's" : "clients'")} handler did not reach RunRecorder.ReportFault.");
        }
    }

    // With so many clients, the kernel's hash assigns all of them to one of two sockets in one of 2^99 runs.
    private static async Task ServerThreadsAsync(CheckSubject subject)
    {
        subject = subject with { Plan = subject.Plan with { ServerThreads = 2 } };
        await subject.WithinAsync(
            async session =>
            {
                var threads = new ConcurrentDictionary<int, bool>();
                session.Server.Message = (peer, message) =>
                {
                    threads[Environment.CurrentManagedThreadId] = true;
                    peer.Send(message);
                };
                session.Client.Started = SendSmall;
                await session.LoadAsync();
                await session.ReachesAsync(session.Client.Answers, session.Plan.Clients, "answers of two threads arrived");
                session.Require(threads.Count == 2, $"{threads.Count} threads served the clients; the plan requested 2.");
                session.RequireNoErrors();
                await session.CloseClientsAsync();
                await session.ReachesAsync(session.Server.Closed, session.Plan.Clients, "closes were seen by the server");
                await subject.WithinAsync(PortInUseAsync, clients: 1);
            },
            clients: 100);
    }

    private static async Task ClientThreadsAsync(CheckSubject subject)
    {
        foreach ((int clients, int requested) in ((int, int)[])[(5, 2), (3, 4)])
        {
            await using CheckSession session = (subject with { Plan = subject.Plan with { ClientThreads = requested } }).Open(clients);
            var threads = new ConcurrentDictionary<int, bool>();
            session.Client.Started = SendSmall;
            session.Client.Message = (_, _) => threads[Environment.CurrentManagedThreadId] = true;
            await session.LoadAsync();
            await session.ReachesAsync(session.Client.Answers, clients, "answers arrived");
            int expected = Math.Min(clients, requested);
            session.Require(
                threads.Count == expected, $"{threads.Count} threads served {clients} clients; {expected} were expected of a plan with {requested}.");
            session.RequireNoErrors();
        }
    }

    private static async Task<string?> ReasonAsync(Func<Task> call)
    {
        try
        {
            await call();
            return null;
        }
        catch (BenchmarkException exception)
        {
            return exception.Message;
        }
    }

    private static Socket SocketFor(Protocol protocol, AddressFamily family) => protocol.IsOverTcp()
        ? new Socket(family, SocketType.Stream, ProtocolType.Tcp)
        : new Socket(family, SocketType.Dgram, ProtocolType.Udp);

    private static Socket Silent(CheckSubject subject)
    {
        Socket socket = SocketFor(subject.Plan.Protocol, subject.Loopback.AddressFamily);
        socket.Bind(new IPEndPoint(subject.Loopback, 0));
        if (subject.Plan.Protocol == Protocol.Ssl)
        {
            socket.Listen();
        }

        return socket;
    }
}
