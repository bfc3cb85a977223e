# shellcheck shell=sh
# Sourced by the other scripts: checks the .NET SDK, installs packages and builds. If a package cannot be installed, the script reports it in one line and
# continues. Reports go to standard error, because standard output is the program's.

# The checkout, which the script that sources this has found.
: "${root:?}"

report() { printf '%s\n' "$*" >&2; }

require_dotnet() {
    if ! command -v dotnet >/dev/null 2>&1; then
        report "The .NET 10 SDK is not installed or not on the PATH: see https://dotnet.microsoft.com/download."
        exit 1
    fi
    export DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1
    home=${DOTNET_CLI_HOME:-${HOME:-$(getent passwd "$(id -u)" 2>/dev/null | cut -d : -f 6)}}
    if [ ! -d "$home" ] || [ ! -w "$home" ]; then
        report "dotnet writes to the home folder, and '$home' cannot be written to: name another one, such as HOME=/folder/of/yours before the command."
        exit 1
    fi
    # Which SDK is taken follows from the global.json of the current folder.
    if ! (cd "$root" && dotnet --version >/dev/null 2>&1); then
        wanted=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$root/global.json")
        present=$(dotnet --list-sdks 2>/dev/null | sed 's/ .*//' | paste -s -d , -)
        report "No .NET SDK here is right for this checkout (wanted: $wanted or a later one of its major version;" \
            "installed: ${present:-none}): see https://dotnet.microsoft.com/download."
        exit 1
    fi
}

# as_root COMMAND...: runs it as root where that is possible without asking.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo -n "$@"
    else
        return 1
    fi
}

# install_packages WHAT_FOR PACKAGE...
install_packages() {
    what_for=$1
    shift
    if command -v apt-get >/dev/null 2>&1; then
        export DEBIAN_FRONTEND=noninteractive
        if as_root apt-get install -y "$@" >/dev/null 2>&1 \
            || { as_root apt-get update >/dev/null 2>&1 && as_root apt-get install -y "$@" >/dev/null 2>&1; }; then
            report "Installed $*."
            return 0
        fi
    fi
    report "Could not install $*, going on without: $what_for."
}

has_library() {
    { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "$1"
}

install_enet() {
    case $(uname -s) in
        Linux)
            has_library 'libenet\.so\.7' || install_packages "the library ENet cannot run here" libenet7
            ;;
        Darwin)
            if ! ls /opt/homebrew/lib/libenet.dylib /usr/local/lib/libenet.dylib >/dev/null 2>&1; then
                if command -v brew >/dev/null 2>&1 && brew install enet >&2; then
                    report "Installed enet."
                else
                    report "Could not install enet with brew, going on without: the library ENet cannot run here."
                fi
            fi
            ;;
    esac
}

# install_enet_header WHAT_FOR: the C compiler and ENet's header.
install_enet_header() {
    if [ "$(uname -s)" = Linux ]; then
        { command -v cc >/dev/null 2>&1 && [ -e /usr/include/enet/enet.h ]; } \
            || install_packages "$1" gcc libc6-dev libenet-dev
    fi
}

# install_openssl_header WHAT_FOR: the C compiler and OpenSSL's headers, in whatever folder the compiler looks.
install_openssl_header() {
    if [ "$(uname -s)" = Linux ]; then
        { command -v cc >/dev/null 2>&1 && echo '#include <openssl/ssl.h>' | cc -E - >/dev/null 2>&1; } \
            || install_packages "$1" gcc libc6-dev libssl-dev
    fi
}

# install_servers WHAT_FOR PACKAGE...: packages whose own servers are not started (policy-rc.d(8)).
install_servers() {
    policy=/usr/sbin/policy-rc.d
    made=
    if [ ! -e "$policy" ] && printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null 2>&1 && as_root chmod 755 "$policy"; then
        made=true
    fi
    install_packages "$@"
    [ -z "$made" ] || as_root rm -f "$policy"
}

# has_program NAME: also where the PATH leaves out the programs of the administrator.
has_program() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ]; }

# install_nginx WHAT_FOR: the program.
install_nginx() {
    if [ "$(uname -s)" = Linux ] && ! has_program nginx; then
        install_servers "$1" nginx-light
    fi
}

# install_shells WHAT_FOR: those with a completion script, besides bash. PowerShell is in no package of Debian's.
install_shells() {
    if [ "$(uname -s)" = Linux ]; then
        { has_program zsh && has_program fish; } || install_packages "$1" zsh fish
    fi
}

# install_hosts WHAT_FOR: what makes several hosts of this machine. Only root can use it.
install_hosts() {
    if [ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ]; then
        { has_program ip && has_program ssh && has_program sshd && has_program munged && has_program slurmctld && has_program slurmd; } \
            || install_servers "$1" iproute2 openssh-client openssh-server munge slurmctld slurmd slurm-client
    fi
}

# install_browser WHAT_FOR: the browser of the system.
install_browser() {
    if [ "$(uname -s)" = Linux ] && ! has_program chromium; then
        install_packages "$1" chromium
    fi
}

# install_wine WHAT_FOR: sets 'wine' to the program that runs those of 64-bit Windows; empty if there is none. Debian has it outside the PATH.
install_wine() {
    [ -x /usr/lib/wine/wine64 ] || [ "$(uname -s)" != Linux ] || install_packages "$1" wine64
    wine=
    [ ! -x /usr/lib/wine/wine64 ] || wine=/usr/lib/wine/wine64
}

# build_quietly PROJECT OPTION...: builds Release; the output is shown only if the build fails. A checkout that cannot be written to keeps the build that it
# has.
build_quietly() {
    project=${1%.slnx}
    target=$1
    shift
    if [ ! -w "$project" ] || { [ -e "$project/obj" ] && [ ! -w "$project/obj" ]; }; then
        if [ -x "$project/bin/Release/net10.0/NetCoreNetworkBenchmark" ]; then
            report "The checkout cannot be written to: the program is as it was built before."
            return 0
        fi
        report "The checkout in '$root' cannot be written to, and has no build: copy it to a folder of yours and build there."
        exit 1
    fi
    report "Building ..."
    if ! built=$(cd "$root" && dotnet build "$target" --configuration Release --nologo "$@" 2>&1); then
        report "$built"
        report "The build failed."
        exit 1
    fi
    # Packages that no source has, reported once by the build that tried them.
    printf '%s\n' "$built" | sed -n 's/^ *\(Left out of this build.*\)$/\1/p' >&2
}
