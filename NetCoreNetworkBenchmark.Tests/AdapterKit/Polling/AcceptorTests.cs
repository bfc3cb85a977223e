using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NetCoreNetworkBenchmark.Tests.AdapterKit.Polling;

public sealed partial class AcceptorTests
{
    [Fact]
    public async Task Dispose_refuses_new_connections_although_a_copy_of_the_descriptor_is_open()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux ends a socket that listens by shutdown(2).");
        using var recorder = new RunRecorder();
        var loop = new PollLoop("test", recorder, servesClients: false);
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
        listener.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        EndPoint endPoint = listener.LocalEndPoint!;

        // Keeps the port without listening, so that nobody else is given it when the listener has ended.
        using var holder = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        holder.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        holder.Bind(endPoint);
        listener.Listen();

        // As a process has it between fork and exec.
        using var copy = new SafeFileHandle(Duplicate((int)listener.Handle), ownsHandle: true);
        Assert.False(copy.IsInvalid);
        var acceptor = new Acceptor(loop, listener, accepted: connection => connection.Dispose(), paused: _ => { });
        acceptor.Dispose();
        acceptor.Dispose();
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        Assert.Equal(SocketError.ConnectionRefused, Assert.ThrowsAny<SocketException>(() => client.Connect(endPoint)).SocketErrorCode);
        await loop.StopAsync(TimeSpan.FromSeconds(60));
    }

    [LibraryImport("libc", EntryPoint = "dup")]
    private static partial int Duplicate(int descriptor);
}
