using System.Text;
using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Wraps whole lines between words, for standard error on a terminal. Other text passes unchanged.</summary>
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
