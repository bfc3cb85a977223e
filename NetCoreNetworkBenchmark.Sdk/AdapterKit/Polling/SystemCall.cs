using System.ComponentModel;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Common handling of the results of system calls.</summary>
public static class SystemCall
{
    /// <summary>Throws a failure of the last call of this thread, a result below 0, as an exception with the system's error message.</summary>
    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }
}
