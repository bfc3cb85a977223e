using System.Buffers.Text;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Running.Machine.Native;

/// <summary>A file that does not exist or may not be read is empty. A container may have files of odd content (lxcfs), whose values are unknown.</summary>
internal static class SystemFiles
{
    public static string? ReadLine(string path) => ReadLines(path).Select(line => line.Trim()).FirstOrDefault(line => line.Length > 0);

    public static string[] ReadLines(string path) => Read(path, File.ReadAllLines);

    public static byte[] ReadBytes(string path) => Read(path, File.ReadAllBytes);

    public static SafeFileHandle? TryOpen(string path)
    {
        try
        {
            return File.Exists(path) ? File.OpenHandle(path) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public static ReadOnlySpan<byte> Read(SafeFileHandle file, Span<byte> text)
    {
        try
        {
            return text[..RandomAccess.Read(file, text, fileOffset: 0)];
        }
        catch (IOException)
        {
            return [];
        }
    }

    /// <returns>Null if the text is no number, or one that is too large.</returns>
    public static long? NumberOf(string? text, long unit = 1) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number <= long.MaxValue / unit ? number * unit : null;

    public static string? ValueOf(string path, string key, char separator) => ReadLines(path)
        .Select(line => line.Split(separator, 2))
        .FirstOrDefault(parts => parts.Length == 2 && parts[0].Trim() == key)?[1].Trim();

    /// <returns>The value without its unit; null if the process has ended, or has no such value.</returns>
    public static string? StatusOf(string process, string key) =>
        ValueOf($"/proc/{process}/status", key, ':')?.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries).FirstOrDefault();

    private static T[] Read<T>(string path, Func<string, T[]> read)
    {
        try
        {
            return File.Exists(path) ? read(path) : [];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The values stay unknown.
            return [];
        }
    }
}

/// <summary>proc_pid_stat(5). Reading a number allocates nothing. All numbers of a process that has ended are null.</summary>
internal readonly ref struct ProcStat(ReadOnlySpan<byte> text)
{
    private readonly ReadOnlySpan<byte> _text = text;

    public long? UserTicks => Field(14);
    public long? SystemTicks => Field(15);
    public long? Threads => Field(20);

    /// <summary>The name is in brackets, and may itself contain brackets, spaces and line ends.</summary>
    public string Name => Encoding.UTF8.GetString(_text[(_text.IndexOf((byte)'(') + 1).._text.LastIndexOf((byte)')')]);

    // The kernel's unit in /proc is fixed for programs, whatever its own is (USER_HZ).
    public const double TicksPerSecond = 100;

    public static ProcStat Read(int process) => new(SystemFiles.ReadBytes($"/proc/{process}/stat"));

    private long? Field(int number)
    {
        const int Name = 2;
        if (_text.IndexOf((byte)'(') is var begin && (begin < 0 || _text.LastIndexOf((byte)')') < begin))
        {
            return null;
        }

        ReadOnlySpan<byte> rest = _text[(_text.LastIndexOf((byte)')') + 1)..];
        for (int field = Name; field < number; field++)
        {
            int end = rest.IndexOf((byte)' ');
            if (end < 0)
            {
                return null;
            }

            rest = rest[(end + 1)..];
        }

        return Utf8Parser.TryParse(rest, out long value, out _) && value >= 0 ? value : null;
    }
}
