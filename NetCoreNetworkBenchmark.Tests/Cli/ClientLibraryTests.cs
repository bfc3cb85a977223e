using System.Text.Json;
using NetCoreNetworkBenchmark.Cli.Requests;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running.Discovery;
using NetCoreNetworkBenchmark.Scenarios;
using NetCoreNetworkBenchmark.Tests.Running;

namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>The choice of the clients' library: the whole program with libraries that only claim to support TCP and SSL.</summary>
public sealed class ClientLibraryTests
{
    private const string Load = "-p 0 -c 3 --warmup 0.1 -d 0.2 --any-machine --json";

    [Theory]
    [InlineData("-l Slow -P Tcp", "Slow", "4.0")]
    [InlineData("-l Slow -P Ssl", "Slow", "4.0")]
    [InlineData("-l Slow -P Tcp --client-library slow", "Slow", "4.0")]
    [InlineData("-l Slow -P Tcp --client-library FAST", "Fast", "4.0")]
    [InlineData("-l ServerOnly -P Tcp", "Fast", "4.0")]
    [InlineData("-l ServerOnly -P Ssl --client-library Slow", "Slow", "4.0")]
    public async Task Clients_are_the_servers_own_unless_asked_for_or_else_the_fastest(string arguments, string driver, string version)
    {
        RunResult result = await MeasureAsync(arguments);
        Assert.Equal((driver, version), (result.ClientLibrary, result.ClientLibraryVersion));
        Assert.Equal(arguments.Split(' ')[1], result.Library);
        Assert.Equal($"{result.Library.Length}.0", result.LibraryVersion);
        Assert.Contains(result.Remarks, remark => remark.StartsWith($"The server of {result.Library} ", StringComparison.Ordinal));
        Assert.Contains(result.Remarks, remark => remark.StartsWith($"The clients of {driver} ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Each_side_has_the_settings_and_threads_of_its_own_library()
    {
        RunResult result = await MeasureAsync("-l ServerOnly -P Tcp --framing length --client-library Fast --client-threads 2 --set fast.mode=quick");
        Assert.Equal(("calm", 2, "Length"), (result.Settings["mode"], result.ClientThreads, result.Framing));
        Assert.Contains("The server of ServerOnly with mode=calm has nothing.", result.Remarks);
        Assert.Contains("The clients of Fast with mode=quick want 127.0.0.1 and have nothing.", result.Remarks);
        Assert.Contains(" --framing Length --client-library Fast --set Fast.mode=quick ", result.Command, StringComparison.Ordinal);
        Assert.Contains(" --client-threads 2 ", result.Command, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "-l Slow -P Udp --client-library Fast", "Option --client-library is for streams and Udp carries datagrams; valid is -P Tcp, Ssl or Quic. See --help.")]
    [InlineData("-l Datagram --framing length", "Option --framing is for streams and Udp carries datagrams; valid is -P Tcp, Ssl or Quic. See --help.")]
    [InlineData("-l Datagram --key p256", "Option --key is for TLS and Udp has none; valid is -P Ssl or Quic. See --help.")]
    [InlineData("-l Slow -P Tcp --mutual-tls", "Option --mutual-tls is for TLS and Tcp has none; valid is -P Ssl or Quic. See --help.")]
    [InlineData(
        "-l Datagram -P Tcp",
        "Option --protocol: Datagram is not offered over Tcp; valid is Udp; libraries that offer Tcp are Fast, ServerOnly, Slow.")]
    [InlineData("-l Slow -P Tcp -r Unreliable", "Option --transmission: Slow over Tcp does not deliver Unreliable; valid is Reliable.")]
    [InlineData("-l Slow -P Tcp --client-library Datagram", "Option --client-library: Datagram is not offered over Tcp; valid are Fast, Slow.")]
    [InlineData("-l Slow -P Tcp --client-library ServerOnly", "Option --client-library: ServerOnly has no clients over Tcp; valid are Fast, Slow.")]
    [InlineData("-l Slow -P Tcp --client-library Absent", "Option --client-library: Absent cannot run here: this system has not what it needs.")]
    [InlineData(
        "-l Slow -P Tcp --client-library Nobody",
        "Option --client-library: 'Nobody' is not valid; valid are Absent, Datagram, Fast, ServerOnly, Slow. See --help.")]
    [InlineData("-l Slow -P Tcp --set fast.mode=quick", "Option --set: 'fast.mode=quick' is for Fast, which does not run here; valid are settings of Slow.")]
    [InlineData(
        "-l ServerOnly -P Tcp --set absent.mode=quick",
        "Option --set: 'absent.mode=quick' is for Absent, which does not run here; valid are settings of ServerOnly, Fast.")]
    public Task What_cannot_drive_or_be_driven_is_refused(string arguments, string sentence) =>
        ProgramInFolder.AssertRefusedAsync(FakeStreams.Catalog, $"Error: {sentence}\n", arguments.Split(' '));

    [Fact]
    public void A_server_without_clients_needs_a_library_that_has_some()
    {
        var catalog = new Catalog([typeof(ServerOnlyLibrary), typeof(DatagramLibrary), typeof(AbsentLibrary)], []);
        var plan = new RunPlan { Library = "ServerOnly", Protocol = Protocol.Tcp };
        var exception = Assert.Throws<BenchmarkException>(() => PlanCheck.FindClients(plan, new ServerOnlyLibrary().Info, catalog));
        Assert.Equal(
            "Option --library: ServerOnly has no clients of its own, and no library that runs here has some over Tcp; valid is another library.",
            exception.Message);
        Assert.True(exception.IsBadInput);
    }

    private static async Task<RunResult> MeasureAsync(string arguments)
    {
        (int code, string output, string errors) = await ProgramInFolder.RunAsync(FakeStreams.Catalog, $"{arguments} {Load}".Split(' '));
        Assert.True(code == 0, errors);
        return JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
    }
}
