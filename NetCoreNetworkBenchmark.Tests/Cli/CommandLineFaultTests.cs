namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>Command lines that are refused. Each message names the fault and the remedy.</summary>
public sealed class CommandLineFaultTests
{
    [Theory]
    [InlineData("--rate 100", "--rate"), InlineData("-m 2", "--messages"), InlineData("-d 5", "--duration"), InlineData("--iterations 2", "--iterations")]
    [InlineData("--warmup 1", "--warmup"), InlineData("--launches 2", "--launches"), InlineData("--sweep", "--sweep"), InlineData("--limit p99=5ms", "--limit")]
    [InlineData("--live json", "--live"), InlineData("-b", "--benchmark"), InlineData("--role Server", "--role"), InlineData("--delay 5ms", "--delay")]
    public void Read_refuses_options_that_are_not_applicable_to_MaxClients(string arguments, string option) => BadInput.Throws(
        $"{option} is not applicable to -t MaxClients: the number of clients is the result.",
        () => CommandLineTests.Read($"-t MaxClients {arguments}"));

    [Theory]
    [InlineData("-d 10 --iterations 1001", "--iterations: 1,001 parts of 10 s are shorter than 10 ms each. Use at most 1,000, or a longer --duration.")]
    [InlineData("-d 0.1 --iterations 10000", "--iterations: 10,000 parts of 0.1 s are shorter than 10 ms each. Use at most 10, or a longer --duration.")]
    [InlineData("--cleints 4", "Unknown option --cleints. Did you mean --clients? See --help.")]
    [InlineData("--help foo", "--help: \"foo\" is not one of load, library, tls, impairment, processes, hosts, output, all.")]
    [InlineData("-z", "Unknown option -z. See --help.")]
    [InlineData("fast", "Unknown argument \"fast\". A value follows its option, such as --clients 100. See --help.")]
    [InlineData("@file", "Unknown argument \"@file\". A value follows its option, such as --clients 100. See --help.")]
    [InlineData("-l Enett", "--library: \"Enett\" is not one of ENet, ENet-CSharp, LiteNetLib, NetCoreServer, Sockets. Did you mean \"ENet\"?")]
    [InlineData("-l Lite", "--library: \"Lite\" is not one of ENet, ENet-CSharp, LiteNetLib, NetCoreServer, Sockets. Did you mean \"LiteNetLib\"?")]
    [InlineData("-t Ping", "--test: \"Ping\" is not one of MaxClients, Multicast, PingPong, RoundTrip. Did you mean \"PingPong\"?")]
    [InlineData("-x One", "--messageload: \"One\" is not one of Random, Zeros, Ones. Did you mean \"Ones\"?")]
    [InlineData("-P Sctp", "--protocol: \"Sctp\" is not one of Udp, Tcp, Tls, Quic, Ssl.")]
    [InlineData("-P Wss", "--protocol: \"Wss\" is not one of Udp, Tcp, Tls, Quic, Ssl. WebSockets are a library: --library WebSockets --protocol Tls.")]
    [InlineData("-P ws", "--protocol: \"ws\" is not one of Udp, Tcp, Tls, Quic, Ssl. WebSockets are a library: --library WebSockets --protocol Tcp.")]
    [InlineData(
        "-P NetCoreServers", "--protocol: \"NetCoreServers\" is not one of Udp, Tcp, Tls, Quic, Ssl. NetCoreServer is a library: --library NetCoreServer.")]
    [InlineData("-P Ssl,Tls", "--protocol: \"Ssl,Tls\" has a value twice. Use different values.")]
    [InlineData("--rate 30 --rate-per-client 30", "--rate-per-client cannot be combined with --rate: both set the same value.")]
    [InlineData("--rtt 60ms --delay 5ms", "--rtt cannot be combined with --delay: both set the same value.")]
    [InlineData("--rate-per-client 5 --think 10ms", "--think cannot be combined with --rate-per-client: an open loop does not wait for answers.")]
    [InlineData("-P Tcp --framing chunks", "--framing: \"chunks\" is not one of Fixed, Length, Checked.")]
    [InlineData(
        "-P Tcp --client-library Enett",
        "--client-library: \"Enett\" is not one of ENet, ENet-CSharp, LiteNetLib, NetCoreServer, Sockets. Did you mean \"ENet\"?")]
    [InlineData("-P Ssl --key rsa1024", "--key: \"rsa1024\" is not one of Rsa2048, Rsa4096, P256, P384.")]
    [InlineData("-P Ssl --tls 1.1", "--tls: \"1.1\" is not one of 1.2, 1.3. Did you mean \"1.2\"?")]
    [InlineData("-P Ssl --server-name a/b", "--server-name: \"a/b\" is not a host name or an IP address.")]
    [InlineData("-P Ssl --certificate a.crt", "--certificate requires --certificate-key PEM.")]
    [InlineData("-P Ssl --certificate-key a.key", "--certificate-key requires --certificate PEM.")]
    [InlineData(
        "-P Ssl --certificate a --certificate-key b --key p256",
        "--key cannot be combined with --certificate: the certificate that you pass has its own key type.")]
    [InlineData(
        "-P Ssl --certificate a --certificate-key b --mutual-tls",
        "--mutual-tls cannot be combined with --certificate: the authority of this certificate signs none for the clients of a run.")]
    [InlineData(
        "-P Ssl --certificate a --certificate-key b --role Client",
        "--certificate with --role Client requires --mutual-tls. Use --authority PEM to trust the certificate of the server.")]
    [InlineData(
        "-P Ssl --mutual-tls --role Client",
        "--mutual-tls with --role Client requires --certificate client.crt --certificate-key client.key. The command 'certificates' writes both files.")]
    [InlineData(
        "-P Ssl --mutual-tls --role Server",
        "--mutual-tls with --role Server requires --certificate server.crt --certificate-key server.key. The command 'certificates' writes both files.")]
    [InlineData("-r Maybe", "--transmission: \"Maybe\" is not one of Unreliable, Reliable.")]
    [InlineData("-m 0", "--messages: \"0\" is not a whole number from 1 to 1,000,000.")]
    [InlineData("-s 0", "--size: \"0\" is not a whole number from 1 to 33,554,432.")]
    [InlineData("-s 15..512", "--size: \"15\" is not a whole number from 16 to 33,554,431.")]
    [InlineData("-s 512..512", "--size: \"512\" is not a whole number from 513 to 33,554,432.")]
    [InlineData("-s 32..64..128", "--size: \"32..64..128\" is not a whole number from 1 to 33,554,432.")]
    [InlineData("-p 65536", "--port: \"65536\" is not a whole number from 0 to 65,535.")]
    [InlineData("--warmup -1", "--warmup: \"-1\" is not a time from 0 to 86,400 s, such as 10, 0.5s or 2m.")]
    [InlineData("--rate 0", "--rate: \"0\" is not a number of messages per second from 0.1 to 100,000,000.")]
    [InlineData("--rate 0..5/1s", "--rate: \"0\" is not a number of messages per second from 0.1 to 100,000,000.")]
    [InlineData(
        "--rate 2000..1000/1s", "--rate: \"2000..1000/1s\" is not a rate, a higher one and the time of a step from 100ms to 60m, such as 1000..20000/10s.")]
    [InlineData("--rate 1000..2000", "--rate: \"1000..2000\" is not a rate, a higher one and the time of a step from 100ms to 60m, such as 1000..20000/10s.")]
    [InlineData(
        "--rate 99..200/1s",
        "--rate: 99 messages in the first step of 99..200/1s have no 99th percentile. Use a longer step or a higher rate, for at least 100.")]
    [InlineData("--rate 1000..2000/2s -d 5", "--duration: 5 s are not 2 to 100 whole steps of 2 s. Use a multiple of 2 s, or omit it for ten steps.")]
    [InlineData("--rate 1000..2000/2s -d 2", "--duration: 2 s are not 2 to 100 whole steps of 2 s. Use a multiple of 2 s, or omit it for ten steps.")]
    [InlineData("--rate 1000..2000/2s --iterations 3", "--iterations: each step of the rate is a part of the duration. Omit the option.")]
    [InlineData("--rate 5 --server-loop 0", "--server-loop: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("--rate 5 --arrivals random", "--arrivals: \"random\" is not one of Even, Poisson.")]
    [InlineData("-t Multicast --rate 5 --arrivals poisson", "--arrivals is not applicable to -t Multicast: the server sends to one client after the other.")]
    [InlineData("--think 0ms", "--think: \"0ms\" is not a time above 0 up to 60m with its unit (ms, s or m), such as 1s.")]
    [InlineData("--neighbour max", "--neighbour requires --bandwidth.")]
    [InlineData("-P Tcp --cut 2s/1s", "--cut: \"2s/1s\" is not a length above 0 and a longer period with their units, such as 100ms/1s.")]
    [InlineData("--outage 2s", "--outage: \"2s\" is not a length above 0 and a longer period with their units, such as 100ms/1s.")]
    [InlineData("-l ENet,LiteNetLib --roam 5s", "--roam: a new address is for one run of one load, or for --launches. Run each library or load alone.")]
    [InlineData("regress other --roam 5s", "--roam: a new address is for one run of one load, or for --launches. Run each library or load alone.")]
    [InlineData("-l ENet,LiteNetLib --outage 1s/5s", "--outage: an outage is for one run of one load, or for --launches. Run each library or load alone.")]
    [InlineData("--roam 0ms", "--roam: \"0ms\" is not a time above 0 up to 60m with its unit (ms, s or m), such as 1s.")]
    [InlineData("-P Ssl --cut x", "--cut: \"x\" is not a length above 0 and a longer period with their units, such as 100ms/1s.")]
    [InlineData("--server-threads 0", "--server-threads: \"0\" is not a whole number from 1 to 1,024.")]
    [InlineData("--client-threads 0", "--client-threads: \"0\" is not a whole number from 1 to 1,024.")]
    [InlineData("-c 1,many", "--clients: \"many\" is not a whole number from 1 to 1,000,000.")]
    [InlineData("-s 32,32", "--size: \"32,32\" has a value twice. Use different values.")]
    [InlineData("-c 4,095", "--clients: \"4,095\" is one number or 2 values. Use 4095 for the number, or \"4, 095\" with spaces for the values.")]
    [InlineData(
        "-c 100,200,300",
        "--clients: \"100,200,300\" is one number or 3 values. Use 100200300 for the number, or \"100, 200, 300\" with spaces for the values.")]
    [InlineData("--delay 0,5ms", "--delay: \"0,5ms\" is one number or 2 values. Use 0.5ms for the number, or \"0ms, 5ms\" with spaces for the values.")]
    [InlineData("--loss 0,05%", "--loss: \"0,05%\" is one number or 2 values. Use 0.05% for the number, or \"0%, 05%\" with spaces for the values.")]
    [InlineData("--delay 1,000us", "--delay: \"1,000us\" is one number or 2 values. Use 1000us for the number, or \"1us, 000us\" with spaces for the values.")]
    [InlineData("-p 3,333", "--port: \"3,333\" is not a whole number from 0 to 65,535.")]
    [InlineData(
        "-c 1,2,3,4,5,6,7,8 -m 1,2,3,4,5,6,7,8", "--messages: at most 60 combinations of values are compared; at least 64 were requested. Use fewer values.")]
    [InlineData("-l ENet,enet", "--library: \"ENet,enet\" has a value twice. Use different values.")]
    [InlineData("-l ENet,", "--library: \"\" is not one of ENet, ENet-CSharp, LiteNetLib, NetCoreServer, Sockets.")]
    [InlineData("-l ENet,Litenet", "--library: \"Litenet\" is not one of ENet, ENet-CSharp, LiteNetLib, NetCoreServer, Sockets. Did you mean \"LiteNetLib\"?")]
    [InlineData("--sweep player --limit p99=5ms", "--sweep: \"player\" is not one of rate, clients, players. Did you mean \"players\"?")]
    [InlineData("--sweep --think 5ms --limit p99=5ms", "--think cannot be combined with --sweep: its rates are those of an open loop.")]
    [InlineData("--limit ticks.late=2", "--limit: \"2\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    [InlineData(
        "--versions LiteNetLib=1,2 -l ENet,LiteNetLib", "--versions: the versions are those of LiteNetLib, and --library is ENet,LiteNetLib. Omit --library.")]
    [InlineData(
        "-b=quik",
        "--benchmark: \"quik\" is not one of all, channels, framed, networks, queues, quick, roaming, ssl, tcp, tls, tls-matrix, udp. " +
            "Did you mean \"quick\"?")]
    [InlineData("-b=tls-matrix -l Sockets,ENet", "--library: -b=tls-matrix compares the settings of one library. Use one.")]
    [InlineData("regress other -b -P Tcp", "--protocol has no effect with --benchmark. Omit it.")]
    [InlineData("-b --sweep --limit p99=5ms", "--benchmark cannot be combined with --sweep: its loads are predefined.")]
    [InlineData("--sweep --limit p99=5ms --launches 2", "--sweep cannot be combined with --launches: each step has fresh processes.")]
    [InlineData("--list -c 100", "--clients has no effect with --list. Omit it.")]
    [InlineData("--list --json", "--list cannot be combined with --json: nothing is measured.")]
    [InlineData("--hosts-check -o out", "--hosts-check cannot be combined with --output: nothing is measured.")]
    [InlineData("--hosts-check --undeploy", "--hosts-check cannot be combined with --undeploy: it needs the program there.")]
    [InlineData(
        "--versions LiteNet=1,2",
        "--versions: \"LiteNet\" is not one of the libraries with package versions: ENet-CSharp, LiteNetLib, NetCoreServer. Did you mean \"LiteNetLib\"?")]
    [InlineData("--versions LiteNetLib=1,2 -l Sockets", "--versions: the versions are those of LiteNetLib, and --library is Sockets. Omit --library.")]
    [InlineData("--versions LiteNetLib=1,2 -b=networks", "--versions: the cases of -b=networks cannot be divided into slices. Use another part, or one load.")]
    [InlineData("--versions LiteNetLib=1,2 --sweep --limit p99=5ms", "--versions: versions are compared under one load, such as -c 100, or with -b.")]
    [InlineData(
        "--versions LiteNetLib=1,2 --server-host a --client-hosts b",
        "--versions: the builds of the versions are on this machine. Omit the options of other hosts.")]
    [InlineData("--live xml", "--live: \"xml\" is not json, or json:FILE for a file.")]
    [InlineData("-b --live json", "--live cannot be combined with --benchmark: its slices are shorter than a second.")]
    [InlineData("--limit loss=1", "--limit: \"1\" is not a percentage from 0% to 100%, such as 1% or 0.5%.")]
    [InlineData("regress other --limit p99=5ms", "--limit has no effect with regress. Omit it.")]
    [InlineData("regress other -d 30", "--duration has no effect with regress. Use --rounds and --slice.")]
    [InlineData("-l Sockets -c 10,20 --iterations 2", "--iterations has no effect in slices. Omit it.")]
    [InlineData("--limit p99=5", "--limit: \"5\" is not a time from 0 to 60m with its unit (ns, us, ms, s or m), such as 5ms.")]
    [InlineData("--deadline 1s", "--deadline requires -t MaxClients.")]
    [InlineData("-t MaxClients --deadline 1", "--deadline: \"1\" is not a time from 0 to 60m with its unit (ns, us, ms, s or m), such as 5ms.")]
    [InlineData("-t MaxClients --deadline 0", "--deadline: \"0\" is not a time above 0, such as 1s.")]
    [InlineData("-t Maxclient", "--test: \"Maxclient\" is not one of MaxClients, Multicast, PingPong, RoundTrip. Did you mean \"MaxClients\"?")]
    [InlineData("--launches 0", "--launches: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("--role Cleint", "--role: \"Cleint\" is not one of Both, Server, Client. Did you mean \"Client\"?")]
    [InlineData("compar", "Unknown argument \"compar\". A value follows its option, such as --clients 100. Did you mean \"compare\"? See --help.")]
    [InlineData("-c", "-c requires a value: --clients VALUE. See --help.")]
    [InlineData("--live", "--live requires a value: --live json|json:FILE. See --help.")]
    [InlineData("-c 1, 100\"", "Unknown argument \"100\"\". Values with spaces are one argument in quotes, such as --clients \"1, 100\". See --help.")]
    [InlineData("-c 1, 100", "Unknown argument \"100\". Values with spaces are one argument in quotes, such as --clients \"1, 100\". See --help.")]
    [InlineData("completion", "completion requires SHELL: the shell; options [bash, zsh, fish, pwsh]. See --help.")]
    [InlineData("compare", "compare requires OLD: result file, or folder with result files. See --help.")]
    [InlineData("-c 1 -c 2", "Option '-c' expects a single argument but 2 were provided. See --help.")]
    public void Read_names_the_fault_and_the_remedy_when_input_is_bad(string arguments, string sentence) =>
        BadInput.Throws(sentence, () => CommandLineTests.Read(arguments));

