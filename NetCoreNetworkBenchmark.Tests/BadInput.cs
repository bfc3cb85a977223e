namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Input that is refused with one sentence.</summary>
internal static class BadInput
{
    public static void Throws(string message, Action action) => Check(message, Assert.Throws<BenchmarkException>(action));

    public static void Throws(string message, Func<object?> action) => Check(message, Assert.Throws<BenchmarkException>(action));

    private static void Check(string message, BenchmarkException exception) => Assert.Equal((message, true), (exception.Message, exception.IsBadInput));
}
