using System.Text;

namespace NetCoreNetworkBenchmark.Libraries.Sockets.Streams;

// The setting "congestion" of Linux' connections (tcp(7)).
internal static class CongestionControl
{
    private const string OfSystem = "default";
    private const int IPPROTO_TCP = 6;
    private const int TCP_CONGESTION = 13;

    public static LibrarySetting Setting { get; } = new(
        "congestion",
        [OfSystem, "reno", "cubic", "bbr"],
        Default: OfSystem,
        "TCP's congestion control of both sides: that of the system, or a named one (Linux)")
    {
        Protocols = [Protocol.Tcp],
    };

    public static BenchmarkException? FindFault(RunPlan plan) => FindFault(plan.SettingOf(Setting));

    internal static BenchmarkException? FindFault(string algorithm)
    {
        string? fault = ErrorOf(algorithm) switch
        {
            SocketError.Success => null,
            SocketError.OperationNotSupported => "requires Linux. Use ",
            SocketError.AccessDenied => "is not allowed to this user. Add it to the sysctl net.ipv4.tcp_allowed_congestion_control, or use ",
            _ => $"is not in this kernel. Load it by \"modprobe tcp_{algorithm}\", or use ",
        };
        return fault is null ? null : OptionValues.Rejected(
            "--set",
            $"Sockets.{Setting.Name}={algorithm} {fault}{OptionValues.Or([.. Setting.Values.Where(value => ErrorOf(value) == SocketError.Success)])}.");
    }

    /// <summary>At each side, since the clients of another library, or another host, are not checked before the run.</summary>
    public static void Require(RunPlan plan)
    {
        if (FindFault(plan) is { } fault)
        {
            throw fault;
        }
    }

    public static void Set(Socket socket, RunPlan plan) => Set(socket, plan.SettingOf(Setting));

    private static void Set(Socket socket, string algorithm)
    {
        if (algorithm != OfSystem)
        {
            socket.SetRawSocketOption(IPPROTO_TCP, TCP_CONGESTION, Encoding.ASCII.GetBytes(algorithm));
        }
    }

    // A list of the kernel is not enough: it names no module that the call itself would load.
    private static SocketError ErrorOf(string algorithm)
    {
        if (algorithm == OfSystem)
        {
            return SocketError.Success;
        }

        if (!OperatingSystem.IsLinux())
        {
            return SocketError.OperationNotSupported;
        }

        try
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            Set(socket, algorithm);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode;
        }
    }
}
