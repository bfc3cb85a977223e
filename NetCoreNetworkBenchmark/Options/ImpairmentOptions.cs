namespace NetCoreNetworkBenchmark.Options;

internal static class ImpairmentOptions
{
    private const string SeedName = "--seed";
    private const string DelayName = "--delay";
    private const string BurstName = "--loss-burst";
    private const string QueueName = "--queue";
    private const double MaxBurst = 1_000;
    private const string DuplicateName = "--duplicate";
    private const string BandwidthName = "--bandwidth";

    public const string NetworkName = "--network";
    public const string LossName = "--loss";
    public const string NeighbourName = "--neighbour";
    public const string OutageName = "--outage";
    public const string RoamName = "--roam";
    public const string CutName = "--cut";
    private const string NeighbourOfAll = "max";
    private const string JitterName = "--jitter";
    private const string ReorderName = "--reorder";
    private const string CorruptName = "--corrupt";
    private const string TwoValues = "two values, such as 5ms/1ms, are for the direction to the server and that to the clients; " +
        "so for jitter, loss, loss-burst, duplicate, corrupt, bandwidth and queue";

    private static readonly string[] s_eachWay = [DelayName, JitterName, LossName, BurstName, DuplicateName, CorruptName, BandwidthName, QueueName];
    private static readonly Requirement s_requiresBandwidth =
        new($"requires {BandwidthName}", plan => plan.Impairment.BandwidthBitsPerSecond is not null);

