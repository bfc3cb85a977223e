using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Pinning;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Rejects threads that a library cannot have, and cores that are not available.</summary>
internal static class SideCheck
{
    /// <summary>Checks threads and cores against the library and the machine.</summary>
    /// <exception cref="BenchmarkException">A value is not valid. The message contains the option, the value and the valid values.</exception>
    public static void Check(CliRequest request, LibraryInfo library)
    {
        RunPlan plan = request.Plan;
        if (plan.ServerThreads > library.MostServerThreads)
        {
            throw BenchmarkException.BadInput(
                $"Option --server-threads: {plan.ServerThreads} are more than the server of {library.Name} can have on this system; " +
                    $"valid is {(library.MostServerThreads == 1 ? "1" : $"a whole number from 1 to {library.MostServerThreads}")}.");
        }

        if (request.ClientThreadsWereChosen && !library.ClientThreadsByPlan)
        {
            throw BenchmarkException.BadInput(
                $"Option --client-threads: the clients of {library.Name} are served by threads that the library brings or needs itself, " +
                    "so no number can be asked for; leave the option out.");
        }

        if (!plan.Pinning.IsNone && library.OneProcessOnly)
        {
            throw BenchmarkException.BadInput(
                $"Option {SettingArguments.PinOption}: {library.Name} has server and clients in one process, which cannot be bound to cores apart; " +
                    "valid is any other library.");
        }

        CheckCores(plan.Pinning);
    }

    /// <summary>Checks cores against the cores that this process may use.</summary>
    /// <exception cref="BenchmarkException">This process may not use a core, or the system cannot bind processes to cores.</exception>
    public static void CheckCores(PinningPlan pinning)
    {
        if (pinning.IsNone)
        {
            return;
        }

        if (!CoreAffinity.IsSupported)
        {
            throw BenchmarkException.BadInput(
                $"Option {SettingArguments.PinOption}: this system cannot bind a process to cores, only Linux and Windows can; leave the option out.");
        }

        CheckCores(pinning, CoreAffinity.OfProcess());
    }

    /// <summary>Checks cores against the available cores.</summary>
    /// <exception cref="BenchmarkException">A core is not available.</exception>
    public static void CheckCores(PinningPlan pinning, IReadOnlyList<int> available)
    {
        int[] others = [.. (pinning.ServerCores ?? []).Concat(pinning.ClientCores ?? []).Distinct().Except(available).Order()];
        if (others.Length > 0)
        {
            throw BenchmarkException.BadInput(
                $"Option {SettingArguments.PinOption}: this process may not use core {CoreList.Text(others)}; " +
                    $"valid {(available.Count == 1 ? "is" : "are")} {CoreList.Text(available)}.");
        }
    }

    /// <summary>Rejects cores for a side that does not run in a process of one side alone.</summary>
    /// <exception cref="BenchmarkException">The cores are for the other side.</exception>
    public static void CheckAlone(CliRequest request)
    {
        bool isServer = request.Action == CliAction.Server;
        PinningPlan pinning = request.Plan.Pinning;
        if ((isServer ? pinning.ClientCores : pinning.ServerCores) is not null)
        {
            throw BenchmarkException.BadInput(isServer
                ? $"Option {SettingArguments.PinOption}: this process is the server alone; valid is server=CORES."
                : $"Option {SettingArguments.PinOption}: this process is the clients alone; valid is clients=CORES.");
        }
    }
}
