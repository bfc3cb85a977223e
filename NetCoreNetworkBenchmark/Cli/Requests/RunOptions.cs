using System.CommandLine;
using System.CommandLine.Parsing;
using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The options that say how a load runs and where its results go. No plan contains their values.</summary>
internal static class RunOptions
{
    public static readonly PlanOption Benchmark = new("--benchmark", "run the predefined benchmark of all libraries, or one part of it")
    {
        Details = $"-b=PART runs a part: {string.Join(", ", SuiteParts.Names)}; other load options than --profile, --set and --pin have no effect; " +
            "tls-matrix has one library, Epoll or the one of -l",
        IsCommon = true,
        Alias = "-b",
        Kind = OptionKind.OptionalValue,
        ValueName = "PART",
        Completions = SuiteParts.Names,
    };
    public static readonly PlanOption Continue = Flag("--continue", OptionGroup.Load, "continue an interrupted benchmark with the sets that it saved") with
    {
        Details = $"requires {Benchmark.Name}; the other options must be the same",
    };
    public static readonly PlanOption Baseline = new("--baseline", "library that the others are compared to")
    {
        Details = $"requires {Benchmark.Name}",
        ValueName = "LIB",
        Default = "Sockets",
    };
    public static readonly PlanOption Sweep = Flag("--sweep", OptionGroup.Load, "find the highest rate at which every --limit holds", needsBoth: true) with
    {
        Details = "starts at --rate; nothing may be lost",
        RequiredWith = ("--limit", "--sweep --limit p99=5ms"),
    };
    public static readonly PlanOption Limit = new("--limit", "bound of a latency percentile, such as p99=5ms")
    {
        Details = "requires --sweep; repeatable",
        Kind = OptionKind.Values,
        ValueName = "pN=TIME",
    };
    public static readonly PlanOption List = Flag("--list", OptionGroup.Library, "list the libraries with versions, protocols, limits and settings") with
    {
        Details = "also those that are not in this build, with the reason",
        IsCommon = true,
    };
    public static readonly PlanOption Role = new("--role", "side of the run that this process is")
    {
        Group = OptionGroup.Processes,
        Choices = Enum.GetNames<Role>(),
        Details = "a server prints its cost at Ctrl+C, clients measure any echo server at --address",
        Default = nameof(Requests.Role.Both),
    };
    public static readonly PlanOption HostsCheck =
        Flag("--hosts-check", OptionGroup.Hosts, "check machines, clocks and the network path of the hosts, and exit", needsBoth: true);
    public static readonly PlanOption Undeploy =
        Flag("--undeploy", OptionGroup.Hosts, "remove from the hosts what --deploy copied, and exit", needsBoth: true);
    public static readonly PlanOption Versions = new("--versions", "package versions of a library to compare, such as LiteNetLib=2.0.2,2.1.3")
    {
        Details = "each is built apart, outside the checkout; also with --runtime, and with -b for the loads of the library",
        ValueName = "LIB=V1,V2",
        Group = OptionGroup.Processes,
        RequiresBothSides = true,
    };
    public static readonly PlanOption Launches = new("--launches", "launches in fresh processes, for the spread between them")
    {
        Group = OptionGroup.Processes,
        Details = $"with -b process sets: {PredefinedBenchmarks.Sets} or more, until it is decided; {FramedBenchmarks.Sets} with -b=framed",
        IsCommon = true,
        RequiresBothSides = true,
    };
    public static readonly PlanOption Precision = new("--precision", "half width of the intervals at which a benchmark ends, such as 3%")
    {
        Details = $"requires {Benchmark.Name}",
        Default = "4%; 10% for TCP, TLS and multicast; 6% with -b=quick",
    };
    public static readonly PlanOption Time = new("--time", "time after which a benchmark starts no more sets, such as 10m")
    {
        Details = $"requires {Benchmark.Name}",
        Default = "25m; 90s with -b=quick",
    };
    public static readonly PlanOption Output = new("--output", "folder for the result files")
    {
        Details = "with -b a folder in it with the name of the machine; without the option Benchmarks with -b, and no files otherwise or with -b=quick",
        IsCommon = true,
        Alias = "-o",
        Group = OptionGroup.Output,
        ValueName = "DIR",
    };
    public static readonly PlanOption Force = Flag("--force", OptionGroup.Output, "replace an earlier result in the --output folder");
    public static readonly PlanOption Json =
        Flag("--json", OptionGroup.Output, "print the result as JSON to standard output, and nothing else") with { IsCommon = true };
    public static readonly PlanOption Verbose =
        Flag("--verbose", OptionGroup.Output, "show the progress of a run and the origin of errors") with { IsCommon = true };
    public static readonly PlanOption Agent = Flag(AgentProgram.Option, OptionGroup.Processes, string.Empty) with { IsHidden = true };
    public static readonly PlanOption BenchmarkDuration = Hidden("--benchmark-duration");
    public static readonly PlanOption BenchmarkPort = Hidden("--benchmark-port");
    public static readonly PlanOption BenchmarkDeadline = Hidden("--benchmark-deadline");

