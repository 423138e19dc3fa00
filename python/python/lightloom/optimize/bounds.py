"""Bounds for what a search has found: how far from the best possible it can be."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightloom.errors import DesignError
from lightloom.fabric import Fabric

__all__ = ["FeedBound", "PlacementBound", "feed_bound", "placement_bound", "projection_bound"]

Matrix = npt.NDArray[np.float64]


class PlacementBound(NamedTuple):
    """A lower bound for the branches of a fabric with splitters at the senders."""

    routed_m: float
    """No placement has a shorter routed length of all branches, in metres."""
    now_m: float
    """The routed length of all branches as the ToRs stand now, in metres."""

    @property
    def share(self) -> float:
        """The bound as a share of the length now: 1 if the placement is the best."""
        return self.routed_m / self.now_m if self.now_m else 1.0


def placement_bound(fabric: Fabric) -> PlacementBound:
    """The projected eigenvalue bound of a placement with splitters at the senders.

    Each cord costs at least the price of its routed length, and its stock length is no shorter, so
    the bound holds for stock metres too.

    Parameters
    ----------
    fabric : Fabric
        The fabric.

    Returns
    -------
    PlacementBound
        The bound in routed metres, and the routed length now.

    Raises
    ------
    DesignError
        If the splitters are not at the senders, or if the lengths need more memory than the design
        may take.

    Examples
    --------
    >>> from lightloom import Fabric
    >>> bound = placement_bound(Fabric(p=2, tors=24))
    >>> 0 < bound.routed_m <= bound.now_m
    True
    """
    if fabric.housing != "sender":
        message = f"housing: is {fabric.housing}; the bound is for splitters at the senders"
        raise DesignError(message, field="housing")
    lengths = fabric._project.rack_lengths()
    # Shorter of both directions, so that the matrix is symmetric and the bound still one.
    shorter = np.minimum(lengths, lengths.T)
    sender, receiver, _, _, _, metres = fabric._project.branches()
    flows = np.zeros_like(shorter)
    np.add.at(flows, (sender, receiver), 1.0)
    # A branch of a ToR to itself stays in its rack wherever that is.
    loops = float(np.trace(flows)) * float(np.diag(shorter).min())
    np.fill_diagonal(flows, 0.0)
    apart = shorter.copy()
    np.fill_diagonal(apart, 0.0)
    bound = projection_bound(flows, apart) + loops
    return PlacementBound(max(bound, 0.0), float(metres.sum()))


class FeedBound(NamedTuple):
    """A lower bound for the feeds of a fabric with splitters at the receivers."""

    routed_m: float
    """No placement has a shorter routed length of all feeds, in metres."""
    now_m: float
    """The routed length of all feeds as the ToRs stand now, in metres."""

    @property
    def share(self) -> float:
        """The bound as a share of the length now: 1 if the placement is the best."""
        return self.routed_m / self.now_m if self.now_m else 1.0


def feed_bound(fabric: Fabric) -> FeedBound:
    """A bound on the feeds of a placement with splitters at the receivers.

    The larger of two bounds. One is by packing: a shelf and the ToRs that feed it stand in
    different racks, so its feeds are at least as long as those from the nearest racks. The other is
    by eigenvalues: which receiver a shelf stands with is free, so the matrix of flows is not known,
    but its row sums, rank and norm are, and no matrix with these has a lower projected bound.

    Branches are not counted: they could be longer in a placement whose feeds come near the bound.

    Parameters
    ----------
    fabric : Fabric
        The fabric.

    Returns
    -------
    FeedBound
        The bound in routed metres, and the routed length now.

    Raises
    ------
    DesignError
        If the splitters are not at the receivers, or if the lengths need more memory than the
        design may take.

    Examples
    --------
    >>> from lightloom import Fabric
    >>> bound = feed_bound(Fabric(p=2, tors=24, housing="receiver"))
    >>> 0 < bound.routed_m <= bound.now_m
    True
    """
    if fabric.housing != "receiver":
        message = f"housing: is {fabric.housing}; the bound is for splitters at the receivers"
        raise DesignError(message, field="housing")
    lengths = fabric._project.rack_lengths()
    # No feed is shorter than the shortest one, which is within a rack.
    shortest = float(lengths.min())
    far = np.minimum(lengths, lengths.T) - shortest
    np.fill_diagonal(far, 0.0)
    sender, _, _, _, feed, _ = fabric._project.branches()
    _, first = np.unique(sender, return_index=True)
    apart = _feeds_apart(fabric.edges, far) + shortest * fabric.tors
    routed = max(apart, _feeds_packed(fabric.edges, np.minimum(lengths, lengths.T)))
    return FeedBound(max(routed, 0.0), float(feed[first].sum()))


def _feeds_packed(edges: npt.NDArray[np.uint32], lengths: Matrix) -> float:
    """The feeds of all shelves from the nearest racks."""
    feeds = np.bincount(edges[:, 2].astype(int))
    near = lengths.copy()
    if not (edges[:, 1] == edges[:, 2]).any():
        # No ToR feeds a cassette that it receives from, so no feed stays in its rack.
        np.fill_diagonal(near, np.inf)
    near.sort(axis=1)
    # The least length of 1, 2, 3 … feeds that end in each rack. No two cassettes share a rack.
    sums = np.cumsum(near[:, : int(feeds.max())], axis=1)
    counts, shelves = np.unique(feeds[feeds > 0], return_counts=True)
    return sum(
        float(np.sort(sums[:, count - 1])[:of].sum())
        for count, of in zip(counts, shelves, strict=True)
    )


def _feeds_apart(edges: npt.NDArray[np.uint32], far: Matrix) -> float:
    """The bound over all choices of the receiver that a shelf stands with."""
    size, tors = len(far), len(edges)
    fed_by, into = edges[:, 1].astype(int), edges[:, 2].astype(int)
    feeds = np.bincount(into)
    cassettes = len(feeds)
    loops = len(np.unique(fed_by[fed_by == into]))
    ways = set(zip(fed_by.tolist(), into.tolist(), strict=True))
    mutual = len({one for one, other in ways if (other, one) in ways})
    # Row sums of the symmetric part: a shelf has its feeds, and each ToR one of its own.
    sent = np.zeros(size)
    sent[:tors] += 0.5
    sent[:cassettes] += feeds / 2.0
    norm = (tors + mutual) / 2.0 - 2.0 * float(sent @ sent) / size + (tors / size) ** 2
    most = math.sqrt(float(feeds.max()))
    mean = float(far.sum()) / size**2
    reach = np.sort(far.sum(axis=1))
    linear = 2.0 / size * float(np.sort(sent) @ reach[::-1])
    savings = np.sort(-np.linalg.eigvalsh(_projected(far)))[::-1]
    saved = _most_saved(savings, most, cassettes, norm, loops - tors / size)
    return linear - tors * mean - saved


def _most_saved(savings: Matrix, most: float, count: int, norm: float, trace: float) -> float:
    """An upper bound of the sum of savings times eigenvalues.

    At most ``count`` eigenvalues are positive and as many negative, none is beyond ``most``, the
    sum of their squares is at most ``norm`` and their sum at most ``trace``. Each pair of
    multipliers gives a bound; the least is found by two searches within each other.
    """

    def dual(square: float, total: float) -> float:
        left = savings - total
        best = np.clip(left / (2.0 * square), -most, most)
        gains = best * left - square * best**2
        up, down = np.sort(gains[left > 0])[::-1], np.sort(gains[left < 0])[::-1]
        spare = float(up[:count].sum() + down[:count].sum())
        return square * max(norm, 0.0) + total * trace + spare

    def least(of: Callable[[float], float], low: float, high: float) -> float:
        for _ in range(60):
            one, other = low + (high - low) * 0.382, low + (high - low) * 0.618
            low, high = (low, other) if of(one) <= of(other) else (one, high)
        return of((low + high) / 2.0)

    top = float(np.abs(savings).max()) or 1.0

    def over_square(total: float) -> float:
        return least(lambda power: dual(top * 2.0**power, total), -24.0, 8.0)

    return least(over_square, 0.0, top)


def projection_bound(flows: Matrix, distances: Matrix) -> float:
    """The projected eigenvalue bound of a quadratic assignment (Hadley, Rendl, Wolkowicz 1992).

    Parameters
    ----------
    flows : numpy.ndarray
        Shape (n, n): what each facility sends to each other one. Facilities may be fewer than
        locations: their rows are then zero.
    distances : numpy.ndarray
        Shape (n, n), symmetric: the distance between locations.

    Returns
    -------
    float
        No assignment has a lower sum of flow times distance. It may be negative.

    Raises
    ------
    DesignError
        If the matrices are not square and of one size, or the distances are not symmetric.

    Examples
    --------
    >>> ring = np.roll(np.eye(4), 1, axis=1)
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> projection_bound(ring, line) <= 6.0  # the best order costs 6
    True
    """
    shape = np.shape(flows)
    if len(shape) != 2 or shape[0] != shape[1] or np.shape(distances) != shape:
        message = "flows: expected two square matrices of one size"
        raise DesignError(message, field="flows")
    if not np.allclose(distances, np.transpose(distances)):
        raise DesignError("distances: are not symmetric", field="distances")
    size = shape[0]
    if size < 2:
        return float((np.asarray(flows) * np.asarray(distances)).sum())
    both = (np.asarray(flows, np.float64) + np.transpose(flows)) / 2
    far = np.asarray(distances, np.float64)
    inner = np.sort(np.linalg.eigvalsh(_projected(both)))
    outer = np.sort(np.linalg.eigvalsh(_projected(far)))
    sent, reach = np.sort(both.sum(axis=1)), np.sort(far.sum(axis=1))
    # The linear part is a product of two vectors, so the best assignment pairs large with small.
    linear = 2.0 / size * float(sent @ reach[::-1])
    constant = float(both.sum()) * float(far.sum()) / float(size * size)
    return float(float(inner @ outer[::-1]) + linear - constant)


def _projected(matrix: Matrix) -> Matrix:
    """A symmetric matrix on the space that is orthogonal to the vector of ones."""
    size = len(matrix)
    corner = 1.0 / (size + math.sqrt(size))
    basis = np.full((size, size - 1), -corner)
    basis[0, :] = -1.0 / math.sqrt(size)
    basis[1:, :] += np.eye(size - 1)
    projected: Matrix = basis.T @ matrix @ basis
    return projected
