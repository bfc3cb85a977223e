using NetCoreNetworkBenchmark.Plans;

using static NetCoreNetworkBenchmark.Options.PlanOption;

namespace NetCoreNetworkBenchmark.Options;

/// <summary>The options of the processes of both sides: threads and cores.</summary>
internal static class ProcessOptions
{
    public const string ClientThreadsName = "--client-threads";
    public const string PinName = "--pin";

    public static IReadOnlyList<PlanOption> All { get; } = Grouped(
        OptionGroup.Processes,
        Number(
            "--server-threads", null, "threads of the server, each with its own socket", 1, PlanLimits.MostThreads, plan => plan.ServerThreads,
            (plan, value) => plan with { ServerThreads = value }) with
        {
            Details = "if the library supports several",
            Need = LibraryRequirement.ServerThreads,
            Key = text => $"{text} server threads",
        },
        Number(
            ClientThreadsName, null, "threads that serve the clients", 1, PlanLimits.MostThreads,
            plan => plan.ClientThreads, (plan, value) => plan with { ClientThreads = value }) with
        {
            Details = "if the library leaves their number to the harness",
            Default = "half the cores, or one for each of the clients' cores with --pin; 1 to 8",
            ApplyDefault = plan => plan with { ClientThreads = plan.Pinning.DefaultClientThreads },
            Need = LibraryRequirement.ClientThreads,
        },
        new PlanOption(
            PinName, "cores of each side, such as server=0,clients=1")
        {
            Details = "each side has a process of its own; server=0-1,clients=2+3 names a range and a list; also with -b",
            ValueName = "SIDE=CORES",
            IsForBenchmark = true,
            Apply = (plan, text) => plan with { Pinning = CoreList.Pinning(PinName, text) },
            Text = plan => plan.Pinning.IsNone ? null : CoreList.Text(plan.Pinning),
            Key = text => text.Replace("=", " on ", StringComparison.Ordinal).Replace(',', ' '),
        });
}
