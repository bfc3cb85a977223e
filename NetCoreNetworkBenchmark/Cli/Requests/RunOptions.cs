using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The options that say how a scenario runs and where its results go. No plan contains their values.</summary>
internal static class RunOptions
{
    public static readonly PlanOption Benchmark = new(
        "--benchmark", "run the predefined benchmark of all libraries, or one part of it")
    {
        Details = $"-b=PART runs a part: {string.Join(", ", SuiteParts.Names)}; other load options than --profile, --set and --pin have no effect; " +
            "tls-matrix has one library, Epoll or the one of -l",
        IsCommon = true,
        Alias = "-b",
        Kind = OptionKind.OptionalValue,
        ValueName = "PART",
        Completions = SuiteParts.Names,
    };
    public static readonly PlanOption Continue = Flag(
        "--continue", OptionGroup.Load, "continue an interrupted benchmark with the sets that it saved") with
    {
        Details = $"requires {Benchmark.Name}; the other options must be the same",
    };
    public static readonly PlanOption Baseline = new("--baseline", "library that the others are compared to")
    {
        Details = $"requires {Benchmark.Name}",
        ValueName = "LIB",
        Default = "Sockets",
    };
    public static readonly PlanOption Sweep = Flag(
        "--sweep", OptionGroup.Load, "find the highest rate at which every --limit holds") with
    {
        Details = "starts at --rate; nothing may be lost",
        RequiredWith = ("--limit", "--sweep --limit p99=5ms"),
        NeedsBothSides = true,
    };
    public static readonly PlanOption Limit = new(
        "--limit", "bound of a latency percentile, such as p99=5ms")
    {
        Details = "requires --sweep; repeatable",
        Kind = OptionKind.Values,
        ValueName = "pN=TIME",
    };
    public static readonly PlanOption List = Flag(
        "--list", OptionGroup.Library, "list the libraries with versions, protocols, limits and settings") with
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
    public static readonly PlanOption HostsCheck = Flag(
        "--hosts-check", OptionGroup.Hosts, "check machines, clocks and the network path of the hosts, and exit") with
    {
        NeedsBothSides = true,
    };
    public static readonly PlanOption Undeploy = Flag(
        "--undeploy", OptionGroup.Hosts, "remove from the hosts what --deploy copied, and exit") with
    {
        NeedsBothSides = true,
    };
    public static readonly PlanOption Versions = new(
        "--versions", "package versions of a library to compare, such as LiteNetLib=2.0.2,2.1.3")
    {
        Details = "each is built apart, outside the checkout; also with --runtime, and with -b for the loads of the library",
        ValueName = "LIB=V1,V2",
        Group = OptionGroup.Processes,
        NeedsBothSides = true,
    };
    public static readonly PlanOption Launches = new("--launches", "launches in fresh processes, for the spread between them")
    {
        Group = OptionGroup.Processes,
        Details = $"with -b process sets: {PredefinedBenchmarks.Sets} or more, until it is decided; {PredefinedBenchmarks.FramedSets} with -b=framed",
        IsCommon = true,
        NeedsBothSides = true,
    };
    public static readonly PlanOption Precision = new(
        "--precision", "half width of the intervals at which a benchmark ends, such as 3%")
    {
        Details = $"requires {Benchmark.Name}",
        Default = "4%; 10% for TCP, TLS and multicast; 6% with -b=quick",
    };
    public static readonly PlanOption Time = new("--time", "time after which a benchmark starts no more sets, such as 10m")
    {
        Details = $"requires {Benchmark.Name}",
        Default = "25m; 90s with -b=quick",
    };
    public static readonly PlanOption Output = new(
        "--output", "folder for the result files")
    {
        Details = "with -b a folder in it with the name of the machine; without the option Benchmarks with -b, and no files otherwise or with -b=quick",
        IsCommon = true,
        Alias = "-o",
        Group = OptionGroup.Output,
        ValueName = "DIR",
    };
    public static readonly PlanOption Force = Flag("--force", OptionGroup.Output, "replace an earlier result in the --output folder");
    public static readonly PlanOption Json = Flag(
        "--json", OptionGroup.Output, "print the result as JSON to standard output, and nothing else") with
    {
        IsCommon = true,
    };
    public static readonly PlanOption Verbose = Flag(
        "--verbose", OptionGroup.Output, "show the progress of a run and the origin of errors") with
    {
        IsCommon = true,
    };
    public static readonly PlanOption Agent = Flag(AgentProgram.Option, OptionGroup.Processes, string.Empty) with { IsHidden = true };
    public static readonly PlanOption BenchmarkDuration = Hidden("--benchmark-duration");
    public static readonly PlanOption BenchmarkPort = Hidden("--benchmark-port");
    public static readonly PlanOption BenchmarkDeadline = Hidden("--benchmark-deadline");

    public static IReadOnlyList<PlanOption> All { get; } =
    [
        Benchmark, Continue, Baseline, Sweep, Limit, List, Role, HostsCheck, Undeploy, Versions, Launches, Precision, Time,
        Output, Force, Json, Verbose, Agent,
        BenchmarkDuration, BenchmarkPort, BenchmarkDeadline,
    ];

    public static double ReadPrecision(string text) => OptionValues.Share(Precision.Name, text) is > 0 and <= 0.5 and var share
        ? share
        : throw OptionValues.Invalid(Precision.Name, text, "a percentage above 0% up to 50%, such as 3%");

    private static PlanOption Flag(string name, OptionGroup group, string help) => new(name, help) { Group = group, Kind = OptionKind.Flag };

    private static PlanOption Hidden(string name) => new(name, string.Empty) { IsHidden = true };
}

internal enum Role
{
    Both,
    Server,
    Client,
}
