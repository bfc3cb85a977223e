using System.Text;
using System.Text.Json;

namespace NetCoreNetworkBenchmark.Cli.Progress;

/// <summary>Standard error with <c>--live json</c>: each line is an object of JSON, also a sentence for a person. Thread-safe.</summary>
internal sealed class JsonLines(TextWriter writer) : TextWriter(CultureInfo.InvariantCulture)
{
    private readonly Lock _lock = new();
    private readonly StringBuilder _line = new();

    public override Encoding Encoding => writer.Encoding;

    public override void Write(char value)
    {
        lock (_lock)
        {
            if (value == '\n')
            {
                WriteLine(_line.ToString().TrimEnd('\r'));
                _line.Clear();
            }
            else
            {
                _line.Append(value);
            }
        }
    }

    public override void WriteLine(string? value)
    {
        // A line of figures is JSON already.
        string line = value ?? string.Empty;
        writer.WriteLine(line is ['{', ..] ? line : JsonSerializer.Serialize(new LiveMessage(line), LiveJson.Readable.LiveMessage));
    }

    public override Task WriteLineAsync(string? value)
    {
        WriteLine(value);
        return Task.CompletedTask;
    }

    public override void Flush() => writer.Flush();
}

internal sealed record LiveMessage(string Message);
