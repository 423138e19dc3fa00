"""The parts of :mod:`lightloom.sweep`: points, tasks and the ledger."""
