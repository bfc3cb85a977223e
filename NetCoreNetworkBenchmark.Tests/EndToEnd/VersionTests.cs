using NetCoreNetworkBenchmark.Tests.Running.Builds;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Versions of a library's package, each with an adapter that is compiled for it, take turns.</summary>
public sealed class VersionTests : InTemporaryFolder
{
    private const string Library = "LiteNetLib";

    [Fact, Trait("Category", "Long")]
    public async Task Two_versions_are_built_and_compared_with_the_first()
    {
        Assert.SkipUnless(LibraryUnderTest.Catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        string version = LibraryUnderTest.Catalog.CreateLibrary(Library)!.Info.Version;
        string restored = Path.Combine(
            Environment.GetEnvironmentVariable("NUGET_PACKAGES")
                ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages"),
            "litenetlib");

        // A package source may have one version alone. The second one is a copy of it.
        string second = $"{version}-copy{Environment.ProcessId}";
        using var packages = new PackageFolder();
        packages.AddCopy(Path.Combine(restored, version, $"litenetlib.{version}.nupkg"), Library, version, second);
        try
        {
            SuiteResult result = SuiteTests.MeasuredIn(await BenchmarkProcess.RunWithAsync(
                new() { ["RestoreAdditionalProjectSources"] = packages.Path, ["XDG_CACHE_HOME"] = Folder.FullName },
                "--versions", $"{Library}={version},{second}", "-c", "4", "-d", "0.2", "--warmup", "0.1", "-p", "0", "--any-machine", "--launches", "2",
                "--runtime", "TieredPGO=0", "--json"));
            BenchmarkResult benchmark = Assert.Single(result.Benchmarks);
            Assert.Equal($"{Library} ({version}, TieredPGO=0)", benchmark.Baseline);
            Assert.Equal([$"{Library} ({version}, TieredPGO=0)", $"{Library} ({second}, TieredPGO=0)"], benchmark.Cases.Select(c => c.Library));
            Assert.All(benchmark.Cases, caseResult => Assert.Equal(2, caseResult.Launches.Count(launch => launch.Result is not null)));
            Assert.Contains($"--versions {Library}={version},{second} ", result.Command, StringComparison.Ordinal);
            Assert.Equal(2, Directory.GetFiles(Folder.FullName, $"NetCoreNetworkBenchmark.{Library}.dll", SearchOption.AllDirectories).Length);

            // The file alone, which is no package source here.
            string file = Path.Combine(packages.Path, $"{Library}.{second}.nupkg");
            (int exitCode, string output, string errors) = await BenchmarkProcess.RunWithAsync(
                new() { ["XDG_CACHE_HOME"] = Folder.FullName },
                "regress", $"{Library}@{version}", file, "-c", "4", "-p", "0", "--warmup", "0.1", "--any-machine", "--launches", "2", "--rounds", "3",
                "--slice", "0.05", "--threshold", "99%", "--json");
            Assert.True(exitCode is 0 or 5, errors);
            var compared = (ComparisonResult)ResultFile.Parse(output);
            Assert.Equal(($"{Library} {version}", $"{Library} {second} ({file})"), (compared.Old, compared.New));
            ComparedCase only = Assert.Single(compared.Cases);
            Assert.Equal(Library, only.Library);
            Assert.InRange(only.Wire!.Old, 32, 1000);

            // Pings and acknowledgements depend on the time that a busy machine takes for so few messages.
            Assert.InRange(only.Wire.New, 0.8 * only.Wire.Old, 1.25 * only.Wire.Old);
            Assert.StartsWith($"{file} -", compared.Command!.Split($"{Library}@{version} ")[1], StringComparison.Ordinal);
        }
        finally
        {
            if (Directory.Exists(Path.Combine(restored, second)))
            {
                Directory.Delete(Path.Combine(restored, second), recursive: true);
            }
        }
    }

    [Fact, Trait("Category", "Long")]
    public async Task The_script_of_a_CI_writes_a_comment_and_ends_with_the_exit_code()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        Assert.SkipUnless(LibraryUnderTest.Catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        string version = $"{Library}@{LibraryUnderTest.Catalog.CreateLibrary(Library)!.Info.Version}";
        string[] briefly = [.. "-c 4 -p 0 --warmup 0.1 --any-machine --launches 2 --rounds 3 --slice 0.05 --threshold 99%".Split(' ')];
        var start = new ProcessStartInfo("sh", [Golden.PathOfSource("Docs/examples/regress/regress.sh"), version, version, .. briefly])
        {
            WorkingDirectory = Folder.FullName,
            Environment = { ["NETBENCH"] = $"dotnet {typeof(Catalog).Assembly.Location}", ["XDG_CACHE_HOME"] = Folder.FullName },
        };
        (int code, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(5));
        Assert.True(code is 0 or 5, errors);
        Assert.Equal(output, await File.ReadAllTextAsync(PathOf("comment.md"), TestContext.Current.CancellationToken));
        Assert.Contains($"\n* **PingPong, {Library}**: ", output, StringComparison.Ordinal);
        start.ArgumentList[1] = $"{Library}@0.0.1";
        (code, output, errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(5));
        Assert.Equal((2, string.Empty), (code, output));
        Assert.Contains($"Error: Package {Library} 0.0.1 is in none of the package sources (NU1102): ", errors, StringComparison.Ordinal);
    }

    [Fact, Trait("Category", "Long")]
    public async Task Commits_are_built_and_compared()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The command of this test is for a POSIX shell.");
        Assert.SkipUnless(SystemProgram.Find("git") is not null, "The program git is not installed.");
        Assert.SkipUnless(LibraryUnderTest.Catalog.OfPackages.Contains(Library), $"{Library} is not in this build.");
        string version = LibraryUnderTest.Catalog.CreateLibrary(Library)!.Info.Version;
        string packages = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        string copy = $"cp '{Path.Combine(packages, "litenetlib", version, "lib", "net8.0")}/'* {{out}}";
        string make = "git init --quiet && git -c user.name=Test -c user.email=test@localhost commit --quiet --allow-empty --message one && git tag one";
        (int code, _, string errors) = await RunInAsync("sh", "-c", make);
        Assert.True(code == 0, errors);
        string[] briefly = [.. "-c 4 -p 0 --warmup 0.1 --any-machine --launches 2 --rounds 3 --slice 0.05 --threshold 99% --json".Split(' ')];
        (code, string output, errors) = await RunInAsync(
            "dotnet", [typeof(Catalog).Assembly.Location, "regress", "one", "-l", Library, "--build", copy, .. briefly]);
        Assert.True(code is 0 or 5, errors);
        var compared = (ComparisonResult)ResultFile.Parse(output);
        Assert.Equal(($"{Library} {version} (one)", $"{Library} {version} (HEAD)"), (compared.Old, compared.New));
        Assert.Equal(Library, Assert.Single(compared.Cases).Library);
        Assert.Matches($@" regress one HEAD (?!.*--library.*--library).* --library {Library} .* --build '.*\{{out}}' --threshold 99%", compared.Command);

        Task<(int ExitCode, string Output, string Errors)> RunInAsync(string program, params string[] arguments) => SystemCommand.RunAsync(
            new ProcessStartInfo(program, arguments) { WorkingDirectory = Folder.FullName, Environment = { ["XDG_CACHE_HOME"] = Folder.FullName } },
            TimeSpan.FromMinutes(5));
    }
}
