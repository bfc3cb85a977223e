namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Assertions on texts, whose letters must be the same in every culture.</summary>
internal static class TextAssertions
{
    public static void AssertHas(this string? text, params ReadOnlySpan<string> parts)
    {
        foreach (string part in parts)
        {
            Assert.Contains(part, text, StringComparison.Ordinal);
        }
    }

    public static void AssertHasNo(this string? text, params ReadOnlySpan<string> parts)
    {
        foreach (string part in parts)
        {
            Assert.DoesNotContain(part, text, StringComparison.Ordinal);
        }
    }

    public static void AssertBegins(this string? text, string begin) => Assert.StartsWith(begin, text, StringComparison.Ordinal);

    public static void AssertEnds(this string? text, string end) => Assert.EndsWith(end, text, StringComparison.Ordinal);
}
