namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>Builds of commits of a real Git repository, by a command that copies a file.</summary>
public sealed class CommitBuildsTests : InTemporaryFolder
{
    private readonly List<string> _notes = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task FindAsync_builds_each_commit_once_and_leaves_the_repository_as_it_is()
    {
        await CommitAsync("first");
        await CommitAsync("second");
        await File.WriteAllTextAsync(PathOf("repository", "content"), "not committed", Token);
        CommitBuilds builds = Builds("cp content {out}/lib.nupkg");
        Assert.Equal("first", await File.ReadAllTextAsync(await builds.FindAsync("HEAD~1", Token), Token));
        Assert.Equal("second", await File.ReadAllTextAsync(await builds.FindAsync("HEAD", Token), Token));
        Assert.Equal(await builds.FindAsync("HEAD", Token), await builds.FindAsync("branch", Token));
        Assert.Equal(
            [.. ((string[])["HEAD~1", "HEAD"]).Select(name => $"Building {name} with 'cp content {{out}}/lib.nupkg', once.")], _notes);
        Assert.Equal(" M content\n", (await GitAsync("status", "--porcelain")).Output);
        Assert.Single((await GitAsync("worktree", "list")).Output.TrimEnd('\n').Split('\n'));
    }

    [Fact]
    public async Task FindAsync_returns_the_folder_of_assemblies_that_a_command_makes()
    {
        await CommitAsync("first");
        string folder = await Builds("cp content {out}/Lib.dll; touch {out}/Other.dll").FindAsync("HEAD", Token);
        Assert.Equal("first", await File.ReadAllTextAsync(Path.Combine(folder, "Lib.dll"), Token));
        Assert.True(File.Exists(Path.Combine(folder, "Other.dll")));
    }

    [Theory]
    [InlineData("true", "v9", true, "'v9' is not a commit of a Git repository in '{0}'.")]
    [InlineData("true", "HEAD", true, "'true' made 0 packages and no Lib.dll in {{out}} at HEAD, instead of one package (.nupkg) or the assembly.")]
    [InlineData(
        "touch {out}/a.nupkg {out}/b.nupkg", "HEAD", true,
        "'touch {{out}}/a.nupkg {{out}}/b.nupkg' made 2 packages and no Lib.dll in {{out}} at HEAD, instead of one package (.nupkg) or the assembly.")]
    [InlineData("echo It is broken. >&2; exit 3", "HEAD", false, "'echo It is broken. >&2; exit 3' failed at HEAD: It is broken.")]
    public async Task FindAsync_reports_what_failed_and_keeps_nothing(string command, string revision, bool isBadInput, string sentence)
    {
        await CommitAsync("first");
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => Builds(command).FindAsync(revision, Token));
        Assert.Equal((string.Format(CultureInfo.InvariantCulture, sentence, PathOf("repository")), isBadInput), (exception.Message, exception.IsBadInput));
        Assert.True(!Directory.Exists(PathOf("cache")) || !Directory.EnumerateFileSystemEntries(PathOf("cache")).Any());
    }

    private CommitBuilds Builds(string command) => new(command, "Lib", PathOf("repository"), new BuildCache(PathOf("cache"))) { Report = _notes.Add };

    private async Task CommitAsync(string content)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The commands of this test are for a POSIX shell.");
        Assert.SkipUnless(SystemProgram.Find("git") is not null, "The program git is not installed.");
        if (!Directory.Exists(PathOf("repository")))
        {
            Directory.CreateDirectory(PathOf("repository"));
            await GitAsync("init", "--quiet", "--initial-branch", "branch");
        }

        await File.WriteAllTextAsync(PathOf("repository", "content"), content, Token);
        await GitAsync("add", "content");
        await GitAsync("-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message", content);
    }

    private async Task<(int ExitCode, string Output, string Errors)> GitAsync(params string[] arguments)
    {
        (int ExitCode, string Output, string Errors) run = await SystemCommand.RunAsync(["git", "-C", PathOf("repository"), .. arguments]);
        Assert.True(run.ExitCode == 0, run.Errors);
        return run;
    }
}
