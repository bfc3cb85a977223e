using System.Reflection;
using System.Text;
using NetCoreNetworkBenchmark.Cli;
using NetCoreNetworkBenchmark.Cli.Commands;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Running.Machine.Limits;

(StandardStream output, StandardStream errors) = StandardStream.Open();
var end = new UnexpectedEnd();
Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
Console.SetOut(output.CreateWriter());
TextWriter errorWriter = errors.CreateWriter();
Console.SetError(Console.IsErrorRedirected ? errorWriter : new TerminalLines(errorWriter, () => Console.WindowWidth));

// Also if a library ends the process.
AppDomain.CurrentDomain.ProcessExit += (_, _) => errors.Drain(TimeSpan.FromSeconds(1));
DescriptorLimit.Raise();

// A file above its limit (ulimit -f) is then an error of the write, as a full disk is. The number is that of Linux and macOS.
const PosixSignal FileSizeExceeded = (PosixSignal)25;
using PosixSignalRegistration? fileSize = OperatingSystem.IsWindows()
    ? null
    : PosixSignalRegistration.Create(FileSizeExceeded, context => context.Cancel = true);
if (Environment.GetEnvironmentVariable(CommandContext.NoColour) is { Length: 0 })
{
    // An empty one means nothing (https://no-color.org), but Spectre.Console looks only whether it is there.
    Environment.SetEnvironmentVariable(CommandContext.NoColour, null);
}

if (!OperatingSystem.IsWindows() && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("HOME")))
{
    // X509Store throws if neither HOME nor the user database has a home folder. This call then returns "/", as Docker sets it.
    Environment.SetEnvironmentVariable(
        "HOME", Environment.GetFolderPath(Environment.SpecialFolder.UserProfile, Environment.SpecialFolderOption.DoNotVerify));
}

bool isAgent = Application.IsAgent(args);
IReport[] reports = isAgent ? [] : [.. Catalog.Implementations<IReport>(Assembly.GetExecutingAssembly())
    .OrderBy(type => type.Name, StringComparer.Ordinal)
    .Select(type => (IReport)Activator.CreateInstance(type)!)];
bool IsOutputLost() => output is { Failure: not null, IsReaderGone: false };
var application = new Application(BuiltIn.CreateCatalog(isAgent), reports, Console.Out, Console.Error, IsOutputLost);
int code = await application.RunAsync(args);
if (IsOutputLost())
{
    await Console.Error.WriteLineAsync($"Error: Standard output could not be written to: {output.Failure!.Message}");
}

errors.Drain(Timeout.InfiniteTimeSpan);

// Also if a library that did not stop has left threads that would keep the process alive.
end.Exit(code == ExitCode.Success && (output.Failure ?? errors.Failure) is not null ? ExitCode.Failed : code);
