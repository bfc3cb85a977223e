using System.CommandLine;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <param name="New">The version that is judged; null for the one of this program.</param>
/// <param name="Loads">The names of the predefined loads that the user has chosen; null for all, or for the first ones of a library.</param>
/// <param name="Build">The command that builds the package of a commit, if both versions are commits; otherwise, null.</param>
internal sealed record RegressRequest(
    string Old, string? New, bool IsOfBenchmark, bool HasLoad, IReadOnlyList<string>? Loads, string? Build, int Rounds, TimeSpan Slice, double Threshold);

/// <summary>The command for the parser; without its options, which most starts do not need, before <see cref="Complete"/>.</summary>
internal sealed class RegressOptions : Command
{
    public const string CommandName = "regress";

    /// <summary>The name of the command until version 0.6.</summary>
    public const string FormerName = "versus";

    public const string LoadsName = "--loads";

    /// <summary>An interval that is estimated from fewer sets is narrow by chance too often to end a comparison.</summary>
    public const int MinSets = 6;

    /// <summary>The half width of the 95 % intervals at which a comparison ends.</summary>
    public const double DefaultPrecision = 0.015;

    public const int DefaultLoadCount = 3;

    /// <summary>The time of each case, within which further sets end.</summary>
    public static readonly TimeSpan DefaultTime = TimeSpan.FromSeconds(100);

    private const int DefaultRounds = 12;
    private const int MaxRounds = 1_000;
    private const double MinSlice = 0.02;

    private static readonly TimeSpan s_defaultSlice = TimeSpan.FromSeconds(0.15);
    private static readonly PlanOption s_rounds = new("--rounds", "slices of each version in a set of processes") { Default = $"{DefaultRounds}" };
    private static readonly PlanOption s_slice = new("--slice", "shortest measurement in a slice in seconds, or as 150ms") { Default = "0.15" };
    private static readonly PlanOption s_launches = RunOptions.Launches with
    {
        Help = "number of process sets, instead of --precision and --time",
        Details = string.Empty,
    };
    private static readonly PlanOption s_precision = RunOptions.Precision with { Default = "1.5%" };
    private static readonly PlanOption s_time = RunOptions.Time with { Default = "100s for each case" };
    private static readonly PlanOption s_threshold = new("--threshold", "least difference that matters, such as 2%") { Default = "5%" };

    private static readonly PlanOption s_loads = new(LoadsName, "predefined loads to compare under, such as benchmark-1,benchmark-3")
    {
        Details = "those of the library's protocol, or of -b=PART; by default the first three of a library",
    };
    private static readonly PlanOption s_build = new("--build", "command that builds a library in {out}; OLD and NEW are commits")
    {
        Details = "requires -l; {out} is a folder for one package or for the assembly; NEW is HEAD if it is omitted",
    };

    private readonly Argument<string> _old = new("OLD")
    {
        Description = "what the new one is compared with: PACKAGE@VERSION, a .nupkg file, a folder of assemblies, an adapter, or a build of this program",
    };
    private readonly Argument<string?> _new = new("NEW")
    {
        Arity = ArgumentArity.ZeroOrOne,
        Description = "what is judged, in the same forms [default: the version in this program]",
    };

    public RegressOptions()
        : base(CommandName, "is a new version slower? Two in alternating slices; exit code 3: slower, 5: undecided")
    {
        Add(_old);
        Add(_new);
    }

    /// <summary>Returns the name of a predefined load: the words of its title, such as <c>roundtrip-tcp-1-client</c>.</summary>
    public static string LoadName(string title) => string.Join('-', title.ToLowerInvariant().Split([' ', ','], StringSplitOptions.RemoveEmptyEntries));

    public bool Complete(IEnumerable<PlanOption> load)
    {
        if (Options.Count > 0)
        {
            return false;
        }

        PlanOption[] run = [RunOptions.Benchmark, RunOptions.Output, RunOptions.Force, RunOptions.Continue, RunOptions.Json];

        // Their defaults are not those of other commands.
        IEnumerable<PlanOption> own = ((PlanOption[])[s_loads, s_build, s_launches, s_precision, s_time, s_rounds, s_slice, s_threshold])
            .Select(option => option with { Help = option.Summary });
        foreach (PlanOption option in (PlanOption[])[.. load, .. run, .. own])
        {
            Add(GivenOptions.Make(option));
        }

        return true;
    }

    public RegressRequest Read(ParseResult parsed, IEnumerable<PlanOption> load) => new(
        parsed.GetValue(_old)!,
        parsed.GetValue(_new),
        parsed.Has(RunOptions.Benchmark),
        load.Any(option => !option.IsForBenchmark && parsed.Has(option) && !(parsed.Has(s_build) && option.Name == LibraryOptions.LibraryName)),
        parsed.Argument(s_loads)?.Split(',', StringSplitOptions.TrimEntries),
        parsed.Argument(s_build),
        parsed.NumberOf(s_rounds, 1, MaxRounds) ?? DefaultRounds,
        parsed.SecondsOf(s_slice, MinSlice) ?? s_defaultSlice,
        RunOptions.ReadThreshold(s_threshold.Name, parsed.Argument(s_threshold) ?? s_threshold.Default!, "2%"));
}
