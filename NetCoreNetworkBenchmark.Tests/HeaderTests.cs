using System.Runtime.CompilerServices;
using NetCoreNetworkBenchmark.Libraries.ENet;
using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;
using NetCoreNetworkBenchmark.Libraries.Epoll.OpenSsl;
using NetCoreNetworkBenchmark.Running.Paths;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Compares the declarations for C headers with the values that the C compiler reports for the installed ones.</summary>
[Trait("Category", "Long")]
public sealed class HeaderTests
{
    private const string Socket = "sys/socket.h sys/uio.h netinet/in.h netinet/udp.h netinet/tcp.h errno.h";
    private const string OpenSsl = "openssl/ssl.h openssl/x509.h openssl/err.h";
    private const string Tcp = "netinet/in.h linux/tcp.h";
    private const string Tun = "sys/ioctl.h net/if.h linux/if_tun.h";

    [Theory]
    [InlineData(typeof(EnetH), "enet/enet.h")]
    [InlineData(typeof(EnetH.ENetEventType), "enet/enet.h")]
    [InlineData(typeof(OpensslSsl), OpenSsl)]
    [InlineData(typeof(OpensslX509), OpenSsl)]
    [InlineData(typeof(OpensslErr), OpenSsl)]
    [InlineData(typeof(SysSocket), Socket)]
    [InlineData(typeof(SysEpoll), "sys/epoll.h errno.h")]
    [InlineData(typeof(SysEventfd), "sys/eventfd.h")]
    [InlineData(typeof(SysSignal), "signal.h")]
    [InlineData(typeof(SysPrctl), "sys/prctl.h")]
    [InlineData(typeof(SysTime), "time.h")]
    [InlineData(typeof(SharedPort), "sys/socket.h")]
    [InlineData(typeof(SysSched), "sched.h errno.h")]
    [InlineData(typeof(SysResource), "sys/resource.h")]
    [InlineData(typeof(LinuxIfTun), Tun)]
    [InlineData(typeof(TcpNeighbour), Tcp)]
    public void Constants_have_the_values_of_the_header(Type type, string headers)
    {
        // Other constants are the program's own.
        (string Name, long Value)[] constants = [.. type.GetFields()
            .Where(field => field.IsLiteral && (field.Name.Contains('_', StringComparison.Ordinal) || !field.Name.Any(char.IsLower)))
            .Select(field => (field.Name, Convert.ToInt64(field.GetRawConstantValue(), null)))];
        Assert.NotEmpty(constants);
        Assert.Equal(constants.Select(constant => constant.Value), Evaluate(headers, constants.Select(constant => constant.Name)));
    }

    [Theory]
    [InlineData(typeof(EnetH.ENetAddress), "ENetAddress", "enet/enet.h")]
    [InlineData(typeof(EnetH.ENetListNode), "ENetListNode", "enet/enet.h")]
    [InlineData(typeof(EnetH.ENetPacket), "ENetPacket", "enet/enet.h")]
    [InlineData(typeof(EnetH.ENetEvent), "ENetEvent", "enet/enet.h")]
    [InlineData(typeof(SysSocket.IoVec), "struct iovec", Socket)]
    [InlineData(typeof(SysSocket.MsgHdr), "struct msghdr", Socket)]
    [InlineData(typeof(SysSocket.CMsgHdr), "struct cmsghdr", Socket)]
    [InlineData(typeof(SysSocket.MMsgHdr), "struct mmsghdr", Socket)]
    [InlineData(typeof(SysTime.TimeSpec), "struct timespec", "time.h")]
    [InlineData(typeof(SysResource.RUsage), "struct rusage", "sys/resource.h")]
    [InlineData(typeof(SysResource.TimeVal), "struct timeval", "sys/resource.h")]
    public void Structs_are_laid_out_as_in_the_header(Type type, string name, string headers) =>
        Assert.Equal(
            [Marshal.SizeOf(type), .. Offsets(type)],
            Evaluate(headers, [$"sizeof({name})", .. FieldsOf(type).Select(field => $"offsetof({name}, {field})")]));

    // The program declares the first fields of a peer alone.
    [Fact]
    public void Fields_of_a_peer_lie_where_the_header_has_them() => Assert.Equal(
        Offsets(typeof(EnetH.ENetPeer)), Evaluate("enet/enet.h", FieldsOf(typeof(EnetH.ENetPeer)).Select(field => $"offsetof(ENetPeer, {field})")));