    [Theory]
    [InlineData("requires --rate MSG/S or --rate-per-client MSG/S.", "--server-loop 60", "--client-loop 60", "--arrivals poisson")]
    [InlineData("requires -P Tcp, Tls or Quic.", "--framing length", "--framing length -P Tcp,Udp")]
    [InlineData("requires -P Tls or Quic.", "--tls 1.3 -P Tcp", "--server-name example.org", "--authority ca.crt -P Tcp")]
    [InlineData(
        "requires -b or several values to compare, such as -l ENet,LiteNetLib.", "--baseline Epoll", "--precision 3%", "--time 10m",
        "--precision 3% -l ENet,LiteNetLib --sweep --limit p99=5ms")]
    [InlineData(
        "requires --role Both.", "--benchmark --role Server", "--launches 2 --role Server", "--delay 5ms --role Client",
        "--sweep --role Client --limit p99=5ms")]
    [InlineData("has no effect with --benchmark. Omit it.", "--clients 1,2 -b", "--clients 100 -b", "--limit p99=5ms -b")]
    [InlineData("has no effect with several values to compare. Omit it.", "--live json -l ENet,LiteNetLib", "--live json --runtime gcServer=0,1")]
    [InlineData("requires --limit FIGURE=BOUND, such as --limit p99=5ms.", "--sweep", "--sweep clients")]
    [InlineData(
        "cannot be combined with --sweep: the search chooses the number.", "--clients 10 --sweep clients --limit p99=5ms",
        "--clients 10 --sweep players --limit p99=5ms")]
    [InlineData(
        "cannot be combined with --launches: it fixes the number of sets.", "--precision 3% -l ENet,LiteNetLib --launches 3", "--precision 3% -b --launches 3",
        "--time 10m -b --launches 3")]
    [InlineData(
        "cannot be combined with --messages: an open loop has no limit of messages in flight.", "--rate-per-client 5 -m 2", "--rate 5 -m 2", "--rate 5,6 -m 2")]
    [InlineData("cannot be combined with --rate: an open loop does not wait for answers.", "--think 5ms --rate 5")]
    public void Read_names_the_first_option_when_it_has_no_place_beside_the_others(string fault, params string[] lines) => Assert.All(
        lines, line => BadInput.Throws($"{line.Split(' ')[0]} {fault}", () => CommandLineTests.Read(line)));

