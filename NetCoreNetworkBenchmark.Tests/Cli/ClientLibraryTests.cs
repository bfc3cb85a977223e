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
    [InlineData("-l Wrapped -P Tcp", "Wrapped", "7.0")]
    public async Task Clients_are_of_the_requested_library_or_of_the_server_or_of_the_fastest(string arguments, string driver, string version)
    {
        RunResult result = await MeasureAsync(arguments);
        Assert.Equal((driver, version), (result.ClientLibrary, result.Clients.LibraryVersion));
        Assert.Equal(arguments.Split(' ')[1], result.Library);
        Assert.Equal($"{result.Library.Length}.0", result.LibraryVersion);
        Assert.Contains(result.Remarks, remark => remark.StartsWith($"The server of {result.Library} ", StringComparison.Ordinal));
        Assert.Contains(result.Remarks, remark => remark.StartsWith($"The clients of {driver} ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Each_side_has_the_settings_and_threads_of_its_own_library()
    {
        RunResult result = await MeasureAsync("-l ServerOnly -P Tcp --framing length --client-library Fast --client-threads 2 --set fast.mode=quick");
        Assert.Equal(("calm", 2, "Length"), (result.Plan.Settings["mode"], result.Clients.Threads, result.Framing));
        Assert.Contains("The server of ServerOnly with mode=calm has nothing.", result.Remarks);
        Assert.Contains("The clients of Fast with mode=quick want 127.0.0.1 and have nothing.", result.Remarks);
        result.Command.AssertHas(" --framing Length --client-library Fast --set Fast.mode=quick ", " --client-threads 2 ");
    }

    [Theory]
    [InlineData("-l Datagram --client-library Fast", "--client-library: Fast cannot drive Datagram, whose datagrams have a format of their own. Use Datagram.")]
    [InlineData("-l Plain --client-library Datagram", "--client-library: Datagram has not the wire format of Plain over UDP. Use Plain.")]
    [InlineData("-l Plain --client-library Fast", "--client-library: Fast does not support UDP. Use Plain.")]
    [InlineData("-l Datagram --framing length", "--framing requires -P Tcp, Tls or Quic.")]
    [InlineData("-l Datagram --key p256", "--key requires -P Tls or Quic.")]
    [InlineData("-l Slow -P Tcp --mutual-tls", "--mutual-tls requires -P Tls or Quic.")]
    [InlineData("-l Datagram -P Tcp", "--protocol: Datagram does not support TCP. Use Udp, or a library with TCP: Fast, ServerOnly, Slow, Wrapped.")]
    [InlineData("-l Slow -P Tcp -r Unreliable", "--transmission: Slow has no Unreliable delivery over TCP. Use Reliable.")]
    [InlineData("-l Slow -P Tcp --client-library Datagram", "--client-library: Datagram does not support TCP. Use Fast or Slow.")]
    [InlineData("-l Slow -P Tcp --client-library ServerOnly", "--client-library: ServerOnly has no clients over TCP. Use Fast or Slow.")]
    [InlineData("-l Slow -P Tcp --client-library Absent", "--client-library: Absent cannot run here: this system has not what it needs.")]
    [InlineData(
        "-l Slow -P Tcp --client-library Nobody",
        "--client-library: \"Nobody\" is not one of Absent, Datagram, Fast, Plain, ServerOnly, Slow, Wrapped.")]
    [InlineData("-l Slow -P Tcp --client-library Wrapped", "--client-library: Wrapped has not the wire format of Slow over TCP. Use Fast or Slow.")]
    [InlineData("-l Wrapped -P Tcp --client-library Fast", "--client-library: Fast has not the wire format of Wrapped over TCP. Use Wrapped.")]
    [InlineData("-l Slow -P Tcp --set fast.mode=quick", "--set: \"fast.mode=quick\" is for Fast, which is not part of this run. Use settings of Slow.")]
    [InlineData(
        "-l ServerOnly -P Tcp --set absent.mode=quick",
        "--set: \"absent.mode=quick\" is for Absent, which is not part of this run. Use settings of ServerOnly or Fast.")]
    public Task Client_library_is_refused_when_it_does_not_fit(string arguments, string sentence) =>
        ProgramInFolder.AssertRefusedAsync(FakeStreams.Catalog, $"Error: {sentence}\n", arguments.Split(' '));

    [Fact]
    public void A_server_without_clients_needs_a_library_that_has_some()
    {
        var catalog = new Catalog([typeof(ServerOnlyLibrary), typeof(DatagramLibrary), typeof(AbsentLibrary)]);
        var plan = new RunPlan { Library = "ServerOnly", Protocol = Protocol.Tcp };
        BadInput.Throws(
            "--library: ServerOnly has no clients, and no library that runs here has clients over TCP. Use another library.",
            () => PlanCheck.FindClients(plan, new ServerOnlyLibrary().Info, catalog));
    }

    private static async Task<RunResult> MeasureAsync(string arguments)
    {
        (int code, string output, string errors) = await ProgramInFolder.RunAsync(FakeStreams.Catalog, $"{arguments} {Load}".Split(' '));
        Assert.True(code == 0, errors);
        return JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
    }
}
