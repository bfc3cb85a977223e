namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Has a temporary folder, which is deleted at the end.</summary>
public abstract class InTemporaryFolder : IDisposable
{
    protected internal DirectoryInfo Folder { get; } = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-");

    public virtual void Dispose()
    {
        Folder.Delete(recursive: true);
        GC.SuppressFinalize(this);
    }

    protected internal string PathOf(params string[] names) => Path.Combine([Folder.FullName, .. names]);

    protected string Write(string name, string text)
    {
        string path = PathOf(name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
        return path;
    }
}
