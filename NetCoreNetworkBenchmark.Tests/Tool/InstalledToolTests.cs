namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>The installed .NET tool, in an empty folder without the checkout.</summary>
[Trait("Category", "Long")]
public sealed class InstalledToolTests(InstalledTool tool) : InTemporaryFolder, IClassFixture<InstalledTool>
{
    [Fact]
    public async Task The_tool_has_the_version_of_the_build()
    {
        string version = typeof(Catalog).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
        Assert.Equal((0, version, string.Empty), await RunAsync("--version"));
    }

    [Fact]
    public async Task Help_names_the_command_of_the_tool()
    {
        Assert.Contains("\n  netbench [command] [options]\n", (await RunAsync("--help")).Output, StringComparison.Ordinal);
        Assert.Contains("\n  netbench compare <OLD> <NEW> [options]\n", (await RunAsync("compare", "--help")).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Completion_is_for_the_command_of_the_tool()
    {
        (int exitCode, string script, _) = await RunAsync("completion", "bash");
        Assert.Equal(0, exitCode);
        Assert.EndsWith("complete -o bashdefault -o default -F _netbench_completion netbench\n", script, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_tool_has_the_libraries_of_the_build_and_says_why_others_are_missing()
    {
        (int exitCode, string output, _) = await RunAsync("--list");
        Assert.Equal(0, exitCode);
        var catalog = BuiltIn.CreateCatalog();
        Assert.All(catalog.Libraries, name => Assert.DoesNotContain($"{name} is not in this build", output, StringComparison.Ordinal));
        Assert.All(catalog.NotInBuild, missing => Assert.Contains(
            $"{missing.Library} is not in this build: package {missing.Library}", output, StringComparison.Ordinal));
        Assert.DoesNotContain("benchmark.sh", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Versions_are_compared_without_a_checkout()
    {
        const string Library = "LiteNetLib";
        var catalog = BuiltIn.CreateCatalog();
        Assert.SkipUnless(catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        string version = $"{Library}@{catalog.CreateLibrary(Library)!.Info.Version}";
        (int exitCode, string output, string errors) = await RunAsync(
            "regress", version, version, "-c", "2", "-p", "0", "--warmup", "0.1", "--any-machine", "--launches", "2", "--rounds", "3", "--slice", "0.05",
            "--threshold", "99%");
        Assert.True(exitCode is 0 or 5, errors);
        Assert.Contains($"Building the adapter with {version.Replace('@', ' ')}, once.\n", errors, StringComparison.Ordinal);
        Assert.Contains("Note: both versions are the same files, so what differs is the noise.\n", errors, StringComparison.Ordinal);
        Assert.Matches($@"\* \*\*PingPong, {Library}\*\*: \w+", output);

        (exitCode, output, errors) = await RunAsync("--versions", $"{Library}=0.0.1,0.0.2", "-P", "Udp");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Contains($"Error: Package {Library} 0.0.1 is in none of the package sources (NU1102): ", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_benchmark_runs_and_its_result_is_reported_and_compared()
    {
        string libraries = OperatingSystem.IsLinux() ? "Sockets,Epoll" : "Sockets,LiteNetLib";
        (int exitCode, string output, string errors) = await RunAsync(
            "-b=quick", "-l", libraries, "--launches", "1", "--benchmark-duration", "0.1", "--any-machine", "-o", "results");
        DirectoryInfo machine = Assert.Single(Folder.CreateSubdirectory("results").GetDirectories());
        string file = Path.Combine(machine.FullName, "results.json");
        Assert.True(File.Exists(file), $"{output}{errors}");
        var suite = (SuiteResult)ResultFile.Parse(await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
        SuiteTests.AssertMeasured(suite, exitCode, errors);
        Assert.All(suite.Benchmarks, benchmark => Assert.Contains(benchmark.Cases, caseResult => caseResult.Library == "Sockets"));
        Assert.Contains(suite.Benchmarks.SelectMany(benchmark => benchmark.Cases), caseResult => caseResult.Summary is not null);

        (int reported, string page, string reasons) = await RunAsync("report", "results");
        Assert.Equal((0, string.Empty), (reported, reasons));
        Assert.All(suite.Benchmarks, benchmark => Assert.Contains(benchmark.Title, page, StringComparison.Ordinal));
        (int compared, string comparison, reasons) = await RunAsync("compare", "results", "results", "--fail-on-regression", "-o", "comparison");

        // One launch of each case decides nothing.
        Assert.Equal(5, compared);
        Assert.StartsWith("Error: No case could be decided. ", reasons, StringComparison.Ordinal);
        Assert.Contains("Benchmark 1", comparison, StringComparison.Ordinal);
        Assert.True(File.Exists(PathOf("comparison", "comparison.json")));
    }

    [Fact]
    public async Task An_adapter_from_the_template_is_built_and_measured()
    {
        string assembly = Path.GetRelativePath(Folder.FullName, (await tool.AdapterAsync(InstalledTool.Default)).Assembly);
        (_, string listed, _) = await RunAsync("--list", "--load", assembly);
        Assert.Matches($@"\| FastNet +\| {Regex.Escape(LibraryInfo.VersionOf(typeof(Socket)))} +\| Udp, Tcp", listed);
        string[] load = ["--load", assembly, "-l", "FastNet", "-p", "0", "-c", "2", "-d", "0.2", "--warmup", "0", "--any-machine"];
        await RequireResultAsync([.. load, "-P", "Udp", "--client-threads", "2"]);
        await RequireResultAsync([.. load, "-P", "Tcp", "--client-library", "Sockets"]);
        await RequireResultAsync([.. load, "-P", "Tcp", "--pin", "server=0,clients=0"]);

        async Task RequireResultAsync(string[] arguments)
        {
            (int exitCode, string output, string errors) = await RunAsync([.. arguments, "-o", "run", "--force"]);
            Assert.True(exitCode == 0, output + errors);
            var result = (RunResult)ResultFile.Parse(await File.ReadAllTextAsync(PathOf("run", "result.json"), TestContext.Current.CancellationToken));
            Assert.Equal(LibraryOptions.Describe(PathOf(assembly)), Assert.Single(result.Plan.Assemblies!));
            Assert.Contains(result.Plan.Assemblies![0].Sha256, output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("polled", "Datagrams.cs", "FastNet")]
    [InlineData("callbacks", "Callbacks.cs", "Fast_Net_2_plus")]
    [InlineData("stream", "Streams.cs", "_7Net")]
    public async Task An_adapter_of_each_kind_has_the_code_of_its_kind_alone_and_passes_the_checks(string kind, string file, string library)
    {
        BuiltTemplate adapter = await tool.AdapterAsync(kind);
        string[] files = Directory.GetFiles(adapter.Folder, "*.cs");
        Assert.Equivalent(new[] { file, $"{adapter.Name}Benchmark.cs" }, files.Select(Path.GetFileName), strict: true);
        Assert.All(files, path => Assert.DoesNotContain(File.ReadLines(path), line => line.StartsWith('#')));
        (int code, string output, string errors) = await RunAsync("check", "--load", adapter.Assembly, "-l", library);
        Assert.True(code == 0, output + errors);
        Assert.Contains(" passed, 0 failed, ", output, StringComparison.Ordinal);
    }

    [Theory, InlineData("callbacks", "Fast.Net-2 plus", "Fast_Net_2_plus"), InlineData("stream", "7Net", "_7Net")]
    public async Task An_adapter_whose_name_is_no_identifier_is_built_and_listed(string kind, string name, string library)
    {
        BuiltTemplate adapter = await tool.AdapterAsync(kind);
        Assert.Equal(name, adapter.Name);
        (int code, string listed, string errors) = await RunAsync("--list", "--load", adapter.Assembly);
        Assert.True(code == 0, errors);
        Assert.Contains($"| {library} ", listed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_adapter_with_the_name_of_a_library_of_the_program_is_refused_with_the_remedy()
    {
        (int code, _, string errors) = await RunAsync("--list", "--load", (await tool.AdapterAsync("Quic")).Assembly);
        Assert.Equal(2, code);
        Assert.Contains("'Quic' is the name of both ", errors, StringComparison.Ordinal);
        Assert.EndsWith(" Give one of them another name.\n", errors, StringComparison.Ordinal);
    }

    private async Task<(int ExitCode, string Output, string Errors)> RunAsync(params string[] arguments)
    {
        (int exitCode, string output, string errors) = await tool.RunAsync(Folder.FullName, arguments);
        return (exitCode, arguments is ["--version"] ? output.TrimEnd() : output, errors);
    }
}

/// <summary>The .NET tool, packed from the checkout and installed from a local folder, once for all tests of a class.</summary>
public sealed class InstalledTool : IAsyncLifetime
{
    /// <summary>The adapter with the default of each option.</summary>
    public const string Default = "default";

    private static readonly TimeSpan s_deadline = TimeSpan.FromMinutes(10);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("NetCoreNetworkBenchmark-tool-");

    private Task<Dictionary<string, BuiltTemplate>>? _adapters;

    public string Command => Path.Combine(_folder.FullName, "tool", OperatingSystem.IsWindows() ? "netbench.exe" : "netbench");

    // Nothing but the files of the package is added to the sources of NuGet, and nothing is read or written in the home of the user.
    private string Packages => Path.Combine(_folder.FullName, "packages");

    private string Home => Path.Combine(_folder.FullName, "home");

    public async ValueTask InitializeAsync()
    {
        Directory.CreateDirectory(Home);
        await PackAsync("NetCoreNetworkBenchmark");
        await RequireAsync(
            [
                "tool", "install", "NetCoreNetworkBenchmark.Tool", "--tool-path", Path.GetDirectoryName(Command)!,
                "--configfile", await WriteSourcesAsync(Packages),
            ]);
    }

    /// <summary>Returns an adapter of the template, by its kind or its name. All of them are built at once, without warnings, by the first test.</summary>
    internal async Task<BuiltTemplate> AdapterAsync(string which) => (await (_adapters ??= BuildAdaptersAsync()))[which];

    private async Task<Dictionary<string, BuiltTemplate>> BuildAdaptersAsync()
    {
        await InstallTemplateAsync();
        DirectoryInfo all = _folder.CreateSubdirectory("adapters");
        await WriteSourcesAsync(all.FullName);
        var adapters = new Dictionary<string, BuiltTemplate>
        {
            [Default] = await NewAsync(Default, "FastNet"),
            ["polled"] = await NewAsync("polled", "FastNet", "--kind", "polled"),
            ["callbacks"] = await NewAsync("callbacks", "Fast.Net-2 plus", "--kind", "callbacks"),
            ["stream"] = await NewAsync("stream", "7Net", "--kind", "stream"),
            ["Quic"] = await NewAsync("Quic", "Quic"),
        };

        // As in a checkout of this program.
        await File.WriteAllTextAsync(
            Path.Combine(all.FullName, Default, "Directory.Packages.props"),
            "<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup></Project>");
        await File.WriteAllTextAsync(
            Path.Combine(all.FullName, "all.proj"),
            """
            <Project DefaultTargets="Build">
              <ItemGroup>
                <Adapter Include="*/*/*.csproj" />
              </ItemGroup>
              <Target Name="Restore">
                <MSBuild Projects="@(Adapter)" Targets="Restore" />
              </Target>
              <Target Name="Build">
                <MSBuild Projects="@(Adapter)" Targets="Build" BuildInParallel="true" />
              </Target>
            </Project>
            """);
        await RequireAsync(
            ["build", "all.proj", "--configuration", "Release", "-warnaserror", "--nologo", "--verbosity", "quiet", "-nodeReuse:false"], all.FullName);
        return adapters;

        async Task<BuiltTemplate> NewAsync(string folder, string name, params string[] options)
        {
            string parent = all.CreateSubdirectory(folder).FullName;
            await RequireAsync(["new", "netbench-library", "--name", name, .. options], parent);
            return new BuiltTemplate(Path.Combine(parent, name), name);
        }
    }

    // After a second installation of one package, dotnet new finds the template twice.
    private async Task InstallTemplateAsync()
    {
        await PackAsync("NetCoreNetworkBenchmark.Sdk");
        await PackAsync("NetCoreNetworkBenchmark.Templates");
        await RequireAsync(["new", "install", Assert.Single(Directory.GetFiles(Packages, "*.Templates.*.nupkg"))], _folder.FullName);
    }

    /// <summary>Runs the installed program in a folder, with a home of its own and nothing of the environment but the path of the runtime.</summary>
    public Task<(int ExitCode, string Output, string Errors)> RunAsync(string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(Command, arguments) { WorkingDirectory = folder };
        start.Environment.Clear();
        start.Environment["PATH"] = Environment.GetEnvironmentVariable("PATH");
        start.Environment["HOME"] = Home;
        start.Environment["DOTNET_ROOT"] = Runtime();
        return SystemCommand.RunAsync(start, s_deadline);
    }

    public ValueTask DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    /// <summary>Returns the folder of .NET, which is above <c>shared/Microsoft.NETCore.App/VERSION</c>.</summary>
    public static string Runtime() => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "..", "..", ".."));

    // The checkout's own output stays as it is: other tests run the program from there.
    private Task PackAsync(string project) => RequireAsync(
        [
            "pack", Golden.PathOfSource(project), "--configuration", "Release", "--output", Packages,
            "--artifacts-path", Path.Combine(_folder.FullName, "built"), "--nologo", "--verbosity", "quiet", "-nodeReuse:false",
            "-p:RunAnalyzers=false", "-p:NuGetAudit=false",
        ]);

    private async Task<string> WriteSourcesAsync(string folder)
    {
        string file = Path.Combine(folder, "NuGet.Config");
        await File.WriteAllTextAsync(
            file, $"<configuration><packageSources><clear /><add key=\"local\" value=\"{Packages}\" /></packageSources></configuration>");
        return file;
    }

    // The user's NuGet configuration and cache of packages are needed to build the program. What an adapter's author does in a folder needs neither.
    private async Task RequireAsync(string[] arguments, string? folder = null)
    {
        var start = new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder ?? Golden.PathOfSource("build") };
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        if (folder is not null)
        {
            start.Environment["HOME"] = start.Environment["DOTNET_CLI_HOME"] = Home;
            start.Environment["NUGET_PACKAGES"] = Path.Combine(_folder.FullName, "cache");
        }

        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, s_deadline);
        Assert.True(exitCode == 0, $"dotnet {string.Join(' ', arguments)}: {output}{errors}");
    }
}

/// <summary>An adapter that was made from the template.</summary>
internal sealed record BuiltTemplate(string Folder, string Name)
{
    public string Assembly => Path.Combine(Folder, "bin", "Release", "net10.0", $"{Name}.dll");
}