    public static TheoryData<string, string, long> Expressions => new()
    {
        { "enet/enet.h", "sizeof(ENetEventType)", sizeof(EnetH.ENetEventType) },
        { "enet/enet.h", "offsetof(ENetHost, socket)", 0 },
        { "enet/enet.h", "sizeof(ENetSocket)", sizeof(int) },
        { "enet/enet.h", "offsetof(ENetHost, address)", EnetH.HostAddressOffset },
        { "sys/epoll.h", "sizeof(struct epoll_event)", SysEpoll.EventSize },
        { "sys/epoll.h", "offsetof(struct epoll_event, data)", SysEpoll.DataOffset },
        { "sched.h", "sizeof(cpu_set_t)", Unsafe.SizeOf<SysSched.CpuSet>() },
        { Tun, "sizeof(struct ifreq)", LinuxIfTun.IfreqSize },
        { Tun, "offsetof(struct ifreq, ifr_flags)", LinuxIfTun.IFNAMSIZ },
        { Tcp, "offsetof(struct tcp_info, tcpi_rtt)", TcpNeighbour.RoundTripOffset },
        { Socket, "CMSG_SPACE(sizeof(int))", ControlMessage.Space },
        { Socket, "CMSG_LEN(sizeof(unsigned short))", ControlMessage.LengthOfUShort },
        { Socket, "(char*)CMSG_DATA((struct cmsghdr*)0) - (char*)0", Marshal.SizeOf<SysSocket.CMsgHdr>() },

        // A socket's name holds the addresses of both families.
        { Socket, "sizeof(struct sockaddr_in)", 16 },
        { Socket, "sizeof(struct sockaddr_in6)", 28 },
        { Socket, "AF_INET", 2 },
    };

    [Theory, MemberData(nameof(Expressions))]
    public void Size_or_offset_is_that_of_the_header(string headers, string expression, long value) => Assert.Equal([value], Evaluate(headers, [expression]));

    [Theory]
    [InlineData("SSL_CTX_set_mode(c, 5)", "SSL_CTX_ctrl(c, SSL_CTRL_MODE, 5, 0)")]
    [InlineData("SSL_CTX_set_read_ahead(c, 1)", "SSL_CTX_ctrl(c, SSL_CTRL_SET_READ_AHEAD, 1, 0)")]
    [InlineData("SSL_CTX_set_min_proto_version(c, 9)", "SSL_CTX_ctrl(c, SSL_CTRL_SET_MIN_PROTO_VERSION, 9, 0)")]
    [InlineData("SSL_CTX_add1_chain_cert(c, 0)", "SSL_CTX_ctrl(c, SSL_CTRL_CHAIN_CERT, 1, 0)")]
    [InlineData("SSL_set_tlsext_host_name(s, 0)", "SSL_ctrl(s, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, 0)")]
    [InlineData("SSL_get_negotiated_group(s)", "SSL_ctrl(s, SSL_CTRL_GET_NEGOTIATED_GROUP, 0, 0)")]
    public void Macro_of_OpenSSL_is_the_call_that_is_made_instead(string macro, string call)
    {
        // Both are replaced by a number that consists of the command and its argument.
        string[] stand =
        [
            "openssl/ssl.h>\n#define SSL_CTX_ctrl(c, command, larg, parg) ((command) * 1000L + (larg))\n" +
            "#define SSL_ctrl(s, command, larg, parg) ((command) * 1000L + (larg))\n#include <stddef.h",
        ];
        IReadOnlyList<long> values = CCompiler.Evaluate(stand, [macro, call]);
        Assert.Equal(values[1], values[0]);
    }

    [Theory, InlineData(0), InlineData(7), InlineData(63), InlineData(64), InlineData(1023)]
    public void Core_in_a_CpuSet_is_the_bit_that_the_header_sets(int core)
    {
        var set = default(SysSched.CpuSet);
        set.Add(core);
        byte[] bytes = new byte[Unsafe.SizeOf<SysSched.CpuSet>()];
        Unsafe.As<byte, SysSched.CpuSet>(ref bytes[0]) = set;
        Assert.Equal(
            Evaluate("sched.h", bytes.Select((_, index) => $"({{ cpu_set_t set; CPU_ZERO(&set); CPU_SET({core}, &set); ((unsigned char *)&set)[{index}]; }})")),
            bytes.Select(value => (long)value));
        Assert.Equal((true, false), (set.Contains(core), set.Contains(core ^ 1)));
    }

    [Fact]
    public void Version_of_ENet_is_that_of_the_loaded_library()
    {
        Assert.SkipUnless(EnetLibrary.Problem is null, $"{EnetLibrary.Problem}");
        Assert.Matches("^1[.]3[.][0-9]+$", EnetLibrary.Version);
    }

    private static IReadOnlyList<long> Evaluate(string headers, IEnumerable<string> expressions) => CCompiler.Evaluate(headers.Split(' '), [.. expressions]);

    private static IEnumerable<string> FieldsOf(Type type) => type.GetFields().Select(field => field.Name);

    private static IEnumerable<long> Offsets(Type type) => FieldsOf(type).Select(field => Marshal.OffsetOf(type, field).ToInt64());
}
