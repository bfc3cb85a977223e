using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Core.Polling;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;
using NetCoreNetworkBenchmark.Running.Suites;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>Runs several launches: of the predefined benchmark, or of one plan.</summary>
internal static class SuiteCommand
{
    private const string BenchmarkDotNetFolder = "BenchmarkDotNet";

    /// <summary>Runs the predefined benchmark.</summary>
    public static async Task<int> RunPredefinedAsync(CliRequest request, CommandContext context, CancellationToken cancellationToken)
    {
        string folder = Path.Combine(request.Output ?? BenchmarksFolder.Default(), BenchmarksFolder.MachineName(MachineInspector.Inspect()));
        var files = new ResultFiles(folder, context.Reports);
        var progress = new SuiteProgress(context.ErrorConsole, request.Verbose);
        (IReadOnlyList<LibraryInfo> libraries, IReadOnlyList<MissingLibrary> missing) = SuiteLibraries.Choose(context.Catalog);
        IReadOnlyList<SuiteCase> cases = Cases(request, libraries, context.Catalog.KnownLibraries);
        await context.WarnAsync(cases.MaxBy(found => SocketBuffers.NeededByServer(found.Plan))!.Plan).ConfigureAwait(false);
        int launches = cases.Max(found => found.Launches);
        string part = request.BenchmarkPart == SuitePart.All ? string.Empty : $"={request.BenchmarkPart.ToString().ToLowerInvariant()}";
        string command = string.Join(' ', ["NetCoreNetworkBenchmark", $"--benchmark{part}", .. request.Launches is null ? [] : (string[])["--launches", $"{launches}"], .. SideArguments(request)]);
        var suite = new Suite(cases, launches, command)
        {
            Deadline = request.BenchmarkDeadline,
            Missing = missing,
            BenchmarkDotNetFolder = Path.Combine(files.Folder, BenchmarkDotNetFolder),
            Starting = progress.Starting,
            Progress = progress.Progress,
            Finished = progress.Finished,
        };
        SuiteResult result = await progress.ShowAsync(() => suite.RunAsync(cancellationToken)).ConfigureAwait(false);
        files.Write(result);
        PrintSummary(result, request.Json, context);
        if (!request.Json)
        {
            await context.Output.WriteLineAsync().ConfigureAwait(false);
            await context.Output.WriteLineAsync($"Written to {files.Folder}").ConfigureAwait(false);
        }

        return CodeOf(result);
    }

    /// <summary>Runs one plan several times, in fresh processes.</summary>
    public static async Task<int> RunLaunchesAsync(
        CliRequest request, RunPlan plan, LibraryInfo library, CommandContext context, CancellationToken cancellationToken)
    {
        ResultFiles? files = context.FilesFor(request.Output);
        var progress = new SuiteProgress(context.ErrorConsole, request.Verbose);
        int launches = request.Launches!.Value;
        var suite = new Suite([new SuiteCase(plan.Test, plan, library, launches)], launches, $"{PlanArguments.CommandOf(plan, library)} --launches {launches}")
        {
            Starting = progress.Starting,
            Progress = progress.Progress,
            Finished = progress.Finished,
        };
        SuiteResult result = await progress.ShowAsync(() => suite.RunAsync(cancellationToken)).ConfigureAwait(false);
        files?.Write(result);
        context.Print(result, request.Json);
        return CodeOf(result);
    }

    /// <summary>The cases of the predefined benchmark: the load is predefined, settings and cores are the user's.</summary>
    /// <param name="request">What the user asked for.</param>
    /// <param name="libraries">The libraries that run.</param>
    /// <param name="known">The names of all libraries.</param>
    /// <exception cref="BenchmarkException">A setting or a core cannot be had.</exception>
    public static IReadOnlyList<SuiteCase> Cases(CliRequest request, IReadOnlyList<LibraryInfo> libraries, IReadOnlyCollection<string> known)
    {
        SettingCheck.RequireRunning(request.Settings, known, [.. libraries.Select(library => library.Name)]);
        SideCheck.CheckCores(request.Plan.Pinning);
        return
        [
            .. from benchmark in PredefinedBenchmarks.Of(request.BenchmarkPart, request.BenchmarkDuration, request.BenchmarkPort, request.Plan.AnyMachine)
               let fastest = ClientLibraries.FastestOver(benchmark.Template.Protocol, libraries)
               from library in libraries
               where benchmark.Runs(library, fastest)
               from profile in ProfilesOf(library, benchmark, request)
               select CaseOf(benchmark, library, profile, fastest, request),
        ];
    }

    private static SuiteCase CaseOf(Benchmark benchmark, LibraryInfo library, Profile profile, LibraryInfo? fastest, CliRequest request)
    {
        PinningPlan pinning = request.Plan.Pinning;
        LibraryInfo? clients = benchmark.OwnClients || fastest?.Name == library.Name ? null : fastest;
        RunPlan plan = benchmark.Template with
        {
            Library = library.Name,
            ClientLibrary = clients?.Name,
            Profile = profile,
            Settings = SettingCheck.Choose(request.Settings, library, profile),
            ClientSettings = clients is null ? benchmark.Template.ClientSettings : SettingCheck.Choose(request.Settings, clients, profile),
            Pinning = pinning,
            ClientThreads = PolledClientGroup.DefaultThreadsFor(pinning),
        };
        return new SuiteCase(benchmark.Title, plan, library.DrivenBy(clients, plan.Protocol), request.Launches ?? benchmark.Launches)
        {
            Part = benchmark.Part,
            WithControl = benchmark.WithControl,

            // Who asks for a number of launches has that number.
            MostExtraLaunches = request.Launches is null ? benchmark.MostExtraLaunches : 0,
        };
    }

    // Out of the box and tuned, unless the user chose one of them.
    private static IEnumerable<Profile> ProfilesOf(LibraryInfo library, Benchmark benchmark, CliRequest request) =>
        Enum.GetValues<Profile>().Where(profile => profile == Profile.Default
            ? !request.ProfileWasChosen || request.Plan.Profile == Profile.Default || !benchmark.WithTunedProfiles
            : benchmark.WithTunedProfiles && library.HasTunedProfile && (!request.ProfileWasChosen || request.Plan.Profile == profile));

    private static IEnumerable<string> SideArguments(CliRequest request) =>
    [
        .. request.ProfileWasChosen ? (string[])[SettingArguments.ProfileOption, request.Plan.Profile.ToString()] : [],
        .. request.Settings.SelectMany(setting => (string[])[SettingArguments.SetOption, $"{setting.Library}.{setting.Name}={setting.Value}"]),
        .. SettingArguments.OfPinning(request.Plan.Pinning),
    ];

    private static void PrintSummary(SuiteResult result, bool json, CommandContext context)
    {
        if (json)
        {
            context.Print(result, json: true);
        }
        else
        {
            MarkdownReport.WriteSummary(result, context.Output);
        }
    }

    private static int CodeOf(SuiteResult result) =>
        !result.Aborted && result.Benchmarks.All(benchmark => benchmark.Cases.All(found => found.Valid)) ? ExitCode.Success : ExitCode.Failed;
}
