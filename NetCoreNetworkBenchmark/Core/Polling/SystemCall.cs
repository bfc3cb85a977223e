using System.ComponentModel;
using System.Runtime.InteropServices;

namespace NetCoreNetworkBenchmark.Core.Polling;

/// <summary>What the results of system calls have in common.</summary>
internal static class SystemCall
{
    /// <summary>Turns a failure of the last call of this thread into an exception with the system's words.</summary>
    /// <param name="result">What the call returned: below 0 where it failed.</param>
    /// <param name="call">Its name.</param>
    /// <exception cref="Win32Exception">It failed.</exception>
    public static void ThrowIfFailed(int result, string call)
    {
        if (result < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)}");
        }
    }
}
