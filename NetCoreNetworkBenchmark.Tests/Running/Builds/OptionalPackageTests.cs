using System.IO.Compression;

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

    [Theory, InlineData(true), InlineData(false)]
    public async Task A_chosen_version_is_taken_although_it_is_not_listed_and_fails_the_build_if_no_source_has_it(bool isThere)
    {
        _packages.AddEmpty("Fake", isThere ? "1.0.0" : "3.0.0");
        _packages.AddEmpty("Fake", "2.0.0");
        (int exitCode, string output) = await RunAsync("restore", "2.0.0", string.Empty, "-p:OptionalPackageId=Fake", "-p:OptionalPackageVersion=1.0.0");
        Assert.True(exitCode == 0 == isThere, output);
        string expected = isThere
            ? "\"Fake/1.0.0\""
            : "Package Fake 1.0.0 could not be restored (NU1102). Found 2 version(s) in local [ Nearest version: 2.0.0 ]|";
        Assert.Contains(expected, isThere ? await RestoredAsync() : output, StringComparison.Ordinal);
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
        var start = new ProcessStartInfo("dotnet", [command, "App.csproj", "-nodeReuse:false", .. arguments])
        {
            WorkingDirectory = Folder.FullName,
            Environment = { ["RestoreAdditionalProjectSources"] = string.Empty },
        };
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(start, TimeSpan.FromMinutes(3));
        return (exitCode, output + errors);
    }
}

/// <summary>A temporary folder of NuGet packages, which is a package source.</summary>
internal sealed class PackageFolder : InTemporaryFolder
{
    public string Path => Folder.FullName;

    /// <summary>Adds a package without any assembly.</summary>
    public void AddEmpty(string id, string version)
    {
        using ZipArchive package = ZipFile.Open(FileOf(id, version), ZipArchiveMode.Create);
        Write(
            package,
            $"{id}.nuspec",
            "<package xmlns=\"http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd\"><metadata>" +
                $"<id>{id}</id><version>{version}</version><authors>test</authors><description>test</description></metadata></package>");
        Write(package, "lib/net10.0/_._", string.Empty);
    }

    /// <summary>Adds a copy of a package under another version. Its signature, which is for the original, is left out.</summary>
    public void AddCopy(string file, string id, string from, string version)
    {
        File.Copy(file, FileOf(id, version));
        using ZipArchive package = ZipFile.Open(FileOf(id, version), ZipArchiveMode.Update);
        package.GetEntry(".signature.p7s")?.Delete();
        ZipArchiveEntry described = package.Entries.Single(entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal));
        string name = described.FullName;
        string text;
        using (var reader = new StreamReader(described.Open()))
        {
            text = reader.ReadToEnd();
        }

        described.Delete();
        Write(package, name, text.Replace($"<version>{from}</version>", $"<version>{version}</version>", StringComparison.Ordinal));
    }

    private static void Write(ZipArchive package, string name, string text)
    {
        using var writer = new StreamWriter(package.CreateEntry(name).Open());
        writer.Write(text);
    }

    private string FileOf(string id, string version) => System.IO.Path.Combine(Path, $"{id}.{version}.nupkg");
}
