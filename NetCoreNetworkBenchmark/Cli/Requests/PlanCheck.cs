using System.Net;
using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>
/// Checks a plan against the capabilities of the libraries, the machine and this process, before the run starts. Every refusal is a
/// <see cref="BenchmarkException"/> whose one sentence has the option, the value and the valid values.
/// </summary>
internal static partial class PlanCheck
{
    /// <summary>Rejects a plan that the library or this process cannot carry out.</summary>
    public static void Check(RunPlan plan, LibraryInfo library)
    {
        CheckProtocol(plan, library);
        TransmissionInfo transmission = library.Find(plan.Protocol, plan.Transmission) ?? throw Refused(
            "--transmission",
            $"{library.Name} over {plan.Protocol} does not deliver {plan.Transmission}; " +
                $"valid is {string.Join(", ", library.TransmissionsOver(plan.Protocol).Select(offered => offered.Transmission))}.");
        if (plan.MessageSize > transmission.LargestMessage)
        {
            throw Refused(
                "--size",
                $"{plan.MessageSize} bytes are more than {library.Name} carries in one message ({plan.Protocol}, {plan.Transmission}); " +
                    $"valid is a whole number from 1 to {transmission.LargestMessage}.");
        }

        if (plan.Clients > library.MostClients)
        {
            throw Refused(
                LoadOptions.ClientCount,
                $"{plan.Clients} are more than the protocol of {library.Name} allows; valid is a whole number from 1 to {library.MostClients}.");
        }

        if (plan is { Protocol: Protocol.Quic, Tls.Version: "1.2" })
        {
            throw Refused(StreamOptions.TlsVersion, "QUIC stands on TLS 1.3, and 1.2 is another version; valid is 1.3.");
        }

        CheckImpairment(plan, library);
        CheckDescriptors(plan, library);
    }

    /// <summary>Rejects a transport that the library does not offer.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="library">The library.</param>
    /// <param name="catalog">The libraries in this build, to name those that offer the transport; null to name none.</param>
    public static void CheckProtocol(RunPlan plan, LibraryInfo library, Catalog? catalog = null)
    {
        if (library.UnavailableProtocols.FirstOrDefault(missing => missing.Protocol == plan.Protocol) is { } unavailable)
        {
            throw Refused("--protocol", $"{library.Name} over {plan.Protocol} cannot run here: {unavailable.Reason}.");
        }

        if (!library.Protocols.Contains(plan.Protocol))
        {
            throw Refused("--protocol", $"{library.Name} is not offered over {plan.Protocol}; {OptionValues.Valid(library.Protocols)}{Others()}.");
        }

        string Others()
        {
            bool opens = catalog?.FindWorkload(plan.Test) is { OpensConnections: true };
            string[] names = [.. LibrariesThat(catalog, other => other.Protocols.Contains(plan.Protocol) && (opens || !other.ServesHttpOnly))];
            return names.Length == 0 ? string.Empty : $"; libraries that offer {plan.Protocol} are {string.Join(", ", names)}";
        }
    }

    /// <summary>Rejects a multicast group with a test or transport that uses none, or with a relay.</summary>
    public static void CheckGroup(RunPlan plan, Catalog catalog)
    {
        if (IPAddress.TryParse(plan.Address, out IPAddress? address) && address.IsIPv6Multicast)
        {
            throw Refused(
                LoadOptions.Address,
                $"{plan.Address} is a multicast group of IPv6, and only those of IPv4 are offered; valid is one such as 239.255.0.1.");
        }

        string[] tests = [.. catalog.Workloads.Where(test => test.LatencyKind == LatencyKind.OneWay).Select(test => test.Name)];
        string? fault = plan switch
        {
            _ when MulticastGroup.Of(plan) is null => null,
            _ when !tests.Contains(plan.Test) => $"only -t {string.Join(" or ", tests)} sends to a group, not {plan.Test}",
            _ when plan.Protocol.IsStream() => $"groups are for datagrams, not for {plan.Protocol}; valid is -P {Protocol.Udp}",
            { Impairment.IsNone: false } => "a group's traffic passes no relay that could impair it",
            _ => null,
        };
        if (fault is not null)
        {
            throw Refused(LoadOptions.Address, $"{plan.Address} is a multicast group, and {fault}.");
        }
    }

