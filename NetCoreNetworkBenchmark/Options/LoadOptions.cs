using static NetCoreNetworkBenchmark.Options.PlanOption;

namespace NetCoreNetworkBenchmark.Options;

internal static class LoadOptions
{
    public const string DurationName = "--duration";
    public const string ProtocolName = "--protocol";
    public const string TransmissionName = "--transmission";
    public const string AddressName = "--address";
    public const string ClientsName = "--clients";
    public const string MessagesName = "--messages";
    public const string SizeName = "--size";
    public const string RateName = "--rate";
    public const string RatePerClientName = "--rate-per-client";
    public const string ArrivalsName = "--arrivals";
    public const string ThinkName = "--think";
    public const string PayloadName = "--payload";
    public const string LimitName = "--limit";
    public const string AnyMachineName = "--any-machine";
    private const string MessageLoadName = "--messageload";
    private const string Tls = "Tls";

    private static readonly string[] s_protocols = [.. Enum.GetValues<Protocol>().Select(protocol => protocol.OptionText())];
    private static readonly string[] s_messageLoads = Enum.GetNames<MessageLoad>();

    public static IReadOnlyList<string> ProtocolNames { get; } = [.. s_protocols, nameof(Protocol.Ssl)];

    public static IReadOnlyList<PlanOption> Transport(IReadOnlyCollection<string> libraries) => Grouped(
        OptionGroup.Load,
        Create(
            ProtocolName, "-P", "transport protocol", plan => plan.Protocol.OptionText(),
            (plan, text) => plan with { Protocol = ProtocolOf(text, libraries) }) with
        {
            Details = $"{nameof(Protocol.Ssl)} is another name of {Tls}",
            Choices = s_protocols,
            Completions = ProtocolNames,
            IsCommon = true,
            TakesSeveral = true,
        },
        Choice(
            TransmissionName, "-r", "delivery of datagrams", Enum.GetNames<Transmission>(), plan => plan.Transmission.ToString(),
            (plan, text) => plan with { Transmission = Enum.Parse<Transmission>(text) }) with
        {
            IsCommon = true,
            TakesSeveral = true,
            ApplyDefault = plan => plan.Protocol.IsStream() ? plan with { Transmission = Transmission.Reliable } : plan,
            Key = text => text,
        });

    public static IReadOnlyList<PlanOption> Clients { get; } = Grouped(
        OptionGroup.Load,
        Create(
            AddressName, "-a", "address or host name of the server, IPv4 or IPv6", plan => plan.Address,
            (plan, text) => plan with { Address = HostOf(text) }) with
        { IsCommon = true },
        Create("--multicast-interface", null, "address of the interface for a multicast group", plan => plan.MulticastInterface, WithMulticastInterface) with
        {
            Details = "with the default nothing leaves this machine",

            // It has no effect on other addresses.
            Text = plan => plan.MulticastGroup is null ? null : plan.MulticastInterface,
        },
        Number("--port", "-p", "port of the server; 0 for a free one", 0, ushort.MaxValue, plan => plan.Port, (plan, value) => plan with { Port = value }) with
        {
            IsCommon = true,
        },
        Hidden("--connect-deadline", plan => plan.ConnectDeadline, (plan, value) => plan with { ConnectDeadline = value }) with { Text = _ => null },
        Number(
            ClientsName, "-c", "simultaneous clients", 1, PlanLimits.MaxClients, plan => plan.Clients,
            (plan, value) => plan with { Clients = value }) with
        { IsCommon = true, TakesSeveral = true, Key = text => Plural.Format(text, "client") });

    public static IReadOnlyList<PlanOption> Sending { get; } = Lasting(
        Number(
            MessagesName, "-m", "messages in flight per client", 1, PlanLimits.MaxMessages, plan => plan.ParallelMessages,
            (plan, value) => plan with { ParallelMessages = value }) with
        {
            Text = plan => plan.Rate is null ? plan.ParallelMessages.ToString(CultureInfo.InvariantCulture) : null,
            IsCommon = true,
            TakesSeveral = true,
            Key = text => Plural.Format(text, "message"),
        },
        Create(
            RateName, null, "messages per second over all clients, sent on schedule (open loop)",
            PlanValues.RateText, (plan, text) => PlanValues.WithRate(plan, RateName, text)) with
        {
            ValueName = "MSG/S",
            Details = $"messages are sent whether or not answers arrive; replaces {MessagesName}; FIRST..LAST/TIME raises the rate in steps of TIME",
            IsCommon = true,
            TakesSeveral = true,
            Key = text => $"{text} msg/s",
        },
        new PlanOption(RatePerClientName, $"messages per second of each client, in place of {RateName}")
        {
            ValueName = "MSG/S",
            InPlaceOf = RateName,
            Apply = (plan, text) => PlanValues.WithRatePerClient(plan, RatePerClientName, text),
            Text = PlanValues.RatePerClientText,
            TakesSeveral = true,
            Key = text => $"{text} msg/s per client",
        },
        Choice(
            ArrivalsName, null, "when the messages of --rate are due: evenly spread, or at random", Enum.GetNames<Arrivals>(),
            plan => plan.Arrivals.ToString(), (plan, text) => plan with { Arrivals = Enum.Parse<Arrivals>(text) }) with
        {
            Details = "each client is a Poisson process, the same in every run",
            RequiresOption = RateName,
            OmitsDefault = true,
            Key = text => $"{text} arrivals",
        },
        new PlanOption(ThinkName, "time from an answer to the next message of a closed loop, such as 10ms")
        {
            Details = "each message in flight waits by itself; no part of the latency",
            ValueName = "TIME",
            Apply = (plan, text) => plan with { Think = OptionValues.AboveZero(ThinkName, text) },
            Text = plan => plan.Think == TimeSpan.Zero ? null : FormattableString.Invariant($"{plan.Think.TotalMilliseconds}ms"),
            TakesSeveral = true,
            Key = text => $"think time {text}",
        });

