using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Facts;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Paths;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>Checks a plan before the run. Every <see cref="BenchmarkException"/> names the option, the fault and the remedy.</summary>
internal static partial class PlanCheck
{
    public static void CheckLimits(RunPlan plan, LibraryInfo library)
    {
        CheckProtocol(plan, library);
        string protocol = plan.Protocol.Name();
        TransmissionInfo? transmission = library.Find(plan.Protocol, plan.Transmission);
        int largest = transmission?.LargestMessage ?? 0;
        (string option, string sizes) = plan.Payload is null
            ? (LoadOptions.SizeName, $"a range over {protocol} requires")
            : (LoadOptions.PayloadName, $"messages of several sizes over {protocol} require");
        bool isMessageStream = plan.Protocol.IsStream() && library.CarriesMessages && plan.Framing != Framing.Http;
        Rule.Check(
        [
            new(LoadOptions.TransmissionName, transmission is null, () => $"{library.Name} has no {plan.Transmission} delivery over {protocol}. " +
                $"Use {Or([.. library.TransmissionsOver(plan.Protocol).Select(offered => offered.Transmission)])}."),
            new(option, plan.MessageSize > largest, () =>
                $"{library.Name} ({plan.Protocol.OptionText()}, {plan.Transmission}) supports at most {Plural.Format(largest, "byte")} in a message; " +
                    (plan.Payload is { } payload
                        ? Invariant($"line {payload.LineAbove(largest)} of '{payload.File}' has more.")
                        : Invariant($"{plan.MessageSize:N0} were requested."))),
            new(option, plan is { SmallestMessage: not null, Framing: Framing.Fixed } && plan.Protocol.IsStream(), () =>
                $"{sizes} --framing {nameof(Framing.Length)} or {nameof(Framing.Checked)}."),
            new("--framing", isMessageStream && !library.Framings.Contains(plan.Framing), () =>
                $"{library.Name} has no {plan.Framing} framing over {protocol}. Use {Or([.. library.Framings.Except([Framing.Http])])}."),
            new(LoadOptions.ClientsName, plan.Clients > library.MaxClients, () =>
                $"{library.Name} supports at most {Plural.Format(library.MaxClients!.Value, "client")}; " + Invariant($"{plan.Clients:N0} were requested.")),
            new(FaultOfDescriptors(plan, library, DescriptorLimit.Raise(), OperatingSystem.IsMacOS())?.OfPlan(LoadOptions.ClientsName)),
        ]);
    }

    /// <param name="catalog">The libraries in this build, to name those that offer the transport; null to name none.</param>
    public static void CheckProtocol(RunPlan plan, LibraryInfo library, Catalog? catalog = null) => Rule.Check(
    [
        .. library.UnavailableProtocols.Select(missing => new Rule("--protocol", missing.Protocol == plan.Protocol, () =>
            $"{library.Name} over {plan.Protocol.Name()} cannot run here: {missing.Reason}.")),
        new("--protocol", !library.Protocols.Contains(plan.Protocol), () =>
            $"{library.Name} does not support {plan.Protocol.Name()}. Use {OrOf(library.Protocols)}{OrLibraries(plan, catalog)}."),
    ]);

    /// <summary>Rejects impaired packets of TCP, and a neighbour, where there is no path between network namespaces.</summary>
    public static void CheckNamespacePath(CliRequest request, RunPlan plan)
    {
        if (!NamespacePath.IsRequired(plan))
        {
            return;
        }

        string impairment = ImpairmentOptions.All.Select(option => option.Name).FirstOrDefault(request.IsGiven)
            ?? ImpairmentOptions.Arguments(plan.Impairment).Keys.First();
        (string option, string what, string remedy) = plan.Impairment.NeighbourBitsPerSecond is not null
            ? (ImpairmentOptions.NeighbourName, "a TCP connection in the same queue", "Omit the option.")
            : (impairment, $"a bad network under {plan.Protocol.Name()}", "Use -P Udp or Quic, or --cut.");
        const string OnPath = "not possible on a path of packets, which the other impairments require. Omit it, or them.";
        string? missing = NamespacePath.FindMissing();
        Rule.Check(
        [
            new(ImpairmentOptions.RoamName, plan.Impairment.Roam is not null, () => OnPath),
            new(ImpairmentOptions.CutName, plan.Impairment.Cut is not null, () => OnPath),
            new(option, request.Action != CliAction.Run || request.IsComparison, () => $"{what} is for one run of one load, or for --launches. {remedy}"),
            new(option, !plan.Hosts.IsNone, () => $"{what} is for both sides on this machine. {remedy}"),
            new(option, HostNames.IsIPv6(plan.Address), () => $"{what} is for IPv4, because the path has addresses of IPv4 alone. {remedy}"),
            new(option, missing is not null, () => $"{what} requires network namespaces, and {missing}. {remedy}"),
        ]);
    }

