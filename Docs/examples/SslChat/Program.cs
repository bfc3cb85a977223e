using System.Net;
using Chat;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;

// The same chat over TLS. The certificates come from the benchmark itself; the server shows its own, and clients trust the authority:
//
//     NetCoreNetworkBenchmark certificates FOLDER
//     dotnet run -- server 4000 FOLDER
//     dotnet run -- client 127.0.0.1:4000 FOLDER

try
{
    switch (args)
    {
        case ["server", var port, var folder] when ushort.TryParse(port, out ushort number):
            await ChatPrograms.ServeAsync(
                ChatPrograms.PlanOf(Protocol.Ssl),
                number,
                new TlsCredentials
                {
                    Authority = Read(folder, "ca.crt"),
                    ServerCertificate = Read(folder, "server.crt"),
                    ServerKey = Read(folder, "server.key"),
                });
            return 0;
        case ["client", var server, var folder] when IPEndPoint.TryParse(server, out IPEndPoint? endPoint):
            await ChatPrograms.VisitAsync(
                ChatPrograms.PlanOf(Protocol.Ssl) with { Address = endPoint.Address.ToString() },
                endPoint,
                new TlsCredentials { Authority = Read(folder, "ca.crt") });
            return 0;
        default:
            Console.Error.WriteLine("Usage: SslChat server PORT FOLDER | client ADDRESS:PORT FOLDER");
            return 2;
    }
}
catch (BenchmarkException exception)
{
    Console.Error.WriteLine(exception.Message);
    return 1;
}

static string Read(string folder, string name)
{
    try
    {
        return File.ReadAllText(Path.Combine(folder, name));
    }
    catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
    {
        throw BenchmarkException.BadInput(
            $"'{Path.Combine(folder, name)}' cannot be read; 'NetCoreNetworkBenchmark certificates {folder}' makes it.", exception);
    }
}
