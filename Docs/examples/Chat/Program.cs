using System.Net;
using Chat;
using NetCoreNetworkBenchmark.Contracts;
using NetCoreNetworkBenchmark.Plans;

// A chat over TCP:
//
//     dotnet run -- server 4000
//     dotnet run -- client 127.0.0.1:4000
//
// The same over TLS. The certificates come from the benchmark itself; the server shows its own, and clients trust the authority:
//
//     NetCoreNetworkBenchmark certificates FOLDER
//     dotnet run -- server 4000 FOLDER
//     dotnet run -- client 127.0.0.1:4000 FOLDER

try
{
    string? folder = args.Length == 3 ? args[2] : null;
    RunPlan plan = ChatPrograms.PlanOf(folder is null ? Protocol.Tcp : Protocol.Ssl);
    switch (args)
    {
        case ["server", var port, .. { Length: < 2 }] when ushort.TryParse(port, out ushort number):
            await ChatPrograms.ServeAsync(plan, number, folder is null ? null : new TlsCredentials
            {
                Authority = Read(folder, "ca.crt"),
                ServerCertificate = Read(folder, "server.crt"),
                ServerKey = Read(folder, "server.key"),
            });
            return 0;
        case ["client", var server, .. { Length: < 2 }] when IPEndPoint.TryParse(server, out IPEndPoint? endPoint):
            await ChatPrograms.VisitAsync(
                plan with { Address = endPoint.Address.ToString() },
                endPoint,
                folder is null ? null : new TlsCredentials { Authority = Read(folder, "ca.crt") });
            return 0;
        default:
            Console.Error.WriteLine("Usage: Chat server PORT [FOLDER] | client ADDRESS:PORT [FOLDER]");
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
