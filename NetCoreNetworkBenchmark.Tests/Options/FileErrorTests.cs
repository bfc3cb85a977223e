namespace NetCoreNetworkBenchmark.Tests.Options;

public sealed class FileErrorTests : InTemporaryFolder
{
    [Fact]
    public void Describe_names_the_path_once()
    {
        (string missing, string below) = (PathOf("missing"), PathOf("missing/below"));
        Assert.Equal(($"'{missing}' does not exist", $"'{below}' does not exist"), (Describe(missing), Describe(below)));
        Assert.Equal($"'{Folder.FullName}' is a folder, not a file", Describe(Folder.FullName));
    }

    [Fact]
    public void Describe_keeps_the_reason_of_the_system_without_its_path()
    {
        string loop = PathOf("loop");
        File.CreateSymbolicLink(loop, "loop");
        Describe(loop).AssertBegins($"'{loop}' cannot be read: ");
        Assert.Equal(1, Describe(loop).Split(loop).Length - 1);
    }

    [Theory]
    [InlineData("No space left on device : '/x/y'", "No space left on device")]
    [InlineData("The process cannot access the file '/x' because it is in use.", "The process cannot access the file because it is in use")]
    public void ReasonOf_has_no_path(string message, string reason) => Assert.Equal(reason, FileError.ReasonOf(new IOException(message)));

    private static string Describe(string path) => FileError.Describe(path, Record.Exception(() => File.ReadAllText(path))!);
}
