using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>The scripts in <c>build/</c> for PowerShell.</summary>
[Trait("Category", "Long"), Collection(nameof(PowerShellEngine))]
public sealed class PowerShellScriptTests(PowerShellEngine powerShell) : InTemporaryFolder
{
    [Theory, InlineData("benchmark.ps1"), InlineData("test.ps1")]
    public async Task Script_has_no_syntax_error(string script) => Assert.Equal(
        string.Empty,
        await RunAsync(
            $"""
            $errors = $null
            $null = [System.Management.Automation.Language.Parser]::ParseFile('{Golden.PathOfSource($"build/{script}")}', [ref]$null, [ref]$errors)
            $errors
            """));

    [Theory, UnsupportedOSPlatform("windows")]
    [InlineData("", "[--benchmark=quick]")]
    [InlineData("-b", "[-b]")]
    [InlineData("-l Sockets,LiteNetLib -s 32,1200 --time 15s", "[-l][Sockets,LiteNetLib][-s][32,1200][--time][15s]")]
    [InlineData("--output='a folder' --set=x.y=z --protocol=Tcp,Ssl -d 0.50 ''", "[--output=a folder][--set=x.y=z][--protocol=Tcp,Ssl][-d][0.50][]")]
    public async Task Benchmark_script_passes_the_options_to_the_program_as_they_are_typed(string typed, string passed)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The program that prints its options is a script of a POSIX shell.");
        string program = PathOf("NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark");
        Directory.CreateDirectory(Path.GetDirectoryName(program)!);
        Directory.CreateDirectory(PathOf("build"));
        File.Copy(Golden.PathOfSource("build/benchmark.ps1"), PathOf("build/benchmark.ps1"));
        await File.WriteAllTextAsync(program, "#!/bin/sh\nprintf '[%s]' \"$@\"\n", TestContext.Current.CancellationToken);
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);

        // The engine alone has no cmdlets for paths.
        Assert.Equal(passed, await RunAsync(
            $$"""
            function Split-Path { '{{Folder.FullName}}' }
            function dotnet { $global:LASTEXITCODE = 0 }
            & '{{PathOf("build/benchmark.ps1")}}' {{typed}}
            """));
    }

    private async Task<string> RunAsync(string script)
    {
        string file = PathOf("run.ps1");
        await File.WriteAllTextAsync(file, script, TestContext.Current.CancellationToken);
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(
            new ProcessStartInfo("dotnet", [powerShell.RequiredProgram, file]), TimeSpan.FromMinutes(1));
        Assert.True(exitCode == 0, errors);
        return output.TrimEnd();
    }
}

/// <summary>What <c>build/test.sh</c> and <c>build/test.ps1</c> have in common.</summary>
public sealed class TestScriptPairTests
{
    [Theory]
    [InlineData("is not understood: .*[.]", 1)]
    [InlineData("most_?(flaky|repeated) ?= ?[0-9]+", 2)]
    [InlineData("-trait-[ ',]+Category=[A-Za-z]+", 4)]
    public void Scripts_of_the_tests_agree(string pattern, int min)
    {
        string[] ofShell = [.. Matches("test-results.sh", pattern), .. Matches("test.sh", pattern)];
        Assert.True(ofShell.Length >= min, string.Join('\n', ofShell));
        Assert.Equal(ofShell, Matches("test.ps1", pattern));
    }

    // Without the quotes, commas, spaces and cases of either language.
    private static string[] Matches(string script, string pattern) =>
        [.. Regex.Matches(File.ReadAllText(Golden.PathOfSource($"build/{script}")), pattern, RegexOptions.IgnoreCase)
            .Select(match => Regex.Replace(match.Value, "[ ',_]", string.Empty).ToUpperInvariant()).Distinct().Order(StringComparer.Ordinal)];
}
