using System.Collections.ObjectModel;

namespace NetCoreNetworkBenchmark.Plans;

/// <summary>Equals a list with the same items in the same order, so that plans with the same content are equal.</summary>
internal sealed class EquatableList<T>(IEnumerable<T> items) : ReadOnlyCollection<T>([.. items])
{
    public override bool Equals(object? obj) => obj is EquatableList<T> other && this.SequenceEqual(other);

    public override int GetHashCode() => Count;
}

/// <summary>Keeps the order in which texts were added. Equals a dictionary with the same texts in any order.</summary>
internal sealed class EquatableDictionary(IEnumerable<KeyValuePair<string, string>> texts)
    : ReadOnlyDictionary<string, string>(new OrderedDictionary<string, string>(texts))
{
    public static new EquatableDictionary Empty { get; } = new([]);

    public override bool Equals(object? obj) => obj is EquatableDictionary other && Count == other.Count && !this.Except(other).Any();

    public override int GetHashCode() => Count;
}
