#!/bin/bash
# setup_works.sh FOLDER: third_party/setup.sh against stand-ins for id, dpkg-query, apt-get and sudo, so that each kind of
# machine can be tried on this one.
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# try WHAT_IS_INSTALLED USER SUDO APT COMMAND: runs COMMAND in a fresh folder; leaves $status, $out, $err, $asked (of apt).
#   USER root|other   SUDO none|password|free   APT works|fails|none|no-fonts
try() {
    local installed=$1 user=$2 sudo=$3 apt=$4 command=$5 tool
    rm -rf "$work/m" && mkdir -p "$work/m/bin" "$work/m/third_party"
    cp "$source/third_party/setup.sh" "$source/third_party/packages.txt" "$work/m/third_party/"
    for tool in bash env sed awk grep tr dirname basename mkdir rm touch cat tail true cksum ls; do
        ln -s "$(command -v "$tool")" "$work/m/bin/$tool"
    done
    put() { printf '#!/bin/bash\n%s\n' "$2" >"$work/m/bin/$1" && chmod +x "$work/m/bin/$1"; }
    printf '%s\n' $installed >"$work/m/installed"
    : >"$work/m/asked"
    put id "$([ "$user" = root ] && echo 'echo 0' || echo 'echo 1000')"
    case $sudo in
        password) put sudo 'echo "sudo: a password is required" >&2; exit 1' ;;
        free) put sudo 'shift; "$@"' ;;
    esac
    if [ "$apt" != none ]; then
        put dpkg-query "for p in \"\$@\"; do grep -qx -- \"\$p\" $work/m/installed && echo \"ii \$p\"; done; true"
        put apt-get "
            echo \"\$*\" >>$work/m/asked
            case \" \$* \" in *' install '*) ;; *) exit 0 ;; esac
            case '$apt' in
                fails) echo 'E: Unable to fetch' >&2; exit 100 ;;
                no-fonts) case \"\$*\" in *fonts-*) echo 'E: no installation candidate' >&2; exit 100 ;; esac ;;
            esac
            for p in \"\$@\"; do echo \"\$p\" >>$work/m/installed; done"
    fi
    (PATH="$work/m/bin"; export PATH; unset DISPLAY WAYLAND_DISPLAY CUDACXX CUDA_PATH
        exec bash -c "set -euo pipefail; . $work/m/third_party/setup.sh; $command" run.sh) \
        >"$work/out" 2>"$work/err" </dev/null
    status=$? out=$(cat "$work/out") err=$(cat "$work/err") asked=$(cat "$work/m/asked")
}

expect() { # expect NAME CONDITION...
    local name=$1
    shift
    if ! "$@"; then
        failed=1
        printf 'FAILED: %s\n  status %s\n  out: %s\n  err: %s\n  asked of apt: %s\n' "$name" "$status" "$out" "$err" "$asked"
    fi
}
has() { case $1 in *"$2"*) ;; *) return 1 ;; esac; }
hasnt() { ! has "$@"; }
lines() { [ "$(printf '%s' "$1" | grep -c '')" = "$2" ]; }

all=$(sed 's/#.*//' "$source/third_party/packages.txt" | awk 'NF { print $1 }')
without() { printf '%s\n' $all | grep -vxE "$1"; }
groups='core app fonts'

try "$all" other none works "setup_packages $groups"
expect "nothing missing: nothing said, nothing done" [ "$status$err$asked" = 0 ]

try "$(without 'cmake|libstb-dev')" root none works "setup_packages $groups; echo went on"
expect "root: goes on" has "$out" "went on"
expect "root: installs what is missing and that alone" has "$asked" "install -y --no-install-recommends cmake libstb-dev"
expect "root: says what" has "$err" "cmake libstb-dev"

try "$(without 'libgtest-dev')" root none works "setup_packages $groups"
expect "another group's package is not asked for" [ -z "$asked" ]

try "$(without cmake)" other none works "setup_packages $groups"
expect "no sudo: status" [ "$status" = 125 ]
expect "no sudo: one sentence" lines "$err" 1
expect "no sudo: says what to do" has "$err" "apt-get install cmake"
expect "no sudo: standard output is the program's" [ -z "$out" ]
expect "no sudo: apt was not called" [ -z "$asked" ]

try "$(without cmake)" other password works "setup_packages $groups"
expect "sudo with a password and no terminal: status" [ "$status" = 125 ]
expect "sudo with a password and no terminal: one sentence" lines "$err" 1
expect "sudo with a password and no terminal: asks nothing" has "$err" "no terminal"

try "$(without cmake)" other free works "setup_packages $groups; echo went on"
expect "sudo: installs" has "$asked" "install -y --no-install-recommends cmake"
expect "sudo: goes on" has "$out" "went on"

try "$(without cmake)" root none fails "setup_packages $groups"
expect "apt fails: status" [ "$status" = 125 ]
expect "apt fails: names the package" has "$err" "could not install cmake"
expect "apt fails: shows its words" has "$err" "Unable to fetch"

try "$(without 'cmake|fonts-inter')" root none no-fonts "setup_packages $groups; setup_packages $groups; echo went on"
expect "no fonts to be had: goes on without" has "$out" "went on"
expect "no fonts to be had: the rest is installed" has "$(cat "$work/m/installed")" cmake
expect "no fonts to be had: asked for once" [ "$(grep -c fonts-inter "$work/m/asked")" = 1 ]

try "$(without 'fonts-.*')" other none works "setup_packages $groups; echo went on; setup_missing 'pictures are written'"
expect "fonts missing, no root: goes on" has "$out" "went on"
expect "fonts missing: said" has "$err" "fonts Inter and JetBrains Mono (ImGui's own font stands in)"
expect "no display: said" has "$err" "a display (pictures are written)"
expect "what is missing is one sentence" lines "$err" 1

try "" root none none "setup_packages $groups; echo went on"
expect "no apt: goes on" has "$out" "went on"
expect "no apt: says so" has "$err" "no apt"

exit $failed
