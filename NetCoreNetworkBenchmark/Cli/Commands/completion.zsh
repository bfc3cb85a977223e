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
