namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Has a temporary folder, which is made for its first use and deleted at the end. A test that is skipped in its constructor leaves nothing.</summary>
public abstract class InTemporaryFolder : IDisposable
{
    private readonly Lazy<DirectoryInfo> _folder;

    protected InTemporaryFolder(string prefix = "NetCoreNetworkBenchmark-") => _folder = new(() => Directory.CreateTempSubdirectory(prefix));

    protected internal DirectoryInfo Folder => _folder.Value;

    public virtual void Dispose()
    {
        if (_folder.IsValueCreated)
        {
            Folder.Delete(recursive: true);
        }

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
