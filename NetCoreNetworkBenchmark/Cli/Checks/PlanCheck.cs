using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Limits;
using NetCoreNetworkBenchmark.Running.Paths;
using static System.FormattableString;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Cli.Checks;

/// <summary>Checks a plan before the run. Every <see cref="BenchmarkException"/> names the option, the fault and the remedy.</summary>
internal static partial class PlanCheck
{
    public static void CheckLimits(RunPlan plan, LibraryInfo library)
    {
        CheckProtocol(plan, library);
        TransmissionInfo transmission = library.Find(plan.Protocol, plan.Transmission) ?? throw Rejected(
            LoadOptions.TransmissionName, $"{library.Name} has no {plan.Transmission} delivery over {plan.Protocol.Name()}. " +
                $"Use {Or([.. library.TransmissionsOver(plan.Protocol).Select(offered => offered.Transmission)])}.");
        (string option, string sizes) = plan.Payload is null
            ? (LoadOptions.SizeName, $"a range over {plan.Protocol.Name()} requires")
            : (LoadOptions.PayloadName, $"messages of several sizes over {plan.Protocol.Name()} require");
        ThrowIf(
            plan.MessageSize > transmission.LargestMessage ? Rejected(
                option,
                $"{library.Name} ({plan.Protocol.OptionText()}, {plan.Transmission}) supports at most " +
                    $"{Plural.Format(transmission.LargestMessage, "byte")} in a message; " +
                    (plan.Payload is { } payload
                        ? Invariant($"line {payload.LineAbove(transmission.LargestMessage)} of '{payload.File}' has more.")
                        : Invariant($"{plan.MessageSize:N0} were requested.")))
            : plan is { SmallestMessage: not null, Framing: Framing.Fixed } && plan.Protocol.IsStream() ? Rejected(
                option, $"{sizes} --framing {nameof(Framing.Length)} or {nameof(Framing.Checked)}.")
            : plan.Framing != Framing.Http && library.CarriesMessages && plan.Protocol.IsStream() && !library.Framings.Contains(plan.Framing) ? Rejected(
                "--framing", $"{library.Name} has no {plan.Framing} framing over {plan.Protocol.Name()}. " +
                    $"Use {Or([.. library.Framings.Except([Framing.Http])])}.")
            : plan.Clients > library.MaxClients ? Rejected(
                LoadOptions.ClientsName, $"{library.Name} supports at most {Plural.Format(library.MaxClients.Value, "client")}; " +
                    Invariant($"{plan.Clients:N0} were requested."))
            : FaultOfDescriptors(plan, library, DescriptorLimit.Raise(), OperatingSystem.IsMacOS())?.OfPlan(LoadOptions.ClientsName));
    }

    /// <param name="catalog">The libraries in this build, to name those that offer the transport; null to name none.</param>
    public static void CheckProtocol(RunPlan plan, LibraryInfo library, Catalog? catalog = null)
    {
        ThrowIf(library.UnavailableProtocols.FirstOrDefault(missing => missing.Protocol == plan.Protocol) is { } unavailable
            ? Rejected("--protocol", $"{library.Name} over {plan.Protocol.Name()} cannot run here: {unavailable.Reason}.")
            : null);
        if (!library.Protocols.Contains(plan.Protocol))
        {
            bool opens = catalog?.FindWorkload(plan.Test) is IConnectionWorkload;
            string[] names = [.. LibrariesThat(catalog, candidate => candidate.Protocols.Contains(plan.Protocol) && (opens || candidate.CarriesMessages))];
            string others = names.Length == 0 ? string.Empty : $", or a library with {plan.Protocol.Name()}: {string.Join(", ", names)}";
            throw Rejected("--protocol", $"{library.Name} does not support {plan.Protocol.Name()}. Use {OrOf(library.Protocols)}{others}.");
        }
    }

    /// <summary>Rejects impaired packets of TCP, and a neighbour, where there is no path between network namespaces.</summary>
    public static void CheckPackets(CliRequest request, RunPlan plan)
    {
        ThrowIf(!NamespacePath.IsRequired(plan) || plan.Impairment is { Roam: null, Cut: null } ? null : Rejected(
            plan.Impairment.Roam is null ? ImpairmentOptions.CutName : ImpairmentOptions.RoamName,
            "not possible on a path of packets, which the other impairments require. Omit it, or them."));
        string? fault = plan switch
        {
            _ when !NamespacePath.IsRequired(plan) => null,
            _ when request.Action != CliAction.Run || request.IsComparison => "is for one run of one load, or for --launches",
            { Hosts.IsNone: false } => "is for both sides on this machine",
            _ => NamespacePath.FindMissing() is { } missing ? $"requires network namespaces, and {missing}" : null,
        };
        ThrowIf(fault is null ? null : plan.Impairment.NeighbourBitsPerSecond is not null ? Rejected(
            ImpairmentOptions.NeighbourName, $"a TCP connection in the same queue {fault}. Omit the option.")
        : Rejected(
            ImpairmentOptions.Arguments(plan.Impairment).Keys.First(), $"a bad network under {plan.Protocol.Name()} {fault}. Use -P Udp or Quic."));
    }

