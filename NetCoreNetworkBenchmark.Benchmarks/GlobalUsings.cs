global using NetCoreNetworkBenchmark.Contracts;
global using NetCoreNetworkBenchmark.Plans;
global using NetCoreNetworkBenchmark.Workloads.RoundTrips;
global using static System.FormattableString;
