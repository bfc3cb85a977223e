using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Finds the library whose clients drive the server, if it is not the server's own library.</summary>
internal static class ClientLibraryCheck
{
    /// <summary>Finds the client library.</summary>
    /// <param name="plan">The plan, with the client library that the user requested.</param>
    /// <param name="library">The server's library, which offers the plan's transport.</param>
    /// <param name="catalog">The libraries in this build.</param>
    /// <returns>The client library; null if the server's own clients drive it.</returns>
    /// <exception cref="BenchmarkException">The requested library cannot drive the server, or no library in this build can.</exception>
    public static INetworkBenchmark? Choose(RunPlan plan, LibraryInfo library, Catalog catalog)
    {
        if (plan.ClientLibrary is { } asked)
        {
            INetworkBenchmark clients = PlanCheck.FindLibrary(catalog, asked, StreamArguments.ClientLibraryOption);
            RequireDriver(plan, clients.Info, catalog);
            return clients.Info.Name == library.Name ? null : clients;
        }

        if (library.HasClients || !plan.Protocol.IsStream())
        {
            return null;
        }

        string fastest = ClientLibraries.FastestOver(plan.Protocol, catalog.Infos)?.Name
            ?? throw BenchmarkException.BadInput(
                $"Option --library: {library.Name} has no clients of its own, and no library that runs here has some over {plan.Protocol}; " +
                    "valid is another library.");
        return catalog.CreateLibrary(fastest);
    }

    private static void RequireDriver(RunPlan plan, LibraryInfo clients, Catalog catalog)
    {
        if (ClientLibraries.CanDrive(clients, plan.Protocol))
        {
            return;
        }

        string[] valid = [.. ClientLibraries.Over(plan.Protocol, catalog.Infos).Select(found => found.Name)];
        string reason = clients.Protocols.Contains(plan.Protocol)
            ? $"{clients.Name} has no clients over {plan.Protocol}"
            : $"{clients.Name} is not offered over {plan.Protocol}";
        throw BenchmarkException.BadInput(valid.Length == 0
            ? $"Option {StreamArguments.ClientLibraryOption}: {reason}, and neither is any other library here."
            : $"Option {StreamArguments.ClientLibraryOption}: {reason}; valid {(valid.Length == 1 ? "is" : "are")} {string.Join(", ", valid)}.");
    }
}
