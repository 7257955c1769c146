"""The exceptions of Attest.

Each derives from `AttestError` and from the built-in class that Python users catch, says in one line what was wrong, where, and how to fix it, and
carries `exit_code`, with which the command line would have ended.
"""

from __future__ import annotations


class AttestError(Exception):
    """Root of every exception that Attest raises, but for KeyboardInterrupt."""

    exit_code = 70


class AttestWarning(UserWarning):
    """The answer is weaker than what was asked for."""


class InvalidInput(AttestError, ValueError):
    """The data are at fault: shape, type, range, a NaN."""

    exit_code = 4


class UnknownName(AttestError, ValueError):
    """A name that is in no table: a task, a solver, a level, a layer."""

    exit_code = 2


class NotAvailable(AttestError, NotImplementedError):
    """A backend that is not built in, or a solver that refuses this problem."""

    exit_code = 5


class EnvironmentFailure(AttestError, OSError):
    """The machine refuses: a file that cannot be written, a program that is absent."""

    exit_code = 5


class MemoryFailure(AttestError, MemoryError):
    """The problem does not fit into memory, by an estimate before anything is allocated."""

    exit_code = 5


class BrokenInvariant(AttestError, RuntimeError):
    """A mistake of Attest's own; please report it."""

    exit_code = 70
