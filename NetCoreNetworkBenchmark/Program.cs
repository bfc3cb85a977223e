using System.Reflection;
using System.Text;
using NetCoreNetworkBenchmark.Cli;
using NetCoreNetworkBenchmark.Reports;
using NetCoreNetworkBenchmark.Running;

Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
DescriptorLimit.Raise();
var assembly = Assembly.GetExecutingAssembly();
IReport[] reports = [.. Catalog.Implementations<IReport>(assembly)
    .OrderBy(type => type.Name, StringComparer.Ordinal)
    .Select(type => (IReport)Activator.CreateInstance(type)!)];
return await new Application(new Catalog(assembly), reports, Console.Out, Console.Error).RunAsync(args).ConfigureAwait(false);
