using NetCoreNetworkBenchmark.Tests;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(WholeRunsFirst))]
[assembly: TestFramework(typeof(InOrderFramework))]

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Begins the collections of tests in their order (<see cref="WholeRunsFirst"/>). xUnit gives all of them to the thread pool at once, and some of the longest
/// ones stay in a queue of one of its threads until all others have ended.
/// </summary>
public sealed class InOrderFramework : XunitTestFramework
{
    protected override ITestFrameworkExecutor CreateExecutor(Assembly assembly) =>
        new Executor(new XunitTestAssembly(assembly, configFilePath: null, version: assembly.GetName().Version));

    private sealed class Executor(IXunitTestAssembly assembly) : XunitTestFrameworkExecutor(assembly)
    {
        public override async ValueTask RunTestCases(
            IReadOnlyCollection<IXunitTestCase> testCases, IMessageSink executionMessageSink, ITestFrameworkExecutionOptions executionOptions,
            CancellationToken cancellationToken) =>
            await new Runner().Run(TestAssembly, testCases, executionMessageSink, executionOptions, cancellationToken);
    }

    private sealed class Runner : XunitTestAssemblyRunner
    {
        protected override async ValueTask<RunSummary> RunTestCollections(XunitTestAssemblyRunnerContext ctxt, Exception? exception)
        {
            if (ctxt.ParallelMode == ParallelMode.None || ctxt.MaxParallelThreads < 1 || exception is not null)
            {
                return await base.RunTestCollections(ctxt, exception);
            }

            var ordered = OrderTestCollections(ctxt).ToLookup(collection => collection.Collection.DisableParallelization);
            var parallel = new ConcurrentQueue<(IXunitTestCollection, List<IXunitTestCase>)>(ordered[false]);
            var alone = new ConcurrentQueue<(IXunitTestCollection, List<IXunitTestCase>)>(ordered[true]);
            RunSummary[] summaries = await Task.WhenAll(Enumerable.Range(0, ctxt.MaxParallelThreads).Select(_ => Task.Run(() => RunAllAsync(parallel))));
            var whole = new RunSummary();
            foreach (RunSummary summary in (RunSummary[])[.. summaries, await RunAllAsync(alone)])
            {
                whole.Aggregate(summary);
            }

            return whole;

            async Task<RunSummary> RunAllAsync(ConcurrentQueue<(IXunitTestCollection, List<IXunitTestCase>)> queue)
            {
                var summary = new RunSummary();
                while (queue.TryDequeue(out (IXunitTestCollection Collection, List<IXunitTestCase> TestCases) next))
                {
                    summary.Aggregate(await RunTestCollection(ctxt, next.Collection, next.TestCases));
                }

                return summary;
            }
        }
    }
}

/// <summary>
/// Starts the classes with runs of the whole program before the others, because a class that begins last is waited for on an idle machine: its tests run one
/// after another. Those with builds begin last, since they disturb measurements, and the longest of them first.
/// </summary>
public sealed class WholeRunsFirst : ITestCollectionOrderer
{
    private static readonly string[] s_builds = [nameof(Tool.InstalledToolTests), nameof(Tool.ReleaseTests), nameof(Tool.LoadedAdapterTests)];

    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection => [.. testCollections.OrderBy(collection => RankOf(collection.TestCollectionDisplayName))];

    private static int RankOf(string name) => name.Contains($".{nameof(EndToEnd)}.", StringComparison.Ordinal)
        ? -1
        : 1 + Array.FindIndex(s_builds, build => name.Contains($".{build}", StringComparison.Ordinal));
}
