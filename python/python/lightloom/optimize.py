"""Bounds for what a search has found: how far from the best possible it can be."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightloom.errors import DesignError
from lightloom.fabric import Fabric

__all__ = ["PlacementBound", "placement_bound", "projection_bound"]

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
    # Orthonormal columns that are orthogonal to the vector of ones.
    corner = 1.0 / (size + math.sqrt(size))
    basis = np.full((size, size - 1), -corner)
    basis[0, :] = -1.0 / math.sqrt(size)
    basis[1:, :] += np.eye(size - 1)
    inner = np.sort(np.linalg.eigvalsh(basis.T @ both @ basis))
    outer = np.sort(np.linalg.eigvalsh(basis.T @ far @ basis))
    sent, reach = np.sort(both.sum(axis=1)), np.sort(far.sum(axis=1))
    # The linear part is a product of two vectors, so the best assignment pairs large with small.
    linear = 2.0 / size * float(sent @ reach[::-1])
    constant = float(both.sum()) * float(far.sum()) / float(size * size)
    return float(float(inner @ outer[::-1]) + linear - constant)
