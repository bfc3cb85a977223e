namespace NetCoreNetworkBenchmark.Tests;

/// <summary>The C compiler of this machine: evaluates expressions with a header, and compiles programs of this repository.</summary>
internal static class CCompiler
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(120);

    /// <summary>Compiles a program that prints each expression, and runs it.</summary>
    public static IReadOnlyList<long> Evaluate(string[] headers, string[] expressions)
    {
        if (!OperatingSystem.IsLinux())
        {
            Assert.Skip("The layouts are compared with the C headers of Linux.");
        }

        DirectoryInfo folder = Directory.CreateTempSubdirectory();
        try
        {
            string source = Path.Combine(folder.FullName, "layout.c");
            string program = Path.Combine(folder.FullName, "layout");
            string prints = string.Concat(expressions.Select(expression => $"printf(\"%lld\\n\", (long long)({expression}));\n"));
            string includes = string.Concat(headers.Select(header => $"#include <{header}>\n"));
            File.WriteAllText(source, $"#define _GNU_SOURCE\n#include <stdio.h>\n#include <stddef.h>\n{includes}int main(void) {{\n{prints}return 0; }}\n");
            Run("cc", source, "-o", program);
            return [.. Run(program).Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(long.Parse)];
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    public static string Compile(string source, DirectoryInfo folder, params string[] libraries)
    {
        if (!OperatingSystem.IsLinux())
        {
            Assert.Skip("The programs use calls that only Linux has.");
        }

        Assert.True(File.Exists(source), $"There is no {source}.");
        string program = Path.Combine(folder.FullName, "program");
        Run("cc", ["-O2", "-Wall", "-Wextra", "-Werror", source, "-o", program, "-pthread", .. libraries.Select(library => $"-l{library}")]);
        return program;
    }

    public static string Run(string program, params string[] arguments)
    {
        try
        {
            using Process process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            Task<string> output = process.StandardOutput.ReadToEndAsync();
            Task<string> error = process.StandardError.ReadToEndAsync();
            if (!process.WaitForExit(s_deadline))
            {
                process.Kill();
                Assert.Fail($"{program} did not end.");
            }

            string errors = error.GetAwaiter().GetResult();
            if (process.ExitCode != 0 && errors.Contains("No such file or directory", StringComparison.Ordinal))
            {
                Assert.Skip($"A header is not installed here: {errors.Split('\n')[0]}");
            }

            Assert.True(process.ExitCode == 0, errors);
            return output.GetAwaiter().GetResult();
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("No C compiler (cc) is installed here.");
            throw;
        }
    }
}
