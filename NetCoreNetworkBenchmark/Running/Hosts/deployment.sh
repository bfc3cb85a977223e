# shellcheck shell=sh
# The commands of a deployment on a host, for a POSIX shell with the usual tools of Linux: system; require FILE...; remove PROGRAM HASH; and find or unpack
# PROGRAM HASH SHA256 [PART], where the package, which unpack reads from standard input, has this SHA-256 and is the program, or a part in its folder. If a
# command fails, the last line of its output is a word for the fault and the tool, file or folder at fault, and the exit code is 40 (Deployment.cs).
# The script is sent as one line, because csh quotes no line end: comments are left out, and a blank takes the place of each line end.

fail() { echo "$1 $2"; exit 40; };
exists() { [ -e "$1" ] || [ -L "$1" ]; };

# A folder, not a link to one, that no other user may use.
is_private() { [ -d "$1" ] && [ ! -L "$1" ] && [ "$(stat -c "%u %a" "$1")" = "$(id -u) 700" ]; };

case $1 in
system) uname -s -m; exit ;;
require)
    shift;
    for file do [ -e "$file" ] || fail lacks-file "$file"; done;
    exit ;;
unpack)
    for tool in id stat mktemp sha256sum tar gzip; do
        command -v "$tool" >/dev/null 2>&1 || fail lacks-tool "$tool";
    done ;;
esac;

# Everybody may write to the temporary folder.
parent=${TMPDIR:-/tmp};
folder="$parent/$2-$(id -un | tr -c "A-Za-z0-9._\n-" _)-$3";
if exists "$folder"; then is_private "$folder" || fail not-private "$folder"; fi;
kept="$folder${5:+/$5}";

case $1 in
find)
    # A program is the same wherever it was packed. A part may have changed.
    if [ -f "$kept/.complete" ] && { [ -z "$5" ] || [ "$(cat "$kept/.complete")" = "$4" ]; }; then echo "ready $kept"; fi ;;
remove) rm -rf "$folder" ;;
unpack)
    umask 077;
    work=$(mktemp -d "$folder.XXXXXX") || fail cannot-write "$parent";
    clean() { rm -rf "$work"; };
    trap clean EXIT;
    trap "exit 1" HUP INT TERM;
    cat >"$work/package" || fail cannot-write "$parent";
    echo "$4  $work/package" | sha256sum -c - >/dev/null 2>&1 || fail damaged "$parent";
    { mkdir "$work/program" && tar -xzof "$work/package" -C "$work/program"; } || fail cannot-unpack "$parent";
    chmod g-s,u=rwx,go= "$work/program";
    [ -n "$5" ] || "$work/program/$2" --version >/dev/null </dev/null || fail does-not-start "$parent";
    echo "$4" >"$work/program/.complete" || fail cannot-write "$parent";
    if exists "$kept"; then is_private "$kept" || fail not-private "$kept"; rm -rf "$kept"; fi;
    mv "$work/program" "$kept" || fail cannot-write "$parent";

    # If another user created the folder meanwhile, mv moved the program into it.
    { is_private "$kept" && [ -f "$kept/.complete" ]; } || fail not-private "$kept";
    echo "ready $kept" ;;
esac
