using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Options;

/// <summary>The messages of .NET repeat the path, which the sentence of an error has already.</summary>
internal static partial class FileError
{
    /// <returns>A sentence without its full stop, such as "'a.json' does not exist".</returns>
    public static string Describe(string path, Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => $"'{path}' does not exist",
        UnauthorizedAccessException when Directory.Exists(path) => $"'{path}' is a folder, not a file",
        _ => $"'{path}' cannot be read: {ReasonOf(exception)}",
    };

    /// <summary>Without the path, for a sentence that says what was tried.</summary>
    public static string ReasonOf(Exception exception) => exception switch
    {
        FileNotFoundException => "it does not exist",
        DirectoryNotFoundException => "a folder of its path does not exist",
        UnauthorizedAccessException => "access is denied",
        IOException => QuotedPath().Replace(exception.Message, string.Empty).TrimEnd('.'),
        _ => exception.Message.TrimEnd('.'),
    };

    [GeneratedRegex("( :)? '[^']*'")]
    private static partial Regex QuotedPath();
}
