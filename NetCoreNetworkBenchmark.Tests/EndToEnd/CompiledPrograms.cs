namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>The C programs of <c>build/limit</c>, each compiled at its first use.</summary>
public sealed class CompiledPrograms : InTemporaryFolder
{
    private readonly Dictionary<string, string> _programs = [];

    public string Compile(string file, params string[] libraries)
    {
        if (!_programs.TryGetValue(file, out string? program))
        {
            string source = Path.Combine(AppContext.BaseDirectory, "limit", file);
            program = CCompiler.Compile(source, Folder.CreateSubdirectory(file), libraries);
            _programs.Add(file, program);
        }

        return program;
    }
}
