using NetCoreNetworkBenchmark.Libraries.Epoll.Interop;

namespace NetCoreNetworkBenchmark.Tests.Libraries.Epoll;

/// <summary>Compares the declarations for Linux' socket headers with the values that the C compiler reports.</summary>
public sealed class SysSocketTests
{
    private static readonly string[] s_headers = ["sys/socket.h", "sys/uio.h", "netinet/in.h", "netinet/udp.h", "netinet/tcp.h", "errno.h"];

    [Theory]
    [InlineData(typeof(SysSocket.IoVec), "struct iovec")]
    [InlineData(typeof(SysSocket.MsgHdr), "struct msghdr")]
    [InlineData(typeof(SysSocket.CMsgHdr), "struct cmsghdr")]
    [InlineData(typeof(SysSocket.MMsgHdr), "struct mmsghdr")]
    public void Structs_are_laid_out_as_in_the_header(Type type, string name)
    {
        string[] fields = [.. type.GetFields().Select(field => field.Name)];
        Assert.Equal(
            [Marshal.SizeOf(type), .. fields.Select(field => Marshal.OffsetOf(type, field).ToInt64())],
            CCompiler.Evaluate(s_headers, [$"sizeof({name})", .. fields.Select(field => $"offsetof({name}, {field})")]));
    }

    [Theory, InlineData(typeof(SysSocket)), InlineData(typeof(NetinetUdp)), InlineData(typeof(NetinetTcp))]
    public void Constants_have_the_values_of_the_header(Type type)
    {
        (string Name, long Value)[] constants = [.. type.GetFields()
            .Where(field => field.IsLiteral)
            .Select(field => (field.Name, Convert.ToInt64(field.GetRawConstantValue(), null)))];
        Assert.NotEmpty(constants);
        Assert.Equal(constants.Select(constant => constant.Value), CCompiler.Evaluate(s_headers, [.. constants.Select(constant => constant.Name)]));
    }

    [Fact]
    public void Control_messages_have_the_sizes_of_the_macros() => Assert.Equal(
        [ControlMessage.Space, ControlMessage.LengthOfUShort, Marshal.SizeOf<SysSocket.CMsgHdr>()],
        CCompiler.Evaluate(s_headers, ["CMSG_SPACE(sizeof(int))", "CMSG_LEN(sizeof(unsigned short))", "(char*)CMSG_DATA((struct cmsghdr*)0) - (char*)0"]));

    [Fact]
    public void SocketName_holds_the_addresses_of_both_families() => Assert.Equal(
        [16, 28, 2],
        CCompiler.Evaluate(s_headers, ["sizeof(struct sockaddr_in)", "sizeof(struct sockaddr_in6)", "AF_INET"]));

    // signal(7): without this, a write to a connection that the peer has closed would end the process.
    [Fact]
    public void The_runtime_ignores_SIGPIPE()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Signals are read in Linux's /proc.");
        const int SIGPIPE = 13;
        string ignored = File.ReadLines("/proc/self/status").Single(line => line.StartsWith("SigIgn:", StringComparison.Ordinal)).Split('\t')[1];
        Assert.NotEqual(0UL, Convert.ToUInt64(ignored, 16) & (1UL << (SIGPIPE - 1)));
    }
}

public sealed class EpollBenchmarkTests
{
    [Theory, InlineData("call"), InlineData("mmsg"), InlineData("gso")]
    public void ModeOf_is_the_requested_one(string batch)
    {
        using var recorder = new RunRecorder();
        Assert.Equal(batch, EpollBenchmark.ModeOf(Plan(batch), recorder, kernelHasSegmentation: true).ToString(), ignoreCase: true);
        Assert.Empty(recorder.Remarks());
    }

    [Fact]
    public void Without_a_choice_messages_go_by_vectors()
    {
        using var recorder = new RunRecorder();
        Assert.Equal(BatchMode.Mmsg, EpollBenchmark.ModeOf(new RunPlan { Library = "Epoll" }, recorder, kernelHasSegmentation: true));
    }

    [Fact]
    public void ModeOf_falls_back_to_vectors_with_a_remark_when_the_kernel_has_no_segmentation()
    {
        using var recorder = new RunRecorder();
        Assert.Equal(BatchMode.Mmsg, EpollBenchmark.ModeOf(Plan("gso"), recorder, kernelHasSegmentation: false));
        Assert.Equal("This kernel has no UDP GSO and GRO (Linux 5.0), so Epoll's batch=gso fell back to mmsg.", Assert.Single(recorder.Remarks()));
        Assert.Equal(BatchMode.Call, EpollBenchmark.ModeOf(Plan("call"), recorder, kernelHasSegmentation: false));
    }

    private static RunPlan Plan(string batch) => new() { Library = "Epoll", Settings = new Dictionary<string, string> { ["batch"] = batch } };
}
