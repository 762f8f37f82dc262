# Sourced by run.sh and test.sh: installs what is missing, configures and builds. Everything it says goes to standard
# error. It sets nothing outside this folder but packages.
#
#   setup_packages GROUP...   installs the packages of third_party/packages.txt in these groups that are missing
#   setup_build PRESET TARGET GROUP...   configures and builds; does nothing that is already done
#   setup_missing TEXT        one sentence: what this machine lacks, and what follows (TEXT: without a display)
#
# Exit status 125: the set-up failed, with one sentence why (the program's own statuses are 0 to 5).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=$(basename "$0")
built_afresh=no

say() { printf '%s: %s\n' "$name" "$*" >&2; }
give_up() {
    say "$*"
    exit 125
}

# The packages of the groups, those that are not installed.
missing_packages() {
    local wanted package
    wanted=$(sed 's/#.*//' "$root/third_party/packages.txt" |
        awk -v groups=" $* " 'NF >= 2 && index(groups, " " $2 " ") { print $1 }')
    # shellcheck disable=SC2086
    { dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null || true; } |
        awk -v wanted="$wanted" '
            /^.i / { have[$2] = 1 }
            END { n = split(wanted, w, /[ \n]+/); for (i = 1; i <= n; i++) if (!(w[i] in have)) print w[i] }'
}

# apt-get as root, its chatter in build/apt.log: shown only when it fails.
apt_get() {
    local as=()
    if [ "$(id -u)" != 0 ]; then
        if [ -t 0 ]; then as=(sudo); else as=(sudo -n); fi
    fi
    mkdir -p "$root/build"
    if ! ${as[@]+"${as[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=300 "$@" >"$root/build/apt.log" 2>&1; then
        tail -n 20 "$root/build/apt.log" >&2
        return 1
    fi
}

# Installs what it is given, if it can.
install() {
    say "installing what the build needs and this machine lacks (third_party/packages.txt says why): $*"
    apt_get update || say "apt-get update failed in part; trying to install all the same."
    apt_get install -y --no-install-recommends "$@"
}

setup_packages() {
    local needed optional tried="$root/build/.fonts-not-in-apt" how
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "there is no apt here, so nothing is installed; third_party/packages.txt lists what the build needs."
        return
    fi
    # It works without the fonts too: they are asked for once, and never stand in the way.
    optional=$(missing_packages fonts | tr '\n' ' ')
    [ ! -e "$tried" ] || optional=
    needed=$(missing_packages "${@/fonts/}" | tr '\n' ' ')
    needed=${needed% } optional=${optional% }
    [ -n "$needed$optional" ] || return 0

    if [ "$(id -u)" != 0 ]; then
        how=
        command -v sudo >/dev/null || how="there is no sudo"
        [ -n "$how" ] || [ -t 0 ] || sudo -n true 2>/dev/null || how="sudo would ask for a password but has no terminal"
        if [ -n "$how" ]; then
            [ -z "$needed" ] || give_up "packages that the build needs are missing and $how, so as root run: apt-get install" $needed $optional
            return 0
        fi
    fi
    # shellcheck disable=SC2086
    if ! install $needed $optional; then
        [ -z "$needed" ] || [ -z "$optional" ] || install $needed || true
        needed=$(missing_packages "${@/fonts/}" | tr '\n' ' ')
        [ -z "$needed" ] || give_up "apt could not install ${needed% }, without which the build cannot go on; its words are above."
        touch "$tried"
    fi
}

find_nvcc() {
    local place
    for place in ${CUDACXX:-} "$(command -v nvcc || true)" ${CUDA_PATH:+"$CUDA_PATH/bin/nvcc"} /usr/local/cuda/bin/nvcc \
        /opt/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc; do
        if [ -x "$place" ]; then
            echo "$place"
            return
        fi
    done
}

has_gpu() { [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; }
has_display() { [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; }

setup_missing() {
    local lacks=() i sentence
    if ! has_gpu; then
        lacks+=("an NVIDIA GPU (launches are simulated on the CPU)")
    elif [ -z "$(find_nvcc)" ]; then
        lacks+=("the CUDA Toolkit (launches are simulated on the CPU, though there is a GPU)")
    fi
    has_display || lacks+=("a display ($1)")
    if command -v dpkg-query >/dev/null && [ -n "$(missing_packages fonts)" ]; then
        lacks+=("the fonts Inter and JetBrains Mono (ImGui's own font stands in)")
    fi
    [ ${#lacks[@]} -gt 0 ] || return 0
    sentence=${lacks[0]}
    for ((i = 1; i < ${#lacks[@]}; i++)); do sentence+=", ${lacks[i]}"; done
    say "this machine lacks $sentence."
}

setup_build() {
    local preset=$1 target=$2 tree="$root/build/$1" known started=$SECONDS
    shift 2
    mkdir -p "$tree" 2>/dev/null && [ -w "$tree" ] || give_up "cannot write to $tree, where the build goes."
    exec 9>"$tree/.setup.lock"
    flock 9
    # What the build found once may be here now, or gone: then it is configured afresh.
    known="nvcc $(find_nvcc); $(cksum <"$root/CMakePresets.json"); lacking: $(missing_packages "$@" 2>/dev/null | tr '\n' ' ')"
    if [ ! -f "$tree/build.ninja" ] || [ "$known" != "$(cat "$tree/.setup" 2>/dev/null)" ]; then
        # Dear ImGui's source comes through apt, which needs lists of packages.
        if command -v apt-get >/dev/null && [ -z "$(apt-get indextargets --format '$(FILENAME)' 2>/dev/null | xargs -r ls -d 2>/dev/null)" ]; then
            apt_get update || say "apt-get update failed; without package lists Dear ImGui can only come from a release archive or IMGUI_DIR."
        fi
        say "configuring in $tree"
        rm -f "$tree/.setup"
        if ! (cd "$root" && cmake --preset "$preset" --fresh) >"$tree/configure.log" 2>&1; then
            cat "$tree/configure.log" >&2
            give_up "CMake could not configure; its words are above and in $tree/configure.log."
        fi
        say "building, which takes a minute the first time, and four where the kernels are compiled for GPUs too"
        if ! cmake --build "$tree" --target "$target" >&2; then give_up "the build failed; its words are above."; fi
        printf '%s\n' "$known" >"$tree/.setup"
        built_afresh=yes
        say "built in $((SECONDS - started)) s"
    else
        if ! cmake --build "$tree" --target "$target" -- --quiet >"$tree/build.log" 2>&1; then
            cat "$tree/build.log" >&2
            give_up "the build failed; its words are above and in $tree/build.log."
        fi
    fi
    exec 9>&-
}
