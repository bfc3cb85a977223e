using System.Text;
using System.Text.RegularExpressions;
using Spectre.Console;

namespace NetCoreNetworkBenchmark.Cli.Commands;

/// <summary>
/// The output of a console for people who set NO_COLOR. Spectre.Console leaves out the colours alone; this leaves out every style (SGR of ECMA-48), also the
/// bold and dim ones, whose colour a terminal may choose. The cursor still moves, so a line that shows progress stays one line.
/// </summary>
internal sealed class PlainOutput(TextWriter writer) : IAnsiConsoleOutput
{
    /// <summary>The variable of https://no-color.org.</summary>
    public const string Variable = "NO_COLOR";

    private readonly AnsiConsoleOutput _output = new(writer);

    public TextWriter Writer { get; } = new PlainWriter(writer);

    public bool IsTerminal => _output.IsTerminal;

    public int Width => _output.Width;

    public int Height => _output.Height;

    public void SetEncoding(Encoding encoding) => _output.SetEncoding(encoding);
}

/// <summary>Writes text without the styles in it. Spectre.Console writes each style as a whole.</summary>
internal sealed partial class PlainWriter(TextWriter writer) : TextWriter(writer.FormatProvider)
{
    public override Encoding Encoding => writer.Encoding;

    public override void Write(char value) => writer.Write(value);

    public override void Write(string? value) => writer.Write(Style().Replace(value ?? string.Empty, string.Empty));

    public override void Flush() => writer.Flush();

    [GeneratedRegex(@"\u001b\[[0-9;]*m")]
    private static partial Regex Style();
}
