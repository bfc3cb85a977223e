using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The options whose values no plan contains: how a load runs, and where its results go.</summary>
internal static class RunOptions
{
    public const string LiveName = "--live";
    public const string LiveFormat = "json";

    // Differences between loads, settings or versions of one library are often small.
    public const int SetsOfOneLibrary = 6;

    private const string RateVariable = "rate";
    private const string ClientsVariable = "clients";
    private const string PlayersVariable = "players";

    public static readonly PlanOption Benchmark = new("--benchmark", "run the predefined benchmark of all libraries, or one part of it")
    {
        Details = "the load is predefined, so most of its options are refused; tls-matrix has one library, Epoll or the one of -l",
        IsCommon = true,
        RequiresBothSides = true,
        Alias = "-b",
        Kind = OptionKind.OptionalValue,
        ValueName = "PART",
    };
    public static readonly PlanOption Continue = Flag(
        "--continue", OptionGroup.Load, "continue an interrupted command of several runs with what it saved") with
    {
        Details = "with the --output folder of the command, or with -b; the other options must be the same",
    };
    public static readonly PlanOption Baseline = new("--baseline", "library that the others are compared to")
    {
        IsOfComparison = true,
        Details = "without -b one of the libraries of -l, the first by default",
        ValueName = "LIB",
        Default = "Sockets",
    };
    public static readonly PlanOption Sweep = new("--sweep", "find the highest rate, or number of clients, at which every --limit holds")
    {
        Details = $"{RateVariable} starts at --rate, {ClientsVariable} (or {PlayersVariable}, which is the same) at 100 with the same --rate-per-client; " +
            "also for several libraries; nothing may be lost without --limit loss=SHARE, but what an impairment drops",
        Group = OptionGroup.Load,
        Kind = OptionKind.OptionalValue,
        ValueName = "VARIABLE",
        Completions = [RateVariable, ClientsVariable, PlayersVariable],
        RequiresBothSides = true,
        RequiresOption = LoadOptions.LimitName,
    };
    public static readonly PlanOption List = Flag("--list", OptionGroup.Library, "list the libraries with versions, protocols, limits and settings") with
    {
        Details = "also those that are not in this build, with the reason",
        IsCommon = true,
    };
    public static readonly PlanOption ListNetworks =
        Flag("--list-networks", OptionGroup.Impairment, "list the kinds of network with impairments and sources");
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
    public static readonly PlanOption Versions = new("--versions", "package versions of a library to compare, such as LiteNetLib=2.1.3,2.1.5")
    {
        Details = "the adapter is compiled for each; also with --runtime, and with -b for the loads of the library",
        ValueName = "LIB=V1,V2",
        Group = OptionGroup.Processes,
        RequiresBothSides = true,
    };
    public static readonly PlanOption Launches = new("--launches", "launches in fresh processes, for the spread between them")
    {
        Group = OptionGroup.Processes,
        Details = $"with -b process sets: {Contracts.Benchmark.DefaultSets} or more, until it is decided; 1 with -b=framed",
        IsCommon = true,
        RequiresBothSides = true,
    };
    public static readonly PlanOption Precision = new("--precision", "half width of the intervals at which a comparison ends, such as 3%")
    {
        IsOfComparison = true,
        Default = "4%; with -b 10% for TCP, TLS and multicast, 6% with -b=quick",
    };
    public static readonly PlanOption Time = new("--time", "time within which the further sets of a comparison end, such as 10m")
    {
        IsOfComparison = true,
        Details = $"{Contracts.Benchmark.DefaultSets} sets are measured in any case, {SetsOfOneLibrary} of a single library",
        ValueName = "TIME",
        Default = "25m; 140s with -b=quick; 2m without -b",
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
    public static readonly PlanOption Live = new(LiveName, "print figures every second while a run lasts, as a line of JSON each")
    {
        Group = OptionGroup.Output,
        ValueName = "json|json:FILE",
        Completions = [LiveFormat],
        Details = "to standard error, where each other line is an object with a message then, or to a file",
    };
    public static readonly PlanOption Verbose =
        Flag("--verbose", OptionGroup.Output, "show the progress of a run and the origin of errors") with { IsCommon = true };
    public static readonly PlanOption BenchmarkDuration = new("--benchmark-duration", string.Empty) { IsHidden = true };

    public static IReadOnlyList<PlanOption> All { get; } =
    [
        Benchmark, Continue, Baseline, Sweep, List, ListNetworks, Role, HostsCheck, Undeploy, Versions, Launches, Precision, Time,
        Output, Force, Json, Live, Verbose, BenchmarkDuration,
    ];

    /// <param name="parts">The names of the parts of the predefined benchmark.</param>
    public static IEnumerable<PlanOption> With(IReadOnlyList<string> parts) => All.Select(option => option != Benchmark ? option : option with
    {
        Details = $"-b=PART runs a part: {string.Join(", ", parts)}; {option.Details}",
        Completions = parts,
    });

    public static Role RoleOf(ParseResult? parsed) =>
        parsed.Argument(Role) is { } role ? OptionValues.Choice<Role>(Role.Name, role) : Requests.Role.Both;

    /// <summary>Returns the file; null for standard error.</summary>
    public static string? ReadLive(string text)
    {
        string[] parts = text.Split(':', 2);
        return parts[0].Equals(LiveFormat, StringComparison.OrdinalIgnoreCase) && parts[^1].Length > 0
            ? parts.ElementAtOrDefault(1)
            : throw OptionValues.Invalid(LiveName, text, $"{LiveFormat}, or {LiveFormat}:FILE for a file");
    }

    public static SweepVariable ReadSweep(string text) =>
        OptionValues.Choice(Sweep.Name, text, Sweep.Completions) == RateVariable ? SweepVariable.Rate : SweepVariable.Clients;

    public static double ReadPrecision(string text) => PlanValues.Fraction(Precision.Name, text) is > 0 and <= 0.5 and var fraction
        ? fraction
        : throw OptionValues.Invalid(Precision.Name, text, "a percentage above 0% up to 50%, such as 3%");

    public static double ReadThreshold(string option, string text, string example) => PlanValues.Fraction(option, text) is > 0 and < 1 and var fraction
        ? fraction
        : throw OptionValues.Invalid(option, text, $"a percentage above 0% and below 100%, such as {example}");

    private static PlanOption Flag(string name, OptionGroup group, string help, bool needsBoth = false) =>
        new(name, help) { Group = group, Kind = OptionKind.Flag, RequiresBothSides = needsBoth };
}
