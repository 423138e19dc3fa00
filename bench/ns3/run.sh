#!/usr/bin/env bash
# Runs the stride permutation on a fat-tree in ns-3 and in lightloom's twin, in turn, on one core.
# Prints the medians of both rates and their ratio.
#   bench/ns3/run.sh [--hosts N] [--bytes N] [--ns3-bytes N] [--routes hash|modulo] [--dcqcn on|off] [--runs N]
# --hosts      16, 54, 128 (default), 250, 432, 686, 1024: k^3/4 of a fat-tree of k-port switches
# --bytes      bytes per host in the twin, default 10,000,000
# --ns3-bytes  bytes per host in ns-3; default the same, but at most 1,280,000,000 over all hosts
# --routes     ns-3's uplinks: by hash as in the twin (default), or so that no two flows meet
# --dcqcn      the twin's congestion control, default on; with off, links stay busy to the end as in ns-3
# --runs       runs of each, odd, default 3
# Environment: CORE (the core to pin to, default 0), CARGO_TARGET_DIR, NS3 (below).
#
# Debian's ns-3 is a release build with logging compiled in (--enable-logs), which costs time although no log
# is on. To measure an optimised build without logging, run this in the source of ns-3.37 (`apt-get source
# ns3` with a deb-src line, then unpack ns3_3.37.orig.tar.bz2):
#   cmake -B cmake-cache -DCMAKE_BUILD_TYPE=release -DNS3_NATIVE_OPTIMIZATIONS=ON \
#       -DNS3_WARNINGS_AS_ERRORS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.10 \
#       -DNS3_ENABLED_MODULES='core;network;internet;point-to-point;applications'
#   cmake --build cmake-cache --target libapplications libpoint-to-point
# and then NS3=/path/to/ns-3.37/build bench/ns3/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."

apt_install() {
    local sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo"
    $sudo apt-get -o DPkg::Lock::Timeout=300 update -q
    $sudo apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "$@"
}

refuse() {
    echo "bench/ns3/run.sh: $1" >&2
    exit 2
}

hosts=128 bytes=10000000 ns3_bytes= routes=hash dcqcn=on runs=3
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || refuse "$1: no such option, or its value is missing; see the top of this file"
    case "$1" in
        --hosts) hosts=$2 ;;
        --bytes) bytes=$2 ;;
        --ns3-bytes) ns3_bytes=$2 ;;
        --routes) routes=$2 ;;
        --dcqcn) dcqcn=$2 ;;
        --runs) runs=$2 ;;
        *) refuse "$1: no such option; see the top of this file" ;;
    esac
    shift 2
done
for number in "$hosts" "$bytes" "${ns3_bytes:-1}" "$runs"; do
    [[ $number =~ ^[1-9][0-9]{0,11}$ ]] || refuse "'$number' is not a positive number"
done
[ $((runs % 2)) -eq 1 ] || refuse "--runs $runs is even; a median wants an odd number"
[ "$routes" = hash ] || [ "$routes" = modulo ] || refuse "--routes $routes: say hash or modulo"
[ "$dcqcn" = on ] || [ "$dcqcn" = off ] || refuse "--dcqcn $dcqcn: say on or off"
ports=4
while [ $((ports * ports * ports / 4)) -lt "$hosts" ]; do ports=$((ports + 2)); done
[ $((ports * ports * ports / 4)) -eq "$hosts" ] && [ "$ports" -le 64 ] ||
    refuse "no fat-tree has $hosts hosts; say 16, 54, 128, 250, 432, 686, 1024 or another k^3/4"
if [ -z "$ns3_bytes" ]; then
    ns3_bytes=$((1280000000 / hosts))
    [ "$ns3_bytes" -lt "$bytes" ] || ns3_bytes=$bytes
fi

command -v cargo >/dev/null || { echo "Rust is missing: https://rustup.rs" >&2; exit 1; }
command -v g++ >/dev/null || apt_install g++
if [ -z "${NS3-}" ]; then
    command -v pkg-config >/dev/null || apt_install pkg-config
    pkg-config --exists ns3-core 2>/dev/null || apt_install libns3-dev
    ns3="ns-3 $(pkg-config --modversion ns3-core) (Debian)"
    flags=() before=ns3 after=
