using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using Perfolizer.Horology;

namespace NetCoreNetworkBenchmark.Microbenchmarks;

/// <summary>
/// Runs the benchmarks of this folder with BenchmarkDotNet within this process, so that it needs neither the SDK nor the sources. Every benchmark
/// loops over its operations, so that the cost of its own call does not count.
/// </summary>
internal static class MicrobenchmarkRun
{
    private const int WarmUps = 3;
    private const int Iterations = 8;

    /// <summary>The classes with benchmarks.</summary>
    public static IReadOnlyList<Type> Benchmarks { get; } =
        [typeof(Clock), typeof(HistogramRecording), typeof(Tag), typeof(Counters), typeof(MessagePath), typeof(MemoryLibrary)];

    /// <summary>Runs all of them.</summary>
    /// <param name="folder">The folder for BenchmarkDotNet's files.</param>
    /// <param name="iterationTime">The duration of an iteration. Each benchmark has three iterations to warm up and eight that count.</param>
    /// <returns>The table of all benchmarks in Markdown, and the names of the benchmarks that failed.</returns>
    public static (string Table, IReadOnlyList<string> Failed) Run(string folder, TimeSpan iterationTime)
    {
        IConfig config = ConfigOf(folder, iterationTime);
        Summary[] summaries = BenchmarkRunner.Run([.. Benchmarks.Select(type => BenchmarkConverter.TypeToBenchmarks(type, config))]);
        var table = new AccumulationLogger();
        foreach (Summary summary in summaries)
        {
            MarkdownExporter.GitHub.ExportToLog(summary, table);
        }

        return (table.GetLog(), [.. summaries.SelectMany(FailedOf)]);
    }

    private static IEnumerable<string> FailedOf(Summary summary) =>
    [
        .. summary.ValidationErrors.Where(error => error.IsCritical).Select(error => error.Message),
        .. summary.BenchmarksCases.Where(found => summary[found] is not { Success: true }).Select(found => found.Descriptor.DisplayInfo),
    ];

    // The validator of optimizations loads every referenced assembly, including those of ASP.NET Core, which not every machine has. The harness is
    // always built with optimizations.
    private static ManualConfig ConfigOf(string folder, TimeSpan iterationTime) => ManualConfig.CreateEmpty()
        .WithArtifactsPath(folder)
        .WithCultureInfo(CultureInfo.InvariantCulture)
        .WithOptions(ConfigOptions.JoinSummary | ConfigOptions.DisableOptimizationsValidator)
        .AddLogger(NullLogger.Instance)
        .AddColumn(TargetMethodColumn.Type, TargetMethodColumn.Method, StatisticColumn.Mean, StatisticColumn.Error, StatisticColumn.StdDev)
        .AddColumnProvider(DefaultColumnProviders.Metrics)
        .AddDiagnoser(MemoryDiagnoser.Default)
        .AddExporter(MarkdownExporter.GitHub, JsonExporter.Full)
        .AddJob(Job.Default
            .WithToolchain(InProcessNoEmitToolchain.Instance)
            .WithEvaluateOverhead(false)
            .WithWarmupCount(WarmUps)
            .WithIterationCount(Iterations)
            .WithIterationTime(TimeInterval.FromMilliseconds(iterationTime.TotalMilliseconds)));
}
