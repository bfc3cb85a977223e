using System.Security.Cryptography;

namespace NetCoreNetworkBenchmark.Options;

/// <summary>A line has one message in base64.</summary>
internal static class PayloadFile
{
    // It reaches the other processes of a run in one line (Docs/protocol.md), which has a bound.
    private const int LargestFile = 1024 * 1024;

    public static Payload Read(string option, string path)
    {
        byte[] file = ReadBytes(option, path);
        string[] lines = [.. LinesOf(file)];
        if (IsWrapped(lines))
        {
            throw OptionValues.Rejected(
                option, Invariant($"'{path}' is wrapped after {lines[0].Length} characters. Write each message in one line, such as with base64 -w0."));
        }

        byte[][] messages = [.. lines.Select((line, index) => MessageOf(option, line, Invariant($"line {index + 1} of '{path}'")))];

        return new Payload(path, messages.Length, messages.Average(message => message.Length), Convert.ToHexStringLower(SHA256.HashData(file)))
        {
            Content = messages,
        };
    }

    public static RunPlan AddTo(this Payload payload, RunPlan plan)
    {
        (int smallest, int largest) = (payload.Content.Min(message => message.Length), payload.Content.Max(message => message.Length));
        return plan with { Payload = payload, SmallestMessage = smallest == largest ? null : smallest, MessageSize = largest };
    }

    public static int LineAbove(this Payload payload, int size) => payload.Content.TakeWhile(message => message.Length <= size).Count() + 1;

    private static IEnumerable<string> LinesOf(byte[] file)
    {
        using var reader = new StreamReader(new MemoryStream(file));
        while (reader.ReadLine() is { } line)
        {
            yield return line;
        }
    }

    // The lengths of base64(1) and of PEM (RFC 7468).
    private static bool IsWrapped(string[] lines) => lines is [{ Length: 64 or 76 } first, .., var last]
        && last.Length < first.Length && lines.SkipLast(1).All(line => line.Length == first.Length);

    private static byte[] ReadBytes(string option, string path)
    {
        try
        {
            var file = new FileInfo(OptionValues.RegularFile(path));
            return file.Length <= LargestFile
                ? File.ReadAllBytes(path)
                : throw OptionValues.Rejected(option, Invariant($"'{path}' has {file.Length:N0} bytes. At most {LargestFile:N0} are supported."));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw OptionValues.Rejected(option, $"{FileError.Describe(path, exception)}.", exception);
        }
    }

    private static byte[] MessageOf(string option, string line, string place)
    {
        byte[] message;
        try
        {
            message = Convert.FromBase64String(line);
        }
        catch (FormatException exception)
        {
            throw OptionValues.Rejected(option, $"{place} is not base64. Encode each message, as base64 -w0 does.", exception);
        }

        return message.Length >= RunPlan.SmallestOfRange ? message : throw OptionValues.Rejected(
            option, Invariant($"{place} has a message of {message.Length} bytes. At least {RunPlan.SmallestOfRange} are required, those of its tag."));
    }
}
