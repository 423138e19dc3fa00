"""The words that arguments may have, as types: a checker finds a word that is none of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

Accounting: TypeAlias = Literal["half", "whole"]
Cabling: TypeAlias = Literal["point-to-point", "trunked"]
Case: TypeAlias = Literal["worst", "typical", "monte-carlo", "best"]
Catalogue: TypeAlias = Literal["shufflecast-2022", "datasheets-2026"]
Criterion: TypeAlias = Literal[
    "cost", "fibre", "power", "hops", "parallel-sources", "margin", "cables", "tray"
]
Dialect: TypeAlias = Literal["openflow", "p4runtime", "p4runtime-sonic", "sonic", "eos"]
Encoding: TypeAlias = Literal["literal", "masked", "masked-destination", "roots"]
Family: TypeAlias = Literal["shufflecast", "kautz", "custom"]
FaultSignalling: TypeAlias = Literal["off", "on"]
Housing: TypeAlias = Literal["sender", "receiver", "zone"]
Light: TypeAlias = Literal["off", "typical", "worst", "draw"]
Method: TypeAlias = Literal["replan", "algorithm2"]
Objective: TypeAlias = Literal["fewest-changes", "fewest-hops"]
Proof: TypeAlias = Literal["cp-sat", "branch-and-bound"]
MemberOrder: TypeAlias = Literal["listed", "racks", "random"]
Operation: TypeAlias = Literal[
    "broadcast",
    "allgather",
    "reduce-scatter",
    "allreduce",
    "all-to-all",
    "scatter",
    "gather",
    "reduce",
    "refresh",
]
PadAt: TypeAlias = Literal["transmitter", "feed", "receiver"]
PooledTable: TypeAlias = Literal["flows", "links", "receivers", "branches"]
Polish: TypeAlias = Literal["upc", "apc"]
PriceCase: TypeAlias = Literal["low", "typical", "high"]
Prices: TypeAlias = Literal["all", "sourced"]
Question: TypeAlias = Literal["info", "budget", "compare", "risk", "spec"]
ResultTable: TypeAlias = Literal["flows", "throughput", "receivers", "copies", "messages"]
Router: TypeAlias = Literal["algorithm1", "arborescence"]
RowsFrom: TypeAlias = Literal["row", "location"]
Shuffle: TypeAlias = Literal["jumpers", "modules"]
TransmitPort: TypeAlias = Literal["shared", "own"]
Transport: TypeAlias = Literal["rc", "datagram"]
Traffic: TypeAlias = Literal["kept", "drawn"]