else
    [ -e "$NS3/lib/libns3.37-core-optimized.so" ] ||
        refuse "NS3=$NS3: lib/libns3.37-core-optimized.so is missing; see the top of this file"
    ns3="ns-3 3.37 (NS3)"
    flags=(-I "$NS3/include" -L "$NS3/lib" -Wl,-rpath,"$NS3/lib") before=ns3.37 after=-optimized
fi
for module in applications point-to-point internet network core; do
    flags+=("-l$before-$module$after")
done

core=${CORE:-0}
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Do not use the flags of Debian's .pc files: they name libgsl.so, which libns3-dev does not
# install.
g++ -std=c++17 -O3 -Wall -Wextra -o "$work/stride" bench/ns3/stride.cc "${flags[@]}"
cargo build --locked --release --target-dir "$target" -p lightloom-cli
sed -e "s/^ports = .*/ports = $ports/" -e "s/^size = .*/size = \"$bytes B\"/" examples/stride.toml >"$work/stride.toml"
[ "$dcqcn" = on ] || printf '\n[parameters.dcqcn]\nenabled = false\n' >>"$work/stride.toml"

# Each function adds a line to its file: million data hops per second, data hops, run and set-up seconds,
# losses.
value() { sed -n "s/.*\<$1=\([^ ]*\).*/\1/p" "$work/out"; }
run_ns3() {
    taskset -c "$core" "$work/stride" --ports="$ports" --bytes="$ns3_bytes" --routes="$routes" |
        tee "$work/out"
    awk -v rate="$(value data_hops_per_s)" 'BEGIN { printf "%.3f", rate / 1e6 }' >>"$work/ns3"
    echo " $(value data_hops) $(value run_s) $(value set_up_s) $(value lost)" >>"$work/ns3"
}
run_twin() {
    taskset -c "$core" "$target/release/lightloom" simulate "$work/stride.toml" --json >"$work/report.json"
    python3 - "$work/report.json" <<'END' | tee "$work/out" >>"$work/twin"
import json, sys
report = json.load(open(sys.argv[1]))
hops, timing = report["work"]["data_hops"], report["timing"]
drops = sum(drop["packets"] for drop in report["drops"])
seconds = timing["read_s"] + timing["run_s"]
print(f"{hops / seconds / 1e6:.3f} {hops} {seconds:.2f} {timing['read_s']:.2f} {drops}")
END
    echo "twin: $(cut -d' ' -f1 "$work/out") million data hops per second"
}
for run in $(seq "$runs"); do
    echo "== Run $run of $runs, on core $core; load $(cut -d' ' -f1-3 /proc/loadavg)"
    run_ns3
    run_twin
done

# name, bytes per host, file: the row of the run with the median rate, and the minimum and maximum.
row() {
    sort -n "$work/$3" | awk -v name="$1" -v bytes="$2" '
        { rate[NR] = $1; line[NR] = $0 }
        END {
            split(line[(NR + 1) / 2], of)
            printf "%-20s %12d %11d %9.2f %9.2f %6d %9.3f  %.3f to %.3f\n",
                name, bytes, of[2], of[4], of[3], of[5], of[1], rate[1], rate[NR]
        }'
}
median() { sort -n "$work/$1" | awk '{ rate[NR] = $1 } END { print rate[(NR + 1) / 2] }'; }
echo
lscpu | sed -n 's/^Model name: */CPU: /p'
echo "cores: $(nproc), pinned to $core; load now $(cut -d' ' -f1-3 /proc/loadavg);" \
    "$(rustc --version); $(g++ --version | head -1)"
echo "$hosts hosts, 4,096-byte packets, stride N/2, six links each, one thread; ns-3's uplinks by $routes"
printf '%-20s %12s %11s %9s %9s %6s %9s  %s\n' \
    "" "bytes a host" "data hops" "set-up s" "run s" "lost" "Mhops/s" "least to most of $runs"
row "$ns3" "$ns3_bytes" ns3
row twin "$bytes" twin
awk -v ours="$(median twin)" -v theirs="$(median ns3)" \
    'BEGIN { printf "twin / ns-3: %.1f\n", ours / theirs }'
if [ "$ns3_bytes" -ne "$bytes" ]; then
    echo "ns-3 sent fewer bytes per host to keep its runs short. Compare the rates, not the times."
fi
echo "The twin also carries an acknowledgement per packet (not counted), PFC, ECN and DCQCN ($dcqcn). ns-3 carries only UDP."
[ -n "${NS3-}" ] || \
    echo "Debian's ns-3 has logging compiled in. To measure a build without it, see the top of bench/ns3/run.sh."
