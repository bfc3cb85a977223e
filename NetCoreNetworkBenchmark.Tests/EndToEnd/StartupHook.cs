using System.Diagnostics;

/// <summary>
/// Writes down what a process had loaded when it ends: assemblies by their names, native libraries by those of their files. The runtime
/// calls this before the program where DOTNET_STARTUP_HOOKS names this assembly; it wants the class by this name and in no namespace.
/// </summary>
internal static class StartupHook
{
    /// <summary>The variable that names the file to write to.</summary>
    public const string File = "LOADED_FILE";

    public static void Initialize()
    {
        string file = Environment.GetEnvironmentVariable(File)!;
        AppDomain.CurrentDomain.ProcessExit += (_, _) => System.IO.File.WriteAllLines(file, Loaded());
    }

    private static IEnumerable<string> Loaded()
    {
        using var process = Process.GetCurrentProcess();
        return
        [
            .. AppDomain.CurrentDomain.GetAssemblies().Select(assembly => assembly.GetName().Name!),
            .. process.Modules.Cast<ProcessModule>().Select(module => module.ModuleName),
        ];
    }
}