    [Theory]
    [InlineData("--clients", "-c 1,2 --role Client")]
    [InlineData("--library", "-l ENet,LiteNetLib --role Server", "-l ENet,LiteNetLib -s 32,64 --sweep --limit p99=5ms", "regress other -l ENet,LiteNetLib")]
    [InlineData("--size", "-s 32,64 --sweep --limit p99=5ms")]
    public void Read_refuses_several_values_where_one_run_is_requested(string option, params string[] lines) => Assert.All(lines, line => BadInput.Throws(
        $"{option}: several values require a run that starts both sides, such as -l ENet,LiteNetLib -c 100. Use one value here.",
        () => CommandLineTests.Read(line)));

    [Theory]
    [InlineData("--rate 1000..2000/2s --launches 3"), InlineData("--rate 1000..2000/2s --sweep --limit p99=5ms")]
    [InlineData("--rate 1000..2000/2s --runtime gcServer=0,1"), InlineData("regress other --rate 1000..2000/2s")]
    [InlineData("-l ENet,LiteNetLib --rate 100..200/1s"), InlineData("--rate 1000,100..200/1s")]
    public void Read_refuses_steps_of_the_rate_where_several_runs_are_requested(string line) => BadInput.Throws(
        "--rate: steps are for one run of one load. Use one rate here, such as --rate 1000.", () => CommandLineTests.Read(line));

