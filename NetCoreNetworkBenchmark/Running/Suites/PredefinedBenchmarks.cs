using System.Globalization;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Scenarios;

namespace NetCoreNetworkBenchmark.Running.Suites;

/// <summary>
/// The benchmarks of <c>-b</c>: those of the original harness, which its published results belong to, and NetCoreServer's matrix of round trip
/// and multicast over TCP, SSL and UDP.
/// </summary>
internal static class PredefinedBenchmarks
{
    /// <summary>The number of launches of each case of the original's benchmarks.</summary>
    public const int Launches = 5;

    /// <summary>The number of launches of each case of the matrix: its sixty cases have as much time as the original's eighteen.</summary>
    public const int MatrixLaunches = 3;

    /// <summary>
    /// The number of extra launches of a case of the matrix if its launches differ too much. It then has as many launches as a case of the original's.
    /// </summary>
    public const int MostExtraMatrixLaunches = Launches - MatrixLaunches;

    private const int MessagesInFlight = 1000;

    private static readonly int[] s_matrixClients = [1, 100];

    // One second each is long enough for a rate and short enough to show a change within a launch.
    private static readonly TimeSpan s_iteration = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_mostWarmUp = TimeSpan.FromSeconds(3);

    /// <summary>The length of the measurement in each launch of the original's benchmarks.</summary>
    public static readonly TimeSpan Duration = 2 * s_iteration;

    /// <summary>The benchmarks of a part, in the order in which they run.</summary>
    /// <param name="part">The part.</param>
    /// <param name="duration">The length of the measurement in a launch of the original's benchmarks; others measure at most one second of it.</param>
    /// <param name="port">The port of all servers.</param>
    /// <param name="anyMachine">Whether results count regardless of other work on the machine.</param>
    /// <param name="workloads">The tests in this build.</param>
    public static IReadOnlyList<Benchmark> Of(SuitePart part, TimeSpan duration, int port, bool anyMachine, IReadOnlyCollection<IWorkload> workloads)
    {
        IWorkload standard = workloads.Single(workload => workload.IsDefault);
        IWorkload[] tests = [.. workloads.Where(workload => workload.BenchmarkOrder is not null).OrderBy(workload => workload.BenchmarkOrder)];
        var template = new RunPlan { Library = string.Empty, MessageSize = 32, Port = port, AnyMachine = anyMachine };
        TimeSpan brief = s_iteration < duration ? s_iteration : duration;
        RunPlan matrix = Lasting(template, brief, brief);
        RunPlan original = part == SuitePart.Quick ? matrix : Lasting(template, duration, s_mostWarmUp);
        return part switch
        {
            SuitePart.Udp => [.. Original(original, part, standard), .. Matrix(matrix, tests, Protocol.Udp)],
            SuitePart.Tcp => [.. Matrix(matrix, tests, Protocol.Tcp)],
            SuitePart.Ssl => [.. Matrix(matrix, tests, Protocol.Ssl)],
            SuitePart.Quick =>
            [
                .. Original(original, part, standard),
                Once(MatrixCase(matrix, tests[0], Protocol.Tcp, 100)),
                Once(MatrixCase(matrix, tests[0], Protocol.Ssl, 100)),
            ],
            _ =>
            [
                .. Original(original, part, standard),
                .. Matrix(matrix, tests, Protocol.Tcp),
                .. Matrix(matrix, tests, Protocol.Ssl),
                .. Matrix(matrix, tests, Protocol.Udp),
            ],
        };
    }

    private static Benchmark Once(Benchmark benchmark) => benchmark with { Launches = 1, MostExtraLaunches = 0, WithTunedProfiles = false };

    private static RunPlan Lasting(RunPlan template, TimeSpan duration, TimeSpan warmUp) => template with
    {
        WarmUp = warmUp,
        Duration = duration,
        Iterations = Math.Max(1, (int)(duration / s_iteration)),
    };

    private static Benchmark[] Original(RunPlan template, SuitePart part, IWorkload workload)
    {
        int launches = part == SuitePart.Quick ? 1 : Launches;
        bool whole = part != SuitePart.Quick;
        RunPlan plan = template with { Test = workload.Name };
        return
        [
            .. from load in (IEnumerable<(string Title, RunPlan Plan)>)
               [
                   ("Benchmark 1", plan with { Clients = 1000, ParallelMessages = 1 }),
                   ("Benchmark 2", plan with { Clients = 100, ParallelMessages = 1000 }),
               ]
               select new Benchmark(load.Title, workload, load.Plan, launches) { WithTunedProfiles = whole, WithControl = whole },
        ];
    }

    private static IEnumerable<Benchmark> Matrix(RunPlan template, IWorkload[] tests, Protocol protocol)
    {
        foreach (IWorkload test in tests)
        {
            foreach (int clients in s_matrixClients)
            {
                yield return MatrixCase(template, test, protocol, clients);
            }
        }

        foreach (int clients in protocol.IsStream() ? s_matrixClients : [])
        {
            Benchmark common = MatrixCase(template, tests[0], protocol, clients);
            yield return common with { Title = $"{common.Title}, own clients", OwnClients = true, WithTunedProfiles = false };
        }
    }

    private static Benchmark MatrixCase(RunPlan template, IWorkload test, Protocol protocol, int clients)
    {
        string title = string.Create(
            CultureInfo.InvariantCulture,
            $"{test.Name} {protocol.ToString().ToUpperInvariant()}, {clients} {(clients == 1 ? "client" : "clients")}");
        RunPlan plan = template with
        {
            Test = test.Name,
            Protocol = protocol,
            Transmission = protocol.IsStream() ? Transmission.Reliable : Transmission.Unreliable,
            Clients = clients,
            ParallelMessages = MessagesInFlight,
        };
        return new Benchmark(title, test, plan, MatrixLaunches)
        {
            Part = "Round trip and multicast",
            WithTunedProfiles = protocol.IsStream(),
            MostExtraLaunches = MostExtraMatrixLaunches,
        };
    }
}
