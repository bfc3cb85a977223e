using System.Runtime.CompilerServices;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>
/// Compares a text with a file beside the test. To accept what is produced now, run the tests with UPDATE_GOLDEN=1 and look at the
/// difference before it is committed.
/// </summary>
internal static class Golden
{
    public static void Verify(string actual, string file, [CallerFilePath] string test = "")
    {
        string path = Path.Combine(Path.GetDirectoryName(test)!, file);
        if (Environment.GetEnvironmentVariable("UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, actual);
        }

        Assert.Equal(File.ReadAllText(path), actual, ignoreLineEndingDifferences: true);
    }
}
