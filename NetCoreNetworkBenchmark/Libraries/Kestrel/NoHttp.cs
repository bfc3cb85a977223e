using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>What Kestrel wants to be started with. No request reaches it, for no connection comes as far as HTTP.</summary>
internal sealed class NoHttp : IHttpApplication<object>
{
    public object CreateContext(IFeatureCollection contextFeatures) => throw new NotSupportedException("There is no HTTP here.");

    public Task ProcessRequestAsync(object context) => throw new NotSupportedException("There is no HTTP here.");

    public void DisposeContext(object context, Exception? exception)
    {
        // None was made.
    }
}
