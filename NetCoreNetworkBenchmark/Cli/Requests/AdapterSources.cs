using System.Text.Json;

namespace NetCoreNetworkBenchmark.Cli.Requests;

internal static class AdapterSources
{
    public const string Variable = "NETBENCH_LOAD";
    public const string FileName = ".netbench.json";

    private static readonly string[] s_commandsWithoutAssemblies = ["compare", "report", "certificates", "completion", "tls-check"];
    private static readonly string[] s_optionsWithoutAssemblies = ["--version", "--help", "-h", "-?"];

    /// <param name="folder">The current folder, null if there is none. Paths in the file are relative to it.</param>
    /// <param name="allows">Whether a file with a text may name these assemblies: their code runs because of the folder, not because the user named it.</param>
    public static IReadOnlyList<string> Complete(
        IReadOnlyList<string> arguments, string? variable, string? folder, Func<string, string, IReadOnlyList<string>, bool> allows)
    {
        string? command = arguments.FirstOrDefault(argument => argument != RunOptions.Verbose.Name);
        if (s_commandsWithoutAssemblies.Contains(command) || arguments.Any(s_optionsWithoutAssemblies.Contains))
        {
            return arguments;
        }

        string[] ofUser = [.. PathsIn(variable)];
        IEnumerable<string> ofFile = folder is null ? [] : PathsOf(folder, [.. PathsIn(arguments), .. ofUser], allows);
        return [.. arguments, .. ofUser.Concat(ofFile).SelectMany(path => (string[])[LibraryOptions.LoadName, path])];
    }

    /// <summary>The names of the libraries in these assemblies must be known before the arguments are parsed.</summary>
    public static IEnumerable<string> PathsIn(IReadOnlyList<string> arguments)
    {
        for (int i = 0; i < arguments.Count; i++)
        {
            if (arguments[i] == LibraryOptions.LoadName && i + 1 < arguments.Count)
            {
                yield return arguments[++i];
            }
            else if (arguments[i].Split(['=', ':'], 2) is [LibraryOptions.LoadName, var path])
            {
                yield return path;
            }
        }
    }

    private static string[] PathsIn(string? variable) => (variable ?? string.Empty).Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);

    // What the user names too needs no permission.
    private static string[] PathsOf(string folder, string[] named, Func<string, string, IReadOnlyList<string>, bool> allows)
    {
        string file = Path.Combine(folder, FileName);
        string text;
        string[] paths;
        try
        {
            if (!File.Exists(file))
            {
                return [];
            }

            text = File.ReadAllText(OptionValues.RegularFile(file));
            paths = [.. JsonSerializer.Deserialize<NetbenchFile>(text, s_json)?.Load.Select(path => Path.GetFullPath(path, folder))
                .Except(named.Select(path => Path.GetFullPath(path, folder))) ?? throw new JsonException("It is null")];
        }
        catch (Exception exception) when (exception is JsonException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput(
                $"'{file}' cannot be used: {FileError.ReasonOf(exception)}. Write {{ \"load\": [\"bin/Release/net10.0/MyLibrary.dll\"] }}.", exception);
        }

        return paths.Length > 0 && allows(file, text, paths) ? paths : [];
    }

    private static readonly JsonSerializerOptions s_json = new(JsonSerializerDefaults.Web)
    {
        UnmappedMemberHandling = System.Text.Json.Serialization.JsonUnmappedMemberHandling.Disallow,
        RespectNullableAnnotations = true,
    };

    private sealed record NetbenchFile
    {
        public required string[] Load { get; init; }
    }
}
