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

apt_get() {
    local as=()
    if [ "$(id -u)" != 0 ]; then
        if [ -t 0 ]; then as=(sudo); else as=(sudo -n); fi
    fi
    ${as[@]+"${as[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 \
        "$@" </dev/null >&2
}

setup_packages() {
    local missing optional needed left
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "this is no Debian (there is no apt-get), so nothing is installed here; third_party/packages.txt lists what the build needs."
        return
    fi
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0

    say "installing what the build needs and this machine lacks (third_party/packages.txt says why each):"
    say "  " $missing
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        give_up "these packages need root to install and there is no sudo; as root, run: apt-get install" $missing
    fi
    if [ "$(id -u)" != 0 ] && [ ! -t 0 ] && ! sudo -n true 2>/dev/null; then
        give_up "these packages need root to install and sudo would ask for a password, but there is no terminal; as root, run: apt-get install" $missing
    fi
    apt_get update || say "apt-get update failed in part; trying to install all the same."
    # shellcheck disable=SC2086
    if ! apt_get install -y --no-install-recommends $missing; then
        # One package that cannot be had must not keep the others away.
        for package in $missing; do
            apt_get install -y --no-install-recommends "$package" || true
        done
    fi
    left=$(missing_packages "$@")
    optional=$(missing_packages fonts)
    needed=$(printf '%s\n' $left | grep -vxF "${optional:-none}" || true)
    [ -z "$needed" ] || give_up "apt could not install" $needed "- see its words above; without them the build cannot go on."
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
            [ "$(id -u)" != 0 ] || apt_get update || true
        fi
        say "configuring in $tree"
        rm -f "$tree/.setup"
        if ! (cd "$root" && cmake --preset "$preset" --fresh) >"$tree/configure.log" 2>&1; then
            cat "$tree/configure.log" >&2
            give_up "CMake could not configure; its words are above and in $tree/configure.log."
        fi
        say "building, which takes a minute or two the first time"
        if ! cmake --build "$tree" --target "$target" >&2; then give_up "the build failed; see above."; fi
        printf '%s\n' "$known" >"$tree/.setup"
        built_afresh=yes
        say "built in $((SECONDS - started)) s"
    else
        if ! cmake --build "$tree" --target "$target" -- --quiet >&2; then give_up "the build failed; see above."; fi
    fi
    exec 9>&-
}
