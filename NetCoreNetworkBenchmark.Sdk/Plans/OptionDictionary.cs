using System.Collections.ObjectModel;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>The texts of options by name. Two of them are equal if their entries are, so that plans with the same options are equal.</summary>
/// <param name="texts">The texts by name.</param>
internal sealed class OptionDictionary(IReadOnlyDictionary<string, string> texts)
    : ReadOnlyDictionary<string, string>(new SortedDictionary<string, string>(texts.ToDictionary(), StringComparer.Ordinal))
{
    public override bool Equals(object? obj) => obj is OptionDictionary other && this.SequenceEqual(other);

    public override int GetHashCode() => Count;
}
