using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using NetCoreNetworkBenchmark.Recording;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Tests.Libraries;

namespace NetCoreNetworkBenchmark.Tests.EndToEnd;

/// <summary>Server and clients that are started by hand, each in a process of its own.</summary>
public sealed class RoleTests
{
    private const string Load = "-c 10 -m 2 --warmup 0.1 --any-machine";
    private const double LeastShare = 0.8;
    private const double MostShare = 1.1;

    [Fact]
    public async Task A_server_serves_two_client_processes_and_prints_its_side_when_it_is_interrupted()
    {
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 20 --json");
        using (server)
        {
            string client = $"--role Client -l Sockets {Load} -d 0.2 --json -p {port}";
            (int ExitCode, string Output, string Errors)[] clients = await Task.WhenAll(
                BenchmarkProcess.RunLineAsync(client), BenchmarkProcess.RunLineAsync(client));
            RunResult[] results = [.. clients.Select(run => JsonSerializer.Deserialize(run.Output, ResultJson.Readable.RunResult)!)];
            Assert.All(clients, run => Assert.Equal((0, string.Empty), (run.ExitCode, string.Concat(BenchmarkProcess.WithoutWarnings(run.Errors)))));
            Assert.All(results, result => Assert.Equal(ServerKind.Own, result.Server));
            Assert.All(results, result => Assert.InRange(result.Messages.ServerReceived!.Value, 1, long.MaxValue));
            Assert.All(results, result => Assert.InRange(result.Costs.Server!.CpuSeconds, double.Epsilon, double.MaxValue));
            ServerResult served = JsonSerializer.Deserialize(await InterruptAsync(server), ResultJson.Readable.ServerResult)!;
            Assert.Equal((2, 0), (served.ClientProcesses, served.ErrorsByName.Count));
            Assert.Equal(results.Sum(result => result.Totals.Sent), served.Received);
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
            // With the first clients, the server compiles the code that it needs for a greeting.
            string client = $"--role Client -l {library} {Load} --json -p {port} -d";
            await BenchmarkProcess.RunLineAsync($"{client} 0.3");
            double share = 0;
            for (int seconds = 2; seconds <= 32 && share < LeastShare; seconds *= 2)
            {
                // The slower the machine, the larger the share of the greeting, and of the code that the server compiles for it, in a short run.
                share = await MeasuredShareAsync(server, $"{client} {seconds}");
            }

            Assert.InRange(share, LeastShare, MostShare);
            await InterruptAsync(server);
        }
    }

