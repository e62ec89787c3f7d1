# Sourced by ./run, ./test and .ci/run, not run by itself: the packages of the distribution and the release build.
# Works in bash on Debian 12 and Ubuntu 24.04; elsewhere it says so and lets CMake name what it does not find.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 3

# Everything that building, running and testing needs, by the names both distributions use.
packages=(
    g++ cmake ninja-build
    libfmt-dev libexpected-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libeigen3-dev libcurl4-openssl-dev
    qt6-base-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-svg-dev libqcustomplot-dev libgl-dev
    fonts-noto-cjk qt6-translations-l10n
    doctest-dev librapidcheck-dev libssl-dev openssl xvfb xauth poppler-utils
)

# What ccache must overlook to be of use with precompiled headers (its manual, "Precompiled headers").
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

say() { printf 'headroom: %s\n' "$*" >&2; }
fail() { say "$*"; exit 3; }

missingPackages() {
    local package installed
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^ii  *//p')
    for package in "${packages[@]}"; do
        grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
    done
}

# Installs what is missing and only that; asks for nothing.
installPackages() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        say "this is neither Debian nor Ubuntu, so packages are left to you (their Debian names: ${packages[*]})"
        return
    fi
    local missing asRoot=()
    mapfile -t missing < <(missingPackages)
    [ ${#missing[@]} -eq 0 ] && return
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            asRoot=(sudo -n)
        else
            fail "neither root nor password-free sudo here; please install these packages first: ${missing[*]}"
        fi
    fi
    say "installing ${#missing[@]} missing packages: ${missing[*]}"
    local log
    log=$(mktemp)
    # A stale package index is the usual reason for a failed install, a fresh one costs seconds.
    if ! { "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update &&
        "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
        >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        fail "the packages above could not be installed; please install them yourself: ${missing[*]}"
    fi
    rm -f "$log"
}

# What makes building faster where it happens to be there; nothing depends on it.
fasterBuild() {
    command -v ccache >/dev/null && printf '%s\n' -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
    local linker
    for linker in mold gold; do
        command -v "ld.$linker" >/dev/null && { printf '%s\n' "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=$linker"; break; }
    done
    return 0
}

findNvcc() {
    local candidate
    for candidate in "$(command -v nvcc)" /usr/local/cuda/bin/nvcc; do
        [ -x "$candidate" ] && { printf '%s' "$candidate"; return 0; }
    done
    return 1
}

# The CUDA device of the executor is built where a compiler for it and a card are both there.
cudaOptions() {
    local nvcc
    [ -e /dev/nvidiactl ] && nvcc=$(findNvcc) || return 0
    printf '%s\n' -DHEADROOM_CUDA=ON -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=native
}

# buildPreset NAME [TARGET…]: configures once (CMake repeats that itself when its files change), then builds.
buildPreset() {
    local preset=$1 log options=() targets=()
    shift
    [ $# -gt 0 ] && targets=(--target "$@")
    if [ ! -f "build/$preset/build.ninja" ]; then
        mapfile -t options < <(fasterBuild; [ "$preset" = release ] && cudaOptions)
        say "configuring build/$preset"
        log=$(mktemp)
        cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
        rm -f "$log"
    fi
    # Of ninja's chatter only what a reader can use: its progress while it works, nothing when there was nothing to do.
    if ! cmake --build "build/$preset" "${targets[@]}" -- -n 2>/dev/null | grep -q 'no work to do'; then
        say "building build/$preset (the first time takes minutes, after that only what changed)"
        cmake --build "build/$preset" "${targets[@]}" >&2
    fi
}
