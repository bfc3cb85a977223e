namespace NetCoreNetworkBenchmark.Reports.Csv;

/// <summary>A column of a table.</summary>
/// <param name="Name">The name in the header. Names do not change, because scripts use them.</param>
/// <param name="Value">Returns the cell of a row; null for an empty cell.</param>
internal sealed record CsvColumn<TRow>(string Name, Func<TRow, object?> Value);
