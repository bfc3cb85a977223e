using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using NetCoreNetworkBenchmark.Microbenchmarks;

// BenchmarkDotNet's own command line: --filter, --job, --list and so on.
IConfig config = DefaultConfig.Instance
    .WithOptions(ConfigOptions.JoinSummary)
    .HideColumns(Column.Error, Column.Median)
    .AddDiagnoser(MemoryDiagnoser.Default);
Summary[] summaries = [.. BenchmarkSwitcher.FromAssembly(typeof(Clock).Assembly).Run(args, config)];
return summaries.Any(summary => summary.HasCriticalValidationErrors || summary.Reports.Any(report => !report.Success)) ? 1 : 0;
