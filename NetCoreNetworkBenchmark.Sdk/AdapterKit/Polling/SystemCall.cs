using System.ComponentModel;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.AdapterKit.Polling;

/// <summary>Common handling of the results of system calls.</summary>
public static class SystemCall
{
    /// <summary>Converts a failure of the last call of this thread, a result below 0, to an exception with the system's error message.</summary>
    /// <exception cref="Win32Exception">The call failed.</exception>
    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }
}
