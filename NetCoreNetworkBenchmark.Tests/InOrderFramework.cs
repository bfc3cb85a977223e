using NetCoreNetworkBenchmark.Tests;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(LongestFirst))]
[assembly: TestFramework(typeof(InOrderFramework))]

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Begins the collections of tests in their order (<see cref="LongestFirst"/>). xUnit gives all of them to the thread pool at once, and some of the longest
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
/// Starts the longest collections first, because one that begins last is waited for on an idle machine: its tests run one after another. Then those with runs
/// of the whole program.
/// </summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] s_order =
        [nameof(Hosts.HostNetwork), nameof(Tool.ReleaseTests), nameof(Tool.InstalledToolTests), nameof(Tool.LoadedAdapterTests), nameof(EndToEnd)];

    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection => [.. testCollections.OrderBy(collection => RankOf(collection.TestCollectionDisplayName))];

    private static int RankOf(string name) =>
        Array.FindIndex(s_order, part => name.Contains(part, StringComparison.Ordinal)) is var rank and >= 0 ? rank : s_order.Length;
}
