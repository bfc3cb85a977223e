using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;
using BenchmarkDotNet.Toolchains.Parameters;
using BenchmarkDotNet.Toolchains.Results;
using NetCoreNetworkBenchmark.Results;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// A toolchain for BenchmarkDotNet that generates and builds nothing: its executor takes a launch from the schedule, which restarts
/// this program. So it needs neither SDK nor source.
/// </summary>
internal static class LaunchToolchain
{
    public static IToolchain Create(LaunchSchedule schedule) =>
        new Toolchain("Launches", new InProcessNoEmitGenerator(), new InProcessNoEmitBuilder(), new Executor(schedule));

    private sealed class Executor(LaunchSchedule schedule) : IExecutor
    {
        public ExecuteResult Execute(ExecuteParameters executeParameters)
        {
            LaunchResult launch = Await(schedule.ResultAsync(BenchmarkDotNetRun.CaseOf(executeParameters.BenchmarkCase), executeParameters.LaunchIndex));

            // BenchmarkDotNet drops a case at the first launch without figures, so it also gets those of invalid ones: the metrics
            // say how many of the launches are valid.
            IReadOnlyList<IterationResult> iterations = launch.Result?.Iterations ?? [];
            string[] lines = [.. iterations.SelectMany((iteration, index) => Lines(iteration, index + 1, executeParameters.LaunchIndex))];
            return new ExecuteResult(
                foundExecutable: true, exitCode: lines.Length == 0 ? 1 : 0, processId: null, lines, prefixedLines: [], standardOutput: lines, executeParameters.LaunchIndex);
        }

        // BenchmarkDotNet's executors are synchronous; this thread is its own, and the launch has its deadline.
        private static LaunchResult Await(Task<LaunchResult> launch)
        {
            try
            {
                return launch.GetAwaiter().GetResult();
            }
            catch (OperationCanceledException)
            {
                return new LaunchResult(0, null, "It was not run.");
            }
        }

        // What was measured, and what of it counts: the same here, as nothing is subtracted for an empty loop.
        private static IEnumerable<string> Lines(IterationResult iteration, int index, int launch)
        {
            if (iteration.Messages > 0)
            {
                double nanoseconds = iteration.Seconds * 1e9;
                yield return new Measurement(launch, IterationMode.Workload, IterationStage.Actual, index, iteration.Messages, nanoseconds).ToString();
                yield return new Measurement(launch, IterationMode.Workload, IterationStage.Result, index, iteration.Messages, nanoseconds).ToString();
            }
        }
    }
}
