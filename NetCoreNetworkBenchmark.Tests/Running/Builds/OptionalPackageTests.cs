using NetCoreNetworkBenchmark.Tests.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Running.Builds;

/// <summary>The build takes the first version of an optional package that the sources have.</summary>
[Trait("Category", "Long")]
public sealed class OptionalPackageTests : InTemporaryFolder
{
    private readonly PackageFolder _packages = new();

    [Theory, InlineData("4.0.0 3.1.0 3.0.0", "FAKE_3", "3.1.0"), InlineData("2.0.0", "FAKE_2", "2.0.0")]
    public async Task The_first_version_that_can_be_restored_is_taken(string versions, string constant, string taken)
    {
        foreach (string version in (string[])["3.1.0", "3.0.0", "2.0.0"])
        {
            _packages.AddEmpty("Fake", version);
        }

        (int exitCode, string output) = await RunAsync("build", versions, $"#if !{constant}\n#error no constant\n#endif");
        Assert.True(exitCode == 0, output);
        Assert.DoesNotContain("Left out", output, StringComparison.Ordinal);
        Assert.Contains($"\"Fake/{taken}\"", await RestoredAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_chosen_version_is_taken_although_it_is_not_listed()
    {
        _packages.AddEmpty("Fake", "1.0.0");
        _packages.AddEmpty("Fake", "2.0.0");
        (int exitCode, string output) = await RunAsync("restore", "2.0.0", string.Empty, "-p:OptionalPackageId=Fake", "-p:OptionalPackageVersion=1.0.0");
        Assert.True(exitCode == 0, output);
        Assert.Contains("\"Fake/1.0.0\"", await RestoredAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_chosen_version_that_no_source_has_fails_the_build()
    {
        _packages.AddEmpty("Fake", "2.0.0");
        (int exitCode, string output) = await RunAsync("restore", "2.0.0", string.Empty, "-p:OptionalPackageId=Fake", "-p:OptionalPackageVersion=1.0.0");
        Assert.NotEqual(0, exitCode);
        Assert.Contains("Package Fake 1.0.0 could not be restored (NU1102)", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_any_version_the_folder_of_the_library_is_left_out()
    {
        Write("Adapter/Adapter.cs", "#error compiled");
        (int exitCode, string output) = await RunAsync("build", "2.0.0 1.0.0", string.Empty);
        Assert.True(exitCode == 0, output);
        Assert.Contains("Left out of this build, because the package sources do not have them: Fake 2.0.0 or 1.0.0.", output, StringComparison.Ordinal);
    }

    public override void Dispose()
    {
        _packages.Dispose();
        base.Dispose();
    }

    private Task<string> RestoredAsync() => File.ReadAllTextAsync(PathOf("obj", "project.assets.json"), TestContext.Current.CancellationToken);

    private async Task<(int ExitCode, string Output)> RunAsync(string command, string versions, string source, params string[] arguments)
    {
        Write("App.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
              </PropertyGroup>
              <ItemGroup>
                <OptionalPackage Include="Fake" Versions="{versions}" Folder="Adapter" />
              </ItemGroup>
              <Import Project="{Golden.PathOfSource("build/OptionalPackages.targets")}" />
            </Project>
            """);
        Write("Directory.Packages.props", """
            <Project>
              <PropertyGroup>
                <ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>
              </PropertyGroup>
            </Project>
            """);
        Write("Source.cs", source);

        // Nothing of these packages remains among those of the user.
        Write("NuGet.Config", $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="{PathOf("restored")}" /></config>
              <packageSources><clear /><add key="local" value="{_packages.Path}" /></packageSources>
            </configuration>
            """);
        var start = new ProcessStartInfo("dotnet", [command, "App.csproj", "--disable-build-servers", .. arguments])
        {
            WorkingDirectory = Folder.FullName,
            Environment = { ["RestoreAdditionalProjectSources"] = string.Empty },
        };
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(3));
        return (exitCode, output + errors);
    }
}
