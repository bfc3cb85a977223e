namespace NetCoreNetworkBenchmark.Tests.Libraries;

/// <summary>The libraries of this build, for tests that cover every library without being listed.</summary>
internal static class LibraryUnderTest
{
    public static readonly TimeSpan Deadline = Wait.Deadline;

    // One set for all sessions, as they do not test how certificates are made.
    private static readonly Lazy<TlsCredentials> s_credentials = new(() => CertificateMaker.Make(TlsKey.P256, []));

    public static Catalog Catalog { get; } = BuiltIn.CreateCatalog();

    /// <summary>Creates an adapter; skips the test, with the reason, if the library cannot run on this machine.</summary>
    public static INetworkBenchmark Create(string name)
    {
        INetworkBenchmark library = Catalog.CreateLibrary(name)!;
        Assert.SkipUnless(library.Info.Unavailable is null, $"{name} cannot run here: {library.Info.Unavailable}");
        return library;
    }

    /// <summary>Skips the test if the machine has no IPv6 loopback, as in some containers.</summary>
    public static void RequireIPv6Loopback() =>
        Assert.SkipUnless(BindFailure.Find(new IPEndPoint(IPAddress.IPv6Loopback, 0), Protocol.Udp) is null, "This machine has no IPv6 loopback.");

    public static IEnumerable<TheoryDataRow<string>> Names() => Catalog.Libraries.Select(name => new TheoryDataRow<string>(name));

    /// <summary>Every library over every transport that it offers.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> Transports() => Over(_ => true);

    public static IEnumerable<TheoryDataRow<string, Protocol>> Streams() => Transports().Where(row => row.Data.Item2.IsStream());

    /// <summary>Every library over TCP and over TLS on it, for tests whose other side is a plain socket.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> OverTcp() =>
        Transports().Where(row => row.Data.Item2.IsOverTcp() && HasPlainStream(row.Data.Item1));

    /// <summary>Whether there are only the framed messages on a stream of the library, so that a plain socket can be its other side.</summary>
    public static bool HasPlainStream(string library) => Catalog.CreateLibrary(library)!.Info.WireFormat is null;

    public static IEnumerable<TheoryDataRow<string, Protocol>> ClientsOverTcp() => Over(info => info.HasClients).Where(row => row.Data.Item2.IsOverTcp());

    public static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> WaysOfStreams() => WaysOf(Streams());

    public static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> WaysOverTcp() => WaysOf(OverTcp());

    private static IEnumerable<TheoryDataRow<string, Protocol, Framing, string>> WaysOf(IEnumerable<TheoryDataRow<string, Protocol>> rows) =>
        from row in rows
        from send in WaysToSend(row.Data.Item1, row.Data.Item2)
        from framing in (Framing[])[Framing.Fixed, Framing.Length, Framing.Checked]
        select new TheoryDataRow<string, Protocol, Framing, string>(row.Data.Item1, row.Data.Item2, framing, send!);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithServerThreads() => Over(info => info.MaxServerThreads is null or > 1);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithClientThreads() => Over(info => info.HasClients && info.ClientThreadsByPlan);

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithUpdates() =>
        Where(WithClientThreads(), (info, protocol) => info.UpdateTransports.Contains(protocol));

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithCallToAll() =>
        Where(Transports(), (info, protocol) => info.BroadcastTransports.Contains(protocol));

    public static IEnumerable<TheoryDataRow<string, Protocol>> WithServerPush() =>
        Where(Transports(), (info, protocol) => info.ServerPushTransports.Contains(protocol));

    /// <summary>Those that push over a transport with more than one kind of delivery.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> WithBothDeliveries() =>
        Where(WithServerPush(), (info, protocol) => info.TransmissionsOver(protocol).Count > 1);

    /// <summary>
    /// The rows of one library in the plain tests, and those of all others in the long ones: for whole runs whose parts the contract tests cover for
    /// every library.
    /// </summary>
    public static IEnumerable<TheoryDataRow<string, Protocol>> OneInPlain(IEnumerable<TheoryDataRow<string, Protocol>> rows, string library) =>
        rows.Select(row => row.Data.Item1 == library
            ? row
            : new TheoryDataRow<string, Protocol>(row.Data.Item1, row.Data.Item2) { Skip = row.Skip, Traits = { ["Category"] = ["Long"] } });

    /// <summary>The same in every way to send; null if the library has only one.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string?>> WithServerPushInEveryWay() =>
        from row in WithServerPush()
        from send in WaysToSend(row.Data.Item1, row.Data.Item2).DefaultIfEmpty(null)
        select new TheoryDataRow<string, Protocol, string?>(row.Data.Item1, row.Data.Item2, send);

    /// <summary>Every way to send of every library over its streams, with messages of several sizes.</summary>
    public static IEnumerable<TheoryDataRow<string, Protocol, string, Framing, int>> StreamSizes() =>
        from row in WaysOfStreams()
        from size in (int[])[1, 32, 100_000]
        select new TheoryDataRow<string, Protocol, string, Framing, int>(row.Data.Item1, row.Data.Item2, row.Data.Item4, row.Data.Item3, size);

    public static IEnumerable<TheoryDataRow<string, Protocol, string, string>> Settings() =>
        from row in Transports()
        let info = Catalog.CreateLibrary(row.Data.Item1)!.Info.Over(row.Data.Item2)
        from setting in info.Settings
        from value in setting.Values
        let plan = new RunPlan
        {
            Library = info.Name,
            Protocol = row.Data.Item2,
            Settings = new Dictionary<string, string> { [setting.Name] = value },
        }
        where info.FindFault(plan, Catalog.DefaultWorkload) is null
        select new TheoryDataRow<string, Protocol, string, string>(row.Data.Item1, row.Data.Item2, setting.Name, value);

