using System.Net.NetworkInformation;

namespace NetCoreNetworkBenchmark.Conformance;

internal static partial class ConformanceChecks
{
    private const string DescriptorFolder = "/proc/self/fd";

    private static async Task EndPointAsync(CheckSession session)
    {
        session.StartServer();
        session.Require(
            session.EndPoint.Address.Equals(session.Subject.Loopback) && session.EndPoint.Port != 0,
            $"The server's EndPoint is {session.EndPoint}; it was requested to bind to {session.Subject.Loopback} and any port.");
        IPGlobalProperties system = IPGlobalProperties.GetIPGlobalProperties();
        IPEndPoint[] bound = session.Plan.Protocol.IsOverTcp() ? system.GetActiveTcpListeners() : system.GetActiveUdpListeners();
        string[] addresses =
        [
            .. from other in bound
               where other.Port == session.EndPoint.Port
               select $"{(other.Address.IsIPv4MappedToIPv6 ? other.Address.MapToIPv4() : other.Address)}",
        ];
        string listeners = addresses.Length == 0 ? "none at that port" : $"one at {string.Join(", ", addresses)}";
        session.Require(
            addresses.Contains($"{session.Subject.Loopback}"), $"The system has no socket of the server at {session.EndPoint}, but {listeners}.");
    }

    // Descriptors of the first sessions stay: those of the runtime's own event loops.
    private static async Task DescriptorsAsync(CheckSubject subject)
    {
        const int Sessions = 5;
        await OpenAndCloseAsync(subject, 2);
        string[] before = KindsOfDescriptors();
        await OpenAndCloseAsync(subject, Sessions);
        long start = Stopwatch.GetTimestamp();
        string[] after;
        while ((after = KindsOfDescriptors()).Length - before.Length >= Sessions && Stopwatch.GetElapsedTime(start) < subject.Plan.StopDeadline)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(50));
        }

        if (after.Length - before.Length >= Sessions)
        {
            IEnumerable<string> kinds =
                from kind in after.CountBy(kind => kind)
                let more = kind.Value - before.Count(known => known == kind.Key)
                where more > 0
                select $"{kind.Key}: {more}";
            throw new BenchmarkException($"After {Sessions} servers and their clients were disposed, {after.Length - before.Length} more descriptors " +
                $"are open than before ({string.Join(", ", kinds)}).");
        }
    }

    // Each thread of .NET has a pipe, and the thread pool may start some at any time.
    private static string[] KindsOfDescriptors() =>
    [
        .. from file in Directory.GetFiles(DescriptorFolder)
           let target = new FileInfo(file).LinkTarget ?? string.Empty
           where !target.StartsWith("pipe:", StringComparison.Ordinal)
           select target.StartsWith("socket:", StringComparison.Ordinal) ? "socket"
               : target.StartsWith("anon_inode:", StringComparison.Ordinal) ? target
               : "file",
    ];

    private static async Task OpenAndCloseAsync(CheckSubject subject, int sessions)
    {
        for (int number = 0; number < sessions; number++)
        {
            await subject.WithinAsync(session => session.StartAsync(), clients: 2);
        }
    }

    // Anyone can send to a server. Those whom it takes in beside its clients cost memory without bound.
    private static async Task MorePeersAsync(CheckSession session)
    {
        int clients = session.Plan.Clients;
        Tally answers = session.Client.Answers;
        session.Client.Started = SendSmall;
        session.Client.Message = SendAgain;
        await session.LoadAsync();
        await session.ReachesAsync(answers, 10 * clients, "answers arrived");
        await session.Subject.WithinAsync(others => ReasonAsync(() => others.ConnectAsync(session.EndPoint, TimeSpan.FromMilliseconds(300))), clients);
        await session.ReachesAsync(answers, 10 * clients, "answers arrived after others had tried to connect");
        session.Require(
            session.Server.Connected.Count <= clients, $"The server accepted {session.Server.Connected.Count} peers; the plan has {clients} clients.");
    }

    private static async Task TimedAsync(CheckSession session, string side, Func<Task> close)
    {
        TimeSpan max = session.Plan.StopDeadline / 2;
        long start = Stopwatch.GetTimestamp();
        await close();
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        session.Require(
            elapsed < max,
            Invariant($"DisposeAsync of the {side} took {elapsed.TotalSeconds:0.0} s, for which each run waits (limit: {max.TotalSeconds:0.0} s)."));
    }
}