    public static IReadOnlyList<PlanOption> Messages { get; } = Grouped(
        OptionGroup.Load,
        Create(SizeName, "-s", "message size in bytes, or a range such as 32..512", SizeOf, WithSize) with
        {
            Details = "the sizes in a range are uniformly distributed, the same in every run; over a stream it requires --framing Length or Checked",
            IsCommon = true,
            TakesSeveral = true,
            Key = text => Plural.Format(text, "byte"),
        },
        Create(
            MessageLoadName, "-x", "content of the messages", plan => plan.Payload is null ? plan.MessageLoad.ToString() : null,
            (plan, text) => plan with { MessageLoad = MessageLoadOf(text) }) with
        { Choices = s_messageLoads },
        new PlanOption(PayloadName, "file of recorded messages to send, one in base64 on each line")
        {
            Details = "in their order, again and again, each client from another one on; the tag of each message replaces its first 16 bytes; " +
                "messages of several sizes over a stream require --framing Length or Checked",
            ValueName = "FILE",
            Apply = (plan, text) => PayloadFile.Read(PayloadName, text).AddTo(plan),
            Text = plan => plan.Payload?.File,
        });

    public static IReadOnlyList<PlanOption> Times { get; } = Lasting(
        Seconds("--warmup", null, "longest warm-up in seconds, or as 500ms", 0, plan => plan.WarmUp, (plan, value) => plan with { WarmUp = value }) with
        {
            Details = "ends earlier when the rate is steady",
        },
        Seconds(
            DurationName, "-d", "duration of the measurement in seconds, or as 500ms", 0.1, plan => plan.Duration,
            (plan, value) => PlanValues.WithDuration(plan, DurationName, value)) with
        {
            IsCommon = true,
        },
        Number(
            "--iterations", null, "equal parts of the duration, each with its own rate", 1, PlanLimits.MaxIterations, plan => plan.Iterations,
            WithIterations) with
        {
            OmitsDefault = true,
            Text = plan => plan.LastRate is null ? plan.Iterations.ToString(CultureInfo.InvariantCulture) : null,
        },
        Hidden("--loss-deadline", plan => plan.LossDeadline, (plan, value) => plan with { LossDeadline = value }));

    public static IReadOnlyList<PlanOption> Judgement { get; } = Grouped(
        OptionGroup.Load,
        new PlanOption(LimitName, "bound of a figure, such as p99=5ms, loss=0.1% or server-cpu=10us")
        {
            Details = "repeatable; pN and max are latencies, age.pN ages of states, loss is of the messages sent, ticks.late of the server's ticks, " +
                "server-cpu a time per message or a share of a core, wire=120B the bytes on the wire for a message (with --sweep, --launches or several " +
                "values); exit code 4 if one is broken",
            Kind = OptionKind.Values,
            ValueName = "FIGURE=BOUND",
            Example = "p99=5ms",
            Apply = (plan, text) => plan with { Limits = [.. plan.Limits ?? [], PlanValues.Limit(LimitName, text)] },
            Print = plan => (plan.Limits ?? []).SelectMany(limit => (string[])[LimitName, limit.Text]),
        },
        Flag(
            AnyMachineName, "accept a run although other programs used the machine",
            plan => plan.AnyMachine, plan => plan with { AnyMachine = true }) with
        {
            Details = "their load is recorded in the result",
            IsForBenchmark = true,
        });

    public static IReadOnlyList<PlanOption> Test(IReadOnlyCollection<string> tests, string? standard) => Grouped(
        OptionGroup.Load,
        Choice("--test", "-t", "test to run", tests, plan => plan.Test, (plan, text) => plan with { Test = text }) with
        {
            IsCommon = true,
            Default = standard,
            ApplyDefault = standard is null ? null : plan => plan with { Test = standard },
        });

