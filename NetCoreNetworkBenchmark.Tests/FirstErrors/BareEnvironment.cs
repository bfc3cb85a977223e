using System.Runtime.Versioning;
using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>A checkout with the scripts alone, and an environment with nothing but what a test puts into it.</summary>
[UnsupportedOSPlatform("windows")]
internal sealed class BareEnvironment : InTemporaryFolder
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(2);

    public BareEnvironment()
    {
        string scripts = Folder.CreateSubdirectory("checkout/build").FullName;
        foreach (string script in Directory.GetFiles(Golden.PathOfSource("build"), "*.sh"))
        {
            File.Copy(script, Path.Combine(scripts, Path.GetFileName(script)));
        }

        File.Copy(Golden.PathOfSource("global.json"), PathOf("checkout/global.json"));
        Folder.CreateSubdirectory("checkout/NetCoreNetworkBenchmark");
        Folder.CreateSubdirectory("bin");
        Folder.CreateSubdirectory("home");
    }

    public new string PathOf(params string[] names) => base.PathOf(names);

    /// <summary>Makes a program on the path: a script of the shell.</summary>
    public void AddProgram(string name, string script)
    {
        string file = PathOf($"bin/{name}");
        File.WriteAllText(file, $"#!/bin/sh\n{script}\n");
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute);
    }

    /// <summary>Runs the script of the benchmark, with these variables and a path that has no .NET.</summary>
    public Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] variables) => RunThroughAsync([], variables);

    /// <summary>The same in a checkout that cannot be written to.</summary>
    public async Task<(int ExitCode, string Output, string Errors)> RunReadOnlyAsync(params string[] variables)
    {
        // Root can write to every folder, but not to what is mounted read-only.
        string checkout = PathOf("checkout");
        if (Environment.IsPrivilegedProcess)
        {
            string mount = $"mount --bind '{checkout}' '{checkout}' && mount -o remount,bind,ro '{checkout}' && exec \"$@\"";
            return await RunThroughAsync(["unshare", "--mount", "sh", "-c", mount, "sh"], variables);
        }

        string project = PathOf("checkout/NetCoreNetworkBenchmark");
        UnixFileMode before = File.GetUnixFileMode(project);
        File.SetUnixFileMode(project, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        try
        {
            return await RunAsync(variables);
        }
        finally
        {
            File.SetUnixFileMode(project, before);
        }
    }

    public void AddTools(params string[] names)
    {
        Folder.CreateSubdirectory("tools");
        foreach (string name in names)
        {
            string[] places = [$"/usr/bin/{name}", $"/bin/{name}"];
            File.CreateSymbolicLink(PathOf($"tools/{name}"), places.First(File.Exists));
        }
    }

    private Task<(int ExitCode, string Output, string Errors)> RunThroughAsync(string[] launcher, string[] variables)
    {
        string[] script = [.. variables, "/bin/sh", PathOf("checkout/build/benchmark.sh"), "--version"];
        string[] command = [.. launcher, "env", "-i", $"PATH={PathOf("bin")}:{PathOf("tools")}", .. script];
        return SystemCommand.RunAsync(new ProcessStartInfo(command[0], command[1..]), s_deadline);
    }
}
