namespace NetCoreNetworkBenchmark.Options;

internal static class Suggestion
{
    /// <returns>The word; null if no word is near: more than a third of its letters would have to change.</returns>
    public static string? Nearest(string word, IEnumerable<string> valid)
    {
        string[] candidates = [.. valid];
        return candidates.FirstOrDefault(candidate => word.Length > 2 && candidate.StartsWith(word, StringComparison.OrdinalIgnoreCase))
            ?? candidates
                .Select(candidate => (Word: candidate, Distance: Distance(word.ToUpperInvariant(), candidate.ToUpperInvariant())))
                .Where(pair => pair.Distance <= Math.Max(1, pair.Word.Length / 3))
                .OrderBy(pair => pair.Distance)
                .Select(pair => pair.Word)
                .FirstOrDefault();
    }

    /// <returns>A question for the end of a sentence; an empty text if no word is near.</returns>
    public static string Sentence(string word, IEnumerable<string> valid) =>
        Nearest(word, valid) switch
        {
            null => string.Empty,
            ['-', ..] option => $" Did you mean {option}?",
            var value => $" Did you mean \"{value}\"?",
        };

    private static int Distance(string from, string to)
    {
        int[] row = [.. Enumerable.Range(0, to.Length + 1)];
        for (int i = 1; i <= from.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.Length; j++)
            {
                int replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[^1];
    }
}
