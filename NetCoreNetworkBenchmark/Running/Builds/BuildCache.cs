namespace NetCoreNetworkBenchmark.Running.Builds;

internal sealed class BuildCache(string folder)
{
    private const int HashDigits = 32;

    public static string NameOf(byte[] hash) => Convert.ToHexStringLower(hash)[..HashDigits];

    public static BuildCache OfUser()
    {
        string? chosen = Environment.GetEnvironmentVariable("XDG_CACHE_HOME");
        string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        return new BuildCache(Path.Combine(Path.IsPathRooted(chosen) ? chosen : Path.Combine(home, ".cache"), CheckoutBuilds.ProgramName));
    }

    /// <param name="makeAsync">Called with a temporary folder. It returns the folder in that one that is kept.</param>
    public async Task<string> FindAsync(string hash, Func<string, Task<string>> makeAsync)
    {
        string build = Path.Combine(folder, hash);
        if (Directory.Exists(build))
        {
            return build;
        }

        // Another process may make the same, and either may be killed: it is complete when it is renamed.
        string temporary = $"{build}.{Guid.NewGuid():N}";
        try
        {
            Directory.CreateDirectory(temporary);
            Rename(await makeAsync(temporary), build);
            return build;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new BenchmarkException(
                $"The build could not be kept in '{folder}' ({FileError.ReasonOf(exception)}). Set XDG_CACHE_HOME to another folder.", exception);
        }
        finally
        {
            if (Directory.Exists(temporary))
            {
                Directory.Delete(temporary, recursive: true);
            }
        }
    }

    private static void Rename(string complete, string build)
    {
        try
        {
            Directory.Move(complete, build);
        }
        catch (IOException) when (Directory.Exists(build))
        {
            // Another process was faster, with the same build.
            return;
        }
    }
}