    public static IReadOnlyList<PlanOption> All { get; } =
    [
        Make(
            NetworkName, "NAME", "kind of network to imitate, such as 4g; other options change parts of it",
            (plan, text) => ProfileOf(OptionValues.Choice(NetworkName, text, [.. NetworkProfile.All.Select(profile => profile.Name)]), plan.Seed),
            plan => plan.Network) with
        {
            Choices = [.. NetworkProfile.All.Select(profile => profile.Name)],
            Details = "--list-networks shows their impairments and sources; also with -b=networks",
            IsCommon = true,
            IsForBenchmark = true,
        },
        Time(
            DelayName, "delay of each packet in each direction, such as 5ms", plan => plan.Delay,
            (plan, value) => plan with { Delay = value }) with { Details = TwoValues },
        Time(
            "--rtt", $"round trip time that the delay adds, in place of {DelayName}, such as 60ms", plan => plan.Delay * 2,
            (plan, value) => plan with { Delay = value / 2 }) with { Details = "half of it in each direction", InPlaceOf = DelayName },
        Time(JitterName, "largest variation of the delay", plan => plan.Jitter, (plan, value) => plan with { Jitter = value }),
        Fraction(LossName, "share of the packets to lose in each direction, such as 1%", plan => plan.Loss, (plan, value) => plan with { Loss = value }) with
        {
            IsCommon = true,
        },
        Make(
            BurstName, "NUMBER", "mean number of packets that are lost in a row",
            (plan, text) => plan with { LossBurst = Burst(text, plan.Loss) },
            plan => plan.LossBurst is { } burst ? Invariant($"{burst}") : null) with
        {
            Details = "by the model of Gilbert; without it losses are independent",
            Requirements = [new Requirement($"requires {LossName}", plan => plan.Impairment.Directions.Any(way => way.Loss > 0))],
        },
        Fraction(
            DuplicateName, "share of the packets to duplicate in each direction", plan => plan.Duplicate,
            (plan, value) => plan with { Duplicate = value }),
        Fraction(
            ReorderName, "share of the packets to the server to swap with the next one", plan => plan.Reorder,
            (plan, value) => plan with { Reorder = value }),
        Fraction(CorruptName, "share of the packets in which to change one byte", plan => plan.Corrupt, (plan, value) => plan with { Corrupt = value }),
        Interruption(
            "--stall", "stop all traffic for a time in every period, such as 100ms/1s", plan => plan.Stall,
            (plan, value) => plan with { Stall = value }, static _ => null),
        Interruption(
            OutageName, "lose all that arrives for a time in every period, such as 2s/20s", plan => plan.Outage,
            (plan, value) => plan with { Outage = value }, static _ => null) with
        {
            Details = "in both directions; for one run of one load",
            TakesSeveral = false,
        },
        Make(
            RoamName, "TIME", "give each client a new address after every period, such as 5s",
            (plan, text) => plan with { Roam = OptionValues.AboveZero(RoamName, text) },
            plan => plan.Roam is { } period ? Invariant($"{period.TotalMilliseconds}ms") : null, reject: ConnectionsOfTcp) with
        {
            Details = "as the server sees it; requires -P Udp or Quic; for one run of one load",
            TakesSeveral = false,
        },
        Interruption(
            CutName, "reset all connections for a time in every period, such as 200ms/2s", plan => plan.Cut,
            (plan, value) => plan with { Cut = value }, ConnectionsNotOfTcp) with { Details = "new connections are refused meanwhile; requires -P Tcp or Tls" },
        Make(
            BandwidthName, "RATE", "bandwidth in each direction, such as 10mbit",
            (plan, text) => plan with { BandwidthBitsPerSecond = PlanValues.Bandwidth(BandwidthName, text) },
            plan => plan.BandwidthBitsPerSecond is { } bits ? RateOf(bits) : null),
        Make(
            QueueName, "TIME", "longest wait for the bandwidth, after which packets are dropped, such as 50ms",
            (plan, text) => plan with { Queue = OptionValues.AboveZero(QueueName, text) },
            plan => plan.Queue is { } queue ? Invariant($"{queue.TotalMilliseconds}ms") : null) with
        {
            Details = "one second without it",
            Requirements = [s_requiresBandwidth],
        },
        Make(
            NeighbourName, "RATE", $"rate of a TCP upload in the same queue, such as 100kbit, or {NeighbourOfAll}",
            (plan, text) => plan with { NeighbourBitsPerSecond = text == NeighbourOfAll ? long.MaxValue : PlanValues.Bandwidth(NeighbourName, text) },
            plan => plan.NeighbourBitsPerSecond is { } bits ? (bits == long.MaxValue ? NeighbourOfAll : RateOf(bits)) : null) with
        {
            Details = $"{NeighbourOfAll} is all that the kernel sends; its goodput and round trip are in the result; requires network namespaces (Linux); " +
                "for one run of one load",
            Requirements = [s_requiresBandwidth],
            TakesSeveral = false,
        },
        Make(
            SeedName, "VALUE", "seed of the random impairments",
            (plan, text) => plan with { Seed = OptionValues.WholeNumber(SeedName, text, int.MinValue, int.MaxValue) },
            plan => plan.IsNone ? null : Invariant($"{plan.Seed}")) with { Default = "1", TakesSeveral = false },
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
        let ways = !s_eachWay.Contains(option.Key) ? string.Empty : option.Value.Contains('/') ? " to the server/to the clients" : " each way"
        select $"{option.Key.TrimStart('-')} {option.Value}{ways}";

    private static string RateOf(long bitsPerSecond) => Invariant($"{bitsPerSecond / 1000.0}kbit");

    private static PlanOption Time(string name, string help, Func<ImpairmentPlan, TimeSpan> get, Func<ImpairmentPlan, TimeSpan, ImpairmentPlan> set) =>
        Make(
            name, "TIME", help, (plan, text) => set(plan, OptionValues.Duration(name, text)),
            plan => get(plan) > TimeSpan.Zero ? Invariant($"{get(plan).TotalMilliseconds}ms") : null, zero: "0ms");

    private static PlanOption Fraction(string name, string help, Func<ImpairmentPlan, double> get, Func<ImpairmentPlan, double, ImpairmentPlan> set) =>
        Make(
            name, "SHARE", help, (plan, text) => set(plan, PlanValues.Fraction(name, text)),
            plan => get(plan) > 0 ? $"{PlanValues.Percent(get(plan))}%" : null, zero: "0%");

    private static PlanOption Interruption(
        string name,
        string help,
        Func<ImpairmentPlan, Interruption?> get,
        Func<ImpairmentPlan, Interruption, ImpairmentPlan> set,
        Func<Protocol, string?> reject) =>
        Make(
            name, "TIME/TIME", help, (plan, text) => set(plan, PlanValues.Interruption(name, text)),
            plan => get(plan) is { } interruption ? Invariant($"{interruption.Length.TotalMilliseconds}ms/{interruption.Period.TotalMilliseconds}ms") : null,
            reject: reject);

    // More than two values are one wrong value.
    private static ImpairmentPlan SetBothWays(ImpairmentPlan plan, string[] values, Func<ImpairmentPlan, string, ImpairmentPlan> set)
    {
        values = values.Length > 2 ? [string.Join('/', values)] : values;
        ImpairmentPlan toServer = set(plan, values[0]) with { ToClients = null };
        ImpairmentPlan toClients = set(plan.Directions[1] with { ToClients = null }, values[^1]);
        return toClients == toServer ? toServer : toServer with { ToClients = toClients };
    }

    private static string? FormatWays(string?[] ways, string? zero) => ways[0] == ways[1] ? ways[0] : $"{ways[0] ?? zero}/{ways[1] ?? zero}";

    private static ImpairmentPlan ProfileOf(string name, int seed) =>
        NetworkProfile.All.First(profile => profile.Name == name).Impairment with { Network = name, Seed = seed };

    // With shorter bursts more than each datagram between them would have to begin one.
    private static double Burst(string text, double loss)
    {
        double min = loss < 1 ? Math.Max(1, loss / (1 - loss)) : MaxBurst;
        return double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double burst) && burst >= min && burst <= MaxBurst
            ? burst
            : throw OptionValues.Invalid(BurstName, text, Invariant($"a number from {min:0.##} to {MaxBurst:N0}"));
    }

    private static string? ConnectionsNotOfTcp(Protocol protocol) => protocol.IsOverTcp() ? null
        : $"not applicable to {protocol.Name()}, because its connections are not those of TCP. Use -P Tcp or Tls.";

    private static string? ConnectionsOfTcp(Protocol protocol) => !protocol.IsOverTcp() ? null
        : $"not applicable to {protocol.Name()}, because a connection of TCP ends with its address. Use -P Udp or Quic, or --cut.";

    private static PlanOption Make(
        string name,
        string valueName,
        string help,
        Func<ImpairmentPlan, string, ImpairmentPlan> set,
        Func<ImpairmentPlan, string?> get,
        string? zero = null,
        Func<Protocol, string?>? reject = null) =>
        new(name, help)
        {
            Group = OptionGroup.Impairment,
            ValueName = valueName,
            Apply = (plan, text) =>
            {
                ImpairmentPlan impairment = SetBothWays(plan.Impairment, s_eachWay.Contains(name) ? text.Split('/') : [text], set);
                return get(impairment) is not null && reject?.Invoke(plan.Protocol) is { } sentence
                    ? throw OptionValues.Rejected(name, sentence)
                    : plan with { Impairment = impairment };
            },
            Text = plan => FormatWays([.. plan.Impairment.Directions.Select(get)], zero),
            RequiresBothSides = true,
            TakesSeveral = true,
            Key = value => $"{name} {value}",
        };
}
