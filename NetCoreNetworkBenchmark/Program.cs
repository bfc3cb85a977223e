using System.Reflection;
using System.Text.Json;
using NetCoreNetworkBenchmark.Core;
using NetCoreNetworkBenchmark.Results;
using NetCoreNetworkBenchmark.Running;

var catalog = new Catalog(Assembly.GetExecutingAssembly());
var plan = new RunPlan { Library = args[0], Clients = int.Parse(args[1], null), ParallelMessages = int.Parse(args[2], null), Duration = TimeSpan.FromSeconds(int.Parse(args[3], null)), Port = 0 };
var r = await new Runner(plan, catalog.CreateLibrary(args[0])!, catalog.FindWorkload("PingPong")!).RunAsync(default);
Console.WriteLine(JsonSerializer.Serialize(r, ResultJson.Readable.RunResult));
