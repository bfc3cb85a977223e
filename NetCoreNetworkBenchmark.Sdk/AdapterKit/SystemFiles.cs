using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.AdapterKit;

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
