using System.Text;

namespace NetCoreNetworkBenchmark.Workloads.Handshakes;

/// <summary>Each client opens a connection, makes the TLS handshake, sends one request, reads the answer, closes, and begins again.</summary>
public sealed class Handshake : IConnectionWorkload
{
    private const string Test = "Handshake";
    private const string OnlyName = "--handshake-only";
    private const string PathName = "--path";
    private const string ResumptionName = "--resumption";
    private const string WhyExcluded = "each connection carries one HTTP/1.1 request and its answer";
    private static readonly string[] s_resumptions = [TlsPlan.NoResumption, TlsPlan.ByTicket, TlsPlan.BySession];

    public string Name => Test;

    public IReadOnlyList<WorkloadOption> Options { get; } =
    [
        new(
            OnlyName, "close each connection right after the handshake, without a request",
            (plan, _) => plan.WithWorkloadOption(OnlyName, string.Empty)) { IsFlag = true },
        new(PathName, "path that the clients request", WithPath)
        {
            ValueName = "PATH",
            Details = "an answer of any status counts then",
            Excludes = [(OnlyName, "it sends no request")],
        },
        new(ResumptionName, "session resumption of a client's later connections", WithResumption)
        {
            Default = TlsPlan.NoResumption,
            Choices = s_resumptions,
        },
    ];

    public IReadOnlyDictionary<string, string> OptionRemarks { get; } = new Dictionary<string, string>
    {
        ["--size"] = $"with -t {Test} the size of the content of an answer",
        ["--rate"] = $"with -t {Test} connections per second",
    };

    public IReadOnlyDictionary<string, string> ExcludedOptions { get; } = new Dictionary<string, string>
    {
        ["--messages"] = WhyExcluded,
        ["--messageload"] = WhyExcluded,
        ["--payload"] = WhyExcluded,
        ["--think"] = WhyExcluded,
        ["--framing"] = WhyExcluded,
        ["--transmission"] = WhyExcluded,
        ["--reconnect"] = "each client opens one connection after the other",
    };

    public RunPlan Complete(RunPlan plan)
    {
        if (plan.SmallestMessage is not null)
        {
            throw OptionValues.Rejected("--size", $"{Test} has answers of one size. Use one, such as --size 32.");
        }

        string resumption = plan.WorkloadOptions.GetValueOrDefault(ResumptionName) ?? plan.Tls.Resumption ?? TlsPlan.NoResumption;
        if (IsOnly(plan) && plan.Protocol.HasTls() && resumption != TlsPlan.NoResumption && plan.Tls.Version != TlsPlan.Version12)
        {
            throw OptionValues.Rejected(
                ResumptionName,
                $"the session of TLS 1.3 arrives after the handshake, when {OnlyName} has closed the connection. Add --tls {TlsPlan.Version12}.");
        }

        return plan.WithWorkloadOption(ResumptionName, resumption) with
        {
            Framing = Framing.Http,
            ParallelMessages = 1,
            Transmission = Transmission.Reliable,
            Tls = plan.Tls with { Resumption = resumption },
        };
    }

    public IEnumerable<string> FindFaults(RunPlan plan, LoadOutcome outcome)
    {
        long Count(Func<NegotiatedTls, bool> chosen) => outcome.Handshakes.Where(chosen).Sum(handshake => handshake.Count);
        long resumed = Count(handshake => handshake.Resumed == true);
        long full = Count(handshake => handshake.Resumed == false);
        if (plan.Tls.Resumption == TlsPlan.NoResumption && resumed > 0)
        {
            yield return Number($"{resumed:N0} handshakes resumed a session, and --resumption was not requested.");
        }
        else if (Count(handshake => handshake.ResumedBy is { } how && how != plan.Tls.Resumption) is > 0 and var others)
        {
            yield return Number(
                $"{others:N0} handshakes resumed a session by {OtherOf(plan.Tls.Resumption)} instead of {plan.Tls.Resumption}, ") +
                $"which {outcome.Server} does not offer.";
        }
        else if (plan.Tls.Resumption != TlsPlan.NoResumption && full > plan.Clients)
        {
            // The first connection of each client has nothing to resume.
            yield return Number(
                $"{full:N0} handshakes of {plan.Clients:N0} clients were full handshakes, although each client should resume after its first: ") +
                $"{outcome.Server} does not offer resumption by {plan.Tls.Resumption}, or refuses it.";
        }
    }

    public IEnumerable<string> FindRemarks(RunPlan plan, LoadOutcome outcome)
    {
        if (plan.Tls.Resumption == TlsPlan.NoResumption && outcome.Handshakes.Max(handshake => handshake.Tickets) is > 0 and var tickets)
        {
            yield return Number(
                $"The server sent {Plural.Format(tickets, "session ticket")} in each full handshake, which no client uses, ") +
                "so its handshakes cost more than those of a server that sends none.";
        }
    }

    public IServerHandler CreateServerHandler(RunPlan plan, RunRecorder recorder) =>
        new HandshakeServer(recorder, IsOnly(plan) ? [] : AnswerOf(plan.MessageSize));

    public IConnectionHandler CreateConnectionHandler(RunPlan plan, RunRecorder recorder) =>
        new HandshakeClients(plan, recorder, IsOnly(plan) ? default : RequestTo(plan))
        {
            AcceptsAnyStatus = plan.WorkloadOptions.ContainsKey(PathName),
        };

    private static string OtherOf(string? resumption) => resumption == TlsPlan.ByTicket ? TlsPlan.BySession : TlsPlan.ByTicket;

    private static bool IsOnly(RunPlan plan) => plan.WorkloadOptions.ContainsKey(OnlyName);

    private static RunPlan WithResumption(RunPlan plan, string text) =>
        plan.WithWorkloadOption(ResumptionName, OptionValues.Choice(ResumptionName, text, s_resumptions));

    private static RunPlan WithPath(RunPlan plan, string text) => text.StartsWith('/') && text.All(letter => letter is > ' ' and <= '~')
        ? plan.WithWorkloadOption(PathName, text)
        : throw OptionValues.Invalid(PathName, text, "a path of printable ASCII characters, such as /index.html");

    private static byte[] RequestTo(RunPlan plan)
    {
        // RFC 3986: an address of IPv6 is in brackets.
        string host = plan.ServerName;
        string path = plan.WorkloadOptions.GetValueOrDefault(PathName) ?? "/";
        return Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: {(host.Contains(':') ? $"[{host}]" : host)}\r\nConnection: close\r\n\r\n");
    }

    private static byte[] AnswerOf(int size) => Encoding.ASCII.GetBytes(
        Number($"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n{new string('x', size)}"));

    private static string Number(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

// If the clients send no request, the answer is empty, and each connection counts when it is established.
internal sealed class HandshakeServer(RunRecorder recorder, byte[] answer) : IServerHandler
{
    public void OnConnected(IPeer peer, WorkerStatistics worker) => worker.Current.Counters.ServerReceived += answer.Length == 0 ? 1 : 0;

    public void OnMessage(IPeer peer, ReadOnlySpan<byte> message, WorkerStatistics worker)
    {
        if (answer.Length > 0)
        {
            ref MessageCounters counters = ref worker.Current.Counters;
            counters.ServerReceived++;
            counters.ServerSent += peer.Send(answer) ? 1 : 0;
        }
        else
        {
            // No client of the run sends a request.
            recorder.CountUnsolicited(UnsolicitedTraffic.Connections);
        }

        peer.Close();
    }

    public void OnClosed(IPeer peer, WorkerStatistics worker)
    {
        // A client may close as soon as it has its answer.
    }
}
