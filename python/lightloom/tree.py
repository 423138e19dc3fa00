"""One source's multicast tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


class Tree:
    """One source's multicast tree."""

    def __init__(
        self, source: int, relay_row: npt.NDArray[np.uint32], hops: npt.NDArray[np.uint32]
    ) -> None:
        self.source = source
        self.relay_row = relay_row
        self.hops = hops
