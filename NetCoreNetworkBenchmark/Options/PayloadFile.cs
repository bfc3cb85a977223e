using System.Security.Cryptography;
using static System.FormattableString;

namespace NetCoreNetworkBenchmark.Options;

/// <summary>Reads a file of recorded messages, one in base64 on each line.</summary>
internal static class PayloadFile
{
    // It reaches the other processes of a run in one line (Docs/protocol.md), which has a bound.
    private const int LargestFile = 1024 * 1024;

    /// <exception cref="BenchmarkException">The file is not valid. The message names the line.</exception>
    public static Payload Read(string option, string path)
    {
        byte[] file = ReadBytes(option, path);
        using var lines = new StreamReader(new MemoryStream(file));
        var messages = new List<byte[]>();
        while (lines.ReadLine() is { } line)
        {
            messages.Add(MessageOf(option, line, Invariant($"line {messages.Count + 1} of '{path}'")));
        }

        return messages.Count == 0
            ? throw OptionValues.Rejected(option, $"'{path}' has no messages. Write one in base64 on each line.")
            : new Payload(path, messages.Count, messages.Average(message => message.Length), Convert.ToHexStringLower(SHA256.HashData(file)))
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

    private static byte[] ReadBytes(string option, string path)
    {
        try
        {
            var file = new FileInfo(path);
            return file.Length <= LargestFile
                ? File.ReadAllBytes(path)
                : throw OptionValues.Rejected(option, Invariant($"'{path}' has {file.Length:N0} bytes. At most {LargestFile:N0} are supported."));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw OptionValues.Rejected(option, $"'{path}' cannot be read: {exception.Message.TrimEnd('.')}.", exception);
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
            throw OptionValues.Rejected(option, $"{place} is not base64.", exception);
        }

        return message.Length >= RunPlan.SmallestOfRange ? message : throw OptionValues.Rejected(
            option, Invariant($"{place} has a message of {message.Length} bytes. At least {RunPlan.SmallestOfRange} are required, those of its tag."));
    }
}
