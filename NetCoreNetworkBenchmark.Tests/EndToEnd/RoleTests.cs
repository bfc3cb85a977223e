using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Server and clients that are started apart, each in a process of its own.</summary>
public sealed class RoleTests
{
    private const string Load = "-c 10 -m 2 --warmup 0.1 --any-machine";
    private const double LeastShare = 0.6;
    private const double MostShare = 1.1;

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task A_server_serves_two_client_processes_and_prints_its_cost_when_it_is_ended(string signal)
    {
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 20 --json");
        using (server)
        {
            string client = $"--role Client -l Sockets {Load} -d 0.2 --json -p {port}";
            (int ExitCode, string Output, string Errors)[] clients = await Task.WhenAll(
                BenchmarkProcess.RunLineAsync(client), BenchmarkProcess.RunLineAsync(client));
            RunResult[] results = [.. clients.Select(run => JsonSerializer.Deserialize(run.Output, ResultJson.Readable.RunResult)!)];
            const string Note = "Note: The server's cost was not measured here, because the server was started separately. " +
                "A server of this program (--role Server) prints its cost when it ends; --server-host and --client-hosts measure both sides.";
            Assert.All(clients, run => Assert.Equal((0, Note), (run.ExitCode, string.Concat(BenchmarkProcess.WithoutWarnings(run.Errors)))));
            Assert.All(results, result => Assert.Equal((ServerKind.Apart, null), (result.ServerKind, result.Costs.Server)));
            ServerResult served = JsonSerializer.Deserialize(await EndAsync(server, signal), ResultJson.Readable.ServerResult)!;
            Assert.Empty(served.Server.Errors);
            Assert.Equal(results.Sum(result => result.Totals.Sent), served.Server.Received);
            Assert.InRange(served.Server.Cost.CpuMicrosecondsPerMessage!.Value, double.Epsilon, double.MaxValue);
        }
    }

    [Fact]
    public async Task A_server_listens_at_its_port_alone()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The sockets of a process are read from Linux's /proc.");
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 2");
        using (server)
        {
            Assert.Equal([$"udp {port}"], SocketsOf(server.Id));
            await EndAsync(server, "TERM");
        }

