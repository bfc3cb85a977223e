using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Options;

internal static class ImpairmentOptions
{
    private const string SeedName = "--seed";
    private const string DelayName = "--delay";
    private const string LossName = "--loss";
    private const string DuplicateName = "--duplicate";
    private const string BandwidthName = "--bandwidth";

    private static readonly string[] s_eachWay = [DelayName, LossName, DuplicateName, BandwidthName];

    public static IReadOnlyList<PlanOption> All { get; } =
    [
        Time(
            DelayName, "delay of each datagram or stream chunk in each direction, such as 5ms", plan => plan.Delay,
            (plan, value) => plan with { Delay = value }) with { IsCommon = true },
        Time(
            "--rtt", $"round trip time that the delay adds, in place of {DelayName}, such as 60ms", plan => plan.Delay * 2,
            (plan, value) => plan with { Delay = value / 2 }) with { Details = "half of it in each direction", InPlaceOf = DelayName },
        Time("--jitter", "largest variation of the delay", plan => plan.Jitter, (plan, value) => plan with { Jitter = value }),
        Share(LossName, "share of the datagrams to lose in each direction, such as 1%", plan => plan.Loss, (plan, value) => plan with { Loss = value }) with
        {
            IsCommon = true,
        },
        Share(DuplicateName, "share of the datagrams to duplicate in each direction", plan => plan.Duplicate, (plan, value) => plan with { Duplicate = value }),
        Share(
            "--reorder", "share of the datagrams to the server to swap with the next one", plan => plan.Reorder,
            (plan, value) => plan with { Reorder = value }),
        Share("--corrupt", "share of the datagrams in which to change one byte", plan => plan.Corrupt, (plan, value) => plan with { Corrupt = value }),
        Interruption(
            "--stall", "stop all traffic for a time in every period, such as 100ms/1s", plan => plan.Stall,
            (plan, value) => plan with { Stall = value }, static _ => null),
        Interruption(
            "--cut", "reset all connections for a time in every period, such as 200ms/2s", plan => plan.Cut,
            (plan, value) => plan with { Cut = value }, ConnectionsNotOfTcp) with { Details = "new connections are refused meanwhile; requires -P Tcp or Tls" },
        Make(
            BandwidthName, "RATE", "bandwidth in each direction, such as 10mbit",
            (plan, text) => plan with { BandwidthBitsPerSecond = PlanValues.Bandwidth(BandwidthName, text) },
            plan => plan.BandwidthBitsPerSecond is { } bits ? Invariant($"{bits / 1000.0}kbit") : null),
        Make(
            SeedName, "VALUE", "seed of the random impairments",
            (plan, text) => plan with { Seed = OptionValues.WholeNumber(SeedName, text, int.MinValue, int.MaxValue) },
            plan => plan.IsNone || plan.Seed is not { } seed ? null : Invariant($"{seed}")) with { Default = "1", TakesSeveral = false },
    ];

    public static IReadOnlyDictionary<string, string> Arguments(ImpairmentPlan impairment)
    {
        RunPlan plan = PlanOption.DefaultPlan with { Impairment = impairment };
        return All.Where(option => option.InPlaceOf is null).Select(option => (option.Name, Text: option.Text(plan)))
            .Where(option => option.Text is not null)
            .ToDictionary(option => option.Name, option => option.Text!, StringComparer.Ordinal);
    }

    public static IEnumerable<string> Describe(ImpairmentPlan impairment) =>
        from option in Arguments(impairment)
        where option.Key != SeedName
        select $"{option.Key.TrimStart('-')} {option.Value}{(s_eachWay.Contains(option.Key) ? " each way" : string.Empty)}";

    private static PlanOption Time(string name, string help, Func<ImpairmentPlan, TimeSpan> get, Func<ImpairmentPlan, TimeSpan, ImpairmentPlan> set) =>
        Make(
            name, "TIME", help, (plan, text) => set(plan, OptionValues.Duration(name, text)),
            plan => get(plan) > TimeSpan.Zero ? Invariant($"{get(plan).TotalMilliseconds}ms") : null);

    private static PlanOption Share(string name, string help, Func<ImpairmentPlan, double> get, Func<ImpairmentPlan, double, ImpairmentPlan> set) =>
        Make(
            name, "SHARE", help, (plan, text) => set(plan, PlanValues.Share(name, text)),
            plan => get(plan) > 0 ? $"{PlanValues.Percent(get(plan))}%" : null,
            StreamOfTcp);

    private static PlanOption Interruption(
        string name,
        string help,
        Func<ImpairmentPlan, Interruption?> get,
        Func<ImpairmentPlan, Interruption, ImpairmentPlan> set,
        Func<Protocol, string?> reject) =>
        Make(
            name, "TIME/TIME", help, (plan, text) => set(plan, PlanValues.Interruption(name, text)),
            plan => get(plan) is { } interruption ? Invariant($"{interruption.Length.TotalMilliseconds}ms/{interruption.Period.TotalMilliseconds}ms") : null,
            reject);

    private static string? StreamOfTcp(Protocol protocol) => !protocol.IsOverTcp() ? null
        : $"not applicable to {protocol.Name()}, because TCP delivers every byte in order. Use --delay, --jitter, --stall, --cut or --bandwidth.";

    private static string? ConnectionsNotOfTcp(Protocol protocol) => protocol.IsOverTcp() ? null
        : $"not applicable to {protocol.Name()}, because its connections are not those of TCP. Use -P Tcp or Tls.";

    private static PlanOption Make(
        string name,
        string valueName,
        string help,
        Func<ImpairmentPlan, string, ImpairmentPlan> set,
        Func<ImpairmentPlan, string?> get,
        Func<Protocol, string?>? reject = null) =>
        new(name, help)
        {
            Group = OptionGroup.Impairment,
            ValueName = valueName,
            Apply = (plan, text) =>
            {
                ImpairmentPlan impairment = set(plan.Impairment, text);
                return get(impairment) is not null && reject?.Invoke(plan.Protocol) is { } sentence
                    ? throw OptionValues.Rejected(name, sentence)
                    : plan with { Impairment = impairment };
            },
            Text = plan => get(plan.Impairment),
            RequiresBothSides = true,
            TakesSeveral = true,
            Key = value => $"{name} {value}",
        };
}
