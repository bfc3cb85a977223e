using System.Reflection.Emit;

namespace NetCoreNetworkBenchmark.Tests;

/// <summary>Reads the body of a compiled method (ECMA-335, partition III) for the types, methods and fields that it names.</summary>
internal static class CompiledMethod
{
    public const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly Dictionary<short, OpCode> s_opCodes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value);

    public static IEnumerable<MemberInfo> MembersIn(MethodBase method)
    {
        byte[] il = method.GetMethodBody()?.GetILAsByteArray() ?? [];
        int position = 0;
        while (position < il.Length)
        {
            short value = il[position++];
            if (value == 0xfe)
            {
                value = (short)((value << 8) | il[position++]);
            }

            OpCode code = s_opCodes[value];
            if (code.OperandType is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType
                && Resolve(method, BitConverter.ToInt32(il, position)) is { } member)
            {
                yield return member;
            }

            position += OperandSize(code, il, position);
        }
    }

    private static MemberInfo? Resolve(MethodBase method, int token)
    {
        Type[]? ofType = method.DeclaringType?.IsGenericType == true ? method.DeclaringType.GetGenericArguments() : null;
        return method.Module.ResolveMember(token, ofType, method.IsGenericMethod ? method.GetGenericArguments() : null);
    }

    private static int OperandSize(OpCode code, byte[] il, int position) => code.OperandType switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(il, position)),
        _ => 4,
    };
}
