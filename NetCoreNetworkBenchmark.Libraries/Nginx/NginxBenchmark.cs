using System.ComponentModel;

namespace NetCoreNetworkBenchmark.Libraries.Nginx;

/// <summary>The web server nginx, as the system has it: its worker processes have an event loop each, with a listening socket of its own.</summary>
public sealed class NginxBenchmark : INetworkBenchmark
{
    // Where it is if it was built from its sources.
    private static readonly string[] s_folders = ["/usr/local/sbin", "/usr/local/nginx/sbin"];
    private static readonly TimeSpan s_versionDeadline = TimeSpan.FromSeconds(5);

    public string Name => "nginx";

    public LibraryInfo Info => field ??= Describe(FindProgram());

    internal LibraryInfo Describe(string? program) => new()
    {
        Name = Name,
        Version = program is null ? "none" : VersionOf(program),
        Protocols = [Protocol.Tcp, Protocol.Ssl],
        Transmissions = [],
        Framings = [Framing.Http],
        HasClients = false,
        // Others are an "invalid IPv6 address" to nginx.
        Addresses = AddressSupport.WithoutZone,
        MaxServerThreads = null,
        Unavailable = program is null
            ? "nginx was not found on the PATH or in /usr/sbin; install it, such as with 'apt-get install nginx-light'"
            : null,
        FindFault = static (plan, _) => plan.MessageSize > NginxConfiguration.LargestContent
            ? OptionValues.Rejected(
                "--size",
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"the configuration of nginx holds at most {NginxConfiguration.LargestContent:N0} bytes to answer; {plan.MessageSize:N0} were requested."))
            : null,
    };

    internal static string? FindProgram() => OperatingSystem.IsWindows() ? null : SystemProgram.Find("nginx", s_folders);

    public IBenchmarkServer StartServer(ServerSetup setup) =>
        NginxServer.Start(FindProgram() ?? throw new BenchmarkException($"{Name} cannot run here: {Info.Unavailable}."), setup);

    public Task<IClientGroup> ConnectAsync(ClientSetup setup, CancellationToken cancellationToken) =>
        throw new NotSupportedException("nginx is a server and has no clients.");

    // The program writes "nginx version: nginx/1.22.1" to standard error.
    private static string VersionOf(string program)
    {
        const string Unknown = "unknown";
        try
        {
            using Process started = ChildProcess.Start(new ProcessStartInfo(program, ["-v"]) { RedirectStandardError = true });
            Task<string> output = started.StandardError.ReadToEndAsync();
            bool hasEnded = started.WaitForExit(s_versionDeadline) && output.Wait(s_versionDeadline);
            started.Kill(entireProcessTree: true);
            return hasEnded && started.ExitCode == 0 ? output.Result.Trim().Split('/')[^1] : Unknown;
        }
        catch (Exception exception) when (exception is BenchmarkException or Win32Exception)
        {
            // The start of the server reports why the program cannot be executed.
            return Unknown;
        }
    }
}
