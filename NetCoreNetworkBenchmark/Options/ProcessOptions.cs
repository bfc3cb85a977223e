using static NetCoreNetworkBenchmark.Options.PlanOption;

namespace NetCoreNetworkBenchmark.Options;

internal static class ProcessOptions
{
    public const string ClientThreadsName = "--client-threads";
    public const string PinName = "--pin";
    public const string ServerThreadsName = "--server-threads";
    public const string ServerLoopName = "--server-loop";
    public const string ClientLoopName = "--client-loop";

    private const int MaxUpdateRate = 1_000;

    public static IReadOnlyList<PlanOption> All { get; } = Grouped(
        OptionGroup.Processes,
        Number(
            ServerThreadsName, null, "threads of the server, each with its own socket", 1, PlanLimits.MaxThreads, plan => plan.ServerThreads,
            (plan, value) => plan with { ServerThreads = value }) with
        {
            Details = "if the library supports several",
            Requires = LibraryCapability.ServerThreads,
            TakesSeveral = true,
            Key = text => Plural.Format(text, "server thread"),
        },
        Number(
            ClientThreadsName, null, "threads that serve the clients", 1, PlanLimits.MaxThreads,
            plan => plan.ClientThreads, (plan, value) => plan with { ClientThreads = value }) with
        {
            Details = "if the library leaves their number to the harness",
            Default = "half the cores, or one for each of the clients' cores with --pin; 1 to 8",
            ApplyDefault = plan => plan with { ClientThreads = plan.Pinning.DefaultClientThreads },
            Requires = LibraryCapability.ClientThreads,
        },
        Loop(
            ServerLoopName, "the server's loop, which handles messages", plan => plan.ServerUpdateRate, (plan, rate) => plan with { ServerUpdateRate = rate }),
        Loop(
            ClientLoopName, "the clients' loops, which handle and send", plan => plan.ClientUpdateRate, (plan, rate) => plan with { ClientUpdateRate = rate }),
        new PlanOption(PinName, "cores of each side, such as server=0,clients=1")
        {
            Details = "each side has a process of its own; server=0-1,clients=2+3 names a range and a list; also with -b",
            ValueName = "SIDE=CORES",
            IsForBenchmark = true,
            Apply = (plan, text) => plan with { Pinning = ReadPinning(text) },
            Text = plan => plan.Pinning.IsNone ? null : Describe(plan.Pinning),
            Key = text => text.Replace("=", " on ", StringComparison.Ordinal).Replace(',', ' '),
        });

    // In a closed loop, answers cause messages for as long as an update reads them, so no update would end.
    private static PlanOption Loop(string name, string loop, Func<RunPlan, int?> get, Func<RunPlan, int, RunPlan> set) =>
        new(name, $"updates per second of {loop} then, such as 60")
        {
            Details = "as the loop of a game; otherwise, it wakes for each message",
            RequiresOption = LoadOptions.RateName,
            Apply = (plan, text) => set(plan, OptionValues.WholeNumber(name, text, 1, MaxUpdateRate)),
            Text = plan => get(plan)?.ToString(CultureInfo.InvariantCulture),
            TakesSeveral = true,
            Key = text => $"{name} {text}",
        };

    private static PinningPlan ReadPinning(string text)
    {
        var sides = new Dictionary<string, IReadOnlyList<int>>(StringComparer.OrdinalIgnoreCase);
        foreach (string part in text.Split(','))
        {
            if (part.Split('=') is not [var side, var list] || CoreList.Read(list) is not { } cores || !sides.TryAdd(side, cores))
            {
                throw NoCores(text);
            }
        }

        var pinning = new PinningPlan { ServerCores = sides.GetValueOrDefault("server"), ClientCores = sides.GetValueOrDefault("clients") };
        return sides.Count == (pinning.ServerCores is null ? 0 : 1) + (pinning.ClientCores is null ? 0 : 1) ? pinning : throw NoCores(text);
    }

    private static string Describe(PinningPlan pinning) => string.Join(
        ',',
        ((string?[])
        [
            pinning.ServerCores is { } server ? $"server={CoreList.Text(server)}" : null,
            pinning.ClientCores is { } clients ? $"clients={CoreList.Text(clients)}" : null,
        ]).OfType<string>());

    private static BenchmarkException NoCores(string text) => OptionValues.Invalid(
        PinName, text, "a list of cores for one side or both, such as server=0,clients=1 or server=0-1,clients=2+3");
}
