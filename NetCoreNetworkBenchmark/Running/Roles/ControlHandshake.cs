using System.Net;
using System.Net.Sockets;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Outcome;
using NetCoreNetworkBenchmark.Running.Phases;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Roles;

/// <summary>The handshake by which a standalone client process identifies the server at the given address.</summary>
internal static class ControlHandshake
{
    private const string BothVersions = "1.2 or 1.3";
    private static readonly TimeSpan s_connectDeadline = TimeSpan.FromSeconds(5);

    /// <summary>Returns the reason why a client process does not fit a server; null if it fits.</summary>
    /// <param name="server">The plan of the server.</param>
    /// <param name="kind">The kind of message that the test of the plan counts.</param>
    /// <param name="hello">The greeting of the client process.</param>
    public static string? FindMismatch(RunPlan server, LatencyKind kind, HelloFrame hello)
    {
        // This check comes first: the values of another version may have another meaning.
        if (hello.Version != ResultBuilder.HarnessVersion)
        {
            return Sentence("of version", ResultBuilder.HarnessVersion, hello.Version);
        }

        RunPlan clients = hello.Plan;
        (string What, object Server, object Clients)[] compared =
        [
            ("for the test", server.Test, clients.Test),
            ("for the options of the test", Texts(server.WorkloadOptions), Texts(clients.WorkloadOptions)),
            ("for the library", server.Library, clients.Library),
            ("for the settings", Texts(server.Settings), Texts(clients.Settings)),
            ("for the protocol", server.Protocol, clients.Protocol),
            ("for the transmission", server.Transmission, clients.Transmission),
            ("for the framing", server.Framing, clients.Framing),
            ("for mutual TLS", server.Tls.Mutual, clients.Tls.Mutual),
            ("for the TLS version", server.Tls.Version ?? BothVersions, clients.Tls.Version ?? BothVersions),
            ("for the message size", server.MessageSize, clients.MessageSize),
            ("for heartbeats of", Interval(server), Interval(clients)),
            .. kind == LatencyKind.OneWay ? ScheduleOf(server, clients) : [],
        ];
        return compared.Where(pair => !pair.Server.Equals(pair.Clients))
            .Select(pair => Sentence(pair.What, pair.Server, pair.Clients))
            .FirstOrDefault();
    }

    private static string Interval(RunPlan plan) =>
        plan.Liveness.Heartbeat is { } interval ? FormattableString.Invariant($"{interval.TotalMilliseconds}ms") : "no interval";

    /// <summary>Greets the server at each address of its name in turn, until one answers.</summary>
    /// <returns>
    /// The server; null if no server of this program answers at any address. The end point of a program that accepted the greeting and did not answer it; null
    /// if there was none.
    /// </returns>
    /// <exception cref="BenchmarkException">A server of this program answers, but does not fit.</exception>
    public static async Task<(GreetedServer? Server, IPEndPoint? Silent)> TryGreetAsync(
        RunPlan plan, IReadOnlyList<IPEndPoint> servers, CancellationToken cancellationToken)
    {
        IPEndPoint? silent = null;
        foreach (IPEndPoint server in servers)
        {
            (GreetedServer? greeted, bool isSilent) = await TryGreetAsync(plan, server, cancellationToken).ConfigureAwait(false);
            if (greeted is not null)
            {
                return (greeted, null);
            }

            silent = isSilent ? server : silent;
        }

        return (null, silent);
    }

    /// <summary>Greets the server.</summary>
    /// <returns>
    /// A server of this program; null if something else answers, or nothing answers on this channel. Whether a program accepted the greeting and did not
    /// answer.
    /// </returns>
    /// <exception cref="BenchmarkException">A server of this program answers, but does not fit.</exception>
    public static async Task<(GreetedServer? Server, bool IsSilent)> TryGreetAsync(RunPlan plan, IPEndPoint server, CancellationToken cancellationToken)
    {
        FrameChannel? channel = ControlPort.Of(plan.Protocol, server) is { } greetings
            ? await TryConnectAsync(greetings, cancellationToken).ConfigureAwait(false)
            : null;
        if (channel is null)
        {
            return (null, false);
        }

        Frame? answer = await TryAskAsync(channel, plan, cancellationToken).ConfigureAwait(false);
        switch (answer)
        {
            case ReadyFrame ready:

                // The first step of the clients can take long, and the channel's thread is needed.
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
                return (new GreetedServer(plan, server, channel, ready.Credentials), false);
            case FailureFrame failure:
                await channel.DisposeAsync().ConfigureAwait(false);
                throw new BenchmarkException(failure.Reason);
            default:
                // A hello of this process that comes back is the answer of a plain echo. A channel that has not ended waits for an answer in vain.
                bool isSilent = !channel.Ended.IsCompleted;
                await channel.DisposeAsync().ConfigureAwait(false);
                return (null, isSilent && answer is null);
        }
    }

    // If the server sends unasked, the schedule belongs to the server and is spread over the clients of its plan.
    private static (string What, object Server, object Clients)[] ScheduleOf(RunPlan server, RunPlan clients) =>
    [
        ("for the rate", server.Rate ?? 0, clients.Rate ?? 0),
        .. server.Rate is null ? [] : ((string, object, object)[])[("for the number of clients", server.Clients, clients.Clients)],
    ];

    private static string Texts(IEnumerable<KeyValuePair<string, string>> values) =>
        string.Join(' ', values.Select(value => $"{value.Key}={value.Value}").DefaultIfEmpty("none"));

    private static string Sentence(string what, object server, object clients) =>
        $"The server is {what} {server} and the clients are {what} {clients}; both must be the same.";

    private static async Task<FrameChannel?> TryConnectAsync(IPEndPoint server, CancellationToken cancellationToken)
    {
        Socket? socket = null;
        try
        {
            socket = new Socket(server.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(server, cancellationToken).AsTask().WaitAsync(s_connectDeadline, cancellationToken).ConfigureAwait(false);
            var stream = new NetworkStream(socket, ownsSocket: true);
            return new FrameChannel("The server", stream, stream, besideLibrary: true, new RemoteFrames());
        }
        catch (Exception exception) when (exception is SocketException or TimeoutException)
        {
            // A server of another program need not listen here. The library's own connection shows whether a server exists.
            socket?.Dispose();
            return null;
        }
    }

    private static async Task<Frame?> TryAskAsync(FrameChannel channel, RunPlan plan, CancellationToken cancellationToken)
    {
        try
        {
            // As patient as with an agent: a server of this program on a busy machine must not be taken for another program.
            await channel.SendAsync(
                new HelloFrame(ResultBuilder.HarnessVersion, AgentRole.Client, plan, null), Deadlines.Process, cancellationToken).ConfigureAwait(false);
            return await channel.ReceiveAsync(Deadlines.Process, cancellationToken).ConfigureAwait(false);
        }
        catch (BenchmarkException)
        {
            // The listener at that address uses another protocol, or does not answer.
            return null;
        }
    }
}
