using NetCoreNetworkBenchmark.Workloads.ServerPush;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Workloads.Replication;

/// <param name="InputsPerSecond">Of each player.</param>
/// <param name="Visible">The number of others whose states each player receives.</param>
/// <param name="InputSize">In bytes.</param>
/// <param name="EventsPerSecond">Of each player; 0 for none.</param>
internal sealed record SnapshotLoad(double TicksPerSecond, double InputsPerSecond, int Visible, int InputSize, double EventsPerSecond)
{
    public const string TickName = "--tick";
    public const string InputsName = "--client-tick";
    public const string VisibleName = "--visible";
    public const string InputSizeName = "--input-size";
    public const string EventsName = "--events";

    // A message of a snapshot fits in the packets of any path of the internet.
    private const int LargestSize = 1_200;
    private const int DefaultVisible = 50;
    private const int LargestRate = 1_000;
    private const double LargestEvents = 50;
    private const string All = "all";

    public const int StatesPerMessage = (LargestSize - PushTag.Size) / PlayerState.Size;

    public static IReadOnlyList<WorkloadOption> Options { get; } =
    [
        WorkloadOption.Number(TickName, "ticks of the server per second, at which it sends to all players", 1, LargestRate) with
        {
            Default = "20",
            ValueName = "HZ",
        },
        WorkloadOption.Number(InputsName, "inputs of each player per second", 1, LargestRate) with
        {
            Default = "30",
            ValueName = "HZ",
        },
        new(VisibleName, $"others whose states each player receives, or {All}", WithVisible)
        {
            ValueName = "COUNT",
            Details = $"without it {DefaultVisible}, or all if there are fewer",
        },
        WorkloadOption.Number(InputSizeName, "size of an input in bytes", PlayerInput.SmallestSize, LargestSize) with
        {
            Default = "40",
            ValueName = "BYTES",
        },
        new(EventsName, "reliable events of each player per second, sent on to all that see it", WithEvents)
        {
            Default = "0",
            ValueName = "COUNT",
            Details = Invariant($"{PlayerEvent.Size} bytes each; over UDP for libraries with reliable delivery"),
        },
    ];

    /// <summary>Snapshots of all players arrive at once, so inputs are some milliseconds late. The age of a state contains that.</summary>
    public TimeSpan LateBoundOfInputs => TimeSpan.FromSeconds(0.5 / InputsPerSecond);

    public int MessagesPerSnapshot => (Visible + StatesPerMessage - 1) / StatesPerMessage;

    public int LargestMessage => Math.Max(
        PushTag.Size + (Math.Min(Visible, StatesPerMessage) * PlayerState.Size), Math.Max(InputSize, EventsPerSecond > 0 ? PlayerEvent.Size : 0));

    /// <summary>Two if the number of visible players follows from that of all.</summary>
    public static int MinPlayers(RunPlan plan) => plan.WorkloadOptions.GetValueOrDefault(VisibleName) is { } text && text != All
        ? int.Parse(text, CultureInfo.InvariantCulture) + 1
        : 2;

    public static SnapshotLoad From(RunPlan plan)
    {
        int others = plan.Clients - 1;
        if (others == 0)
        {
            throw OptionValues.Rejected("--clients", "players see each other, so there must be two. Use -c 2 or more.");
        }

        int visible = plan.WorkloadOptions.GetValueOrDefault(VisibleName) switch
        {
            null => Math.Min(DefaultVisible, others),
            All => others,
            var text => int.Parse(text, CultureInfo.InvariantCulture),
        };
        var load = new SnapshotLoad(
            NumberOf(plan, TickName), NumberOf(plan, InputsName), visible, (int)NumberOf(plan, InputSizeName), NumberOf(plan, EventsName));
        return visible > others
            ? throw OptionValues.Rejected(VisibleName, Invariant($"a player has {others:N0} others, and {visible:N0} were requested. Use {All}."))
            : load.EventsPerSecond > load.InputsPerSecond
            ? throw OptionValues.Rejected(EventsName, $"an event is sent with an input, so there can be no more of them than inputs. Raise {InputsName}.")
            : load;
    }

    private static double NumberOf(RunPlan plan, string option) => double.Parse(plan.WorkloadOptions[option], CultureInfo.InvariantCulture);

    private static RunPlan WithVisible(RunPlan plan, string text) => plan.WithWorkloadOption(
        VisibleName,
        text.Equals(All, StringComparison.OrdinalIgnoreCase)
            ? All
            : OptionValues.WholeNumber(VisibleName, text, 1, PlanLimits.MaxClients - 1).ToString(CultureInfo.InvariantCulture));

    private static RunPlan WithEvents(RunPlan plan, string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double events) && events <= LargestEvents
            ? plan.WithWorkloadOption(EventsName, events.ToString(CultureInfo.InvariantCulture))
            : throw OptionValues.Invalid(EventsName, text, Invariant($"a number from 0 to {LargestEvents}, such as 0.5"));
}
