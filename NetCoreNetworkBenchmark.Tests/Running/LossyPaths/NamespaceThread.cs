using System.Runtime.ExceptionServices;
using Microsoft.Win32.SafeHandles;
using NetCoreNetworkBenchmark.Running.Hosts;

namespace NetCoreNetworkBenchmark.Tests.Running.LossyPaths;

/// <summary>Makes sockets in a network namespace. A socket stays in the namespace of the thread that made it, whatever thread uses it.</summary>
internal static class NamespaceThread
{
    public static T Run<T>(HostNamespace host, Func<T> make)
    {
        T result = default!;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                using SafeFileHandle space = File.OpenHandle(host.File);
                SystemCall.ThrowIfFailed(SysSched.setns(space, SysSched.CLONE_NEWNET), "setns");
                result = make();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result;
    }
}
