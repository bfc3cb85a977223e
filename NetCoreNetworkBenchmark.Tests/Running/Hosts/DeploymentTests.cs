using System.Formats.Tar;
using System.IO.Compression;

namespace NetCoreNetworkBenchmark.Tests.Running.Hosts;

/// <summary>The copy of a program to a host. The host is this machine, with a temporary folder of its own, and its shell, tar and sha256sum are real.</summary>
public sealed class DeploymentTests : InTemporaryFolder
{
    private const string Good = "#!/bin/sh\necho 1.0\n";
    private const string Hash = "0123456789abcdef";
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _temporary;
    private readonly List<string> _commands = [];
    private string _path = Environment.GetEnvironmentVariable("PATH")!;

    public DeploymentTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The host of a deployment is a Linux.");
        _temporary = Folder.CreateSubdirectory("a host tmp");
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private string Deployed => Path.Combine(_temporary.FullName, $"NetCoreNetworkBenchmark-{Environment.UserName}-{Hash}");
    private int Copies => _commands.Count(command => command.Contains(" sh unpack ", StringComparison.Ordinal));

    [Fact]
    public async Task A_program_is_copied_once_and_only_its_user_may_use_it()
    {
        Deployment deployment = DeploymentOf(Good);
        Assert.Equal(Path.Combine(Deployed, "NetCoreNetworkBenchmark"), await deployment.DeployAsync("here", Token));
        Assert.Equal(Path.Combine(Deployed, "NetCoreNetworkBenchmark"), await deployment.DeployAsync("here", Token));
        Assert.Equal(1, Copies);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, FileMode(Deployed));
        Assert.Equal([Deployed], Directory.GetFileSystemEntries(_temporary.FullName));
        Assert.Equal((0, "1.0\n"), await RunDeployedAsync());
    }

    [Fact]
    public async Task An_assembly_is_copied_with_its_folder_into_that_of_the_program_and_again_only_if_a_file_changed()
    {
        Deployment deployment = DeploymentOf(Good);
        string program = await deployment.DeployAsync("here", Token);
        string file = Path.Combine(Folder.CreateSubdirectory("adapter").FullName, "Any.dll");
        string dependency = Path.Combine(Folder.CreateSubdirectory("adapter/runtimes").FullName, "native.so");
        File.WriteAllText(file, "any");
        File.WriteAllText(dependency, "1");
        var assembly = new AdapterAssembly(file, "Any", "1.0", "0123");
        await deployment.AddAsync("here", AdapterPackage.From(assembly), Token);
        File.SetLastWriteTimeUtc(dependency, DateTime.UnixEpoch);
        await deployment.AddAsync("here", AdapterPackage.From(assembly), Token);
        Assert.Equal(2, Copies);
        File.WriteAllText(dependency, "2");
        await deployment.AddAsync("here", AdapterPackage.From(assembly), Token);
        Assert.Equal(3, Copies);
        string there = AdapterPackage.Beside(program, assembly).Path;
        Assert.Equal("any", File.ReadAllText(there));
        Assert.Equal("2", File.ReadAllText(Path.Combine(Path.GetDirectoryName(there)!, "runtimes", "native.so")));
        await deployment.UndeployAsync("here", Token);
        Assert.Empty(Directory.GetFileSystemEntries(_temporary.FullName));
    }

    [Fact]
    public void The_folder_of_an_assembly_with_too_many_bytes_is_not_copied()
    {
        using (FileStream large = File.Create(PathOf("large")))
        {
            large.SetLength((256 << 20) + 1);
        }

        var exception = Assert.Throws<BenchmarkException>(() => AdapterPackage.From(new AdapterAssembly(PathOf("Any.dll"), "Any", "1.0", "0123")));
        Assert.EndsWith(" has more than 256 MB. Use a folder with what the assembly requires.", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unfinished_copy_is_replaced()
    {
        MakePrivate(Deployed);
        File.WriteAllText(Path.Combine(Deployed, "NetCoreNetworkBenchmark"), "half of it");
        await DeploymentOf(Good).DeployAsync("here", Token);
        Assert.Equal((0, "1.0\n"), await RunDeployedAsync());
    }

    [Fact]
    public async Task A_damaged_copy_is_refused_and_removed()
    {
        PublishedProgram package = Write(Good);
        byte[] bytes = File.ReadAllBytes(package.File);
        bytes[^1] ^= 1;
        File.WriteAllBytes(package.File, bytes);
        await RefusesAsync("The program arrived damaged at the host 'here' (its SHA-256 differs), so it was removed there. Try again.", DeploymentOf(package));
        Assert.Empty(Directory.GetFileSystemEntries(_temporary.FullName));
    }

    [Fact]
    public async Task UndeployAsync_removes_the_program_and_nothing_else()
    {
        string neighbour = $"{Deployed}0";
        Directory.CreateDirectory(neighbour);
        Deployment deployment = DeploymentOf(Good);
        await deployment.DeployAsync("here", Token);
        await deployment.UndeployAsync("here", Token);
        Assert.Equal([neighbour], Directory.GetFileSystemEntries(_temporary.FullName));
        await deployment.UndeployAsync("here", Token);
        Assert.Equal([neighbour], Directory.GetFileSystemEntries(_temporary.FullName));
    }

    [Theory, InlineData("chown 12345"), InlineData("chmod 770")]
    public async Task A_folder_that_others_may_use_is_refused_and_stays(string change)
    {
        Assert.SkipUnless(change.StartsWith("chmod", StringComparison.Ordinal) || Environment.UserName == "root", "Only root gives a folder away.");
        MakePrivate(Deployed);
        File.WriteAllText(Path.Combine(Deployed, ".complete"), "x");
        Assert.Equal(0, (await ShellAsync($"{change} '{Deployed}'")).ExitCode);
        string sentence = $"On the host 'here' the folder '{Deployed}' belongs to another user, or others may write to it. " +
            "Remove it there, or set TMPDIR to another folder.";
        Deployment deployment = DeploymentOf(Good);
        await RefusesAsync(sentence, deployment);
        Assert.Equal(0, Copies);
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => deployment.UndeployAsync("here", Token));
        Assert.Equal(sentence, exception.Message);
        Assert.True(File.Exists(Path.Combine(Deployed, ".complete")));
    }

    [Fact]
    public async Task A_link_in_the_place_of_the_folder_is_refused()
    {
        string elsewhere = Folder.CreateSubdirectory("elsewhere").FullName;
        Directory.CreateSymbolicLink(Deployed, elsewhere);
        await RefusesAsync($"On the host 'here' the folder '{Deployed}' belongs to another user, or others may write to it.", DeploymentOf(Good));
        Assert.Empty(Directory.GetFileSystemEntries(elsewhere));
    }

    [Theory, InlineData("#!/bin/sh\necho no such library >&2\nexit 3\n", true, "no such library"), InlineData(Good, false, "ermission denied")]
    public async Task A_program_that_does_not_start_there_is_removed(string program, bool mayRun, string reason)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => DeploymentOf(Write(program, mayRun)).DeployAsync("here", Token));
        Assert.StartsWith($"The program does not start on the host 'here' in '{_temporary.FullName}' (", exception.Message, StringComparison.Ordinal);
        Assert.EndsWith(
            $"{reason}). If the folder is mounted noexec, set TMPDIR to another one; if glibc or ICU is missing, install it.",
            exception.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(_temporary.FullName));
    }

    [Fact]
    public async Task DeployAsync_fails_with_the_reason_when_the_host_has_no_space()
    {
        Deployment deployment = DeploymentOf(Write(Convert.ToBase64String(RandomNumberGenerator.GetBytes(100_000))), "trap \"\" XFSZ; ulimit -f 16; ");
        await RefusesAsync($"The host 'here' could not store the program in '{_temporary.FullName}' (", deployment);
        Assert.Empty(Directory.GetFileSystemEntries(_temporary.FullName));
    }

    [Fact]
    public async Task A_host_that_lacks_a_tool_names_it()
    {
        string tools = Folder.CreateSubdirectory("tools").FullName;
        foreach (string tool in (string[])["sh", "id", "tr", "stat", "uname", "mktemp", "tar", "gzip"])
        {
            string path = _path.Split(':').Select(folder => Path.Combine(folder, tool)).First(File.Exists);
            File.CreateSymbolicLink(Path.Combine(tools, tool), path);
        }

        _path = tools;
        await RefusesAsync("The host 'here' has no 'sha256sum', which --deploy requires. Install it there, or copy the program yourself.", DeploymentOf(Good));
    }

    [Theory]
    [InlineData("echo Linux riscv64", "The host 'here' is 'Linux riscv64', and --deploy supports Linux on x86_64 and aarch64. Build the program there.")]
    [InlineData(
        "echo Welcome; echo no route. >&2; exit 255",
        "The host 'here' cannot be reached (no route). Check that ssh runs a command there without a password.")]
    [InlineData("exit 7", "A command failed on the host 'here' with exit code 7 (exit code 7). Check that a shell command runs there.")]
    public async Task A_host_that_is_of_no_use_is_one_sentence(string answer, string sentence) => await RefusesAsync(
        sentence, new Deployment((_, _) => Start(answer)) { Pack = (_, _) => throw new InvalidOperationException("Nothing was to be published.") });

    [Fact]
    public async Task RequireAsync_names_the_file_that_a_host_lacks()
    {
        var deployment = new Deployment((_, command) => Start(command));
        string there = PathOf("it's here");
        await File.WriteAllTextAsync(there, string.Empty, Token);
        await deployment.RequireAsync("here", [there], Token);
        string missing = PathOf("$HOME & more.dll");
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => deployment.RequireAsync("here", [there, missing], Token));
        Assert.Equal(
            $"The host 'here' has no '{missing}'. Install the program, .NET and the assemblies of --load at the same paths as here, " +
            "or copy them with --deploy.",
            exception.Message);
    }

    [Fact]
    public async Task A_host_that_does_not_answer_is_given_up_at_the_deadline()
    {
        var deployment = new Deployment((_, _) => Start("exec sleep 600")) { ShortDeadline = TimeSpan.FromSeconds(0.2) };
        await RefusesAsync("The host 'here' did not finish a command within 0.2 s. Check that it can be reached.", deployment);
        using var cancelled = new CancellationTokenSource(TimeSpan.FromSeconds(0.2));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => new Deployment((_, _) => Start("exec sleep 600")).DeployAsync("here", cancelled.Token));
    }

    [Fact]
    public async Task A_shell_that_cannot_be_started_is_named() => await RefusesAsync(
        "No command could be run on the host 'here': '/nowhere/ssh' cannot be started (",
        new Deployment((_, _) => new ProcessStartInfo("/nowhere/ssh")));

    [Theory]
    [InlineData(false, "--deploy builds the program again from its checkout, which the installed tool does not have. Start ")]
    [InlineData(true, "The program for linux-x64 is built with the .NET SDK, and '/nowhere/dotnet' cannot be started (")]
    public async Task Without_checkout_or_SDK_nothing_is_published(bool hasProject, string sentence)
    {
        if (hasProject)
        {
            File.WriteAllText(PathOf("NetCoreNetworkBenchmark.csproj"), "<Project />");
        }

        string built = Path.Combine(Folder.CreateSubdirectory("bin/Release/net10.0").FullName, "NetCoreNetworkBenchmark.dll");
        File.WriteAllText(built, "1");
        string cache = PathOf("cache");
        var publication = new Publication(new CheckoutBuilds(built, new BuildCache(cache)) { Sdk = new DotnetSdk("/nowhere/dotnet") });
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => publication.PackAsync("linux-x64", Token));
        Assert.StartsWith(sentence, exception.Message, StringComparison.Ordinal);
        Assert.Equal(!hasProject, exception.IsBadInput);
        Assert.False(Directory.Exists(cache) && Directory.EnumerateFileSystemEntries(cache).Any());
    }

    [Fact]
    public void HashOf_differs_between_builds_and_systems()
    {
        string built = PathOf("NetCoreNetworkBenchmark.dll");
        var publication = new Publication(new CheckoutBuilds(built, new BuildCache(Folder.FullName)));
        File.WriteAllText(built, "1");
        string first = publication.HashOf("linux-x64");
        Assert.Matches("^[0-9a-f]{32}$", first);
        Assert.Equal(first, publication.HashOf("linux-x64"));
        Assert.NotEqual(first, publication.HashOf("linux-arm64"));
        File.WriteAllText(built, "2");
        string second = publication.HashOf("linux-x64");
        Assert.NotEqual(first, second);
        File.WriteAllText(PathOf("NetCoreNetworkBenchmark.Sdk.dll"), "1");
        Assert.NotEqual(second, publication.HashOf("linux-x64"));
    }

    // A build is made from the sources, whichever program runs.
    [Fact]
    public void HashOf_differs_when_a_source_was_edited_and_not_built()
    {
        string built = Write("checkout/Program/bin/NetCoreNetworkBenchmark.dll", "1");
        var publication = new Publication(new CheckoutBuilds(built, new BuildCache(Folder.FullName)));
        Write("checkout/Program/NetCoreNetworkBenchmark.csproj", "<Project />");
        string[] sources =
        [
            "Program/Part/A.cs", "Program.Sdk/B.cs", "Program.Libraries/C.cs", "Program.Workloads/D.cs", "build/E.targets", "Directory.Packages.props",
        ];
        string[] hashes = [.. sources.Select(file =>
        {
            Write($"checkout/{file}", "edited");
            return publication.HashOf("linux-x64");
        })];
        Assert.Equal(hashes.Length, hashes.Distinct().Count());
        Write("checkout/Program/obj/Generated.cs", "written by the build");
        Write("checkout/Docs/text.md", "another part");
        Assert.Equal(hashes[^1], publication.HashOf("linux-x64"));
    }

    [Fact, Trait("Category", "Long")]
    public async Task This_program_runs_where_it_was_copied_to()
    {
        PublishedProgram package = await HostRun.PublishedAsync();
        var deployment = new Deployment((_, command) => Start(command)) { Pack = (_, _) => HostRun.PublishedAsync() };
        var watch = Stopwatch.StartNew();
        string program = await deployment.DeployAsync("here", Token);
        TestContext.Current.TestOutputHelper!.WriteLine(FormattableString.Invariant(
            $"{new FileInfo(package.File).Length} bytes, copied in {watch.Elapsed.TotalSeconds:0.0} s"));
        Assert.Equal((await BenchmarkProcess.RunAsync("--list")).Output, (await ShellAsync($"'{program}' --list")).Output);
        foreach (string load in (string[])["-l Sockets", "-l Epoll -P Tcp", "-l Kestrel -P Ssl --client-library Epoll"])
        {
            CommandRun run = await ShellAsync(
                $"'{program}' {load} -t PingPong -p 0 -c 4 --warmup 0.1 -d 0.3 --any-machine --json --force -o '{Folder.FullName}/results'");
            Assert.True(run.ExitCode == 0, run.Errors);
        }

        CommandRun told = await ShellAsync($"'{program}' report '{Folder.FullName}/results'");
        Assert.True(told.ExitCode == 0, told.Errors);
        Assert.Contains("PingPong", told.Output, StringComparison.Ordinal);
        await deployment.UndeployAsync("here", Token);
        Assert.Empty(Directory.GetFileSystemEntries(_temporary.FullName));
    }

    private static UnixFileMode FileMode(string path) => OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(path);

    private static void MakePrivate(string folder)
    {
        if (!OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    private static async Task RefusesAsync(string sentence, Deployment deployment)
    {
        var exception = await Assert.ThrowsAsync<BenchmarkException>(() => deployment.DeployAsync("here", Token));
        Assert.StartsWith(sentence, exception.Message, StringComparison.Ordinal);
        Assert.EndsWith(".", exception.Message, StringComparison.Ordinal);
    }

    private ProcessStartInfo Start(string command) => new("/bin/sh", ["-c", command])
    {
        Environment = { ["TMPDIR"] = _temporary.FullName, ["PATH"] = _path },
    };

    private Task<CommandRun> ShellAsync(string command) => CommandRun.RunAsync(Start(command), null, s_deadline, Token);

    private async Task<(int ExitCode, string Output)> RunDeployedAsync()
    {
        CommandRun run = await ShellAsync($"'{Deployed}/NetCoreNetworkBenchmark' --version");
        return (run.ExitCode, run.Output);
    }

    private Deployment DeploymentOf(string program) => DeploymentOf(Write(program));

    private Deployment DeploymentOf(PublishedProgram package, string before = "") => new((_, command) =>
    {
        _commands.Add(command);
        return Start(before + command);
    })
    {
        Pack = (_, _) => Task.FromResult(package),
    };

    private PublishedProgram Write(string program, bool mayRun = true)
    {
        DirectoryInfo contents = Folder.CreateSubdirectory("program");
        string file = Path.Combine(contents.FullName, "NetCoreNetworkBenchmark");
        File.WriteAllText(file, program);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(file, UnixFileMode.UserRead | (mayRun ? UnixFileMode.UserExecute : UnixFileMode.None));
        }

        string package = PathOf("program.tar.gz");
        using (var zip = new GZipStream(File.Create(package), CompressionLevel.Fastest))
        {
            TarFile.CreateFromDirectory(contents.FullName, zip, includeBaseDirectory: false);
        }

        return new PublishedProgram(Hash, package, Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(package))));
    }
}