    [Fact]
    public async Task A_server_prints_its_side_as_markdown_also_where_nobody_came()
    {
        (BenchmarkProcess server, _) = await StartServerAsync("-l ENet");
        using (server)
        {
            string output = await InterruptAsync(server);
            Assert.StartsWith("### PingPong server (v ", output, StringComparison.Ordinal);
            Assert.Contains("* Client processes: 0\n", output, StringComparison.Ordinal);
            Assert.Contains("Messages server received: 0\n", output, StringComparison.Ordinal);
            Assert.Contains("Errors: 0\n", output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("Sockets")]
    [InlineData("ENet")]
    public async Task A_client_process_that_is_killed_is_named_and_the_others_are_served_on(string library)
    {
        LibraryUnderTest.Create(library);
        (BenchmarkProcess server, string port) = await StartServerAsync($"-l {library} -c 20 --json");
        using (server)
        {
            using BenchmarkProcess killed = BenchmarkProcess.Start($"--role Client -l {library} {Load} -d 600 -p {port}".Split(' '));
            await server.SaysAsync("is in phase Measure.");
            killed.Kill();
            (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"--role Client -l {library} {Load} -d 0.2 --json -p {port}");
            Assert.True(exitCode == 0, errors);
            Assert.Equal(0, JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!.Errors);
            await server.SaysAsync("has gone before its time.");
            ServerResult served = JsonSerializer.Deserialize(await InterruptAsync(server), ResultJson.Readable.ServerResult)!;
            Assert.Equal(new Dictionary<string, long> { [RunRecorder.PeerLost] = 10 }, served.ErrorsByName);
            Assert.Equal(2, served.ClientProcesses);
        }
    }

    [Fact]
    public async Task Clients_that_do_not_fit_to_their_server_fail_with_the_difference()
    {
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 10");
        using (server)
        {
            (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync($"--role Client -l ENet {Load} -p {port}");
            Assert.Equal((1, string.Empty), (exitCode, output));
            Assert.Equal(
                ["Error: The server is for the library Sockets and the clients are for the library ENet; both must be the same."],
                BenchmarkProcess.WithoutWarnings(errors));
        }
    }

    [Fact]
    public async Task A_server_that_is_killed_ends_its_clients_in_time_with_its_name()
    {
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 10");
        using (server)
        {
            using BenchmarkProcess clients = BenchmarkProcess.Start($"--role Client -l Sockets {Load} -d 600 --verbose -p {port}".Split(' '));
            await clients.MeasuringAsync();
            server.Kill();
            (int exitCode, string output, string errors) = await clients.EndAsync();
            Assert.Equal((1, string.Empty), (exitCode, output));
            Assert.Equal($"The run broke off: the server at 127.0.0.1:{port} has gone.", BenchmarkProcess.ReasonIn(errors));
        }
    }

    [Fact]
    public async Task Interrupted_clients_keep_what_was_measured_with_the_servers_figures()
    {
        (BenchmarkProcess server, string port) = await StartServerAsync("-l Sockets -c 10 --json");
        using (server)
        {
            using BenchmarkProcess clients = BenchmarkProcess.Start($"--role Client -l Sockets {Load} -d 600 --json -p {port}".Split(' '));
            await server.SaysAsync("is in phase Measure.");
            await clients.InterruptAsync();
            (int exitCode, string output, _) = await clients.EndAsync();
            RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
            Assert.Equal((1, true, 0), (exitCode, result.Aborted, result.Errors));

            // On a busy machine the interruption may come before the first message that counts.
            Assert.NotNull(result.Messages.ServerReceived);
            Assert.Empty(JsonSerializer.Deserialize(await InterruptAsync(server), ResultJson.Readable.ServerResult)!.ErrorsByName);
        }
    }

    [Theory]
    [InlineData("-l Memory --role Server", 2, "Error: Option --role: Memory joins server and clients by the memory of one process; valid is Both.")]
    [InlineData("-l Memory --role Client", 2, "Error: Option --role: Memory joins server and clients by the memory of one process; valid is Both.")]
    [InlineData("-l Sockets --role Client -p 0", 2, "Error: Option --port: clients need the port of their server; valid is a whole number from 1 to 65535.")]
    [InlineData("-l Sockets --role Client --loss 1%", 2, "Error: Option --role: Client is one side alone, and --loss needs both; valid is Both. See --help.")]
    [InlineData(
        "-l Sockets --role Server --launches 2", 2, "Error: Option --role: Server is one side alone, and --launches needs both; valid is Both. See --help.")]
    public async Task What_cannot_be_is_one_sentence_and_an_exit_code(string arguments, int expected, string sentence)
    {
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(arguments);
        Assert.Equal((expected, string.Empty), (exitCode, output));
        Assert.Equal(sentence, Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    [Fact]
    public async Task Clients_without_a_server_say_how_to_start_one()
    {
        // Bound, so that nobody else is given the port. It is not read, so it does not answer.
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(
            $"-l ENet --role Client -p {((IPEndPoint)silent.LocalEndPoint!).Port}");
        Assert.Equal((1, string.Empty), (exitCode, output));
        Assert.Equal(
            $"Error: No server answers at {silent.LocalEndPoint} (Only 0 of 1000 clients connected to {silent.LocalEndPoint} within 3 s); " +
                "start one there with --role Server --library ENet and the same options.",
            Assert.Single(BenchmarkProcess.WithoutWarnings(errors)));
    }

    private static async Task<(BenchmarkProcess Server, string Port)> StartServerAsync(string arguments)
    {
        BenchmarkProcess server = BenchmarkProcess.Start($"--role Server -p 0 {arguments}".Split(' '));
        string port = await server.PortAsync();
        Assert.InRange(int.Parse(port, CultureInfo.InvariantCulture), 1, ushort.MaxValue);
        return (server, port);
    }

    // The measured CPU time per message, relative to the CPU time that the system counts. The latter also contains the warm-up and the drain, so
    // it is divided by the messages of the whole run.
    private static async Task<double> MeasuredShareAsync(BenchmarkProcess server, string client)
    {
        TimeSpan before = server.CpuTime;
        (int exitCode, string output, string errors) = await BenchmarkProcess.RunLineAsync(client);
        double counted = (server.CpuTime - before).TotalSeconds;
        Assert.True(exitCode == 0, errors);
        RunResult result = JsonSerializer.Deserialize(output, ResultJson.Readable.RunResult)!;
        return result.Costs.Server!.CpuMicrosecondsPerMessage!.Value / (counted * 1e6 / result.Totals.Sent);
    }

    private static async Task<string> InterruptAsync(BenchmarkProcess server)
    {
        await server.InterruptAsync();
        (int exitCode, string output, string errors) = await server.EndAsync();
        Assert.True(exitCode == 0, errors);
        return output;
    }
}
