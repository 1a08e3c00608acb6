"""Compiling from the other end, in a process that helps the main process (``compiling_ahead.py``).

This module uses Numba's internals. Both processes compile the same kernels. The main process compiles the callees of a
kernel in the order of its source, and holds the lock of the kernel meanwhile. The helper starts with the last call of
the last kernel, and proceeds backwards; it locks a kernel only while it generates its code. The processes thus meet
halfway through any call tree. A kernel that both reach is compiled once: the later process waits for the file of the
other.

The machine code is the same, bit for bit, as the order in which called kernels become known does not matter to a
caller.
"""

from __future__ import annotations

from typing import Any

from numba.core import typeinfer, types
from numba.core.compiler import _EarlyPipelineCompletion
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference

from chaindrive.kernels.compiler import _Kernel, _KernelCache, _Pipeline, compiling

__all__ = ["compile_from_the_end"]


def compile_from_the_end() -> None:
    """Make this process compile from the other end from now on."""
    setattr(typeinfer, "ConstraintNetwork", _LastFirst)  # noqa: B010 (mypy treats it as a class)
    _KernelCache.locks_late = True
    _Pipeline.added.append((_LockedLate, NopythonTypeInference))


class _LastFirst(typeinfer.ConstraintNetwork):
    """Type inference that postpones calls of other kernels to the end, and then begins with the last call."""

    def __init__(self) -> None:
        super().__init__()
        self._done: set[int] = set()

    def propagate(self, typeinfer: Any) -> Any:
        """Go through all known type constraints once; return the errors."""
        everything, before = self.constraints, typeinfer.get_state_token()
        waiting = [each for each in everything if id(each) not in self._done and _calls_a_kernel(each, typeinfer)]
        waits = set(map(id, waiting))
        errors = self._through([each for each in everything if id(each) not in waits], typeinfer)
        if not waiting or typeinfer.get_state_token() != before:
            return errors
        errors += self._through(waiting[::-1], typeinfer)
        self._done |= {id(each) for each in waiting if each.signature is not None}
        return errors

    def _through(self, constraints: list[Any], typeinfer: Any) -> list[Any]:
        everything, self.constraints = self.constraints, constraints
        try:
            return list(super().propagate(typeinfer))
        finally:
            self.constraints = everything


def _calls_a_kernel(constraint: Any, inference: Any) -> bool:
    """Return whether a constraint is known to be a call of a kernel."""
    if type(constraint) is not typeinfer.CallConstraint:  # others are intrinsic
        return False
    called = inference.typevars[constraint.func]
    kind = called.getone() if called.defined else None
    return isinstance(kind, types.Dispatcher) and isinstance(kind.dispatcher, _Kernel)


@register_pass(mutates_CFG=False, analysis_only=True)
class _LockedLate(FunctionPass):
    """A pass that locks a kernel as soon as its types are known, and ends its compilation if another process has
    finished it.
    """

    _name = "chaindrive_locked_late"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Continue only with kernels that no other process has compiled."""
        cache, signature = compiling() or (None, None)
        found = cache.lock_and_load(signature, state.targetctx) if cache is not None else None
        if found is None:
            return False
        state.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
        raise _EarlyPipelineCompletion(found)
