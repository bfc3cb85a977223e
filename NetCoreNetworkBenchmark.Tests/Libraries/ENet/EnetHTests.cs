using NetCoreNetworkBenchmark.Libraries.ENet;

namespace NetCoreNetworkBenchmark.Tests.Libraries.ENet;

/// <summary>Compares the declarations for enet.h with the values that the C compiler reports for the installed header.</summary>
public sealed class EnetHTests
{
    [Fact]
    public void Structs_have_the_sizes_of_the_header() => Assert.Equal(
        [
            Marshal.SizeOf<EnetH.ENetAddress>(),
            Marshal.SizeOf<EnetH.ENetListNode>(),
            Marshal.SizeOf<EnetH.ENetPacket>(),
            Marshal.SizeOf<EnetH.ENetEvent>(),
            sizeof(EnetH.ENetEventType),
        ],
        CCompiler.Evaluate(
            ["enet/enet.h"],
            ["sizeof(ENetAddress)", "sizeof(ENetListNode)", "sizeof(ENetPacket)", "sizeof(ENetEvent)", "sizeof(ENetEventType)"]));

    [Theory]
    [InlineData(typeof(EnetH.ENetAddress))]
    [InlineData(typeof(EnetH.ENetPeer))]
    [InlineData(typeof(EnetH.ENetPacket))]
    [InlineData(typeof(EnetH.ENetEvent))]
    public void Fields_lie_where_the_header_has_them(Type type)
    {
        string[] fields = [.. type.GetFields().Select(field => field.Name)];
        Assert.Equal(
            fields.Select(field => Marshal.OffsetOf(type, field).ToInt64()),
            CCompiler.Evaluate(["enet/enet.h"], [.. fields.Select(field => $"offsetof({type.Name}, {field})")]));
    }

    [Fact]
    public void ENetHost_begins_with_its_socket_and_its_address() => Assert.Equal(
        [0, sizeof(int), EnetH.HostAddressOffset],
        CCompiler.Evaluate(["enet/enet.h"], ["offsetof(ENetHost, socket)", "sizeof(ENetSocket)", "offsetof(ENetHost, address)"]));

    [Fact]
    public void Constants_have_the_values_of_the_header()
    {
        (string Name, long Value)[] constants = [.. typeof(EnetH).GetFields()
            .Where(field => field.IsLiteral && field.Name.StartsWith("ENET_", StringComparison.Ordinal))
            .Concat(typeof(EnetH.ENetEventType).GetFields().Where(field => field.IsLiteral))
            .Select(field => (field.Name, Convert.ToInt64(field.GetRawConstantValue(), null)))];
        Assert.NotEmpty(constants);
        Assert.Equal(constants.Select(constant => constant.Value), CCompiler.Evaluate(["enet/enet.h"], [.. constants.Select(constant => constant.Name)]));
    }

    [Fact]
    public void Version_is_that_of_the_loaded_library()
    {
        Assert.SkipUnless(EnetLibrary.Problem is null, $"{EnetLibrary.Problem}");
        Assert.Matches(new Regex("^1[.]3[.][0-9]+$"), EnetLibrary.Version);
    }
}
