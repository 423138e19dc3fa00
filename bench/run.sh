#!/bin/sh
# Measures jobs of docs/performance.md and NetworkX on this machine, on one core, and prints one table.
# Its other figures name their own command or script.
#   bench/run.sh            full Criterion runs
#   bench/run.sh --quick    Criterion's quick mode
# Environment: CORE (the core to pin to, default the last one), CARGO_TARGET_DIR, VENV (default .venv).
set -eu
cd "$(dirname "$0")/.."

case "${1-}" in
    "") quick= ;;
    --quick) quick=--quick ;;
    *) echo "usage: bench/run.sh [--quick]" >&2; exit 2 ;;
esac
for tool in cargo taskset /usr/bin/time python3; do
    command -v "$tool" >/dev/null || {
        echo "bench/run.sh: $tool is missing (Debian: apt-get install time util-linux python3-venv)" >&2
        exit 2
    }
done

core=${CORE:-$(taskset -cp $$ | sed 's/.*[ ,-]//')}
target=${CARGO_TARGET_DIR:-target}
venv=${VENV:-.venv}
lightloom=$target/release/lightloom
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r tests/peers/requirements.txt
cargo build --locked --release --target-dir "$target" -p lightloom-cli

bench() {
    # `--bench`, because the test harness of the libraries does not accept Criterion's options.
    taskset -c "$core" cargo bench --locked --target-dir "$target" -p "$1" --bench "$2" -- \
        --noplot $quick
}
cargo bench --locked --target-dir "$target" -p lightloom-routing -p lightloom -p lightloom-transport \
    -p lightloom-twin --bench trees --bench plans --bench bridge --bench broadcast --no-run
rm -rf "$target/criterion"
echo "== Criterion, on core $core; load $(cut -d' ' -f1-3 /proc/loadavg)"
bench lightloom-routing trees
bench lightloom plans
bench lightloom-transport bridge
bench lightloom-twin broadcast

echo "== The command line, three runs each"
cli() {
    name=$1
    shift
    for run in 1 2 3; do
        rm -rf "$work/plan"
        taskset -c "$core" /usr/bin/time -f "$name %e %M" -o "$work/time" "$lightloom" "$@" >/dev/null
        cat "$work/time" >>"$work/cli"
    done
}
cli "CLI plan shufflecast 4,4" plan --family shufflecast --p 4 --k 4 --out "$work/plan"
cli "CLI plan kautz 4,1024" plan --family kautz --p 4 --tors 1024 --out "$work/plan"
cli "CLI plan kautz 4,16384" plan --family kautz --p 4 --tors 16384 --out "$work/plan"
cli "CLI tree kautz 4,163840" tree --family kautz --p 4 --tors 163840 --source 0 --json

echo "== NetworkX"
taskset -c "$core" "$venv/bin/python" bench/networkx_bfs.py --lightloom "$lightloom" \
    --json "$work/networkx.json"

echo
lscpu | sed -n 's/^Model name: */CPU: /p'
echo "cores: $(nproc), pinned to $core; load now $(cut -d' ' -f1-3 /proc/loadavg); $(rustc --version)"
"$venv/bin/python" bench/table.py --criterion "$target/criterion" \
    --networkx "$work/networkx.json" --cli "$work/cli"
