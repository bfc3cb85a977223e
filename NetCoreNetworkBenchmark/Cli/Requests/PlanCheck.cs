using System.Diagnostics.CodeAnalysis;
using NetCoreNetworkBenchmark.Running.Discovery;
using static System.FormattableString;
using static NetCoreNetworkBenchmark.Options.OptionValues;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>
/// Checks a plan against the capabilities of the libraries, the machine and this process, before the run starts. Every refusal is a
/// <see cref="BenchmarkException"/> that names the option, the fault and the remedy.
/// </summary>
internal static partial class PlanCheck
{
    public static void RejectIf([DoesNotReturnIf(true)] bool isWrong, string option, string sentence) => RejectIf(isWrong, $"{option}: {sentence}");

    public static void RejectIf([DoesNotReturnIf(true)] bool isWrong, string sentence)
    {
        if (isWrong)
        {
            throw BenchmarkException.BadInput(sentence);
        }
    }

    public static void Check(RunPlan plan, LibraryInfo library)
    {
        CheckProtocol(plan, library);
        TransmissionInfo? transmission = library.Find(plan.Protocol, plan.Transmission);
        RejectIf(
            transmission is null, "--transmission", $"{library.Name} has no {plan.Transmission} delivery over {plan.Protocol}. " +
                $"Use {Or([.. library.TransmissionsOver(plan.Protocol).Select(offered => offered.Transmission)])}.");
        RejectIf(
            plan.MessageSize > transmission.LargestMessage, "--size",
            Invariant($"{library.Name} ({plan.Protocol}, {plan.Transmission}) supports at most {transmission.LargestMessage:N0} bytes in a message; ") +
                Invariant($"{plan.MessageSize:N0} were requested."));
        RejectIf(
            plan.Clients > library.MostClients, LoadOptions.ClientsName,
            Invariant($"{library.Name} supports at most {library.MostClients:N0} clients; {plan.Clients:N0} were requested."));
        Shortage? descriptors = FaultOfDescriptors(plan, library);
        RejectIf(descriptors is not null, LoadOptions.ClientsName, $"{descriptors?.OfPlan}");
    }

    /// <param name="catalog">The libraries in this build, to name those that offer the transport; null to name none.</param>
    public static void CheckProtocol(RunPlan plan, LibraryInfo library, Catalog? catalog = null)
    {
        UnavailableProtocol? unavailable = library.UnavailableProtocols.FirstOrDefault(missing => missing.Protocol == plan.Protocol);
        RejectIf(unavailable is not null, "--protocol", $"{library.Name} over {plan.Protocol} cannot run here: {unavailable?.Reason}.");
        if (!library.Protocols.Contains(plan.Protocol))
        {
            bool opens = catalog?.FindWorkload(plan.Test) is IConnectionWorkload;
            string[] names = [.. LibrariesThat(catalog, candidate => candidate.Protocols.Contains(plan.Protocol) && (opens || candidate.CarriesMessages))];
            string others = names.Length == 0 ? string.Empty : $", or a library with {plan.Protocol}: {string.Join(", ", names)}";
            throw Rejected("--protocol", $"{library.Name} does not support {plan.Protocol}. Use {Or(library.Protocols)}{others}.");
        }
    }

    /// <summary>Rejects a multicast group with a test or transport that uses none, or with a relay.</summary>
    public static void CheckGroup(RunPlan plan, Catalog catalog)
    {
        string[] tests = [.. catalog.Workloads.Where(test => test.LatencyKind == LatencyKind.OneWay).Select(test => test.Name)];
        string? fault = plan switch
        {
            _ when plan.MulticastGroup is null => null,
            _ when !tests.Contains(plan.Test) => $"requires -t {Or(tests)}",
            _ when plan.Protocol.IsStream() => $"requires -P {Protocol.Udp}",
            { Impairment.IsNone: false } => "cannot be combined with impairments, because its datagrams bypass the relay",
            _ => null,
        };
        RejectIf(fault is not null, LoadOptions.AddressName, $"the multicast group {plan.Address} {fault}.");
    }

    /// <summary>
    /// Rejects a test with server push, or a group, if the library does not support it, and what the library rejects by its own rules.
    /// </summary>
    public static void RequireServer(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        IWorkload workload = catalog.FindWorkload(plan.Test)!;
        if (workload.LatencyKind == LatencyKind.OneWay && !library.ServerPushTransports.Contains(plan.Protocol))
        {
            throw Rejected(
                "--test", $"{plan.Test} requires server push, which {library.Name} does not have over {plan.Protocol}. " +
                    UseLibrary(catalog, candidate => candidate.ServerPushTransports.Contains(plan.Protocol)));
        }

        RejectIf(
            !library.CarriesMessages && workload is not IConnectionWorkload, LibraryOptions.LibraryName,
            $"{library.Name} answers HTTP requests only, so {plan.Test} is not applicable. " +
                $"Use -t {Or([.. catalog.Workloads.OfType<IConnectionWorkload>().Select(test => test.Name)])}.");
        if (library.FindFault(plan, workload) is { } fault)
        {
            throw fault;
        }

        if (plan.MulticastGroup is not null && !library.HasMulticastGroups)
        {
            throw Rejected(
                LoadOptions.AddressName,
                $"{library.Name} does not support multicast groups such as {plan.Address}. {UseLibrary(catalog, candidate => candidate.HasMulticastGroups)}");
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