    /// <summary>
    /// Rejects a test whose server sends without a request if the library does not support it, and a group if the library does not support groups.
    /// </summary>
    public static void RequireServer(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        if (catalog.FindWorkload(plan.Test)!.LatencyKind == LatencyKind.OneWay && !library.ServerPushTransports.Contains(plan.Protocol))
        {
            throw Refused(
                "--test",
                $"the server of {library.Name} sends nothing unasked over {plan.Protocol}, so there is no {plan.Test} with it; " +
                    $"{ValidLibraries(catalog, other => other.ServerPushTransports.Contains(plan.Protocol))}.");
        }

        if (library.ServesHttpOnly && !catalog.FindWorkload(plan.Test)!.OpensConnections)
        {
            throw Refused(
                LibraryOptions.LibraryName,
                $"{library.Name} answers requests of HTTP and has no messages, as {plan.Test} sends; " +
                    $"valid is -t {string.Join(" or ", catalog.Workloads.Where(test => test.OpensConnections).Select(test => test.Name))}.");
        }

        if (plan.ServerThreads > 1
            && library.Settings.FirstOrDefault(setting => setting.OneThreadValues.Contains(plan.SettingOf(setting))) is { } single)
        {
            throw Refused(
                "--server-threads",
                $"{plan.ServerThreads} are more than the one thread of {library.Name} with {single.Name}={plan.SettingOf(single)}; valid is 1.");
        }

        if (!catalog.FindWorkload(plan.Test)!.OpensConnections
            && library.Settings.FirstOrDefault(setting => setting.ShortConnectionValues.Contains(plan.SettingOf(setting))) is { } unfit)
        {
            string value = plan.SettingOf(unfit);
            throw Refused(
                LibraryOptions.SetName,
                $"{library.Name}.{unfit.Name}={value} serves connections that end soon, and those of {plan.Test} do not; " +
                    $"{OptionValues.Valid([.. unfit.Values.Except(unfit.ShortConnectionValues)])}.");
        }

        if (MulticastGroup.Of(plan) is not null && !library.HasMulticastGroups)
        {
            throw Refused(
                LoadOptions.Address,
                $"{plan.Address} is a multicast group, and {library.Name} is not offered with groups; " +
                    $"{ValidLibraries(catalog, other => other.HasMulticastGroups)}.");
        }
    }

    private static string ValidLibraries(Catalog catalog, Func<LibraryInfo, bool> chosen)
    {
        string[] names = [.. LibrariesThat(catalog, chosen)];
        return names.Length == 0 ? "no library in this build can do that" : OptionValues.Valid(names);
    }

    private static IEnumerable<string> LibrariesThat(Catalog? catalog, Func<LibraryInfo, bool> chosen) =>
        (catalog?.Infos ?? []).Where(info => info.Unavailable is null && chosen(info)).Select(info => info.Name);

    // TCP undoes some impairments of a stream, and datagrams have no connections.
    private static void CheckImpairment(RunPlan plan, LibraryInfo library)
    {
        bool isOverTcp = plan.Protocol.IsOverTcp();
        ImpairmentPlan possible = isOverTcp ? plan.Impairment.ForStreams : plan.Impairment.ForDatagrams;
        if (ImpairmentOptions.Of(plan.Impairment).Keys.Except(ImpairmentOptions.Of(possible).Keys).FirstOrDefault() is { } option)
        {
            throw Refused(
                option,
                isOverTcp
                    ? $"a stream ({plan.Protocol}) arrives whole and in order, whatever becomes of its packets; " +
                        "valid with it are --delay, --jitter, --stall, --cut and --bandwidth."
                    : $"datagrams ({plan.Protocol}) have no connections that could be reset; valid is -P {Protocol.Tcp} or {Protocol.Ssl}.");
        }
    }

    private static BenchmarkException Refused(string option, string sentence) => BenchmarkException.BadInput($"Option {option}: {sentence}");
}
