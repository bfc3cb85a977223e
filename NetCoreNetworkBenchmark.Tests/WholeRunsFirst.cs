using NetCoreNetworkBenchmark.Tests;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestCollectionOrderer(typeof(WholeRunsFirst))]

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Starts the classes with runs of the whole program before the others. They take longest, and the tests of a class run one after another, so one that began
/// last would be waited for on an idle machine.
/// </summary>
public sealed class WholeRunsFirst : ITestCollectionOrderer
{
    public IReadOnlyCollection<TTestCollection> OrderTestCollections<TTestCollection>(IReadOnlyCollection<TTestCollection> testCollections)
        where TTestCollection : ITestCollection =>
        [.. testCollections.OrderByDescending(collection => collection.TestCollectionDisplayName.Contains($".{nameof(EndToEnd)}.", StringComparison.Ordinal))];
}
