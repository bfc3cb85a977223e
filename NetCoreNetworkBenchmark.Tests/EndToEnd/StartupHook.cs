/// <summary>
/// When a process ends, writes a list of everything that it has loaded: assemblies by name, native libraries by file name. The runtime calls
/// this before the program if DOTNET_STARTUP_HOOKS names this assembly. It requires a class of this name outside of any namespace.
/// </summary>
internal static class StartupHook
{
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
