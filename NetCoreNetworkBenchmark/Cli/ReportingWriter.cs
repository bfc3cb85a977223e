using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>
/// Standard output or standard error of a program that must not stop if its text cannot be written: the terminal is gone, or the disk of a
/// redirected file is full, nobody reads a pipe, or it is closed. After the first failure, the text is dropped and <see cref="Failure"/> contains the reason.
/// </summary>
internal sealed class ReportingWriter(TextWriter inner) : TextWriter(inner.FormatProvider)
{
    /// <summary>The reason why the text could not be written; null while it can be written.</summary>
    public IOException? Failure { get; private set; }

    public override Encoding Encoding => inner.Encoding;

    [AllowNull]
    public override string NewLine
    {
        get => inner.NewLine;
        set => inner.NewLine = value;
    }

    public override void Write(char value) => Write([value]);

    public override void Write(string? value) => Write(value.AsSpan());

    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));

    public override void Write(ReadOnlySpan<char> buffer)
    {
        try
        {
            if (Failure is null)
            {
                inner.Write(buffer);
            }
        }
        catch (IOException exception)
        {
            Failure = exception;
        }
    }

    public override void WriteLine(string? value) => Write($"{value}{NewLine}");

    public override void Flush()
    {
        try
        {
            if (Failure is null)
            {
                inner.Flush();
            }
        }
        catch (IOException exception)
        {
            Failure = exception;
        }
    }
}
