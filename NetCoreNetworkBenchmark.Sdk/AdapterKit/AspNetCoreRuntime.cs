using System.Reflection;
using System.Runtime.Loader;

namespace NetCoreNetworkBenchmark.AdapterKit;

/// <summary>
/// The shared framework of ASP.NET Core, which is installed beside that of .NET. If the program named it in its runtimeconfig.json, it could not start on a
/// machine without it. It is therefore located on first use.
/// </summary>
public static class AspNetCoreRuntime
{
    private const string Framework = "Microsoft.AspNetCore.App";
    private const string Server = "Microsoft.AspNetCore.Server.Kestrel.Core";

    private static readonly Lazy<string?> s_problem = new(Enable);

    /// <summary>The reason why it cannot be used, with the remedy; null if it can: from then on, its assemblies are found.</summary>
    public static string? Problem => s_problem.Value;

    private static string? Enable()
    {
        if (IsKnownToTheHost())
        {
            return null;
        }

        if (Find() is not { } folder)
        {
            return $"the ASP.NET Core runtime {Environment.Version.ToString(2)} ({Framework}) is not on this machine; " +
                "install it, or the .NET SDK, which includes it";
        }

        AssemblyLoadContext.Default.Resolving += (context, name) => Load(context, Path.Combine(folder, $"{name.Name}.dll"));
        return null;
    }

    // True for a program that names the framework, or that includes it.
    private static bool IsKnownToTheHost() =>
        (AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") as string)?.Contains($"{Server}.dll", StringComparison.OrdinalIgnoreCase) ?? false;

    // Returns the newest patch of the running version, as the host would choose it.
    private static string? Find()
    {
        string frameworks = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location) ?? ".", "..", "..", Framework));
        return !Directory.Exists(frameworks) ? null : Directory.GetDirectories(frameworks)
            .Where(folder => File.Exists(Path.Combine(folder, $"{Server}.dll")))
            .Select(folder => (Folder: folder, Version: Version.TryParse(Path.GetFileName(folder), out Version? version) ? version : new Version()))
            .Where(runtime => runtime.Version.Major == Environment.Version.Major && runtime.Version.Minor == Environment.Version.Minor)
            .MaxBy(runtime => runtime.Version)
            .Folder;
    }

    private static Assembly? Load(AssemblyLoadContext context, string file) => File.Exists(file) ? context.LoadFromAssemblyPath(file) : null;
}
