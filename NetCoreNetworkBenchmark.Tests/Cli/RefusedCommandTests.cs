namespace NetCoreNetworkBenchmark.Tests.Cli;

/// <summary>Commands that the whole program refuses before anything is measured: one line that names the fault and the remedy.</summary>
public sealed class RefusedCommandTests
{
    private static readonly string s_thisBuild = Path.GetDirectoryName(typeof(Catalog).Assembly.Location)!;

    [Theory]
    // Other commands than a measurement.
    [InlineData("check", "Option '--library' is required. See --help.")]
    [InlineData("check -l Sokets", "--library: \"Sokets\" is not one of ")]
    [InlineData("check -l Sockets -P Quic", "--protocol: Sockets does not support QUIC. Use Udp, Tcp or Tls")]
    [InlineData("check -l Sockets -r Reliable -P Udp", "--transmission: Sockets has no Reliable delivery over Udp. Omit it.")]
    [InlineData("check -l Sockets -r Unreliable -P Tls", "--transmission: Sockets has no Unreliable delivery over Tls. Omit it.")]
    [InlineData("check -l Sockets -r Unreliable -P Ssl", "--transmission: Sockets has no Unreliable delivery over Tls. Omit it.")]
    [InlineData("check -l nginx", "--library: nginx ")]
    [InlineData("check -l Sockets --only ecco", "--only: \"ecco\" is not one of ")]
    [InlineData("certificates DIR --key rsa1024", "--key: \"rsa1024\" is not one of Rsa2048, Rsa4096, P256, P384.")]
    [InlineData("certificates DIR --password qwerty", "Unknown option --password. Did you mean --password-file?")]
    [InlineData("certificates DIR --password-file missing", "--password-file: 'missing' does not exist.")]
    [InlineData("certificates", "certificates requires DIR: folder for ca, server and client as .crt, .key, .pem and .pfx. See --help.")]
    [InlineData("tls-check", "tls-check requires URL: ")]
    [InlineData("tls-check localhost:8443", "URL: \"localhost:8443\" is not an address such as https://localhost:8443/.")]
    [InlineData("tls-check http://localhost/", "URL: \"http://localhost/\" is not an address such as https://localhost:8443/.")]
    [InlineData("tls-check https://host.invalid/", "URL: the host \"host.invalid\" cannot be resolved. Use one such as localhost.")]
    [InlineData("tls-check https://localhost/ --authority missing.pem", "--authority: 'missing.pem' does not exist. Use ")]
    [InlineData("tls-check https://localhost/ -c 0", "--clients: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("tls-check https://localhost/ -d 61", "--duration: \"61\" is not ")]
    [InlineData("completion tcsh", "completion: \"tcsh\" is not one of bash, zsh, fish, pwsh.")]
    [InlineData("completion ksh", "completion: \"ksh\" is not one of bash, zsh, fish, pwsh.")]
    [InlineData("[suggest:x]", "Unknown directive \"[suggest:x]\". Shells use [suggest:POSITION]. See --help.")]
    [InlineData("[diagram]", "Unknown directive \"[diagram]\". Shells use [suggest:POSITION]. See --help.")]
    [InlineData("[suggest", "Unknown argument \"[suggest\". A value follows its option, such as --clients 100. See --help.")]

    // What a library or the machine does not have.
    [InlineData("-l Sockets -s 65508", "--size: Sockets (Udp, Unreliable) supports at most 65,507 bytes in a message; 65,508 were requested.")]
    [InlineData("-l Sockets -r Reliable", "--transmission: Sockets has no Reliable delivery over UDP. Use Unreliable.")]
    [InlineData("-l Sockets -a nowhere.invalid", "--address: \"nowhere.invalid\" is not an IP address or a host name that can be resolved")]
    [InlineData(
        "-l Sockets --limit wire=120B",
        "--limit: wire=120B requires --sweep, --launches or several values to compare, because packets are counted in a launch of their own.")]
    [InlineData(
        "-l Sockets --launches 2 -t FixedCount --count 9 --limit wire=120B",
        "--limit: wire=120B cannot be checked. The load has no fixed duration. Use other limits.")]
    [InlineData(
        "-l Sockets,Epoll --rate 400 --server-loop 50 -c 4", "--server-loop: the server of Sockets has no loop of the harness over UDP. Use the library ")]
    [InlineData("-l Epoll,LiteNetLib -t Multicast --rate 400 --client-loop 50 -c 4", "--client-loop: the server of Multicast sends by a schedule of its own. ")]
    [InlineData("-l Sockets,Epoll -P Tcp --rate 400 --client-loop 50 -c 4", "--client-loop: Sockets decides the threads of its clients itself. ")]
    [InlineData("-l Sockets,WebSockets -P Udp -c 4", "--protocol: WebSockets does not support UDP. Use ")]
    [InlineData("-l Epoll,Sockets -r Reliable -c 4", "--transmission: Epoll has no Reliable delivery over UDP. Use Unreliable.")]
    [InlineData("-l Sockets,Epoll --set Kestrel.layer=http -c 4", "--set: \"Kestrel.layer=http\" is for Kestrel, which is not part of this run.")]
    [InlineData("-l Sockets,Epoll --baseline ENet -c 4", "--baseline: \"ENet\" is not one of Sockets, Epoll.")]
    [InlineData(
        "-l Epoll,Kestrel -P Tcp --server-threads 2 -c 4", "--server-threads: Kestrel supports at most 1 server thread on this system; 2 were requested.")]
    [InlineData("-l Sockets,WebSockets -P Tcp --client-library Epoll -c 4", "--client-library: Epoll has not the wire format of WebSockets over TCP. ")]
    [InlineData("-l Sockets --set sockets.batch=gso", "--set: \"batch\" is not one of the settings of Sockets: send, context, congestion.")]
    [InlineData("-l Sockets --set ENet.batch=gso", "--set: \"ENet.batch=gso\" is for ENet, which is not part of this run. Use settings of Sockets.")]
    [InlineData("-b --set Sockets.batch=gso", "--set: \"batch\" is not one of the settings of Sockets: send, context, congestion.")]
    [InlineData("-l Sockets --profile tuned", "--profile: Sockets has no tuned profile over UDP. Use Default.")]
    [InlineData("-l Sockets --set Sockets.send=receive", "--set: Sockets.send has no effect over UDP. Use -P Tcp or Tls.")]
    [InlineData("-l Sockets --set Sockets.congestion=bbr", "--set: Sockets.congestion has no effect over UDP. Use -P Tcp.")]
    [InlineData("-l Sockets --profile quick", "--profile: \"quick\" is not one of Default, Tuned.")]
    [InlineData("-P Tcp --versions Epoll=1,2", "--versions: Epoll is not a package with versions. ")]
    [InlineData("-P Tcp --versions Enett=1,2", "--versions: \"Enett\" is not one of ")]
    [InlineData("-l Epoll --heartbeat 5s -P Tcp --framing Length", "--heartbeat requires --framing Checked.")]
    [InlineData("-l Epoll --heartbeat 5 -P Tcp --framing Checked", "--heartbeat: \"5\" is not a time from 200ms to 60m with its unit")]
    [InlineData("-l Epoll --heartbeat 100ms -P Tcp --framing Checked", "--heartbeat: \"100ms\" is not a time from 200ms")]
    [InlineData("-l Epoll --heartbeat-misses 4 -P Tcp --framing Checked", "--heartbeat-misses requires --heartbeat.")]
    [InlineData("-l Epoll --heartbeat 5s --heartbeat-misses 0 -P Tcp --framing Checked", "--heartbeat-misses: \"0\" is not a whole number from 1 to ")]
    [InlineData("-l Epoll --reconnect 1s -P Udp", "--reconnect requires -P Tcp, Tls or Quic.")]
    [InlineData("-l Epoll --reconnect soon -P Tcp", "--reconnect: \"soon\" is not a time above 0")]
    [InlineData("-l Epoll --reconnect 1s -P Tcp -t FixedCount", "--reconnect is not applicable to -t FixedCount:")]
    [InlineData("-l Epoll --reconnect 1s -P Tcp -t Multicast", "--reconnect is not applicable to -t Multicast:")]

    // What a test does not have.
    [InlineData("-l Sockets -t PingPong --limit age.p99=1s", "--limit: age.p99=1s is not applicable to -t PingPong, which has no states. Use other limits.")]
    [InlineData(
        "-l Sockets -t PingPong --limit ticks.late=1%", "--limit: ticks.late=1% is not applicable to -t PingPong, which has no ticks. Use other limits.")]
    [InlineData(
        "-l Sockets -t Snapshots --sweep --limit p99=5ms",
        "--sweep is not applicable to -t Snapshots: the rates are --tick and --client-tick. Use --sweep clients.")]
    [InlineData("-l Sockets -t Burst --sweep clients --limit p99=5ms", "--sweep is not applicable to -t Burst: the test has no rate.")]
    [InlineData("-t Snapshots -l Sockets -c 1", "--clients: players see each other, so there must be two. Use -c 2 or more.")]
    [InlineData("-t Snapshots -l Sockets -c 5 --visible 5", "--visible: a player has 4 others, and 5 were requested. Use all.")]
    [InlineData("-t Snapshots -l Sockets -c 5 --visible 0", "--visible: \"0\" is not a whole number from 1 to 999,999.")]
    [InlineData("-t Snapshots -l Sockets -c 5 --tick 0", "--tick: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("-t Snapshots -l Sockets -c 5 --events 51", "--events: \"51\" is not a number from 0 to 50, such as 0.5.")]
    [InlineData(
        "-t Snapshots -l Sockets -c 5 --events 5 --client-tick 2",
        "--events: an event is sent with an input, so there can be no more of them than inputs. Raise --client-tick.")]
    [InlineData("-t Snapshots -l Sockets -c 5 --input-size 8", "--input-size: \"8\" is not a whole number from 16 to 1,200.")]
    [InlineData("-t Snapshots -l Sockets -c 5 -a 239.255.0.1", "--address: the multicast group 239.255.0.1 requires -t Multicast.")]
    [InlineData(
        "-t Snapshots -l Sockets -c 5 --events 1",
        "--test: Snapshots has messages that require reliable delivery, which Sockets does not have over UDP. Use the library ")]
    [InlineData(
        "-t Multicast -l Sockets -a 239.255.0.1 --loss 1%",
        "--address: the multicast group 239.255.0.1 cannot be combined with impairments, because its datagrams bypass the relay.")]
    [InlineData("-t Multicast -l Sockets -P Tcp -a 239.255.0.1", "--address: the multicast group 239.255.0.1 requires -P Udp.")]
    [InlineData("-t RoundTrip -l Sockets -a 239.255.0.1", "--address: the multicast group 239.255.0.1 requires -t Multicast.")]
    [InlineData(
        "-t Multicast -l Sockets -a ff02::1", "--address: IPv6 multicast groups such as ff02::1 are not supported. Use an IPv4 group, such as 239.255.0.1.")]
    [InlineData(
        "-t Multicast --multicast-interface eth0",
        "--multicast-interface: \"eth0\" is not an IPv4 address of an interface of this machine, such as 127.0.0.1.")]
    [InlineData("-t Burst --bursts 0", "--bursts: \"0\" is not a whole number from 1 to 10,000,000.\n")]
    [InlineData("-t Burst --bursts many", "--bursts: \"many\" is not a whole number from 1 to 10,000,000.\n")]
    [InlineData("--bursts 2", "--bursts requires -t Burst.\n")]
    [InlineData("-t PingPong --bursts 2", "--bursts requires -t Burst.\n")]
    [InlineData("-t Burst --bursts 2 --warmup 1", "--bursts cannot be combined with --warmup: a fixed number of bursts has no warm-up.\n")]
    [InlineData("-t Burst --bursts 2 --iterations 2", "--bursts cannot be combined with --iterations: a fixed number of bursts has no equal parts.\n")]
    [InlineData("-t Burst --rate 5", "--rate is not applicable to -t Burst: a burst is sent when all messages of the last one are answered.\n")]
    [InlineData(
        "-t MaxClients -l Kestrel -P Tcp --set Kestrel.layer=http -c 10",
        "--set: Kestrel.layer=http is for short connections, so MaxClients is not applicable. Use connection.\n")]
    [InlineData("-t Handshake -l Sockets", "--protocol: Handshake opens TCP connections, so UDP is not applicable. Use Tcp or Tls.")]
    [InlineData(
        "-t Handshake -l Kestrel -P Ssl --client-library Sockets",
        "--client-library: Handshake requires clients that open new connections over TLS, which Sockets does not have.")]
    [InlineData("-t Handshake -l Sockets -P Ssl --resumption maybe", "--resumption: \"maybe\" is not one of ")]
    [InlineData("-t Handshake -l Sockets -P Ssl --path index", "--path: \"index\" is not a path of printable ASCII characters, such as /index.html.")]
    [InlineData("-t Handshake -l Sockets -P Ssl --path / --handshake-only", "--path ")]
    [InlineData("-t Handshake -l Sockets -P Ssl --framing length", "--framing is not applicable to -t Handshake:")]
    [InlineData(
        "-l Epoll -P Ssl -t RoundTrip --set epoll.architecture=pool",
        "--set: Epoll.architecture=pool is for short connections, so RoundTrip is not applicable.")]
    [InlineData(
        "-t Handshake -l Epoll -P Ssl --server-threads 2 --resumption session",
        "--resumption: each event loop of Epoll keeps its own sessions, so session requires --server-threads 1.")]
    [InlineData(
        "-l Epoll -P Tcp -t RoundTrip -c 1001 --set epoll.architecture=threads",
        "--clients: Epoll.architecture=threads serves at most 1,000 clients; 1,001 were requested. Use workers or reactor.")]
    [InlineData(
        "-l Epoll -P Tcp --set epoll.architecture=threads --set epoll.send=receive",
        "--set: Epoll.architecture=threads has a send call for each message. Use Epoll.send=message.")]
    [InlineData(
        "-l Epoll -P Tcp --set epoll.architecture=threads --framing checked --heartbeat 1s",
        "--heartbeat: Epoll.architecture=threads sends no heartbeats. Use workers or reactor.")]
    [InlineData(
        "-t Handshake -l Epoll -P Ssl --handshake-only --resumption ticket",
        "--resumption: the session of TLS 1.3 arrives after the handshake, when --handshake-only has closed the connection. Add --tls 1.2.")]
    [InlineData("-b=tls-matrix -l ENet", "--library: ENet takes no part in -b=tls-matrix")]
    [InlineData(
        "-l Kestrel -P Tcp -t RoundTrip --set kestrel.layer=http", "--set: Kestrel.layer=http is for short connections, so RoundTrip is not applicable.")]
    [InlineData(
        "-t Handshake -l Epoll -P Ssl --server-threads 2 --set epoll.architecture=reactor",
        "--server-threads: Epoll has one server thread with architecture=reactor; 2 were requested.")]
    [InlineData(
        "-t Handshake -l Epoll -P Tcp --set epoll.accept=handoff --set epoll.architecture=threads",
        "--set: Epoll.architecture=threads has no event loops to hand connections to. Use Epoll.accept=reuseport.")]
    [InlineData("-t Handshake -l Epoll -P Tcp --set epoll.accept=main", "--set: \"main\" is not one of the values of Epoll.accept: reuseport, handoff.")]
    [InlineData("-l Epoll -P Udp -t PingPong --set epoll.accept=handoff", "--set: Epoll.accept has no effect over UDP. Use -P Tcp or Tls.")]

    // What cannot be divided into slices, or has no effect on a part of the benchmark.
    [InlineData("regress /nowhere -l Sockets", "'/nowhere' is nothing to compare. Use PACKAGE@VERSION, such as LiteNetLib@2.1.3, a .nupkg file, ")]
    [InlineData("regress Epoll@1.0", "regress: \"Epoll\" is not one of ")]
    [InlineData("regress BUILD BUILD2", "'BUILD2' is nothing to compare. ")]
    [InlineData("regress BUILD -l Sockets -t FixedCount", "--test: FixedCount ends by itself, so it cannot be divided into slices.")]
    [InlineData("regress BUILD -b=framed", "--benchmark: Burst of -b=framed ends by itself, so it cannot be divided into slices. Use another part.")]
    [InlineData("regress BUILD -l Sockets -t Burst --bursts 2", "--test: Burst ends by itself, so it cannot be divided into slices.")]
    [InlineData("regress BUILD -b=udp --loads benchmark-1,benchmark-9", "--loads: \"benchmark-9\" is not one of benchmark-1, benchmark-2, benchmark-3, ")]
    [InlineData("regress BUILD -l Sockets --loads benchmark-1", "--loads: it chooses from the predefined loads, and the command has a load of its own. ")]
    [InlineData("regress BUILD -l Sockets --rounds 0", "--rounds: \"0\" is not a whole number from 1 to 1,000.")]
    [InlineData("regress BUILD -l Sockets --threshold 0%", "--threshold: \"0%\" is not a percentage above 0% and below 100%, such as 2%.")]
    [InlineData("regress BUILD -l Sockets --launches 2 --precision 1%", "--precision cannot be combined with --launches: it fixes the number of sets.")]
    [InlineData("regress BUILD -l Sockets --launches 2 --time 1m", "--time cannot be combined with --launches: it fixes the number of sets.")]
    [InlineData("regress BUILD -l Sockets --continue", "--continue requires --output DIR, because this command writes no files without it.")]
    [InlineData("-b=networks --server-host a", "--server-host: -b=networks requires both sides on this machine. Use another part.\n")]
    [InlineData("-b=networks --client-hosts a,b", "--client-hosts: -b=networks requires both sides on this machine. Use another part.\n")]
    [InlineData("regress BUILD -b=networks", "--benchmark: regress cannot divide the cases of networks into slices. Use another part.\n")]
    [InlineData("-b=networks --precision 3%", "--precision has no effect with -b=networks. Omit it.\n")]
    [InlineData("-b=udp --network 4g", "--network has no effect with -b=udp. Omit it, or use -b=networks.\n")]
    [InlineData("-b=networks --baseline Sockets", "--baseline has no effect with -b=networks. Omit it.\n")]
    [InlineData("-b=framed --time 10m", "--time has no effect with -b=framed. Omit it.\n")]
    public Task A_command_is_refused_in_one_sentence(string arguments, string sentence) => ProgramInFolder.AssertRefusedAsync(
        $"Error: {sentence}", [.. arguments.Split(' ').Select(argument => argument == "BUILD" ? s_thisBuild : argument)]);
}
