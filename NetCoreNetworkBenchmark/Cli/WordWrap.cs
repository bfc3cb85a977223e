using System.Text;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Lines that end between two words.</summary>
internal static class WordWrap
{
    /// <summary>Returns the lines of a text. A word that is longer than a line has one of its own.</summary>
    public static IEnumerable<string> LinesOf(IEnumerable<string> words, int width)
    {
        var line = new StringBuilder();
        foreach (string word in words)
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > width)
            {
                yield return line.ToString();
                line.Clear();
            }

            line.Append(line.Length > 0 ? " " : string.Empty).Append(word);
        }

        yield return line.ToString();
    }
}

/// <summary>Standard error on a terminal, whose sentences end a line between two words. What is not a whole line passes unchanged.</summary>
internal sealed class TerminalLines(TextWriter writer, Func<int> width) : TextWriter(CultureInfo.InvariantCulture)
{
    public override Encoding Encoding => writer.Encoding;

    public override void Write(char value) => writer.Write(value);

    public override void Write(string? value) => writer.Write(value);

    public override void WriteLine(string? value)
    {
        string line = value ?? string.Empty;
        writer.WriteLine(line.Length <= width() ? line : string.Join(writer.NewLine, WordWrap.LinesOf(line.Split(' '), width())));
    }

    public override Task WriteLineAsync(string? value)
    {
        WriteLine(value);
        return Task.CompletedTask;
    }

    public override void Flush() => writer.Flush();
}
