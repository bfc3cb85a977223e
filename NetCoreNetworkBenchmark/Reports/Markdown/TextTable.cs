namespace NetCoreNetworkBenchmark.Reports.Markdown;

/// <summary>The cells of a table, for all formats that have it.</summary>
/// <param name="TextColumns">The number of text columns, from the left; the others are figures.</param>
/// <param name="Header">The cells of the header.</param>
/// <param name="Rows">The other rows, each with as many cells as the header.</param>
internal sealed record TextTable(int TextColumns, string[] Header, IReadOnlyList<string[]> Rows);
