using NetCoreNetworkBenchmark.Tests.EndToEnd;

namespace NetCoreNetworkBenchmark.Tests.FirstErrors;

/// <summary>What the program says to a newcomer: one sentence with the remedy. Each is listed in Docs/troubleshooting.md.</summary>
public sealed class ProgramErrorTests
{
    private const string Brief = "-c 1 -d 0.3 --warmup 0 --any-machine";
    private const string TooFew =
        "This process may have 64 open descriptors and needs about 224 besides those of the clients. Raise the limit with 'ulimit -n 4096'.";

    [Theory, InlineData("Sockets"), InlineData("Epoll")]
    public async Task A_port_that_is_taken_is_named(string library)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() || library != "Epoll", "Epoll is for Linux.");
        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        other.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        int port = ((IPEndPoint)other.LocalEndPoint!).Port;
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l {library} -p {port} {Brief}");
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Equal([$"Error: Port {port} of 127.0.0.1 is in use. Use -p 0 for a free one."], BenchmarkProcess.WithoutWarnings(errors));
    }

    [Theory, InlineData(64, $"-l Sockets -p 0 {Brief}", TooFew), InlineData(64, "-b=quick", TooFew)]
    [InlineData(
        256, "-b=quick",
        "This benchmark cannot run here: 1000 clients need about 1224 open descriptors, and this process may have 256; raise the limit with 'ulimit -n 1224'.")]
    [InlineData(
        300, "-l Sockets",
        "--clients: 1000 clients need about 1224 open descriptors, and this process may have 300; raise the limit with 'ulimit -n 1224' or use at most " +
            "76 clients.")]
    public async Task Program_refuses_too_few_descriptors_before_anything_is_measured(int limit, string arguments, string sentence)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The limit is set by a POSIX shell.");
        using BenchmarkProcess process = BenchmarkProcess.StartWithDescriptors(limit, arguments.Split(' '));
        Assert.Equal((2, string.Empty, $"Error: {sentence}\n"), await process.EndAsync());
    }

    [Fact]
    public async Task A_missing_libenet_is_named_with_its_package()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "A file is hidden by a mount, which takes root.");
        string hide = "for library in /usr/lib/*/libenet.so*; do [ ! -e \"$library\" ] || mount --bind /dev/null \"$library\"; done; exec \"$@\"";
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunThroughAsync(
            ["unshare", "--mount", "sh", "-c", hide, "sh"], [.. $"-l ENet -p 0 {Brief}".Split(' ')]);
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Equal(
            "Error: --library: ENet cannot run here: libenet.so.7 (ENet 1.3) was not found on this machine; install it with 'apt-get install libenet7', or " +
                "your system's package of ENet 1.3.\n",
            errors);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_written_to_is_named_before_anything_is_measured()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The folder is one of Linux.");
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"-l Sockets -p 0 {Brief} -o /proc/results");
        Assert.Equal((2, string.Empty), (exitCode, output));
        string error = Assert.Single(BenchmarkProcess.WithoutWarnings(errors));
        Assert.StartsWith("Error: --output: the folder '/proc/results' cannot be written to (", error, StringComparison.Ordinal);
        Assert.EndsWith("). Use another folder.", error, StringComparison.Ordinal);
    }
}