    public static IEnumerable<TheoryDataRow<string, Protocol, Transmission>> Transmissions() =>
        from row in Transports()
        from offered in Catalog.CreateLibrary(row.Data.Item1)!.Info.TransmissionsOver(row.Data.Item2)
        select new TheoryDataRow<string, Protocol, Transmission>(row.Data.Item1, row.Data.Item2, offered.Transmission) { Skip = row.Skip };

    /// <summary>Every check that is applicable, except for those that count the allocations and descriptors of a process that other tests use too.</summary>
    public static IEnumerable<TheoryDataRow<string, string, Protocol, Transmission>> Checks() =>
        from row in Transmissions()
        let info = Catalog.CreateLibrary(row.Data.Item1)!.Info.Over(row.Data.Item2)
        let plan = new RunPlan { Library = info.Name, Protocol = row.Data.Item2, Transmission = row.Data.Item3 }
        from check in ConformanceChecks.All
        where check.Name is not ("allocation" or "descriptors") && check.NotApplicable(info, plan) is null
        select new TheoryDataRow<string, string, Protocol, Transmission>(check.Name, info.Name, plan.Protocol, plan.Transmission)
        {
            Skip = row.Skip,
            Traits = { ["Category"] = check.Name == "many messages" && info.Name != "Sockets" ? ["Long"] : [] },
        };

    public static RunPlan PlanOf(
        INetworkBenchmark library, Protocol protocol, Transmission? transmission = null, (string Name, string Value)? setting = null)
    {
        var plan = new RunPlan
        {
            Library = library.Info.Name,
            Protocol = protocol,
            Transmission = transmission ?? (protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable),
            ClientThreads = 1,
            ConnectDeadline = Deadline,
        };
        return setting is { } chosen ? plan with { Settings = new Dictionary<string, string> { [chosen.Name] = chosen.Value } } : plan;
    }

    public static CheckSubject Subject(INetworkBenchmark library, RunPlan plan) => new(library, ClientsFor(library, plan.Protocol), plan, CredentialsFor(plan));

    public static Task CheckAsync(
        string check, string library, Protocol protocol, Transmission? transmission = null, (string Name, string Value)? setting = null,
        Func<RunPlan, RunPlan>? vary = null)
    {
        INetworkBenchmark created = Create(library);
        RunPlan plan = PlanOf(created, protocol, transmission, setting);
        return ConformanceChecks.Find(check).RunAsync(Subject(created, vary?.Invoke(plan) ?? plan));
    }

    /// <summary>The library's own clients, or those of another library if it has none.</summary>
    public static INetworkBenchmark ClientsFor(INetworkBenchmark library, Protocol protocol) => library.Info.HasClients
        ? library
        : Catalog.Libraries.Select(name => Catalog.CreateLibrary(name)!)
            .First(candidate => ClientLibraries.Over(protocol, library.Info, [candidate.Info]).Count > 0);

    private static TlsCredentials? CredentialsFor(RunPlan plan)
    {
        Assert.SkipWhen(plan.Protocol.HasTls() && Wine.IsHere, "Wine cannot make the keys of certificates.");
        return plan.Protocol.HasTls() ? s_credentials.Value : null;
    }

    private static IEnumerable<string?> WaysToSend(string library, Protocol protocol) =>
        protocol.IsStream() && Catalog.CreateLibrary(library)!.Info.Settings.Any(setting => setting.Name == StreamSendSetting.Setting.Name)
            ? StreamSendSetting.Setting.Values
            : [];

    private static IEnumerable<TheoryDataRow<string, Protocol>> Where(
        IEnumerable<TheoryDataRow<string, Protocol>> rows, Func<LibraryInfo, Protocol, bool> holds) =>
        rows.Where(row => holds(Catalog.CreateLibrary(row.Data.Item1)!.Info, row.Data.Item2));

    private static IEnumerable<TheoryDataRow<string, Protocol>> Over(Func<LibraryInfo, bool> chosen) =>
        from name in Catalog.Libraries
        let info = Catalog.CreateLibrary(name)!.Info
        from protocol in info.Protocols
        where info.CarriesMessages && chosen(info.Over(protocol))
        select new TheoryDataRow<string, Protocol>(name, protocol) { Skip = info.Unavailable is { } reason ? $"{name} cannot run here: {reason}." : null };
}

/// <summary>A server and clients of one library with handlers from the test, on a port of their own.</summary>
internal sealed class LibrarySession(
    INetworkBenchmark library, Protocol protocol, int clients, int messageSize, int parallelMessages = 1, double? rate = null, int serverThreads = 1,
    int clientThreads = 1, (string Name, string Value)? setting = null, Transmission? transmission = null, Framing framing = Framing.Fixed,
    TimeProvider? clock = null, int? smallestMessage = null, TimeSpan think = default)
    : CheckSession(
        LibraryUnderTest.Subject(library, LibraryUnderTest.PlanOf(library, protocol, transmission, setting) with
        {
            Framing = framing,
            Clients = clients,
            MessageSize = messageSize,
            SmallestMessage = smallestMessage,
            ParallelMessages = parallelMessages,
            Think = think,
            Rate = rate,
            ServerThreads = serverThreads,
            ClientThreads = clientThreads,
        }),
        clock);

internal static class TallyAssertions
{
    public static async Task ReachesAsync(this Tally tally, int count, string what)
    {
        int number = await tally.ReachAsync(count, LibraryUnderTest.Deadline);
        Assert.True(number == count, $"Only {number} of {count}: {what}");
    }
}