    public static void CheckMulticast(RunPlan plan, Catalog catalog)
    {
        string group = $"the multicast group {plan.Address}";
        string[] tests = [.. catalog.Workloads.Where(test => test.SendsToAll).Select(test => test.Name)];
        Rule.Check(plan.MulticastGroup is null ? [] :
        [
            new(LoadOptions.AddressName, !tests.Contains(plan.Test), () => $"{group} requires -t {Or(tests)}."),
            new(LoadOptions.AddressName, plan.Protocol.IsStream(), () => $"{group} requires -P {Protocol.Udp}."),
            new(LoadOptions.AddressName, !plan.Impairment.IsNone, () =>
                $"{group} cannot be combined with impairments, because its datagrams bypass the relay."),
        ]);
    }

    public static void CheckServer(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        IWorkload workload = catalog.FindWorkload(plan.Test)!;
        string protocol = plan.Protocol.Name();
        string ownSchedule = $"the server of {plan.Test} sends by a schedule of its own. Omit the option.";
        bool isOneWay = workload.LatencyKind == LatencyKind.OneWay;
        bool Pushes(LibraryInfo info) => info.ServerPushTransports.Contains(plan.Protocol);
        bool IsReliable(LibraryInfo info) => info.Find(plan.Protocol, Transmission.Reliable) is not null;
        bool HasCallToAll(LibraryInfo info) => info.BroadcastTransports.Contains(plan.Protocol);
        bool HasLoop(LibraryInfo info) => info.UpdateTransports.Contains(plan.Protocol);
        Rule.Check(
        [
            new("--test", isOneWay && !Pushes(library), () =>
                $"{plan.Test} requires server push, which {library.Name} does not have over {protocol}. {UseLibrary(catalog, Pushes)}"),
            new(LibraryOptions.LibraryName, !library.CarriesMessages && workload is not IConnectionWorkload, () =>
                $"{library.Name} answers HTTP requests only, so {plan.Test} is not applicable. " +
                    $"Use -t {Or([.. catalog.Workloads.OfType<IConnectionWorkload>().Select(test => test.Name)])}."),
            new("--test", workload.NeedsReliableDelivery(plan) && !IsReliable(library), () =>
                $"{plan.Test} has messages that require reliable delivery, which {library.Name} does not have over {protocol}. " +
                    UseLibrary(catalog, candidate => Pushes(candidate) && IsReliable(candidate))),
            new("--channels", plan.Channels > (plan.Protocol == Protocol.Udp ? library.Channels : 1), () =>
                $"{library.Name} has one channel of reliable delivery over {protocol}. Use --channels 1, or over UDP the library " +
                    $"{Or([.. catalog.Libraries.Where(name => catalog.CreateLibrary(name)!.Info.Channels >= plan.Channels)])}."),
            new("--test", workload.UsesCallToAll(plan) && !HasCallToAll(library), () =>
                $"{plan.Test} with one call for all clients requires a library that has one, and {library.Name} has none over {protocol}. " +
                    UseLibrary(catalog, HasCallToAll)),
            new(ProcessOptions.ServerThreadsName, workload.UsesCallToAll(plan) && plan.ServerThreads > 1, () =>
                "one call reaches the clients of one thread of the server. Use --server-threads 1."),
            new(ProcessOptions.ServerLoopName, isOneWay && plan.ServerUpdateRate is not null, () => ownSchedule),
            new(ProcessOptions.ClientLoopName, isOneWay && plan.ClientUpdateRate is not null, () => ownSchedule),
            new(ProcessOptions.ServerLoopName, plan.ServerUpdateRate is not null && !HasLoop(library), () =>
                $"the server of {library.Name} has no loop of the harness over {protocol}. {UseLibrary(catalog, HasLoop)}"),
            new(library.FindFault(plan, workload)),
            new(LoadOptions.AddressName, plan.MulticastGroup is not null && !library.HasMulticastGroups, () =>
                $"{library.Name} does not support multicast groups such as {plan.Address}. {UseLibrary(catalog, candidate => candidate.HasMulticastGroups)}"),
        ]);
    }

    private static string OrLibraries(RunPlan plan, Catalog? catalog)
    {
        bool opens = catalog?.FindWorkload(plan.Test) is IConnectionWorkload;
        string[] names = [.. LibrariesThat(catalog, candidate => candidate.Protocols.Contains(plan.Protocol) && (opens || candidate.CarriesMessages))];
        return names.Length == 0 ? string.Empty : $", or a library with {plan.Protocol.Name()}: {string.Join(", ", names)}";
    }

    private static string OrOf(IEnumerable<Protocol> protocols) => Or([.. protocols.Select(protocol => protocol.OptionText())]);

    private static string UseLibrary(Catalog catalog, Func<LibraryInfo, bool> chosen)
    {
        string[] names = [.. LibrariesThat(catalog, chosen)];
        return names.Length == 0 ? "No library in this build does." : $"Use the library {Or(names)}.";
    }

    private static IEnumerable<string> LibrariesThat(Catalog? catalog, Func<LibraryInfo, bool> chosen) =>
        (catalog?.Infos ?? []).Where(info => info.Unavailable is null && chosen(info)).Select(info => info.Name);
}
