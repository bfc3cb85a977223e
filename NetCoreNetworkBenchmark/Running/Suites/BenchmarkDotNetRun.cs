using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Csv;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Parameters;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using NetCoreNetworkBenchmark.Core;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// The suite as a run of BenchmarkDotNet: it asks for each case's launches, and tells them with its own statistics and exporters. An
/// operation is one round trip. Its files go below the folder of our own results.
/// </summary>
internal static class BenchmarkDotNetRun
{
    private const string CaseParameter = "Case";

    /// <summary>Runs all launches.</summary>
    /// <exception cref="BenchmarkException">BenchmarkDotNet refused the suite.</exception>
    public static async Task RunAsync(LaunchSchedule schedule, string folder)
    {
        ImmutableConfig config = ImmutableConfigBuilder.Create(ConfigOf(schedule, folder));
        var descriptor = new Descriptor(typeof(RoundTrips), typeof(RoundTrips).GetMethod(nameof(RoundTrips.RoundTrip))!);
        IToolchain toolchain = LaunchToolchain.Create(schedule);
        BenchmarkCase[] cases = [.. schedule.Cases.Select(found => BenchmarkCase.Create(descriptor, JobOf(found, toolchain), ParametersOf(found), config))];

        // It blocks while a launch runs, on a thread of its own.
        Summary[] summaries = await Task.Factory.StartNew(
            () => BenchmarkRunner.Run([new BenchmarkRunInfo(cases, typeof(RoundTrips), config)]),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default).ConfigureAwait(false);
        if (summaries.SelectMany(summary => summary.ValidationErrors).FirstOrDefault(error => error.IsCritical) is { } refused)
        {
            throw new BenchmarkException($"BenchmarkDotNet refused the suite: {refused.Message}");
        }
    }

    /// <summary>The case behind one of BenchmarkDotNet's.</summary>
    public static SuiteCase CaseOf(BenchmarkCase benchmarkCase) => (SuiteCase)benchmarkCase.Parameters[CaseParameter];

    // The validator of optimizations loads every assembly that is referred to, also ASP.NET Core's, which not every machine has. The harness is always built with them.
    private static ManualConfig ConfigOf(LaunchSchedule schedule, string folder) => ManualConfig.CreateEmpty()
        .WithArtifactsPath(folder)
        .WithCultureInfo(CultureInfo.InvariantCulture)
        .WithOptions(ConfigOptions.DisableOptimizationsValidator)
        .WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(60))
        .AddLogger(NullLogger.Instance)
        .AddColumn(new ParamColumn(CaseParameter))
        .AddColumn(StatisticColumn.Mean, StatisticColumn.StdDev, StatisticColumn.Median, StatisticColumn.OperationsPerSecond)
        .AddColumnProvider(DefaultColumnProviders.Metrics)
        .AddDiagnoser(new LaunchMetrics(schedule))
        .AddExporter(MarkdownExporter.GitHub, JsonExporter.Full, CsvMeasurementsExporter.Default);

    private static Job JobOf(SuiteCase found, IToolchain toolchain) => Job.Default
        .WithToolchain(toolchain)
        .WithStrategy(RunStrategy.Monitoring)
        .WithLaunchCount(found.Launches)
        .WithWarmupCount(1)
        .WithIterationCount(found.Plan.Iterations)
        .WithInvocationCount(1)
        .WithUnrollFactor(1);

    private static ParameterInstances ParametersOf(SuiteCase found) => new(
    [
        new ParameterInstance(
            new ParameterDefinition(CaseParameter, isStatic: false, [found], isArgument: false, typeof(SuiteCase), priorityInCategory: 0), found, SummaryStyle.Default),
    ]);
}
