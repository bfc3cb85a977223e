using System.Net;
using Chat;
using NetCoreNetworkBenchmark.Plans;

// A chat over TCP:
//
//     dotnet run -- server 4000
//     dotnet run -- client 127.0.0.1:4000

RunPlan plan = ChatPrograms.PlanOf(Protocol.Tcp);
try
{
    switch (args)
    {
        case ["server", var port] when ushort.TryParse(port, out ushort number):
            await ChatPrograms.ServeAsync(plan, number, credentials: null);
            return 0;
        case ["client", var server] when IPEndPoint.TryParse(server, out IPEndPoint? endPoint):
            await ChatPrograms.VisitAsync(plan, endPoint, credentials: null);
            return 0;
        default:
            Console.Error.WriteLine("Usage: TcpChat server PORT | client ADDRESS:PORT");
            return 2;
    }
}
catch (BenchmarkException exception)
{
    Console.Error.WriteLine(exception.Message);
    return 1;
}