    public static void CheckMulticast(RunPlan plan, Catalog catalog)
    {
        string[] tests = [.. catalog.Workloads.Where(test => test.SendsToAll).Select(test => test.Name)];
        string? fault = plan switch
        {
            _ when plan.MulticastGroup is null => null,
            _ when !tests.Contains(plan.Test) => $"requires -t {Or(tests)}",
            _ when plan.Protocol.IsStream() => $"requires -P {Protocol.Udp}",
            { Impairment.IsNone: false } => "cannot be combined with impairments, because its datagrams bypass the relay",
            _ => null,
        };
        ThrowIf(fault is null ? null : Rejected(LoadOptions.AddressName, $"the multicast group {plan.Address} {fault}."));
    }

    public static void CheckServer(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        IWorkload workload = catalog.FindWorkload(plan.Test)!;
        ThrowIf(
            workload.LatencyKind == LatencyKind.OneWay && !library.ServerPushTransports.Contains(plan.Protocol) ? Rejected(
                "--test", $"{plan.Test} requires server push, which {library.Name} does not have over {plan.Protocol.Name()}. " +
                    UseLibrary(catalog, candidate => candidate.ServerPushTransports.Contains(plan.Protocol)))
            : !library.CarriesMessages && workload is not IConnectionWorkload ? Rejected(
                LibraryOptions.LibraryName, $"{library.Name} answers HTTP requests only, so {plan.Test} is not applicable. " +
                    $"Use -t {Or([.. catalog.Workloads.OfType<IConnectionWorkload>().Select(test => test.Name)])}.")
            : workload.NeedsReliableDelivery(plan) && library.Find(plan.Protocol, Transmission.Reliable) is null ? Rejected(
                "--test", $"{plan.Test} has messages that require reliable delivery, which {library.Name} does not have over {plan.Protocol.Name()}. " +
                    UseLibrary(catalog, candidate => candidate.ServerPushTransports.Contains(plan.Protocol)
                        && candidate.Find(plan.Protocol, Transmission.Reliable) is not null))
            : plan.Channels > (plan.Protocol == Protocol.Udp ? library.Channels : 1) ? Rejected(
                "--channels", $"{library.Name} has one channel of reliable delivery over {plan.Protocol.Name()}. Use --channels 1, or over UDP the library " +
                    $"{Or([.. catalog.Libraries.Where(name => catalog.CreateLibrary(name)!.Info.Channels >= plan.Channels)])}.")
            : workload.UsesCallToAll(plan) && !library.BroadcastTransports.Contains(plan.Protocol) ? Rejected(
                "--test", $"{plan.Test} with one call for all clients requires a library that has one, and {library.Name} has none over " +
                    $"{plan.Protocol.Name()}. {UseLibrary(catalog, candidate => candidate.BroadcastTransports.Contains(plan.Protocol))}")
            : workload.UsesCallToAll(plan) && plan.ServerThreads > 1 ? Rejected(
                ProcessOptions.ServerThreadsName, "one call reaches the clients of one thread of the server. Use --server-threads 1.")
            : workload.LatencyKind == LatencyKind.OneWay && (plan.ServerUpdateRate ?? plan.ClientUpdateRate) is not null ? Rejected(
                plan.ServerUpdateRate is null ? ProcessOptions.ClientLoopName : ProcessOptions.ServerLoopName,
                $"the server of {plan.Test} sends by a schedule of its own. Omit the option.")
            : plan.ServerUpdateRate is not null && !library.UpdateTransports.Contains(plan.Protocol) ? Rejected(
                ProcessOptions.ServerLoopName, $"the server of {library.Name} has no loop of the harness over {plan.Protocol.Name()}. " +
                    UseLibrary(catalog, candidate => candidate.UpdateTransports.Contains(plan.Protocol)))
            : library.FindFault(plan, workload) is { } fault ? fault
            : plan.MulticastGroup is not null && !library.HasMulticastGroups ? Rejected(
                LoadOptions.AddressName,
                $"{library.Name} does not support multicast groups such as {plan.Address}. {UseLibrary(catalog, candidate => candidate.HasMulticastGroups)}")
            : null);
    }

    private static string OrOf(IEnumerable<Protocol> protocols) => Or([.. protocols.Select(protocol => protocol.OptionText())]);

    public static void ThrowIf(BenchmarkException? fault)
    {
        if (fault is not null)
        {
            throw fault;
        }
    }

    private static string UseLibrary(Catalog catalog, Func<LibraryInfo, bool> chosen)
    {
        string[] names = [.. LibrariesThat(catalog, chosen)];
        return names.Length == 0 ? "No library in this build does." : $"Use the library {Or(names)}.";
    }

    private static IEnumerable<string> LibrariesThat(Catalog? catalog, Func<LibraryInfo, bool> chosen) =>
        (catalog?.Infos ?? []).Where(info => info.Unavailable is null && chosen(info)).Select(info => info.Name);
}
