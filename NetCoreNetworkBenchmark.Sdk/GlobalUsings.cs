global using System.Diagnostics;
global using System.Globalization;
global using System.Net;
global using System.Net.Sockets;
global using NetCoreNetworkBenchmark.Contracts;
global using NetCoreNetworkBenchmark.Plans;
global using NetCoreNetworkBenchmark.Recording;