    private static PlanOption[] Lasting(params PlanOption[] options) =>
        Grouped(OptionGroup.Load, Array.ConvertAll(options, option => option with { IsOfLastingLoad = true }));

    private static PlanOption Hidden(string name, Func<RunPlan, TimeSpan> get, Func<RunPlan, TimeSpan, RunPlan> set) =>
        Seconds(name, null, string.Empty, 0.1, get, set) with { OmitsDefault = true, IsHidden = true };

    public static Protocol ParseProtocol(string text) =>
        OptionValues.Choice(ProtocolName, text, ProtocolNames) is not Tls and var name ? Enum.Parse<Protocol>(name) : Protocol.Ssl;

    private static Protocol ProtocolOf(string text, IReadOnlyCollection<string> libraries) =>
        WebSocketOf(text) is { } stream ? throw OptionValues.Rejected(
            ProtocolName,
            $"\"{text}\" is not one of {string.Join(", ", ProtocolNames)}. " +
                $"WebSockets are a library: {LibraryOptions.LibraryName} WebSockets {ProtocolName} {stream}.")
        : Suggestion.Nearest(text, ProtocolNames) is null && Suggestion.Nearest(text, libraries) is { } library
            ? throw OptionValues.Rejected(
                ProtocolName, $"\"{text}\" is not one of {string.Join(", ", ProtocolNames)}. {library} is a library: {LibraryOptions.LibraryName} {library}.")
        : ParseProtocol(text);

    private static MessageLoad MessageLoadOf(string text) => Suggestion.Nearest(text, s_messageLoads) is null
        ? throw OptionValues.Rejected(
            MessageLoadName, $"\"{text}\" is not one of {string.Join(", ", s_messageLoads)}. {PayloadName} FILE sends messages of your own.")
        : Enum.Parse<MessageLoad>(OptionValues.Choice(MessageLoadName, text, s_messageLoads));

    // The schemes of their addresses (RFC 6455).
    private static string? WebSocketOf(string text) => text.ToUpperInvariant() switch
    {
        "WS" => nameof(Protocol.Tcp),
        "WSS" => Tls,
        _ => null,
    };

    private static string HostOf(string text) => IPAddress.TryParse(text, out IPAddress? address) && address.IsIPv6Multicast
        ? throw OptionValues.Rejected(AddressName, $"IPv6 multicast groups such as {text} are not supported. Use an IPv4 group, such as 239.255.0.1.")
        : PlanValues.Host(AddressName, text);

    private static string? SizeOf(RunPlan plan) => plan.Payload is not null ? null : plan.SmallestMessage is { } smallest
        ? string.Create(CultureInfo.InvariantCulture, $"{smallest}..{plan.MessageSize}")
        : plan.MessageSize.ToString(CultureInfo.InvariantCulture);

    private static RunPlan WithSize(RunPlan plan, string text)
    {
        if (text.Split("..") is not [var first, var last])
        {
            return plan with { MessageSize = OptionValues.WholeNumber(SizeName, text, 1, RunPlan.LargestStreamMessage) };
        }

        // Each message of a range carries its tag, by which the receiver knows its size.
        int smallest = OptionValues.WholeNumber(SizeName, first, RunPlan.SmallestOfRange, RunPlan.LargestStreamMessage - 1);
        int largest = OptionValues.WholeNumber(SizeName, last, smallest + 1, RunPlan.LargestStreamMessage);
        return plan with { SmallestMessage = smallest, MessageSize = largest };
    }

    private static RunPlan WithIterations(RunPlan plan, int iterations)
    {
        if (plan.LastRate is not null)
        {
            throw OptionValues.Rejected("--iterations", "each step of the rate is a part of the duration. Omit the option.");
        }

        int max = (int)Math.Min(PlanLimits.MaxIterations, plan.Duration / PlanLimits.MinIteration);
        double min = PlanLimits.MinIteration.TotalMilliseconds;
        return iterations <= max
            ? plan with { Iterations = iterations }
            : throw OptionValues.Rejected("--iterations", string.Create(
                CultureInfo.InvariantCulture,
                $"{iterations:N0} parts of {plan.Duration.TotalSeconds} s are shorter than {min} ms each. " +
                    $"Use at most {max:N0}, or a longer {DurationName}."));
    }

    private static RunPlan WithMulticastInterface(RunPlan plan, string text) =>
        IPAddress.TryParse(text, out IPAddress? address) && address.AddressFamily == AddressFamily.InterNetwork && !address.IsMulticastGroup()
            ? plan with { MulticastInterface = address.ToString() }
            : throw OptionValues.Invalid("--multicast-interface", text, "an IPv4 address of an interface of this machine, such as 127.0.0.1");
}