        (server, port) = await StartServerAsync("-l Sockets -P Tcp -c 2");
        using (server)
        {
            Assert.Equal([$"tcp {port}"], SocketsOf(server.Id));
            await EndAsync(server, "TERM");
        }
    }

    [Theory]
    [InlineData("Sockets")]
    [InlineData("ENet")]
    [Trait("Category", "Long")]
    [Trait("Category", "Timing")]
    public async Task A_servers_CPU_time_is_what_the_system_counts_for_its_process(string library)
    {
        LibraryUnderTest.Create(library);
        (BenchmarkProcess server, string port) = await StartServerAsync($"-l {library} -c 10 --json");
        using (server)
        {
            TimeSpan before = server.CpuTime;
            Assert.Equal(0, (await BenchmarkProcess.RunLineAsync($"--role Client -l {library} {Load} -p {port} -d 4")).ExitCode);
            double counted = (server.CpuTime - before).TotalSeconds;
            ServerResult served = JsonSerializer.Deserialize(await EndAsync(server, "TERM"), ResultJson.Readable.ServerResult)!;
            Assert.InRange(served.Server.Cost.CpuSeconds / counted, LeastShare, MostShare);
        }
    }

    [Fact]
    public async Task A_server_prints_its_cost_as_markdown_also_without_clients()
    {
        (BenchmarkProcess server, _) = await StartServerAsync("-l ENet");
        using (server)
        {
            string output = await EndAsync(server, "INT");
            Assert.StartsWith("### PingPong server: ENet (v ", output, StringComparison.Ordinal);
            Assert.Contains("Messages server received: 0\n", output, StringComparison.Ordinal);
            Assert.Contains("Errors: 0\n", output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("Sockets")]
    [InlineData("ENet")]
    public async Task A_client_process_that_is_killed_disturbs_no_other(string library)
    {
        LibraryUnderTest.Create(library);
        (BenchmarkProcess server, string port) = await StartServerAsync($"-l {library} -c 20 --json");
        using (server)
        {
            using BenchmarkProcess killed = BenchmarkProcess.Start($"--role Client -l {library} {Load} -d 600 --verbose -p {port}".Split(' '));
            await killed.MeasuringAsync();
            killed.Kill();
            (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"--role Client -l {library} {Load} -d 0.2 --json -p {port}");
            Assert.True(exitCode == 0, errors);
            Assert.Equal(0, JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!.Errors);
            Assert.Empty(JsonSerializer.Deserialize(await EndAsync(server, "TERM"), ResultJson.Readable.ServerResult)!.Server.Errors);
        }
    }

    [Theory]
    [InlineData("-l Sockets -t Multicast", "-d 0.3 --warmup 0.1")]
    [InlineData("-l Sockets -P Tcp -t Multicast", "-d 0.3 --warmup 0.1")]
    [InlineData("-l Sockets -P Tcp -t Burst", "-d 0.3 --warmup 0.1 -m 2")]
    [InlineData("-l Sockets -t FixedCount --count 100", "-d 10 -m 2")]
    [InlineData("-l Epoll -P Tcp -t Handshake", "-d 0.3 --warmup 0.1")]
    public async Task Every_test_runs_at_a_server_that_was_started_apart(string test, string load)
    {
        (BenchmarkProcess server, string port) = await StartServerAsync($"{test} -c 10 --json");
        using (server)
        {
            (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
                $"--role Client {test} -c 10 {load} --any-machine --json -p {port}");
            Assert.True(exitCode == 0, errors + output);
            Assert.InRange(JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!.Messages.ClientReceived, 1, long.MaxValue);
            ServerResult served = JsonSerializer.Deserialize(await EndAsync(server, "TERM"), ResultJson.Readable.ServerResult)!;
            Assert.Empty(served.Server.Errors);
            Assert.InRange(served.Server.Received!.Value, 1, long.MaxValue);
        }
    }

    [Fact]
    public async Task Interrupted_clients_keep_the_figures_so_far()
    {
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 10 --json");
        using (server)
        {
            using BenchmarkProcess clients = BenchmarkProcess.Start($"--role Client -l Sockets {Load} -d 600 --json --verbose -p {port}".Split(' '));
            await clients.MeasuringAsync();
            await clients.InterruptAsync();
            (int exitCode, string output, _) = await clients.EndAsync();
            RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
            Assert.Equal((1, true, 0), (exitCode, result.Clients.Aborted, result.Errors));
            Assert.Empty(JsonSerializer.Deserialize(await EndAsync(server, "INT"), ResultJson.Readable.ServerResult)!.Server.Errors);
        }
    }

    [Theory]
    [InlineData("-l Sockets --role Client -p 0", 2, "Error: --port: --role Client requires the port of the server, from 1 to 65,535.")]
    [InlineData("-l Sockets --role Client --loss 1%", 2, "Error: --loss requires --role Both.")]
    [InlineData("-l Sockets --role Server --launches 2", 2, "Error: --launches requires --role Both.")]
    public async Task What_cannot_be_is_one_sentence_and_an_exit_code(string arguments, int expected, string sentence)
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(arguments);
        Assert.Equal((expected, string.Empty), (exitCode, output));
        Assert.Equal(sentence, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    [Fact]
    public async Task Clients_at_a_port_that_refuses_say_how_to_start_a_server()
    {
        using var refusing = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        refusing.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-l Sockets -P Tcp --role Client -p {((IPEndPoint)refusing.LocalEndPoint!).Port}");
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Equal(
            $"Error: No server answers at {refusing.LocalEndPoint} " +
                $"(A client could not connect: {refusing.LocalEndPoint} cannot be reached: ConnectionRefused). " +
                "Start one there with --role Server --library Sockets and the same options.",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    [Fact]
    public async Task Clients_over_TLS_require_the_authority_of_the_server()
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync("-l Sockets -P Ssl --role Client -p 1");
        Assert.Equal((2, string.Empty), (exitCode, output));
        Assert.Equal(
            "Error: --role Client requires --authority PEM with Ssl, the certificate of the authority that signed the server's. " +
                "The command 'certificates' writes both.",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    private static async Task<(BenchmarkProcess Server, string Port)> StartServerAsync(string arguments)
    {
        BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -p 0 {arguments}".Split(' '));
        string port = await server.PortAsync();
        Assert.InRange(int.Parse(port, CultureInfo.InvariantCulture), 1, ushort.MaxValue);
        return (server, port);
    }

    // The protocol and the local port of each socket for the Internet (proc_pid_net(5)).
    private static string[] SocketsOf(int process)
    {
        string[] own = [.. Directory.GetFiles($"/proc/{process}/fd").Select(descriptor => new FileInfo(descriptor).LinkTarget).OfType<string>()];
        return
        [
            .. from protocol in (string[])["tcp", "tcp6", "udp", "udp6"]
               from line in File.ReadLines($"/proc/{process}/net/{protocol}").Skip(1)
               let fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)
               where own.Contains($"socket:[{fields[9]}]")
               select $"{protocol} {Convert.ToInt32(fields[1].Split(':')[1], 16)}",
        ];
    }

    private static async Task<string> EndAsync(BenchmarkProcess server, string signal)
    {
        await (signal == "INT" ? server.InterruptAsync() : BenchmarkProcess.SignalAsync(signal, server.Id));
        (int exitCode, string output, string errors) = await server.EndAsync();
        Assert.True(exitCode == 0, errors);
        return output;
    }
}
