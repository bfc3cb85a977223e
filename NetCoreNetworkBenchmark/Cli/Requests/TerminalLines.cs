using System.Text;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>Wraps whole lines between words, for standard error on a terminal. Other text passes unchanged.</summary>
internal sealed class TerminalLines(TextWriter writer, Func<int> width) : TextWriter(CultureInfo.InvariantCulture)
{
    public override Encoding Encoding => writer.Encoding;

    public static IEnumerable<string> Wrap(IEnumerable<string> words, int width)
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

    public override void Write(char value) => writer.Write(value);

    public override void Write(string? value) => writer.Write(value);

    public override void WriteLine(string? value)
    {
        string line = value ?? string.Empty;
        writer.WriteLine(line.Length <= width() ? line : string.Join(writer.NewLine, Wrap(line.Split(' '), width())));
    }

    public override Task WriteLineAsync(string? value)
    {
        WriteLine(value);
        return Task.CompletedTask;
    }

    public override void Flush() => writer.Flush();
}
