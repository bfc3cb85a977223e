using System.Runtime.Versioning;

namespace NetCoreNetworkBenchmark.Tests.Tool;

/// <summary>The scripts in <c>build/</c> for PowerShell.</summary>
[Trait("Category", "Long"), Collection(nameof(PowerShellEngine))]
public sealed class PowerShellScriptTests(PowerShellEngine powerShell) : InTemporaryFolder
{
    [Fact]
    public async Task Scripts_have_no_syntax_error() => Assert.Equal(
        string.Empty,
        await RunAsync(
            $$"""
            foreach ($script in {{string.Join(',', Directory.GetFiles(Golden.PathOfSource("build"), "*.ps1").Select(script => $"'{script}'"))}}) {
                $errors = $null
                $null = [System.Management.Automation.Language.Parser]::ParseFile($script, [ref]$null, [ref]$errors)
                $errors
            }
            """));

    [Fact, UnsupportedOSPlatform("windows")]
    public async Task Benchmark_script_passes_the_options_to_the_program_as_they_are_typed()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The program that prints its options is a script of a POSIX shell.");
        (string Typed, string Passed)[] calls =
        [
            (string.Empty, "[--benchmark=quick]"), ("-b", "[-b]"),
            ("-l Sockets,LiteNetLib -s 32,1200 --time 15s", "[-l][Sockets,LiteNetLib][-s][32,1200][--time][15s]"),
            ("--output='a folder' --set=x.y=z --protocol=Tcp,Ssl -d 0.50 ''", "[--output=a folder][--set=x.y=z][--protocol=Tcp,Ssl][-d][0.50][]"),
        ];
        string program = Write("NetCoreNetworkBenchmark/bin/Release/net10.0/NetCoreNetworkBenchmark", "#!/bin/sh\nprintf '[%s]' \"$@\"\necho\n");
        string script = Write("build/benchmark.ps1", Golden.ReadSource("build/benchmark.ps1"));
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);

        // The engine alone has no cmdlets for paths.
        string passed = await RunAsync(
            $$"""
            function Split-Path { '{{Folder.FullName}}' }
            function dotnet { $global:LASTEXITCODE = 0 }
            {{string.Join('\n', calls.Select(call => $"& '{script}' {call.Typed}"))}}
            """);
        Assert.Equal(calls.Select(call => call.Passed), passed.Split('\n'));
    }

    private async Task<string> RunAsync(string script)
    {
        (int exitCode, string output, string errors) = await SystemCommand.RunAsync(
            new ProcessStartInfo("dotnet", [powerShell.RequiredProgram, Write("run.ps1", script)]), TimeSpan.FromMinutes(1));
        Assert.True(exitCode == 0, errors);
        return output.TrimEnd();
    }
}

/// <summary>What <c>build/test.sh</c> and <c>build/test.ps1</c> have in common.</summary>
public sealed class TestScriptPairTests
{
    [Theory, InlineData("is not understood: .*[.]", 1), InlineData("most_?(flaky|repeated) ?= ?[0-9]+", 2), InlineData("-trait-[ ',]+Category=[A-Za-z]+", 4)]
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
