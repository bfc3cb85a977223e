using System.Buffers;

namespace NetCoreNetworkBenchmark.Options;

/// <summary>Commands that a person pastes into a shell, or that a shell of another host runs: each word reaches the program as it is.</summary>
internal static class ShellCommand
{
    private const string LettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private static readonly SearchValues<char> s_plainInSh = SearchValues.Create($"{LettersAndDigits}_@%+=:,./-");

    // A comma makes a list there, and a backslash is part of most paths.
    private static readonly SearchValues<char> s_plainInPowerShell = SearchValues.Create($@"{LettersAndDigits}_+=:./\-");

    // PowerShell takes typographic quotes for plain ones (about_Quoting_Rules), and cmd replaces what is between two percent signs.
    private static readonly SearchValues<char> s_expandedOnWindows = SearchValues.Create("$`\"%!\u201C\u201D\u201E");

    public static string Format(IEnumerable<string> words) => string.Join(' ', words.Select(Quote));

    public static string Quote(string word) => OperatingSystem.IsWindows() ? QuoteForPowerShell(word) : QuoteForSh(word);

    /// <summary>In single quotes nothing but the single quote has a meaning (POSIX.1-2017, 2.2.2 of the shell).</summary>
    public static string QuoteForSh(string word) =>
        word.Length > 0 && !word.AsSpan().ContainsAnyExcept(s_plainInSh) ? word : $"'{word.Replace("'", @"'\''", StringComparison.Ordinal)}'";

    /// <summary>Double quotes serve <c>cmd</c> too, so they are used wherever nothing in the word has a meaning between them.</summary>
    public static string QuoteForPowerShell(string word)
    {
        if (word.Length > 0 && !word.AsSpan().ContainsAnyExcept(s_plainInPowerShell))
        {
            return word;
        }

        if (word.AsSpan().ContainsAny(s_expandedOnWindows))
        {
            return $"'{string.Concat(word.Select(c => c is '\'' or (>= '\u2018' and <= '\u201B') ? $"{c}{c}" : $"{c}"))}'";
        }

        // A backslash before the last quote would quote it for the program (CommandLineToArgvW).
        int backslashes = word.Length - word.TrimEnd('\\').Length;
        return $"\"{word}{new string('\\', backslashes)}\"";
    }
}
