namespace NetCoreNetworkBenchmark.Running.Machine.Processes;

/// <summary>Text that another program or host has chosen, fit for the middle of a sentence: short, and without characters that a terminal would obey.</summary>
internal static class PrintableText
{
    private const int MaxLength = 300;
    private const int MaxCharactersOfEnd = 1 << 16;
    private const int MaxLines = 3;

    public static string From(string text)
    {
        string printable = string.Concat(text.Select(letter =>
            char.GetUnicodeCategory(letter) is UnicodeCategory.Control
                or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator
                or UnicodeCategory.ParagraphSeparator
                or UnicodeCategory.Surrogate
                ? '?'
                : letter));
        return printable.Length > MaxLength ? $"{printable[..MaxLength]}..." : printable;
    }

    public static async Task<string> ReadEndAsync(TextReader output)
    {
        char[] end = new char[2 * MaxCharactersOfEnd];
        int length = 0;
        while (await output.ReadAsync(end.AsMemory(length)) is > 0 and var read)
        {
            length += read;
            if (length > MaxCharactersOfEnd)
            {
                end.AsSpan(length - MaxCharactersOfEnd, MaxCharactersOfEnd).CopyTo(end);
                length = MaxCharactersOfEnd;
            }
        }

        return new string(end, 0, length);
    }

    public static string LastLinesOf(string output) =>
        string.Join(" | ", output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).TakeLast(MaxLines).Select(From));

    public static string? LastLineOf(string output)
    {
        // The runtime writes below the message of an exception where it was thrown.
        string? last = output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .LastOrDefault(line => !line.StartsWith("at ", StringComparison.Ordinal));
        return last is null ? null : From(last.TrimEnd('.'));
    }
}
