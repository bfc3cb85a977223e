using System.Reflection;
using NetCoreNetworkBenchmark.Tests;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestFramework(typeof(InOrderFramework))]

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Begins the collections of tests in their order (<see cref="WholeRunsFirst"/>). xUnit queues all of them at once. From a thread of the thread pool they
/// would go to its own queue, whose last item is taken first, and some of the longest collections would begin last.
/// </summary>
public sealed class InOrderFramework : XunitTestFramework
{
    /// <inheritdoc/>
    protected override ITestFrameworkExecutor CreateExecutor(Assembly assembly) =>
        new Executor(new XunitTestAssembly(assembly, configFileName: null, assembly.GetName().Version));

    private sealed class Executor(IXunitTestAssembly assembly) : XunitTestFrameworkExecutor(assembly)
    {
        public override async ValueTask RunTestCases(
            IReadOnlyCollection<IXunitTestCase> testCases, IMessageSink executionMessageSink, ITestFrameworkExecutionOptions executionOptions,
            CancellationToken cancellationToken) =>
            await new Runner().Run(TestAssembly, testCases, executionMessageSink, executionOptions, cancellationToken);
    }

    private sealed class Runner : XunitTestAssemblyRunner
    {
        protected override async ValueTask<RunSummary> RunTestCollections(XunitTestAssemblyRunnerContext ctxt, Exception? exception) =>
            await await Task.Factory.StartNew(
                () => base.RunTestCollections(ctxt, exception).AsTask(), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }
}
