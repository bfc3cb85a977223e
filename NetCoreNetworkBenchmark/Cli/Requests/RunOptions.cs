using NetCoreNetworkBenchmark.Running.Agents;
using NetCoreNetworkBenchmark.Running.Roles;
using NetCoreNetworkBenchmark.Running.Suites;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Scenarios.Options;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The options that say how a scenario runs and where its results go. No plan contains their values.</summary>
internal static class RunOptions
{
    private static readonly string[] s_controlChoices = ["loopback", "any"];

    public static readonly ScenarioOption Benchmark = new(
        "--benchmark", "run the predefined full benchmark with all tests and libraries, ignores all other (load) settings but --profile, --set and --pin; " +
            "-b=PART runs a part; options [udp, tcp, ssl, tls, tls-matrix, framed, loss, quick]; tls-matrix has one library, Epoll or the one of -l")
    {
        Alias = "-b",
        Kind = OptionKind.OptionalValue,
        ValueName = "PART",
        Completions = SuiteParts.Names,
    };
    public static readonly ScenarioOption Continue = Flag(
        "--continue", OptionGroup.Load,
        "with -b: go on where it stopped, with the sets that were saved in its folder; the other options must be the same");
    public static readonly ScenarioOption Floor = new("--floor", "with -b: the library to which the others are compared")
    {
        ValueName = "LIB",
        Default = "Sockets",
    };
    public static readonly ScenarioOption Sweep = Flag(
        "--sweep", OptionGroup.Load, "find the highest rate at which every --limit holds and nothing is lost, from --rate on") with
    {
        Partner = ("--limit", "--sweep --limit p99=5ms"),
        NeedsBothSides = true,
    };
    public static readonly ScenarioOption Limit = new(
        "--limit", "with --sweep: a percentile of the round trips and its longest time, such as p99=5ms; more than once for several")
    {
        Kind = OptionKind.Values,
        ValueName = "pN=TIME",
    };
    public static readonly ScenarioOption List = Flag(
        "--list", OptionGroup.Library, "show the libraries: in this build or why not, version, protocols, most clients, overhead, settings");
    public static readonly ScenarioOption Role = new("--role", "what this process is")
    {
        Group = OptionGroup.Processes,
        Choices = Enum.GetNames<Role>(),
        Remark = "; a server runs until Ctrl+C, clients need its --address",
        Default = nameof(Requests.Role.Both),
    };
    public static readonly ScenarioOption HostsCheck = Flag(
        "--hosts-check", OptionGroup.Hosts, "log on to every host, show machines, clocks and the path of messages to the server's host, and end") with
    {
        NeedsBothSides = true,
    };
    public static readonly ScenarioOption Control = new("--control", "with --role Server: from where clients may greet it and ask for its figures")
    {
        Group = OptionGroup.Processes,
        Choices = s_controlChoices,
        Remark = "; any is the server's --address, for a network that is trusted",
        Default = s_controlChoices[0],
    };
    public static readonly ScenarioOption Undeploy = Flag(
        "--undeploy", OptionGroup.Hosts, "remove what --deploy has copied to the hosts, and end") with
    {
        NeedsBothSides = true,
    };
    public static readonly ScenarioOption Versions = new(
        "--versions",
        "versions of the package of a library, such as LiteNetLib=2.0.2,2.1.3: each is built apart, outside the checkout, and they take turns; " +
            "also with -b, for the loads in which the library runs, and with --runtime")
    {
        ValueName = "LIB=V1,V2",
        Group = OptionGroup.Processes,
        NeedsBothSides = true,
    };
    public static readonly ScenarioOption Launches = new("--launches", "fresh processes that measure the same, for the spread between them")
    {
        Group = OptionGroup.Processes,
        Remark = $" [default with -b: {PredefinedBenchmarks.Sets} sets of processes or more, until it is decided, " +
            $"{PredefinedBenchmarks.FramedSets} with -b=framed]",
        NeedsBothSides = true,
    };
    public static readonly ScenarioOption Precision = new(
        "--precision", "with -b: half the width of an interval at which a benchmark ends, such as 3%")
    {
        Remark = " [default: 4%, of TCP, TLS and multicast 10%; -b=quick 6%]",
    };
    public static readonly ScenarioOption Time = new("--time", "with -b: the time after which no further sets begin, such as 10m")
    {
        Remark = " [default: 25m; -b=quick 95s]",
    };
    public static readonly ScenarioOption Output = new(
        "--output",
        "folder for the result files; with -b a folder of the machine's name in it [default with -b: Benchmarks, but none with -b=quick]")
    {
        Alias = "-o",
        Group = OptionGroup.Output,
        ValueName = "DIR",
    };
    public static readonly ScenarioOption Force = Flag("--force", OptionGroup.Output, "replace an earlier result in the folder of --output");
    public static readonly ScenarioOption Json = Flag("--json", OptionGroup.Output, "print the result as JSON on standard output, and nothing else there");
    public static readonly ScenarioOption Verbose = Flag("--verbose", OptionGroup.Output, "show what a run is doing and where an error came from");
    public static readonly ScenarioOption Agent = Flag(AgentProgram.Option, OptionGroup.Processes, string.Empty) with { IsHidden = true };
    public static readonly ScenarioOption BenchmarkDuration = Hidden("--benchmark-duration");
    public static readonly ScenarioOption BenchmarkPort = Hidden("--benchmark-port");
    public static readonly ScenarioOption BenchmarkDeadline = Hidden("--benchmark-deadline");

    /// <summary>All options, in the order of the help text.</summary>
    public static IReadOnlyList<ScenarioOption> All { get; } =
    [
        Benchmark, Continue, Floor, Sweep, Limit, List, Role, Control, HostsCheck, Undeploy, Versions, Launches, Precision, Time,
        Output, Force, Json, Verbose, Agent,
        BenchmarkDuration, BenchmarkPort, BenchmarkDeadline,
    ];

    /// <summary>Reads the value of <c>--control</c>.</summary>
    /// <exception cref="BenchmarkException">The value is not valid.</exception>
    public static ControlAccess ReadControl(string text) =>
        OptionValues.Choice(Control.Name, text, s_controlChoices) == s_controlChoices[0] ? ControlAccess.Loopback : ControlAccess.Any;

    /// <summary>Reads the value of <c>--precision</c>.</summary>
    /// <exception cref="BenchmarkException">The value is not valid.</exception>
    public static double ReadPrecision(string text) => OptionValues.Share(Precision.Name, text) is > 0 and <= 0.5 and var share
        ? share
        : throw OptionValues.Invalid(Precision.Name, text, "a percentage above 0% up to 50%, such as 3%");

    /// <summary>Gets the arguments that request a value of <c>--control</c>; empty for the default.</summary>
    public static string[] ArgumentsOf(ControlAccess access) => access == ControlAccess.Loopback ? [] : [Control.Name, s_controlChoices[1]];

    private static ScenarioOption Flag(string name, OptionGroup group, string help) => new(name, help) { Group = group, Kind = OptionKind.Flag };

    private static ScenarioOption Hidden(string name) => new(name, string.Empty) { IsHidden = true };
}

/// <summary>The sides that this process carries out.</summary>
internal enum Role
{
    /// <summary>Server and clients.</summary>
    Both,

    /// <summary>The server alone.</summary>
    Server,

    /// <summary>The clients alone.</summary>
    Client,
}
