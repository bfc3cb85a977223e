using System.Text.RegularExpressions;

namespace NetCoreNetworkBenchmark.Cli.Requests;

/// <summary>
/// The scripts of the shells. Each asks the program that is typed for suggestions, so that an installed script is right for every version of it. Where
/// the program has none, the shell offers files.
/// </summary>
internal static partial class CompletionScript
{
    // The word that is typed may begin with a tilde, which no shell replaces in the words of a completion. Bash takes '=' for the end of a word.
    private const string Bash = """
        # Completion of NAME for bash. In ~/.bashrc: eval "$(NAME completion bash)"
        _FUNCTION_completion() {
            local program=$1 line=${COMP_LINE:0:COMP_POINT} word suggestion
            line=${line#*"$1"}
            word=${line##* }
            case $program in '~/'*) program=$HOME/${program#??} ;; esac
            COMPREPLY=()
            while IFS= read -r suggestion; do
                case $word in *=*) case $COMP_WORDBREAKS in *=*) suggestion=${suggestion#*=} ;; esac ;; esac
                COMPREPLY+=("$suggestion")
            done < <("$program" "[suggest:${#line}]" "$line" 2>/dev/null)
        }
        complete -o bashdefault -o default -F _FUNCTION_completion NAME

        """;

    private const string Zsh = """
        #compdef NAME
        # Completion of NAME for zsh. In ~/.zshrc, after compinit: eval "$(NAME completion zsh)"
        _FUNCTION_completion() {
            local program=${words[1]/#\~\//$HOME/} line="${(j: :)words[2,CURRENT-1]} $PREFIX" output
            (( CURRENT > 2 )) || line=$PREFIX
            output=$("$program" "[suggest:${#line}]" "$line" 2>/dev/null)
            if [[ -n $output ]]; then
                compadd -M 'm:{[:lower:]}={[:upper:]}' -- ${(f)output}
            else
                _files
            fi
        }
        if [[ ${funcstack[1]-} == _NAME ]]; then
            _FUNCTION_completion "$@"
        else
            compdef _FUNCTION_completion NAME
        fi

        """;

    private const string Fish = """
        # Completion of NAME for fish. In ~/.config/fish/completions/NAME.fish: NAME completion fish | source
        function _FUNCTION_completion
            set -l words (commandline -opc)
            set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
            set -l word (commandline -ct)
            set -e words[1]
            set -l line (string join ' ' -- $words "$word")
            set -l suggestions ($program "[suggest:"(string length -- "$line")"]" "$line" 2>/dev/null)
            if set -q suggestions[1]
                printf '%s\n' $suggestions
            else
                __fish_complete_path "$word"
            end
        end
        complete -c NAME -f -a '(_FUNCTION_completion)'

        """;

    // The text of the command ends with its last word, and the cursor may stand after a blank.
    private const string PowerShell = """
        # Completion of NAME for PowerShell. In $PROFILE: NAME completion pwsh | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName 'NAME' -ScriptBlock {
            param($word, $ast, $cursor)
            $program = $ast.CommandElements[0]
            $name = if ($program -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $program.Value } else { $program.Extent.Text }
            $length = [Math]::Max(0, $cursor - $program.Extent.EndOffset)
            $line = $ast.ToString().Substring($program.Extent.EndOffset - $ast.Extent.StartOffset).PadRight($length).Substring(0, $length)
            & $name "[suggest:$length]" $line 2>$null | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
            }
        }

        """;

    public static string For(string shell, string program)
    {
        string script = shell switch
        {
            "bash" => Bash,
            "zsh" => Zsh,
            "fish" => Fish,
            _ => PowerShell,
        };
        string function = NoNameOfFunction().Replace(program, "_");
        return script.Replace("FUNCTION", function, StringComparison.Ordinal).Replace("NAME", program, StringComparison.Ordinal);
    }

    [GeneratedRegex("[^A-Za-z0-9_]")]
    private static partial Regex NoNameOfFunction();
}
