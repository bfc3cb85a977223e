using System.Text.RegularExpressions;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The user's request, read from the command line and not yet checked against the libraries.</summary>
internal sealed record CliRequest
{
    public const int DefaultBenchmarkPort = 3333;

    public required CliAction Action { get; init; }

    /// <summary>The load. Its library is the default if <see cref="LibraryWasChosen"/> is false.</summary>
    public required RunPlan Plan { get; init; }

    public bool LibraryWasChosen { get; init; }
    public bool ClientThreadsWereChosen { get; init; }
    public bool ProfileWasChosen { get; init; }
    public bool DurationWasChosen { get; init; }
    public IReadOnlyList<RequestedSetting> Settings { get; init; } = [];

    /// <summary>The settings of the runtime that are compared; one if none are.</summary>
    public IReadOnlyList<RuntimePlan> RuntimeVariants { get; init; } = [new RuntimePlan()];

    public VersionRequest? Versions { get; init; }

    public VersusRequest? Versus { get; init; }
    public int? Launches { get; init; }
    public IReadOnlyList<LatencyLimit> Limits { get; init; } = [];
    public int? MostClients { get; init; }
    public bool Json { get; init; }
    public bool Verbose { get; init; }
    public string? Output { get; init; }
    public bool Force { get; init; }
    public SuitePart BenchmarkPart { get; init; }
    public bool Continue { get; init; }

    /// <summary>The library to which the others of a predefined benchmark are compared.</summary>
    public string Baseline { get; init; } = RunOptions.Baseline.Default!;

    /// <summary>The given options that the predefined benchmark also takes, with their values.</summary>
    public IReadOnlyList<string> BenchmarkArguments { get; init; } = [];

    /// <summary>Half the width of an interval at which a benchmark ends, between 0 and 1; null for the default.</summary>
    public double? Precision { get; init; }

    /// <summary>The time after which a benchmark has no further sets; null for the default.</summary>
    public TimeSpan? BenchmarkTime { get; init; }

    public TimeSpan BenchmarkDuration { get; init; } = PredefinedBenchmarks.Duration;

    /// <summary>The deadline of each predefined launch as a whole; null for the sum of the deadlines of its phases.</summary>
    public TimeSpan? BenchmarkDeadline { get; init; }

    public int BenchmarkPort { get; init; } = DefaultBenchmarkPort;
}

internal enum CliAction
{
    Run,
    Server,
    Client,
    Sweep,
    CapacitySearch,
    Benchmark,
    Versus,
    HostsCheck,
    Undeploy,
    List,
    Agent,
}

internal enum Role
{
    Both,
    Server,
    Client,
}

internal static class ExitCode
{
    public const int Success = 0;

    /// <summary>A failed, invalid or aborted run.</summary>
    public const int Failed = 1;

    public const int BadInput = 2;

    /// <summary>A comparison that found a slower case, if the user wants a regression to fail.</summary>
    public const int Regression = 3;
}

/// <param name="Build">The folder or file of the other build.</param>
/// <param name="IsOfBenchmark">Whether the cases are those of the predefined benchmark.</param>
internal sealed record VersusRequest(string Build, bool IsOfBenchmark, int Rounds, TimeSpan Slice, double Threshold);

/// <param name="Versions">The versions, in the order of the request; the others are compared to the first.</param>
internal sealed partial record VersionRequest(string Library, IReadOnlyList<string> Versions)
{
    // The processes of all versions are alive together.
    private const int Most = 6;

    public IEnumerable<string> Arguments => [RunOptions.Versions.Name, $"{Library}={string.Join(',', Versions)}"];

    public static VersionRequest? Read(GivenOptions given, RunPlan plan, CliAction action, SuitePart part, IReadOnlyCollection<string> libraries)
    {
        if (given.TextOf(RunOptions.Versions) is not { } text)
        {
            return given.Has(RunOptions.Versions) ? throw Invalid(string.Empty) : null;
        }

        if (text.Split('=', 2) is not [var name, var list]
            || list.Split(',') is not { Length: >= 2 and <= Most } versions
            || versions.Distinct(StringComparer.OrdinalIgnoreCase).Count() < versions.Length
            || !versions.All(Version().IsMatch))
        {
            throw Invalid(text);
        }

        string library = OptionValues.Choice(RunOptions.Versions.Name, name, libraries);
        string? fault = action switch
        {
            not (CliAction.Run or CliAction.Benchmark) => "versions are compared under one load, such as -c 100, or with -b",
            CliAction.Benchmark when part == SuitePart.Loss => "the cases of -b=loss cannot be divided into slices. Use another part, or one load",
            _ when !plan.Hosts.IsNone => "the builds of the versions are on this machine. Omit the options of other hosts",
            _ when given.TextsOf(LibraryOptions.LibraryName) is not null && !plan.Library.Equals(library, StringComparison.OrdinalIgnoreCase) =>
                $"{LibraryOptions.LibraryName} {plan.Library} is another library than {library}. Omit it",
            _ => null,
        };
        PlanCheck.RejectIf(fault is not null, RunOptions.Versions.Name, $"{fault}.");
        return new VersionRequest(library, versions);
    }

    private static BenchmarkException Invalid(string text) => OptionValues.Invalid(
        RunOptions.Versions.Name, text, $"a library with 2 to {Most} different versions of its package, such as LiteNetLib=2.0.2,2.1.3");

    [GeneratedRegex("^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$")]
    private static partial Regex Version();
}

/// <param name="ClientLibrary">The library whose clients drive the server; null for the server's own.</param>
internal sealed record ChosenLibraries(RunPlan Plan, INetworkBenchmark Library, INetworkBenchmark? ClientLibrary, IWorkload Workload)
{
    /// <summary>The conditions that could disturb the run, as found before it; null if they were not inspected.</summary>
    public Fitness? Fitness { get; init; }

    public LibraryInfo Info => Library.Info.DrivenBy(ClientLibrary?.Info, Plan.Protocol);
}
