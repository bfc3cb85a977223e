using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Conformance;

/// <summary>The requirements for every library, as the command <c>check</c> and the contract tests call them by name.</summary>
internal static partial class ConformanceChecks
{
    private const int SmallSize = 32;

    public static IReadOnlyList<ConformanceCheck> All { get; } =
    [
        new("connect", clients: 50, ConnectAsync) { IsVital = true },
        new("stop", clients: 4, StopAsync, window: 10) { IsVital = true },
        new("description", clients: 1, DescribeAsync),
        new("end point", clients: 1, EndPointAsync),
        new("echo", EchoAsync),
        new("once", subject => CountedAsync(subject, inOrder: false)),
        new("order", subject => CountedAsync(subject, inOrder: true))
        {
            NotApplicable = (_, plan) => plan.Transmission == Transmission.Reliable ? null : "unreliable delivery does not promise an order",
        },
        new("reliable beside unreliable", subject => CountedAsync(subject, inOrder: true, channel: 0))
        {
            NotApplicable = (info, plan) => plan.Transmission == Transmission.Unreliable && info.Find(plan.Protocol, Transmission.Reliable) is not null
                ? null
                : "the plan or the library has one kind of delivery",
        },
        new("channels", subject => CountedAsync(subject with { Plan = subject.Plan with { Channels = 2 } }, inOrder: true, channel: 1))
        {
            NotApplicable = (info, _) => info.Channels > 1 ? null : "the library has one channel of reliable delivery",
        },
        new("many messages", subject =>
            CountedAsync(subject, inOrder: subject.Plan.Transmission == Transmission.Reliable, messages: 25_000, inFlight: 250)),
        new("sizes", SizesAsync),
        new("window", clients: 3, WindowAsync, window: 100),
        new("many clients", clients: 50, ManyClientsAsync),
        new("serial calls", clients: 2, SerialCallsAsync, window: 20),
        new("ticks", clients: 2, TicksAsync),
        new("updates", UpdatesAsync)
        {
            NotApplicable = (info, plan) => info.UpdateTransports.Contains(plan.Protocol)
                ? null
                : $"the harness does not run the server's loop over {plan.Protocol.Name()}",
        },
        new("schedule", subject => PunctualAsync(() => MedianLatenessAsync(subject))),
        new("think", subject => PunctualAsync(() => MedianLatenessOfThinkAsync(subject))),
        new("pause and resume", clients: 4, PauseAsync, rate: 1_000),
        new("back pressure", BackPressureAsync) { NotApplicable = RequiresPush },
        new("wake", clients: 1, WakeAsync) { NotApplicable = RequiresPush },
        new("one call to all", clients: 3, OneCallToAllAsync)
        {
            NotApplicable = (info, plan) => info.BroadcastTransports.Contains(plan.Protocol)
                ? null
                : $"the library has no call that sends to all clients over {plan.Protocol.Name()}",
        },
        new("client closes", clients: 5, session =>
            AllCloseAsync(session, session.CloseClientsAsync, session.Server.Closed, "closes were seen by the server")),
        new("server closes", clients: 5, session =>
            AllCloseAsync(session, session.CloseServerAsync, session.Client.Closed, "closes were seen by the clients")),
        new("one closes", clients: 3, OneClosesAsync),
        new("killed peer", clients: 4, KilledPeerAsync),
        new("unsolicited traffic", clients: 4, UnsolicitedAsync),
        new("more peers", clients: 2, MorePeersAsync)
        {
            NotApplicable = (_, plan) => plan.Protocol == Protocol.Udp ? null : "a stream has a connection for each peer, which the system bounds",
        },
        new("descriptors", DescriptorsAsync)
        {
            NotApplicable = (_, _) => OperatingSystem.IsLinux() ? null : "only Linux lists the descriptors of a process",
        },
        new("no server", clients: 3, NoServerAsync),
        new("port in use", clients: 1, PortInUseAsync),
        new("handler fails", HandlerFailsAsync),
        new("server threads", ServerThreadsAsync)
        {
            NotApplicable = (info, _) => info.MaxServerThreads == 1 ? "the library decides the number of the server's threads" : null,
        },
        new("client threads", ClientThreadsAsync)
        {
            NotApplicable = (info, _) => info is { HasClients: true, ClientThreadsByPlan: true }
                ? null
                : "the library decides the number of the clients' threads",
        },
        new("allocation", clients: 4, MessageAllocations.CheckAsync, window: 20)
        {
            NotApplicable = (info, plan) => info.AllocatingTransports.Contains(plan.Protocol)
                ? $"the library itself allocates for each message over {plan.Protocol.Name()}"
                : null,
        },
        new("latency", TrueLatency.CheckAsync),
    ];

    public static ConformanceCheck Find(string name) =>
        All.FirstOrDefault(check => check.Name == name) ?? throw new BenchmarkException($"{name} is not a check of this build.");

    private static string? RequiresPush(LibraryInfo info, RunPlan plan) =>
        info.ServerPushTransports.Contains(plan.Protocol) ? null : $"the server does not push over {plan.Protocol.Name()}";

    private static void SendSmall(IPeer peer) => peer.Send(new byte[SmallSize]);

    private static void SendAgain(IPeer peer, byte[] answer) => peer.Send(answer);

    private static Task DescribeAsync(CheckSession session)
    {
        LibraryInfo info = session.Subject.Library.Info;
        session.Require(Version().IsMatch(info.Version), $"LibraryInfo.Version is \"{info.Version}\"; it must begin with two numbers.");
        session.Require(info.CarriesMessages == info.Transmissions.Count > 0, "LibraryInfo.Transmissions must be empty only if no messages are carried.");
        foreach (TransmissionInfo offered in info.Transmissions)
        {
            session.Require(offered.OverheadBytes is >= 0 and <= 100, $"OverheadBytes of {offered.Transmission} is not from 0 to 100.");
            session.Require(offered.LargestMessage >= SmallSize, $"LargestMessage of {offered.Transmission} is below {SmallSize}.");
        }

        session.Require(info.MaxServerThreads is null or >= 1, "LibraryInfo.MaxServerThreads is below 1.");
        foreach (LibrarySetting setting in info.Settings)
        {
            session.Require(
                SettingName().IsMatch(setting.Name), $"The name of the setting \"{setting.Name}\" has characters other than letters, digits and dashes.");
            session.Require(
                info.Settings.Count(candidate => candidate.Name.Equals(setting.Name, StringComparison.OrdinalIgnoreCase)) == 1,
                $"The setting {setting.Name} is there twice.");
            session.Require(setting.Values.Contains(setting.Default), $"The default of the setting {setting.Name} is not among its values.");
            session.Require(
                setting.Values.Distinct(StringComparer.OrdinalIgnoreCase).Count() == setting.Values.Count,
                $"A value of the setting {setting.Name} is there twice.");
            session.Require(
                !setting.Summary.EndsWith('.') && !setting.Summary.EndsWith(' '), $"The summary of the setting {setting.Name} ends with a full stop.");
        }

        return Task.CompletedTask;
    }

    [GeneratedRegex("^[0-9]+[.][0-9]+")]
    private static partial Regex Version();

    [GeneratedRegex("^[A-Za-z][A-Za-z0-9-]*$")]
    private static partial Regex SettingName();
}
