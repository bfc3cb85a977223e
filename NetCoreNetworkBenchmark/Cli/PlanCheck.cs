using NetCoreNetworkBenchmark.AdapterKit.Datagrams;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Checks a plan against the capabilities of the library and of this process, before the run starts.</summary>
internal static class PlanCheck
{
    /// <summary>Finds the library, or reports the reason why it cannot run and a remedy.</summary>
    /// <exception cref="BenchmarkException">The library is not in this build or cannot run here.</exception>
    public static INetworkBenchmark FindLibrary(Catalog catalog, string name, string option = "--library")
    {
        if (catalog.NotInBuild.FirstOrDefault(candidate => candidate.Library.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } missing)
        {
            throw BenchmarkException.BadInput($"Option {option}: {missing.Library} is not in this build: {missing.Reason}.");
        }

        INetworkBenchmark library = catalog.CreateLibrary(name)!;
        return library.Info.Unavailable is null
            ? library
            : throw BenchmarkException.BadInput($"Option {option}: {library.Info.Name} cannot run here: {library.Info.Unavailable}.");
    }

    /// <summary>Rejects a transport that the library does not offer.</summary>
    /// <exception cref="BenchmarkException">The library does not offer the transport. The message lists the transports that it offers.</exception>
    public static void CheckProtocol(RunPlan plan, LibraryInfo library)
    {
        if (library.UnavailableProtocols.FirstOrDefault(missing => missing.Protocol == plan.Protocol) is { } unavailable)
        {
            throw BenchmarkException.BadInput($"Option --protocol: {library.Name} over {plan.Protocol} cannot run here: {unavailable.Reason}.");
        }

        if (!library.Protocols.Contains(plan.Protocol))
        {
            throw BenchmarkException.BadInput(
                $"Option --protocol: {library.Name} is not offered over {plan.Protocol}; " +
                    $"valid {(library.Protocols.Count == 1 ? "is" : "are")} {string.Join(", ", library.Protocols)}.");
        }
    }

    /// <summary>Rejects a plan that the library or this process cannot carry out.</summary>
    /// <exception cref="BenchmarkException">The plan is not valid. The message contains the option, the value and the valid values.</exception>
    public static void Check(RunPlan plan, LibraryInfo library)
    {
        CheckProtocol(plan, library);
        TransmissionInfo transmission = library.Find(plan.Protocol, plan.Transmission)
            ?? throw BenchmarkException.BadInput(
                $"Option --transmission: {library.Name} over {plan.Protocol} does not deliver {plan.Transmission}; " +
                    $"valid is {string.Join(", ", library.TransmissionsOver(plan.Protocol).Select(offered => offered.Transmission))}.");
        if (plan.MessageSize > transmission.LargestMessage)
        {
            throw BenchmarkException.BadInput(
                $"Option --size: {plan.MessageSize} bytes are more than {library.Name} carries in one message ({plan.Protocol}, {plan.Transmission}); " +
                    $"valid is a whole number from 1 to {transmission.LargestMessage}.");
        }

        if (plan.Clients > library.MostClients)
        {
            throw BenchmarkException.BadInput(
                $"Option --clients: {plan.Clients} are more than the protocol of {library.Name} allows; " +
                    $"valid is a whole number from 1 to {library.MostClients}.");
        }

        if (!plan.Impairment.IsNone && library.OneProcessOnly)
        {
            throw BenchmarkException.BadInput(
                $"Option --library: {library.Name} has no network between server and clients that could be impaired; valid is any other.");
        }

        ImpairmentCheck.CheckStream(plan);
        MulticastCheck.CheckGroup(plan);
        CheckDescriptors(plan, library);
    }

    /// <summary>Rejects requests that a server or clients alone cannot carry out.</summary>
    /// <exception cref="BenchmarkException">The request is not possible for one side alone.</exception>
    public static void CheckAlone(CliRequest request, LibraryInfo library)
    {
        if (library.OneProcessOnly)
        {
            throw BenchmarkException.BadInput($"Option --role: {library.Name} joins server and clients by the memory of one process; valid is Both.");
        }

        if (request.Action == CliAction.Client && request.Plan.Port == 0)
        {
            throw BenchmarkException.BadInput($"Option --port: clients need the port of their server; valid is a whole number from 1 to {ushort.MaxValue}.");
        }

        if (request.Action == CliAction.Server && request.Plan.Protocol.IsStream() && request.Plan.Port == ushort.MaxValue)
        {
            throw BenchmarkException.BadInput(
                $"Option --port: the server of a stream is greeted on the next port, and there is none after {ushort.MaxValue}; " +
                    $"valid is a whole number from 0 to {ushort.MaxValue - 1}.");
        }

        SideCheck.CheckAlone(request);
    }

    private static void CheckDescriptors(RunPlan plan, LibraryInfo library)
    {
        int perClient = Math.Max(library.DescriptorsPerClient + (MulticastGroup.Of(plan) is null ? 0 : 1), ImpairmentCheck.DescriptorsOfRelay(plan));
        long needed = ((long)plan.Clients * perClient) + DescriptorLimit.Own;
        if (DescriptorLimit.Raise() is { } limit && needed > limit)
        {
            throw BenchmarkException.BadInput(
                $"Option --clients: {plan.Clients} clients need about {needed} open descriptors and this process may have {limit}; " +
                    $"raise the limit with 'ulimit -n {needed}' or ask for at most {Math.Max(0, limit - DescriptorLimit.Own)} clients.");
        }
    }
}
