"""The integrator of a run by modular integration (``modular.py``), with facts about its macro steps for the results."""

from __future__ import annotations

from typing import Any

from chaindrive.solvers.integrator import Integrator
from chaindrive.solvers.modular import EXTRAPOLATIONS, SCHEMES, Macro

__all__ = ["ModularIntegrator"]


class ModularIntegrator(Integrator):
    """An integrator with macro steps; see ``Integrator``. The step of the chain is as long as the chain alone
    allows.
    """

    @property
    def _macro(self) -> Macro:
        found: Macro = self._control.own.macro
        return found

    def shorten(self, factor: float = 0.5) -> None:
        """Multiply the length of all subsequent steps, and of macro steps unless their length was given, by a factor
        below 1.
        """
        super().shorten(factor)
        if self._settings.macro_step is None:
            self._macro.wanted[0] *= factor

    def lengthen(self, step: float) -> None:
        """Make all subsequent steps longer, up to a length [s], and macro steps by the same factor unless their length
        was given.
        """
        factor = step / self.step
        super().lengthen(step)
        if self._settings.macro_step is None:
            self._macro.wanted[0] *= factor

    def notes(self) -> dict[str, Any]:
        """Facts about the macro steps for the results, with the account of the energy exchanged between chain and
        mechanism.
        """
        macro, start = self._macro, float(self._control.times.start[0])
        steps = int(macro.steps[0])
        account = {
            name: float(getattr(macro, name)[0]) for name in ("transferred", "exchanged", "made", "largest_power")
        }
        return {
            "modules": {
                "scheme": SCHEMES[int(macro.corrected[0])],
                "extrapolation": list(EXTRAPOLATIONS)[int(macro.degree[0])],
                "macro_steps": steps,
                "mean_macro_step": (float(macro.start[0]) - start) / steps if steps else 0.0,
                "mechanism_steps": int(macro.own_steps[0]),
                "mechanism_evaluations": int(macro.evaluations[0]),
                "bonds": {"chain and mechanism": account},
            }
        }
