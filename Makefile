# `make demo` and `make test` set up what they need on a machine with Rust, Python 3.11 and apt.

CARGO ?= cargo
TARGET = $(or $(CARGO_TARGET_DIR),target)
LIGHTLOOM = $(TARGET)/debug/lightloom
PREFIX ?= /usr/local
# Each file of tests in one of as many processes as there are cores.
SIDE_BY_SIDE = -n auto --dist loadfile

.PHONY: all demo test explore fuzz attack-controller test-netbox lint bench docs wheels install clean

all: demo

# The main job on the shipped example: an inventory of 1,024 racks becomes a verified plan.
demo:
	scripts/setup
	$(CARGO) build --locked -p lightloom-cli
	$(LIGHTLOOM) plan examples/hall-1024.toml --out demo-out
	$(LIGHTLOOM) verify demo-out
	@echo
	@echo "The plan is in demo-out/; docs/plan-folder.md lists its files."

# Laws and commands in Rust, then NetworkX as an independent peer, then the installed Python package.
# The command that the Python tests run is the one that the Rust tests have built.
test:
	scripts/setup --with-peers
	scripts/test-rust
	.venv/bin/python -m pytest -q $(SIDE_BY_SIDE) tests/peers --lightloom $(LIGHTLOOM)
	scripts/test-python

# The tests with random cases, with other cases in every run. What fails has its case printed.
explore:
	scripts/setup
	PROPTEST_RNG_SEED=$$(date +%s) scripts/test-rust
	HYPOTHESIS_PROFILE=default scripts/test-python -k "random or plot"

# Coverage-guided fuzzing of every reader: each target for SECONDS. docs: scripts/fuzz.
SECONDS ?= 60
fuzz:
	scripts/fuzz $(SECONDS)

# The controller under attack: 100,000 mutated messages, 10,000 mutated requests, 100 kills, and a full disk in each
# phase of a rollout. Takes ten minutes. `make test` has the same in small.
ATTACKS ?= 100000
attack-controller:
	scripts/setup
	$(CARGO) build --locked -p lightloom-cli
	scripts/test-python -k "controller_attacks or controller_disk" -rP --attacks $(ATTACKS)

# Plans in a real NetBox with PostgreSQL and Redis; takes minutes.
test-netbox:
	scripts/test-netbox

lint:
	$(CARGO) fmt --all --check
	scripts/check-browser
	scripts/same-features
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --workspace --no-deps --quiet

# Benchmarks in release mode, and NetworkX beside them; takes a while. Figures: docs/performance.md.
bench:
	scripts/setup --with-peers
	bench/run.sh

# The documents, notebooks and the reference of the Python package as a website, with every link checked.
DOCS = $(TARGET)/docs-tools
docs:
	test -x $(DOCS)/bin/zensical || python3 -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check -r scripts/docs-requirements.txt
	$(DOCS)/bin/python scripts/docs

# Wheels and an sdist of the Python package for others, each tried in an empty environment; takes a while.
wheels:
	scripts/build-wheels

# The command, its completions and its man pages. PREFIX and DESTDIR are honoured.
install:
	$(CARGO) build --locked --release -p lightloom-cli
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install $(TARGET)/release/lightloom

clean:
	$(CARGO) clean
	rm -rf .venv .venv-python demo-out