    [Theory]
    [InlineData("99=5ms"), InlineData("p101=5ms"), InlineData("cpu"), InlineData("age=5ms"), InlineData("age.p0=5ms"), InlineData("ticks=1%")]
    [InlineData("wire=0B")]
    public void A_limit_of_no_figure_is_refused(string limit) => BadInput.Throws(
        $"--limit: \"{limit}\" is not a figure and its bound: pN=TIME, max=TIME, loss=PERCENTAGE, server-cpu=TIME or PERCENTAGE, wire=BYTES, " +
            "age.pN=TIME or ticks.late=PERCENTAGE, such as p99=5ms.",
        () => CommandLineTests.Read($"--limit {limit}"));

    [Theory]
    [InlineData(
        "--pin", "is not a list of cores for one side or both, such as server=0,clients=1 or server=0-1,clients=2+3.",
        "none", "server=", "server=1-0", "server=0,server=1", "relay=0", "server=0-1024")]
    [InlineData(
        "--versions", "is not a library with 2 to 6 different versions of its package, such as LiteNetLib=2.1.3,2.1.5.",
        "LiteNetLib", "LiteNetLib=1.3.5", "LiteNetLib=1,2,1", "LiteNetLib=1,../2", "LiteNetLib=1,2,3,4,5,6,7")]
    [InlineData("--clients", "is not a whole number from 1 to 1,000,000.", "many", "0", "-5", "1.5", "99999999999")]
    [InlineData("--duration", "is not a time from 0.1 to 86,400 s, such as 10, 0.5s or 2m.", "0", "1,5", "NaN")]
    [InlineData("--address", "is not a host name or an IP address without a port, such as 127.0.0.1 or ::1.", "[::1]:80", "[::1")]
    [InlineData("--messageload", "is not one of Random, Zeros, Ones. --payload FILE sends messages of your own.", "1", "Mine")]
    [InlineData("--set", "is not LIBRARY.NAME=VALUE with a setting from --list.", "epoll.batch", "batch=gso", ".batch=gso", "epoll.batch=")]
    public void Read_names_the_form_of_a_value_when_it_has_another(string option, string sentence, params string[] values) =>
        Assert.All(values, value => BadInput.Throws($"{option}: \"{value}\" {sentence}", () => CommandLineTests.Read($"{option} {value}")));
}
