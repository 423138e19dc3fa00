"""The tested fabrics of all three families."""

import random
from dataclasses import dataclass

import networkx as nx


@dataclass(frozen=True)
class Design:
    family: str
    p: int
    k: int = 0
    tors: int = 0
    edges: tuple = ()  # of a custom fabric: (from, to) of ToR 0, 1, …
    name: str = ""

    def __str__(self):
        return f"{self.family}-{self.name or f'{self.p}-{self.k or self.tors}'}"

    @property
    def size(self):
        return self.tors or len(self.edges) or self.k * self.p**self.k

    def flags(self, folder):
        if self.family == "shufflecast":
            return ["--family", "shufflecast", "--p", str(self.p), "--k", str(self.k)]
        if self.family == "kautz":
            return ["--family", "kautz", "--p", str(self.p), "--tors", str(self.tors)]
        path = folder / f"{self}.csv"
        rows = [f"{tor},{a},{b}\n" for tor, (a, b) in enumerate(self.edges)]
        random.Random(str(self)).shuffle(rows)
        path.write_text("tor,from_cassette,to_cassette\n" + "".join(rows))
        return ["--family", "custom", "--p", str(self.p), "--edges", str(path)]


SHUFFLECAST = [
    Design("shufflecast", p, k=k)
    for p, k in [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2)]
    + [(4, 3), (5, 2), (8, 1), (8, 2)]
]

KAUTZ = [
    Design("kautz", p, tors=tors)
    for p, sizes in [
        (2, [2, 3, 4, 5, 7, 8, 9, 10, 16, 21, 32, 61, 64]),
        (3, [4, 7, 9, 10, 15, 18, 31, 48]),
        (4, [3, 6, 8, 13, 16, 17, 20, 30, 64, 99, 100]),
        (8, [9, 24, 40, 50, 64, 121]),
    ]
    for tors in sizes
]


def regular(random_, p, cassettes):
    """p random permutations: every seat is taken, and loops and parallel ToRs may occur."""
    heads = [list(range(cassettes)) for _ in range(p)]
    for head in heads:
        random_.shuffle(head)
    return [(a, head[a]) for head in heads for a in range(cassettes)]


def sparse(random_, p, cassettes):
    """A ring through all cassettes in random order, and ToRs between random free seats."""
    order = random_.sample(range(cassettes), cassettes)
    edges = list(zip(order, order[1:] + order[:1]))
    seats_out = [c for c in range(cassettes) for _ in range(p - 1)]
    seats_in = seats_out[:]
    random_.shuffle(seats_out)
    random_.shuffle(seats_in)
    return edges + list(zip(seats_out, seats_in))[: random_.randrange(len(seats_out) + 1)]


def custom(seed):
    """A strongly connected edge list; a seed always gives the same list."""
    random_ = random.Random(seed)
    p = random_.choice([2, 2, 3, 3, 4, 5])
    cassettes = random_.randint(1, 5) if seed % 2 else random_.randint(6, 24)
    make = random_.choice([regular, sparse])
    while True:
        edges = make(random_, p, cassettes)
        random_.shuffle(edges)
        graph = nx.MultiDiGraph(edges)
        if len(edges) >= 2 and len(graph) == cassettes and nx.is_strongly_connected(graph):
            name = f"seed{seed}-{make.__name__}-{p}-{cassettes}"
            return Design("custom", p, edges=tuple(edges), name=name)


CUSTOM = [custom(seed) for seed in range(24)]

ALL = SHUFFLECAST + KAUTZ + CUSTOM
