global using NetCoreNetworkBenchmark.Contracts;
global using NetCoreNetworkBenchmark.Plans;
global using NetCoreNetworkBenchmark.Workloads.RoundTrips;
