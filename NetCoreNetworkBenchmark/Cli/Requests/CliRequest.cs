using NetCoreNetworkBenchmark.Running.Suites.Parts;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The request as read from the command line, not yet checked against the libraries.</summary>
internal sealed record CliRequest
{
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

    public IReadOnlyList<RequestedSetting> Settings { get; init; } = [];

    public IReadOnlyList<RuntimePlan> RuntimeVariants { get; init; } = [new RuntimePlan()];

    public VersionRequest? Versions { get; init; }
    public RegressRequest? Regress { get; init; }
    public int? Launches { get; init; }
    public SweepVariable Sweep { get; init; }
    public int? MaxClients { get; init; }
    public bool Json { get; init; }
    public bool Verbose { get; init; }

    public bool Live { get; init; }

    /// <summary>Null for standard error.</summary>
    public string? LiveFile { get; init; }
    public string? Output { get; init; }
    public bool Force { get; init; }
    public BenchmarkPart BenchmarkPart { get; init; } = PredefinedBenchmarks.Whole;
    public bool Continue { get; init; }

    public string Baseline { get; init; } = RunOptions.Baseline.Default!;

    public IReadOnlyList<string> BenchmarkArguments { get; init; } = [];

    /// <summary>Half the width of an interval at which a benchmark ends, between 0 and 1; null for the default.</summary>
    public double? Precision { get; init; }

    /// <summary>The time after which a benchmark has no further sets; null for the default.</summary>
    public TimeSpan? BenchmarkTime { get; init; }

    public TimeSpan BenchmarkDuration { get; init; } = PredefinedBenchmarks.Duration;

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
