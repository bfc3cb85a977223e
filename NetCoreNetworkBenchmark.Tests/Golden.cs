namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Compares a text with a file of this project. The file name is relative to the root of the project. To accept the current output, run the tests with
/// UPDATE_GOLDEN=1 and review the difference before it is committed.
/// </summary>
internal static class Golden
{
    private const string Project = "NetCoreNetworkBenchmark.Tests";

    public static void Verify(string actual, string file)
    {
        if (Environment.GetEnvironmentVariable("UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(Path.Combine(SourceFolder(), file), actual);
            return;
        }

        Assert.Equal(Read(file), actual, ignoreLineEndingDifferences: true);
    }

    public static string Read(string file) => File.ReadAllText(Path.Combine(AppContext.BaseDirectory, file));

    /// <summary>Compares a text with a file of the repository. The file name is relative to its root.</summary>
    public static void VerifySource(string actual, string file)
    {
        if (Environment.GetEnvironmentVariable("UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(PathOfSource(file), actual);
            return;
        }

        Assert.Equal(ReadSource(file), actual, ignoreLineEndingDifferences: true);
    }

    public static string ReadSource(string file) => File.ReadAllText(PathOfSource(file));

    /// <summary>Returns the path of a file or a folder of the repository, from which the tests must run.</summary>
    public static string PathOfSource(string file) => Path.Combine(Path.GetDirectoryName(SourceFolder())!, file);

    private static string SourceFolder()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && folder.Name != Project)
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new InvalidOperationException(
            $"The tests do not run from a checkout: no folder {Project} above {AppContext.BaseDirectory}.");
    }
}
