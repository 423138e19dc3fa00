#!/usr/bin/env python3
"""Write a training step of eight ranks as execution traces of MLCommons Chakra.

    python3 examples/chakra/step.py

writes `step.0.et` to `step.7.et` beside this file. Rank 0 sends 1 MB of parameters to all others. Each rank then computes
the four layers of a model forward and backward. Behind each layer the ranks sum its gradients, 2 MB, while the next one is
computed. A last computation updates the parameters when all are summed. Pairs of ranks also gather activations, 256 kB
each: the process groups are in `groups.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

RANKS = 8
LAYERS = 4
COMPUTATION, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
ALLREDUCE, ALLGATHER, BROADCAST = 0, 2, 5


def varint(number: int) -> bytes:
    """Return a number in the wire format of protocol buffers."""
    written = bytearray()
    while number >= 0x80:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def field(number: int, value: int | str | bytes) -> bytes:
    """Return a field: a number, or a text or message behind its length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name: str, value: int | str | bool) -> bytes:
    """Return an attribute of a node."""
    kind = 27 if isinstance(value, bool) else 29 if isinstance(value, str) else 9
    value = int(value) if isinstance(value, bool) else value
    return field(10, field(1, name) + field(kind, value))


def node(number: int, name: str, kind: int, after: Iterable[int], micros: int = 0, **attributes: int | str) -> bytes:
    """Return a node of a trace."""
    written = field(1, number) + field(2, name) + field(3, kind)
    written += b"".join(field(5, before) for before in after)
    written += field(7, micros) if micros else b""
    written += attribute("is_cpu_op", False)
    return written + b"".join(attribute(key, value) for key, value in attributes.items())


def records(nodes: Iterable[bytes]) -> bytes:
    """Return a file: metadata, then the nodes, each behind its length."""
    return b"".join(varint(len(one)) + one for one in (field(1, "1.0.0"), *nodes))


def step(rank: int) -> list[bytes]:
    """Return the nodes of a rank."""
    nodes = [node(0, "parameters", COLLECTIVE, [], comm_type=BROADCAST, comm_size=1_000_000, root=0)]

    def add(name: str, kind: int, after: Iterable[int], **more: int | str) -> int:
        nodes.append(node(len(nodes), name, kind, after, **more))
        return len(nodes) - 1

    last = 0
    for layer in range(LAYERS):
        last = add(f"forward {layer}", COMPUTATION, [last], micros=80 + 5 * layer)
        last = add(
            f"activations {layer}",
            COLLECTIVE,
            [last],
            comm_type=ALLGATHER,
            comm_size=256_000,
            pg_name=str(rank // 2 + 1),
        )
    sums = []
    for layer in reversed(range(LAYERS)):
        last = add(f"backward {layer}", COMPUTATION, [last], micros=160 + 10 * layer)
        sums.append(add(f"gradients {layer}", COLLECTIVE, [last], comm_type=ALLREDUCE, comm_size=2_000_000))
    add("update", COMPUTATION, sums, micros=30)
    return nodes


def main() -> None:
    """Write the files."""
    place = Path(__file__).parent
    for rank in range(RANKS):
        (place / f"step.{rank}.et").write_bytes(records(step(rank)))
    groups = {str(pair + 1): [2 * pair, 2 * pair + 1] for pair in range(RANKS // 2)}
    (place / "groups.json").write_text(json.dumps(groups) + "\n")


if __name__ == "__main__":
    main()
