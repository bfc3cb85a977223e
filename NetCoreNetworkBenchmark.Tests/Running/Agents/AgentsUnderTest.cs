using NetCoreNetworkBenchmark.Running.Agents;

namespace NetCoreNetworkBenchmark.Tests.Running.Agents;

/// <summary>Agents of the program under test, because the process of the tests is none.</summary>
internal static class AgentsUnderTest
{
    public static AgentProcess Start(AgentRole role, bool stays = false) =>
        new(role, new ProcessStartInfo("dotnet", [typeof(Catalog).Assembly.Location, AgentProgram.Option])) { Stays = stays };

    public static ParticipantGroup In(AgentPool pool, RunPlan plan, Action? starting = null)
    {
        AgentProcess Fresh(AgentRole role)
        {
            starting?.Invoke();
            return Start(role, stays: true);
        }

        return new ParticipantGroup
        {
            Server = new ServerAgent(plan, pool.Of(AgentRole.Server, plan, () => Fresh(AgentRole.Server))),
            LoadGenerators = [new LoadGeneratorAgent(plan, pool.Of(AgentRole.Client, plan, () => Fresh(AgentRole.Client)))],
        };
    }
}