    public static IReadOnlyList<PlanOption> All { get; } =
    [
        Benchmark, Continue, Baseline, Sweep, Limit, List, Role, HostsCheck, Undeploy, Versions, Launches, Precision, Time,
        Output, Force, Json, Verbose, Agent, BenchmarkDuration, BenchmarkPort, BenchmarkDeadline,
    ];

    public static double ReadPrecision(string text) => PlanValues.Share(Precision.Name, text) is > 0 and <= 0.5 and var share
        ? share
        : throw OptionValues.Invalid(Precision.Name, text, "a percentage above 0% up to 50%, such as 3%");

    public static double ReadThreshold(string option, string text, string example) => PlanValues.Share(option, text) is > 0 and < 1 and var share
        ? share
        : throw OptionValues.Invalid(option, text, $"a percentage above 0% and below 100%, such as {example}");

    private static PlanOption Flag(string name, OptionGroup group, string help, bool needsBoth = false) =>
        new(name, help) { Group = group, Kind = OptionKind.Flag, RequiresBothSides = needsBoth };

    private static PlanOption Hidden(string name) => new(name, string.Empty) { IsHidden = true };
}

internal sealed class GivenOptions(ParseResult parsed, IReadOnlyDictionary<string, Option> options)
{
    public static Option Make(PlanOption described)
    {
        string[] aliases = described.Alias is { } alias ? [alias] : [];
        Option option = described.Kind switch
        {
            OptionKind.Flag => new Option<bool>(described.Name, aliases),
            OptionKind.Values => new Option<string[]>(described.Name, aliases),
            OptionKind.OptionalValue => new Option<string?>(described.Name, aliases) { Arity = ArgumentArity.ZeroOrOne },
            _ => new Option<string>(described.Name, aliases),
        };
        option.Description = described.Help;
        option.Hidden = described.IsHidden;
        return option;
    }

    /// <summary>The values of an option as the user wrote them; null if it is not given, or if a flag is switched off.</summary>
    public IReadOnlyList<string>? TextsOf(string name) =>
        !options.TryGetValue(name, out Option? option) || parsed.GetResult(option) is not OptionResult { Implicit: false } result ? null
        : result.Option is not Option<bool> ? [.. result.Tokens.Select(token => token.Value)]
        : result.Tokens is [{ Value: var value }] && value.Equals(bool.FalseString, StringComparison.OrdinalIgnoreCase) ? null
        : [bool.TrueString];

    public bool Has(PlanOption option) => TextsOf(option.Name) is not null;

    /// <summary>The value of an option; null if it is not given, or without a value.</summary>
    public string? TextOf(PlanOption option) => TextsOf(option.Name) is [var text, ..] ? text : null;

    public int? NumberOf(PlanOption option, int least, int most) =>
        TextOf(option) is { } text ? OptionValues.WholeNumber(option.Name, text, least, most) : null;

    public TimeSpan? SecondsOf(PlanOption option, double least) =>
        TextOf(option) is { } text ? PlanValues.Seconds(option.Name, text, least, PlanLimits.MostSeconds) : null;
}

/// <summary>The command <c>versus</c>: its argument, and its options in addition to those of the load.</summary>
internal sealed class VersusOptions : Command
{
    public const string CommandName = "versus";

    public const int DefaultSets = 12;

    private const int DefaultRounds = 24;
    private const int MostRounds = 1_000;
    private const double LeastSlice = 0.02;

    private static readonly TimeSpan s_defaultSlice = TimeSpan.FromSeconds(0.05);
    private static readonly PlanOption s_rounds = new("--rounds", "slices of each build in a set of processes") { Default = $"{DefaultRounds}" };
    private static readonly PlanOption s_slice = new("--slice", "shortest measurement in a slice, in seconds") { Default = "0.05" };
    private static readonly PlanOption s_threshold = new("--threshold", "least difference that matters, such as 5%") { Default = "2%" };

    private readonly Argument<string> _build = new("BUILD") { Description = "folder with another build of this program" };
    private readonly Dictionary<string, Option> _byName = [];

    /// <summary>Creates the command without its options, which most starts do not need.</summary>
    public VersusOptions()
        : base(CommandName, "compare another build with this one in alternating slices") => Add(_build);

    /// <summary>The parser's options by their names; empty before <see cref="Complete"/>.</summary>
    public IReadOnlyDictionary<string, Option> ByName => _byName;

    public void Complete(IEnumerable<PlanOption> load)
    {
        PlanOption[] run = [RunOptions.Benchmark, RunOptions.Launches, RunOptions.Output, RunOptions.Force, RunOptions.Json];
        foreach (PlanOption option in (PlanOption[])[.. load, .. run, s_rounds, s_slice, s_threshold])
        {
            Add(_byName[option.Name] = GivenOptions.Make(option));
        }
    }

    public VersusRequest Read(ParseResult parsed, GivenOptions given) => new(
        parsed.GetValue(_build)!,
        given.Has(RunOptions.Benchmark),
        given.NumberOf(s_rounds, 1, MostRounds) ?? DefaultRounds,
        given.SecondsOf(s_slice, LeastSlice) ?? s_defaultSlice,
        RunOptions.ReadThreshold(s_threshold.Name, given.TextOf(s_threshold) ?? s_threshold.Default!, "5%"));
}
