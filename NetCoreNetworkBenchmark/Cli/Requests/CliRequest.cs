using System.CommandLine;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The request as read from the command line, not yet checked against the libraries. What no plan contains is read here.</summary>
/// <param name="Parsed">Null if nothing is given.</param>
internal sealed record CliRequest(ParseResult? Parsed = null)
{
    private const int MaxLaunches = 1_000;

    public required CliAction Action { get; init; }

    /// <summary>Its library is the default if <see cref="HasLibrary"/> is false.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>One for each combination of the values of <see cref="Varied"/>, <see cref="Plan"/> first.</summary>
    public IReadOnlyList<RunPlan> Plans { get => field ?? [Plan]; init; }

    public IReadOnlyList<PlanOption> Varied { get; init; } = [];

    public IReadOnlyList<string> Given { get; init; } = [];

    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>What the user wrote: the same build makes the same plan of it, and <c>--continue</c> refuses another build.</summary>
    public string CommandToContinue => ShellCommand.Format(
    [
        ProgramName.Typed,
        .. Arguments.Where(argument => argument.Split('=', ':')[0] is var name && name != RunOptions.Force.Name && name != RunOptions.Continue.Name),
        RunOptions.Continue.Name,
    ]);

    public VersionRequest? Versions { get; init; }
    public RegressRequest? Regress { get; init; }
    public IReadOnlyList<string> BenchmarkArguments { get; init; } = [];

    public Role Role { get; } = RunOptions.RoleOf(Parsed);

    /// <summary>All of the predefined benchmark unless a part is given.</summary>
    public required IBenchmarkPart BenchmarkPart { get; init; }

    public IReadOnlyList<RequestedSetting> Settings { get; init; } = [.. (Parsed.Arguments(LibraryOptions.SetName) ?? []).Select(RequestedSetting.Parse)];
    public IReadOnlyList<RuntimePlan> RuntimeVariants { get; } = RuntimeOptions.VariantsOf(Parsed.Arguments(RuntimeOptions.Name) ?? []);
    public SweepVariable Sweep { get; } = Parsed.Argument(RunOptions.Sweep) is { } variable ? RunOptions.ReadSweep(variable) : SweepVariable.Rate;
    public int? Launches { get; } = Parsed.NumberOf(RunOptions.Launches, 1, MaxLaunches);
    public bool Json { get; init; } = Parsed.Has(RunOptions.Json);
    public bool Verbose { get; } = Parsed.IsVerbose();
    public bool Live { get; init; } = Parsed.Has(RunOptions.Live);

    /// <summary>Null for standard error.</summary>
    public string? LiveFile { get; } = Parsed.Argument(RunOptions.Live) is { } live ? RunOptions.ReadLive(live) : null;

    public string? Output { get; init; } = Parsed.Argument(RunOptions.Output);
    public bool Force { get; init; } = Parsed.Has(RunOptions.Force);
    public bool Continue { get; init; } = Parsed.Has(RunOptions.Continue);
    public string Baseline { get; init; } = Parsed.Argument(RunOptions.Baseline) ?? RunOptions.Baseline.Default!;

    /// <summary>Half the width of an interval at which a benchmark ends, between 0 and 1; null for the default.</summary>
    public double? Precision { get; } = Parsed.Argument(RunOptions.Precision) is { } precision ? RunOptions.ReadPrecision(precision) : null;

    /// <summary>The time within which further sets end; null for the default.</summary>
    public TimeSpan? BenchmarkTime { get; } = Parsed.SecondsOf(RunOptions.Time, 0.1);

    public TimeSpan BenchmarkDuration { get; } = Parsed.SecondsOf(RunOptions.BenchmarkDuration, 0.1) ?? PredefinedBenchmarks.Duration;

    public int? MaxClients => IsGiven(LoadOptions.ClientsName) ? Plan.Clients : null;

    public bool HasLibrary => Versions is not null || IsGiven(LibraryOptions.LibraryName);

    public bool IsComparison => Action != CliAction.Sweep && (Plans.Count > 1 || Versions is not null || RuntimeVariants.Count > 1);

    public CliRequest WithPlans(Func<RunPlan, RunPlan> change) => this with { Plan = change(Plan), Plans = [.. Plans.Select(change)] };

    public IEnumerable<string> ArgumentsOfComparison() =>
    [
        .. Precision is { } precision ? [RunOptions.Precision.Name, $"{PlanValues.Percent(precision)}%"] : (string[])[],
        .. BenchmarkTime is { } time ? [RunOptions.Time.Name, FormattableString.Invariant($"{time.TotalSeconds}s")] : (string[])[],
    ];

    public bool IsGiven(string option) => Given.Contains(option);
}

internal enum CliAction
{
    Run,
    Server,
    Client,
    Sweep,
    CapacitySearch,
    Benchmark,
    Regress,
    HostsCheck,
    Undeploy,
    List,
    ListNetworks,
}

internal enum Role
{
    Both,
    Server,
    Client,
}
