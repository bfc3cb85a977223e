using System.Text.Json;
using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>The places that name assemblies with further libraries: the command line, an environment variable and a file in the current folder.</summary>
internal static class AdapterSources
{
    public const string Variable = "NETBENCH_LOAD";
    public const string FileName = ".netbench.json";

    // The commands and options that load nothing. An agent loads what its coordinator requests.
    private static readonly string[] s_commandsWithoutAssemblies = ["compare", "report", "certificates", "completion", "tls-check"];
    private static readonly string[] s_optionsWithoutAssemblies = [AgentProgram.Option, "--version", "--help", "-h", "-?"];

    /// <summary>Returns the arguments with an option for each assembly that the environment or the file names, if the command takes it.</summary>
    /// <param name="folder">The current folder, null if there is none. Paths in the file are relative to it.</param>
    /// <param name="notify">Prints a line for each assembly of the file: its code runs because of the folder, and not because somebody named it.</param>
    public static IReadOnlyList<string> Complete(IReadOnlyList<string> arguments, string? variable, string? folder, Action<string> notify)
    {
        string? command = arguments.FirstOrDefault(argument => argument != RunOptions.Verbose.Name);
        if (s_commandsWithoutAssemblies.Contains(command) || arguments.Any(s_optionsWithoutAssemblies.Contains))
        {
            return arguments;
        }

        string[] ofFile = folder is null ? [] : PathsOf(folder);
        foreach (string path in ofFile)
        {
            notify($"Loading '{path}', which {FileName} of the current folder names.");
        }

        return [.. arguments, .. PathsIn(variable).Concat(ofFile).SelectMany(path => (string[])[LibraryOptions.LoadName, path])];
    }

    /// <summary>Returns the assemblies whose libraries a shell may offer. A key that completes a word does not run the code of a folder's file.</summary>
    public static IEnumerable<string> ForSuggestions(string line, string? variable) =>
        PathsIn(variable).Concat(PathsIn(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)));

    /// <summary>Returns the assemblies that the arguments name. The names of their libraries must be known before the arguments are parsed.</summary>
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

    private static string[] PathsOf(string folder)
    {
        string file = Path.Combine(folder, FileName);
        try
        {
            return !File.Exists(file) ? []
                : [.. JsonSerializer.Deserialize<NetbenchFile>(File.ReadAllText(file), s_json)?.Load.Select(path => Path.GetFullPath(path, folder))
                    ?? throw new JsonException("It is null")];
        }
        catch (Exception exception) when (exception is JsonException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw BenchmarkException.BadInput(
                $"'{file}' cannot be used: {exception.Message.TrimEnd('.')}. Write {{ \"load\": [\"bin/Release/net10.0/MyLibrary.dll\"] }}.", exception);
        }
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
