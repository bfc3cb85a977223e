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
