using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;

namespace NetCoreNetworkBenchmark.Libraries.Kestrel;

/// <summary>The application that Kestrel requires at its start. No request reaches it, because no connection gets as far as HTTP.</summary>
internal sealed class NoHttp : IHttpApplication<object>
{
    public object CreateContext(IFeatureCollection contextFeatures) => throw new NotSupportedException("There is no HTTP here.");

    public Task ProcessRequestAsync(object context) => throw new NotSupportedException("There is no HTTP here.");

    public void DisposeContext(object context, Exception? exception)
    {
        // No context was created.
    }
}
