using NetCoreNetworkBenchmark.Cli.Requests;

namespace NetCoreNetworkBenchmark.Cli;

/// <summary>Explains an end of the process that the program did not choose: a library ends it, or throws on a thread of its own.</summary>
internal sealed class UnexpectedEnd
{
    private volatile bool _isExpected;

    public UnexpectedEnd()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Explain();
        AppDomain.CurrentDomain.UnhandledException += (_, arguments) => End((Exception)arguments.ExceptionObject);
    }

    public void Exit(int code)
    {
        _isExpected = true;
        Environment.Exit(code);
    }

    public static string Describe(Exception exception)
    {
        string? method = new StackTrace(exception).GetFrames().Select(frame => frame.GetMethod())
            .FirstOrDefault(method => method?.DeclaringType?.Assembly.GetName().Name?.StartsWith("System.", StringComparison.Ordinal) == false) is { } own
            ? $" in {own.DeclaringType}.{own.Name}"
            : null;
        string message = exception.Message.ReplaceLineEndings(" ").TrimEnd('.');
        return $"An exception that nothing caught ended the process: {exception.GetType()}{method}: {message}.";
    }

    // Any other code is that of a signal, or of this program.
    private void Explain()
    {
        if (!_isExpected && Environment.ExitCode == ExitCode.Success)
        {
            Environment.ExitCode = ExitCode.Failed;
            Console.Error.WriteLine("Error: A library ended the process (Environment.Exit) before the program did.");
        }
    }

    private void End(Exception exception)
    {
        Console.Error.WriteLine($"Error: {Describe(exception)}");
        Exit(ExitCode.Failed);
    }
}
