using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>The .NET tool, packed from the checkout and installed from a local folder, once for all tests of a class.</summary>
public sealed class InstalledTool : IAsyncLifetime
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-tool-");

    public string Command => Path.Combine(_folder.FullName, "tool", OperatingSystem.IsWindows() ? "netbench.exe" : "netbench");

    // Nothing but the files of the package is added to the sources of NuGet, and nothing is read or written in the home of the user.
    private string Home => Path.Combine(_folder.FullName, "home");

    public async ValueTask InitializeAsync()
    {
        string packages = _folder.CreateSubdirectory("packages").FullName;
        Directory.CreateDirectory(Home);

        // The checkout's own output stays as it is: other tests run the program from there.
        await RequireAsync(
            "dotnet", "pack", Golden.PathOfSource("NetCoreNetworkBenchmark"), "--configuration", "Release", "--output", packages,
            "--artifacts-path", Path.Combine(_folder.FullName, "built"), "--nologo", "--verbosity", "quiet", "--disable-build-servers",
            "-p:RunAnalyzers=false", "-p:NuGetAudit=false");
        string sources = Path.Combine(_folder.FullName, "NuGet.Config");
        await File.WriteAllTextAsync(
            sources, $"<configuration><packageSources><clear /><add key=\"local\" value=\"{packages}\" /></packageSources></configuration>");
        await RequireAsync(
            "dotnet", "tool", "install", "NetCoreNetworkBenchmark.Tool", "--tool-path", Path.GetDirectoryName(Command)!, "--configfile", sources);
    }

    /// <summary>Runs the installed program in a folder, with a home of its own and nothing of the environment but the path of the runtime.</summary>
    /// <param name="folder">The current folder.</param>
    /// <param name="arguments">The arguments.</param>
    public Task<(int ExitCode, string Output, string Errors)> RunAsync(string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(Command, arguments) { WorkingDirectory = folder };
        start.Environment.Clear();
        start.Environment["PATH"] = Environment.GetEnvironmentVariable("PATH");
        start.Environment["HOME"] = Home;
        start.Environment["DOTNET_ROOT"] = Runtime();
        return SystemCommand.RunAsync(start, s_deadline);
    }

    public ValueTask DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    /// <summary>Returns the folder of .NET, which is above <c>shared/Microsoft.NETCore.App/VERSION</c>.</summary>
    public static string Runtime() => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "..", "..", ".."));

    // The user's NuGet configuration and cache of packages are needed to build, so the home is that of the user.
    private static async Task RequireAsync(params string[] command)
    {
        var start = new ProcessStartInfo(command[0], command[1..]) { WorkingDirectory = Golden.PathOfSource("build") };
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"{string.Join(' ', command)}: {output}{errors}");
    }
}
