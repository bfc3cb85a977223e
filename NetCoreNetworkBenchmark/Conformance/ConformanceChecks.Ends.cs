using System.Net.NetworkInformation;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Conformance;

internal static partial class ConformanceChecks
{
    private const string DescriptorFolder = "/proc/self/fd";

    private static async Task EndPointAsync(CheckSubject subject)
    {
        CheckSession session = subject.Open(clients: 1);
        await using ConfiguredAsyncDisposable end = session.ConfigureAwait(false);
        session.StartServer();
        session.Require(
            session.EndPoint.Address.Equals(subject.Loopback) && session.EndPoint.Port != 0,
            $"The server's EndPoint is {session.EndPoint}; it was requested to bind to {subject.Loopback} and any port.");
        IPGlobalProperties system = IPGlobalProperties.GetIPGlobalProperties();
        IPEndPoint[] bound = session.Plan.Protocol.IsOverTcp() ? system.GetActiveTcpListeners() : system.GetActiveUdpListeners();
        string[] addresses =
        [
            .. from other in bound
               where other.Port == session.EndPoint.Port
               select $"{(other.Address.IsIPv4MappedToIPv6 ? other.Address.MapToIPv4() : other.Address)}",
        ];
        string found = addresses.Length == 0 ? "none at that port" : $"one at {string.Join(", ", addresses)}";
        session.Require(
            addresses.Contains($"{subject.Loopback}"), $"The system has no socket of the server at {session.EndPoint}, but {found}.");
    }

    // Descriptors of the first sessions stay: those of the runtime's own event loops.
    private static async Task DescriptorsAsync(CheckSubject subject)
    {
        const int Sessions = 5;
        await OpenAndCloseAsync(subject, 2).ConfigureAwait(false);
        int before = Directory.GetFiles(DescriptorFolder).Length;
        await OpenAndCloseAsync(subject, Sessions).ConfigureAwait(false);
        long start = Stopwatch.GetTimestamp();
        int left;
        while ((left = Directory.GetFiles(DescriptorFolder).Length - before) >= Sessions && Stopwatch.GetElapsedTime(start) < subject.Plan.StopDeadline)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(50)).ConfigureAwait(false);
        }

        if (left >= Sessions)
        {
            throw new BenchmarkException($"After {Sessions} servers and their clients were disposed, {left} more descriptors are open than before.");
        }
    }

    private static async Task OpenAndCloseAsync(CheckSubject subject, int sessions)
    {
        for (int number = 0; number < sessions; number++)
        {
            CheckSession session = subject.Open(clients: 2);
            await using ConfiguredAsyncDisposable end = session.ConfigureAwait(false);
            await session.StartAsync().ConfigureAwait(false);
        }
    }

    // Anyone can send to a server. Those whom it takes in beside its clients cost memory without bound.
    private static async Task MorePeersAsync(CheckSubject subject)
    {
        const int Clients = 2;
        CheckSession session = subject.Open(Clients);
        await using ConfiguredAsyncDisposable end = session.ConfigureAwait(false);
        var answers = new Tally();
        session.Client.Started = peer => peer.Send(new byte[SmallSize]);
        session.Client.Message = (peer, answer) =>
        {
            answers.Add();
            peer.Send(answer);
        };
        await session.LoadAsync().ConfigureAwait(false);
        await session.ReachesAsync(answers, 10 * Clients, "answers arrived").ConfigureAwait(false);
        CheckSession others = subject.Open(Clients);
        await using (others.ConfigureAwait(false))
        {
            _ = await ReasonAsync(() => others.ConnectAsync(session.EndPoint, TimeSpan.FromMilliseconds(300))).ConfigureAwait(false);
        }

        await session.ReachesAsync(answers, 10 * Clients, "answers arrived after others had tried to connect").ConfigureAwait(false);
        session.Require(
            session.Server.Connected.Count <= Clients, $"The server accepted {session.Server.Connected.Count} peers; the plan has {Clients} clients.");
    }

    private static async Task TimedAsync(CheckSession session, string side, Func<Task> close)
    {
        TimeSpan max = session.Plan.StopDeadline / 2;
        long start = Stopwatch.GetTimestamp();
        await close().ConfigureAwait(false);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        session.Require(
            elapsed < max,
            Invariant($"DisposeAsync of the {side} took {elapsed.TotalSeconds:0.0} s, for which each run waits (limit: {max.TotalSeconds:0.0} s)."));
    }
}
