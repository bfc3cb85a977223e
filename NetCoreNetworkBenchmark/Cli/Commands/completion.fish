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
