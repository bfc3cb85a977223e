namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>A library outside the program, built from the template with a dependency beside it, in the parts of the program that name libraries.</summary>
[Trait("Category", "Long")]
public sealed class LoadedAdapterTests(BuiltAdapter adapter) : InTemporaryFolder, IClassFixture<BuiltAdapter>
{
    private const string Load = "-l FastNet -P Tcp -c 2 -d 0.3 --warmup 0.1 -p 0 --any-machine";
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    private readonly Dictionary<string, string> _environment = [];

    [Fact]
    public async Task Deploy_copies_the_assembly_with_its_dependency_and_each_host_loads_its_own_copy()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The hosts of a deployment are Linux.");
        await HostRun.PublishedAsync();
        WriteLocalSsh();
        string log = _environment[BuiltAdapter.LogVariable] = PathOf("loaded");
        string[] hosts = ["--server-host", "host-a", "--client-hosts", "host-b"];
        (int code, string output, string errors) = await RunAsync([.. Load.Split(' '), "--load", adapter.Assembly, .. hosts, "--deploy", "--json"]);
        Assert.True(code == 0, errors);
        var result = (RunResult)ResultFile.Parse(output);
        Assert.Equal(adapter.Assembly, Assert.Single(result.Plan.Assemblies!).Path);
        string[] loaded = await File.ReadAllLinesAsync(log, TestContext.Current.CancellationToken);
        Assert.All(loaded.Where(line => line != adapter.Assembly), line => Assert.Contains($"/load-{result.Plan.Assemblies![0].Sha256}/", line));
        Assert.Contains(loaded, line => line.StartsWith(PathOf("host-a"), StringComparison.Ordinal));
        Assert.Contains(loaded, line => line.StartsWith(PathOf("host-b"), StringComparison.Ordinal));
        (code, _, errors) = await RunAsync([.. hosts, "--undeploy"]);
        Assert.True(code == 0, errors);
        Assert.Empty(Directory.GetFileSystemEntries(PathOf("host-a")));
    }

    [Fact]
    public async Task A_library_is_listed_from_the_option_the_variable_and_the_file_that_was_allowed()
    {
        _environment["XDG_CONFIG_HOME"] = PathOf("config");
        string log = _environment[BuiltAdapter.LogVariable] = PathOf("loaded");
        (_, string output, string errors) = await RunAsync("--list", "--load", adapter.Assembly);
        Assert.Contains("| FastNet ", output, StringComparison.Ordinal);
        Assert.Empty(errors);
        File.Delete(log);
        await WriteFileAsync();
        string file = PathOf(".netbench.json");
        string refusal = $"Error: '{file}' names code that you have not allowed to run: '{adapter.Assembly}'. " +
            "Run the program with --list in a terminal and answer y, or name the code with --load.\n";
        Assert.Equal((2, string.Empty, refusal), await RunAsync("--list"));
        Assert.False(File.Exists(log));
        new AllowedFiles(PathOf("config", "NetCoreNetworkBenchmark", "allowed")).Add(
            file, await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        (_, output, errors) = await RunAsync("--list");
        Assert.Contains("| FastNet ", output, StringComparison.Ordinal);
        Assert.Equal($"Loading '{adapter.Assembly}', which .netbench.json of the current folder names.", errors.TrimEnd());
        File.Delete(file);
        _environment["NETBENCH_LOAD"] = adapter.Assembly;
        (_, output, errors) = await RunAsync("--list");
        Assert.Contains("| FastNet ", output, StringComparison.Ordinal);
        Assert.Empty(errors);
    }

    [Fact]
    public async Task A_key_that_completes_a_word_runs_no_code()
    {
        string log = _environment[BuiltAdapter.LogVariable] = PathOf("loaded");
        await WriteFileAsync();
        Assert.Equal((0, string.Empty, string.Empty), await RunAsync("[suggest:99]", "-l Fast"));
        Assert.Equal((0, string.Empty, string.Empty), await RunAsync("[suggest:999]", $"--load {adapter.Assembly} -l Fast"));
        _environment["NETBENCH_LOAD"] = adapter.Assembly;
        Assert.Equal((0, string.Empty, string.Empty), await RunAsync("[suggest:99]", "check -l Fast"));
        Assert.False(File.Exists(log));
    }

    [Fact]
    public async Task A_part_of_the_benchmark_runs_with_the_libraries_of_both()
    {
        (_, string output, string errors) = await RunAsync(
            "-b=pair", "-l", "FastNet", "--load", adapter.Assembly, "--launches", "1", "--benchmark-duration", "0.3", "--any-machine", "--json");
        Assert.True(output.StartsWith('{'), errors);
        Assert.DoesNotContain("is not in the build", errors, StringComparison.Ordinal);
        var result = (SuiteResult)ResultFile.Parse(output);
        BenchmarkResult benchmark = Assert.Single(result.Benchmarks);
        Assert.Equal(("A pair", "Sockets"), (benchmark.Title, benchmark.Baseline));
        Assert.Equal(["FastNet", "Sockets"], benchmark.Cases.Select(measured => measured.Library).Order(StringComparer.Ordinal));
        Assert.All(benchmark.Cases.Select(measured => Assert.Single(measured.Launches).Result!.Plan), plan =>
        {
            Assert.Equal("PingPong", plan.Test);
            Assert.Equal(adapter.Assembly, Assert.Single(plan.Assemblies!).Path);
        });
        Assert.Contains($"--load {adapter.Assembly}", result.Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Regress_measures_the_library_in_both_builds()
    {
        string build = Path.GetDirectoryName(typeof(Catalog).Assembly.Location)!;
        string[] briefly = ["--launches", "2", "--rounds", "3", "--slice", "0.02", "--threshold", "99%", "--json"];
        (int code, string output, string errors) = await RunAsync(
            ["regress", build, .. "-l FastNet -P Tcp -c 2 --warmup 0.1 -p 0 --any-machine".Split(' '), "--load", adapter.Assembly, .. briefly]);
        Assert.True(code is 0 or 5, errors);
        var result = (ComparisonResult)ResultFile.Parse(output);
        Assert.Equal("FastNet", Assert.Single(result.Cases).Library);
        Assert.Contains($"--load {adapter.Assembly}", result.Command, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Regress_compares_two_builds_of_an_adapter()
    {
        string[] briefly = ["--launches", "2", "--rounds", "3", "--slice", "0.02", "--threshold", "99%", "--json"];
        string copy = Path.Combine(Folder.CreateSubdirectory("old").FullName, Path.GetFileName(adapter.Assembly));
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(adapter.Assembly)!))
        {
            File.Copy(file, Path.Combine(Path.GetDirectoryName(copy)!, Path.GetFileName(file)));
        }

        string[] load = [.. "-l FastNet -P Tcp -c 2 --warmup 0.1 -p 0 --any-machine".Split(' '), "--load", adapter.Assembly];
        (int code, string output, string errors) = await RunAsync(["regress", copy, adapter.Assembly, .. load, .. briefly]);
        Assert.True(code is 0 or 5, errors);
        var result = (ComparisonResult)ResultFile.Parse(output);
        Assert.Equal((copy, adapter.Assembly, "FastNet"), (result.Old, result.New, Assert.Single(result.Cases).Library));
        (code, _, errors) = await RunAsync(["regress", copy, .. load]);
        Assert.Equal((2, $"Error: regress requires NEW: another build of the adapter '{copy}'.\n"), (code, errors));
    }

    // All checks pass for one user. For another one, the first of them shows that the library is loaded.
    [Theory, InlineData(""), InlineData("setpriv --reuid=54321 --regid=54321 --clear-groups", "--only", "connect")]
    public async Task The_library_is_measured_and_checked_without_an_environment_also_by_a_user_without_a_home(string user, params string[] checks)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no program env.");
        string[] launcher = [.. user.Split(' ', StringSplitOptions.RemoveEmptyEntries), "env", "-i", $"PATH={Environment.GetEnvironmentVariable("PATH")}"];
        if (user.Length > 0)
        {
            Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "Only root can become another user.");
            Assert.SkipUnless(SystemProgram.Find("setpriv") is not null, "The program setpriv is not installed.");
            await SystemCommand.RequireAsync("chmod", "755", Folder.FullName, adapter.Folder);
            bool canRead = (await SystemCommand.RunAsync([.. launcher, "test", "-r", typeof(Catalog).Assembly.Location])).ExitCode == 0;
            Assert.SkipUnless(canRead, "The other user cannot read the build.");
        }

        // The checks wait most of their time.
        Task checking = RequireAsync(["check", "--load", adapter.Assembly, "-l", "FastNet", "-P", "Tcp", .. checks]);
        await Task.WhenAll(checking, RunsAsync());

        async Task RunsAsync()
        {
            await RequireAsync(["--load", adapter.Assembly, .. Load.Split(' ')]);
            await RequireAsync(["--load", adapter.Assembly, .. Load.Replace("FastNet -P Tcp", "Sockets -P Ssl", StringComparison.Ordinal).Split(' ')]);
        }

        async Task RequireAsync(string[] arguments)
        {
            string[] command = [.. launcher, "dotnet", typeof(Catalog).Assembly.Location, .. arguments];
            var start = new ProcessStartInfo(command[0], command[1..]) { WorkingDirectory = Folder.FullName };
            (int code, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
            Assert.True(code == 0, output + errors);
        }
    }

    [Theory]
    [InlineData("exit", "A library ended the process (Environment.Exit) before the program did.")]
    [InlineData("thread", "System.InvalidOperationException in FaultyBenchmark")]
    public async Task A_library_that_ends_its_process_fails_the_run_with_the_reason(string fault, string reason)
    {
        _environment[BuiltAdapter.FaultVariable] = fault;
        string[] arguments = [.. Load.Replace("FastNet", "Faulty", StringComparison.Ordinal).Split(' '), "--load", adapter.Assembly];
        (int code, _, string errors) = await RunAsync(arguments);
        Assert.Equal(1, code);
        Assert.Contains($"{reason}", errors, StringComparison.Ordinal);
        Assert.DoesNotContain("\n   at ", errors, StringComparison.Ordinal);
        (code, string output, errors) = await RunAsync([.. arguments, "--launches", "1"]);
        Assert.Equal(1, code);
        Assert.Contains("The server's process failed with exit code 1: ", output + errors, StringComparison.Ordinal);
        Assert.Contains(reason.TrimEnd('.'), output + errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_a_library_prints_is_not_in_the_json_and_is_shown_if_a_check_fails()
    {
        string[] library = ["-l", "Faulty", "-P", "Tcp", "--load", adapter.Assembly];
        (int code, string output, string errors) = await RunAsync([.. library, .. "-c 2 -d 0.3 --warmup 0.1 -p 0 --any-machine --json".Split(' ')]);
        Assert.True(code == 0, errors);
        Assert.Equal("Faulty", ((RunResult)ResultFile.Parse(output)).Library);
        Assert.Contains("A line of the library", errors, StringComparison.Ordinal);
        _environment[BuiltAdapter.FaultVariable] = "throw";
        (code, output, _) = await RunAsync(["check", .. library]);
        Assert.Equal(1, code);
        Assert.Contains("the socket is broken The last lines that its process printed: A line of the library", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_child_process_of_a_library_reads_and_prints_nothing_between_frames()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no program sh.");
        _environment[BuiltAdapter.FaultVariable] = "child";
        string[] arguments = [.. Load.Replace("FastNet", "Faulty", StringComparison.Ordinal).Split(' '), "--load", adapter.Assembly];
        (int code, string output, string errors) = await RunAsync([.. arguments, "--launches", "1"]);
        Assert.True(code == 0, output + errors);
    }

    [Fact]
    public async Task Versions_of_the_library_are_refused_with_the_remedy()
    {
        (int code, _, string errors) = await RunAsync("--versions", "FastNet=1.0,2.0", "-c", "2", "--load", adapter.Assembly);
        Assert.Equal(2, code);
        Assert.Contains(
            "Error: --versions: FastNet is not a package with versions. It is of --load: build that assembly with each version, and compare a result of each.",
            errors, StringComparison.Ordinal);
    }

    private Task WriteFileAsync() =>
        File.WriteAllTextAsync(PathOf(".netbench.json"), $$"""{ "load": ["{{adapter.Assembly}}"] }""", TestContext.Current.CancellationToken);

    // The hosts are this machine, each with a temporary folder of its own.
    private void WriteLocalSsh()
    {
        string ssh = Path.Combine(Folder.CreateSubdirectory("bin").FullName, "ssh");
        File.WriteAllText(
            ssh,
            $"""
            #!/bin/sh
            while [ "$1" != -- ]; do shift; done
            export TMPDIR="{Folder.FullName}/$2" SSH_CONNECTION="127.0.0.1 1 127.0.0.1 22"
            exec sh -c "$3"

            """);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(ssh, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        Folder.CreateSubdirectory("host-a");
        Folder.CreateSubdirectory("host-b");
        _environment["PATH"] = $"{Path.GetDirectoryName(ssh)}:{Environment.GetEnvironmentVariable("PATH")}";
    }

    private Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [typeof(Catalog).Assembly.Location, .. arguments]) { WorkingDirectory = Folder.FullName };
        foreach ((string name, string value) in _environment)
        {
            start.Environment[name] = value;
        }

        return SystemCommand.RunAsync(start, s_deadline);
    }
}

/// <summary>The template's library, built outside the checkout with a dependency, without which no code of the assembly runs.</summary>
public sealed class BuiltAdapter : IAsyncLifetime
{
    /// <summary>The variable with the file to which each process that runs code of the assembly adds its path.</summary>
    public const string LogVariable = "LOADED_ADAPTERS";

    /// <summary>The variable with the fault of the library "Faulty".</summary>
    public const string FaultVariable = "FAULT_OF_ADAPTER";

    private const string Properties = "<PropertyGroup><TargetFramework>net10.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>";
    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(5);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-adapter-");

    public string Folder => _folder.FullName;

    public string Assembly => Path.Combine(_folder.FullName, "FastNet", "bin", "Release", "net10.0", "FastNet.dll");

    public async ValueTask InitializeAsync()
    {
        string template = Golden.PathOfSource("NetCoreNetworkBenchmark.Templates/netbench-library");
        foreach (string file in Directory.GetFiles(template))
        {
            string text = (await File.ReadAllTextAsync(file)).Replace("MyLibrary", "FastNet", StringComparison.Ordinal);
            await WriteAsync($"FastNet/{Path.GetFileName(file).Replace("MyLibrary", "FastNet", StringComparison.Ordinal)}", text);
        }

        await WriteAsync("FastNet/Directory.Build.targets", TargetsWith("""<ProjectReference Include="../Dependency/Dependency.csproj" />"""));
        await WriteAsync("Dependency/Dependency.csproj", $"<Project Sdk=\"Microsoft.NET.Sdk\">{Properties}</Project>");
        await WriteAsync(
            "Dependency/Log.cs",
            "public static class Log { public static void Add(string file, string text) => File.AppendAllLines(file, [text]); }");
        await WriteAsync(
            "FastNet/Loaded.cs",
            $$"""
            internal static class Loaded
            {
                [System.Runtime.CompilerServices.ModuleInitializer]
                internal static void Report() =>
                    Log.Add(Environment.GetEnvironmentVariable("{{LogVariable}}") ?? "/dev/null", typeof(Loaded).Assembly.Location);
            }
            """);
        await WriteAsync(
            "FastNet/Faulty.cs",
            $$"""
            using NetCoreNetworkBenchmark.Contracts;

            public sealed class FaultyBenchmark : INetworkBenchmark
            {
                private readonly FastNet.FastNetBenchmark _inner = new();

                public LibraryInfo Info => _inner.Info with { Name = "Faulty" };

                public IBenchmarkServer StartServer(ServerSetup setup)
                {
                    Console.WriteLine("A line of the library");
                    switch (Environment.GetEnvironmentVariable("{{FaultVariable}}"))
                    {
                        case "exit":
                            Environment.Exit(0);
                            break;
                        case "thread":
                            var thread = new Thread(() => throw new InvalidOperationException("the timer is broken"));
                            thread.Start();
                            thread.Join();
                            break;
                        case "child":
                            using (var child = System.Diagnostics.Process.Start("sh", ["-c", "cat; echo A line of a child"]))
                            {
                                child.WaitForExit();
                            }

                            break;
                        case "throw":
                            throw new IOException("the socket is broken");
                    }

                    return _inner.StartServer(setup);
                }

                public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) => _inner.ConnectAsync(setup, cancellationToken);
            }
            """);
        await WriteAsync(
            "FastNet/PairPart.cs",
            """
            using NetCoreNetworkBenchmark.Contracts;
            using NetCoreNetworkBenchmark.Plans;

            public sealed class PairPart : IBenchmarkPart
            {
                public string Name => "pair";

                public IEnumerable<Benchmark> Create(PartTemplates templates)
                {
                    RunPlan plan = templates.Brief with { Protocol = Protocol.Tcp, Transmission = Transmission.Reliable, Clients = 2 };
                    yield return new Benchmark("A pair", templates.Tests["PingPong"], plan);
                }
            }
            """);
        (int code, string output, string errors) = await BuildAsync(Path.Combine(_folder.FullName, "FastNet"));
        Assert.True(code == 0, output + errors);
    }

    /// <summary>A file Directory.Build.targets with this build of the SDK instead of a package.</summary>
    public static string TargetsWith(string reference = "") =>
        $"""
        <Project>
          <ItemGroup>
            <PackageReference Remove="NetCoreNetworkBenchmark.Sdk" />
            <Reference Include="{typeof(INetworkBenchmark).Assembly.Location}" Private="false" />
            {reference}
          </ItemGroup>
        </Project>
        """;

    public static Task<(int ExitCode, string Output, string Errors)> BuildAsync(string folder)
    {
        string[] arguments = ["build", "-c", "Release", "-v", "quiet", "-nologo", "-nodeReuse:false"];
        return SystemCommand.RunAsync(new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder }, s_deadline);
    }

    public ValueTask DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    private async Task WriteAsync(string name, string text)
    {
        var file = new FileInfo(Path.Combine(_folder.FullName, name));
        file.Directory!.Create();
        await File.WriteAllTextAsync(file.FullName, text);
    }
}
