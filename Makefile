# `make demo` and `make test` set up what they need on a machine with Rust, Python 3.11 and apt.

CARGO ?= cargo
LIGHTLOOM = target/debug/lightloom

.PHONY: all demo test lint bench clean

all: demo

# The main job on the shipped example: an inventory of 1,024 racks becomes a verified plan.
demo:
	scripts/setup
	$(CARGO) build --locked -p lightloom-cli
	$(LIGHTLOOM) plan examples/hall-1024.toml --out demo-out
	$(LIGHTLOOM) verify demo-out
	@echo
	@echo "The plan is in demo-out/: cables.csv, ports.csv, bom.csv, pull-sheet.csv, rules.json, plan.json."

# Laws and commands in Rust, then NetworkX as an independent peer, then the installed Python package.
test:
	scripts/setup --with-peers
	scripts/test-rust
	$(CARGO) build --locked -p lightloom-cli
	.venv/bin/python -m pytest -q tests/peers --lightloom $(LIGHTLOOM)
	scripts/test-python

lint:
	$(CARGO) fmt --all --check
	scripts/check-browser
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps --quiet

# Benchmarks in release mode, and NetworkX beside them; takes a while. Figures: docs/performance.md.
bench:
	scripts/setup --with-peers
	bench/run.sh

clean:
	$(CARGO) clean
	rm -rf .venv .venv-python demo-out
