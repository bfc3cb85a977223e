using System.Security.Cryptography;
using System.Text;

namespace NetCoreNetworkBenchmark.Cli.Files;

/// <summary>The files that may name code to run. A line is the SHA-256 of path and text, so that the user is asked again about a changed file.</summary>
/// <param name="list">The path of the list. A relative one would be in the folder that asks, so it contains nothing.</param>
internal sealed class AllowedFiles(string list)
{
    /// <summary>The list in <c>XDG_CONFIG_HOME</c>.</summary>
    public static AllowedFiles ForUser() => new(Path.Combine(
        Environment.GetFolderPath(Environment.SpecialFolder.ApplicationData, Environment.SpecialFolderOption.DoNotVerify),
        "NetCoreNetworkBenchmark",
        "allowed"));

    public bool Contains(string file, string text) => WithList(
        () => Path.IsPathRooted(list) && File.Exists(list) && File.ReadLines(list).Contains(LineOf(file, text), StringComparer.Ordinal));

    public void Add(string file, string text) => WithList(() =>
    {
        if (Path.IsPathRooted(list))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(list)!);
            File.AppendAllText(list, $"{LineOf(file, text)}\n");
        }

        return true;
    });

    private bool WithList(Func<bool> use)
    {
        try
        {
            return use();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput(
                $"The list of allowed files '{list}' cannot be used ({FileError.ReasonOf(exception)}). Set XDG_CONFIG_HOME to another folder.", exception);
        }
    }

    private static string LineOf(string file, string text) =>
        $"{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{file}\n{text}")))} {file.ReplaceLineEndings(" ")}";
}
