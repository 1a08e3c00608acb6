"""Reasons why an analytical check does not apply to a run. Each function returns the reason, or an empty string."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.analytical import formulas
from chaindrive.analyses.analytical.operating import span_frequencies, tooth_loads
from chaindrive.analyses.results.comparison_case import Case
from chaindrive.numbers import quantity

__all__ = [
    "EVEN",
    "dominated_by_losses",
    "held_by_return",
    "hidden_by_fluctuation",
    "irregular",
    "links_compliance",
    "lossy",
    "no_sag",
    "no_string",
    "no_tooth_load",
    "stiff_joints",
    "yielding_seats",
]

FloatArray = NDArray[np.float64]

SLACK, UNEVEN = 0.1, 0.3
"""Limits of the lowest tension of a span (the tension exceeded 99 % of the time) and of the standard deviation of its
tension, both relative to its mean. If the lowest tension is below the first limit or the standard deviation above the
second, quantities that follow from the mean tension are not compared.
"""
SLIGHT = 0.05
"""A tooth load below this fraction of the tension of the tightest span is not compared, because it depends mainly on
the clearance of the rollers in their seats.
"""
CARRIED_ON = 0.15
"""Limit of mu r T / P, the force with which friction holds a joint under the largest tension, relative to the load of a
tooth. Above it the load is not compared: links that stay bent transfer part of it to the next teeth."""
HIDDEN = 0.25
"""A force on a wheel is not compared if it is less than this fraction of the standard deviation of the tensions on both
sides."""
STIFF_JOINTS = 0.15
"""Limit of C f / (T P), the damping moment in a joint that bends within one pitch, relative to the moment that
straightens its link. Above this limit a joint bends over more than one pitch: its loss is smaller by about this
fraction, and the polygonal action is smoothed."""
LOSSY = 0.1
"""If the losses exceed this fraction of the power of the loads, a balance without losses is not compared."""
YIELDING = 0.15
"""If the compliance of the seats at both ends of a span exceeds this fraction of the compliance of its links, seats
must not be taken as rigid."""
PERIODS = 5
"""Smallest number of periods of a string that the window must contain."""
EVEN = 0.15
"""Tooth loads are not compared if the standard deviation of the tension, relative to its mean, exceeds this value. Mean
tooth loads cover only the times at which most rollers touch, and a tension that varies in phase with the rollers has a
different mean at these times."""
DOMINANT_LOSS = 0.2
"""A tension difference is not compared if the drag of the chain on the wheel exceeds this fraction of the expected
difference."""
SEAT_PLAY = 0.3
"""Smallest sag that is compared, relative to the roller diameter; a smaller sag is dominated by the positions of
rollers in their seats."""
SETTLED = 0.1
"""A sag is not compared if it changes by more than this fraction between the two halves of the window."""


def dominated_by_losses(case: Case, w: int, step: float) -> str:
    """Return why losses dominate a tension difference [N] across a wheel, or an empty string."""
    if not (held := _lost_tension(case, w)) > DOMINANT_LOSS * abs(step):
        return ""
    words = f"only {quantity(step, 'N', 2)} without losses, but losses amount to about {quantity(held, 'N', 2)}"
    return f"{words}: they dominate"


def _lost_tension(case: Case, w: int) -> float:
    """Return the tension lost on a wheel: the loss in joints as in ``operating.joint_loss``, or the wheel's share of
    all losses if that is larger [N].
    """
    chain, bend = case.drive.chain, 2.0 * math.pi / case.drive.wheels[w].teeth
    pull = float(case.point.tension[w] + case.point.tension[w - 1])
    moment = 0.5 * chain.joint_friction * (chain.pin_diameter or 0.0) * pull
    joints = bend * (moment + 2.0 * chain.joint_damping * bend * case.pace) / chain.pitch
    return max(joints, _lost(case) / (case.pace * chain.pitch * len(case.drive.wheels)))


def _lost(case: Case) -> float:
    """Return the mean power that the chain loses in the window, without bearings. [W]"""
    names = [f"work_{name}" for name in case.solution.loss_names if name != "bearing"]
    works = [case.solution.values(name, case.window.rows) for name in names if name in case.solution]
    return sum(float(work[-1]) - float(work[0]) for work in works) / case.window.duration


def hidden_by_fluctuation(case: Case, w: int, force: float) -> str:
    """Return the reason for not comparing the mean force on a wheel [N] if the tensions of the spans beside it
    fluctuate too much; otherwise an empty string.
    """
    beside = (_finite(case, "span_tension", k % len(case.point.tension)) for k in (w - 1, w))
    spread = max(float(each.std()) if each.size else math.nan for each in beside)
    if not force < HIDDEN * spread:
        return ""
    return f"{quantity(force, 'N', 2)} between tensions that fluctuate by {quantity(spread, 'N', 2)} (RMS)"


def _finite(case: Case, name: str, item: int) -> FloatArray:
    """Return the values of one item of a channel in the window, without nan."""
    values = np.asarray(case.solution.values(name, case.window.rows, item), dtype=np.float64)
    return values[np.isfinite(values)]


def irregular(case: Case, k: int, most: float = UNEVEN) -> str:
    """Return why the mean tension of a span does not determine its mean state, or an empty string.

    most: largest standard deviation relative to the mean.
    """
    tension, mean = _finite(case, "span_tension", k), float(case.point.tension[k])
    if not (tension.size and mean > 0.0):
        return "the span is slack"
    if float(np.percentile(tension, 1.0)) < SLACK * mean:
        return "the span goes slack at times"
    share = float(tension.std()) / mean
    return f"the tension of the span fluctuates by {100.0 * share:.2g} % (RMS)" if share > most else ""


def stiff_joints(case: Case) -> str:
    """Return why joints do not bend within one pitch, or an empty string. The criterion is C f / (T P), averaged over
    all spans and weighted by the squares of the angles by which joints bend.
    """
    chain, tension = case.drive.chain, np.maximum(case.point.tension, 1e-9)
    bends = np.array([1.0 / wheel.teeth**2 for wheel in case.drive.wheels])
    shares = np.minimum(chain.joint_damping * case.pace / (tension * chain.pitch), 1.0)
    both = 0.5 * (shares + np.roll(shares, 1))
    share = float((bends * both).sum() / bends.sum())
    if not share > STIFF_JOINTS:
        return ""
    return f"joint damping is {100.0 * share:.2g} % of the bending moment: joints bend over more than one pitch"


def lossy(case: Case, power: float) -> str:
    """Return why a balance of power [W] without the losses of the chain is not compared, or an empty string."""
    lost = _lost(case)
    if not lost > LOSSY * abs(power):
        return ""
    return (
        f"the chain loses {quantity(lost, 'W', 3)}, and the loads absorb {quantity(abs(power), 'W', 3)}: "
        "losses dominate"
    )


def no_tooth_load(case: Case, load: float) -> str:
    """Return why the load of a tooth [N] by Binder's sum is not compared, or an empty string."""
    chain, tension = case.drive.chain, float(case.point.tension.max())
    if load < SLIGHT * tension:
        return f"{quantity(load, 'N', 2)} is small compared with the tension: the play in the seats dominates"
    held = 0.5 * chain.joint_friction * (chain.pin_diameter or 0.0) * tension / chain.pitch
    if held > CARRIED_ON * load:
        return (
            f"friction in the joints transfers up to {quantity(held, 'N', 2)} of {quantity(load, 'N', 2)} to "
            f"other teeth"
        )
    return ""


def no_string(case: Case, k: int, frequency: float, step: float, moved: FloatArray) -> str:
    """Return why a span cannot be compared with a string, or an empty string."""
    if k in case.guided:
        return "a guide divides it"
    if not frequency > 0.0:
        return "it runs above its critical speed, or hangs slack"
    if not np.isfinite(moved).all():
        return "it is too short: its displacement is not known at all instants"
    if frequency * case.window.duration < PERIODS:
        return f"the window contains fewer than {PERIODS} periods of {frequency:.3g} Hz"
    if frequency > 0.4 / step:
        return f"{frequency:.3g} Hz is above 0.4 times the save rate"
    return ""


def yielding_seats(case: Case, k: int) -> str:
    """Return why the seats at both ends of a tight span must not be taken as rigid, or an empty string.

    The contact of a tooth with the load F has the compliance dd/dF, and carries the fraction F / T of a change in
    tension.
    """
    total, tension = 0.0, float(case.point.tension[k])
    for loads, wheel in zip(tooth_loads(case.point), case.drive.wheels, strict=True):
        law, force = wheel.contact or case.drive.contact, float(loads.tooth.max())
        if force > 0.0 and tension > 0.0:
            low, high = law.penetration([0.99 * force, 1.01 * force])
            total += (high - low) / (0.02 * tension)
    share = total / links_compliance(case, k)
    reason = f"its seats deflect {100.0 * share:.2g} % as much as its links: the formula assumes rigid seats"
    return reason if share > YIELDING else ""


def links_compliance(case: Case, k: int) -> float:
    """Return the compliance of the links of a span. [m/N]"""
    return float(case.point.route.span_length[k]) / case.drive.chain.pitch / case.drive.chain.link_stiffness


def held_by_return(case: Case, k: int, compliant: float) -> str:
    """Return why the return span must be considered as a spring on the driven wheel, in addition to a tight span of
    this compliance [m/N], or an empty string.

    Sag adds the compliance q^2 l^3 / (12 H^3) to a span (Irvine 1981), as long as its ends move slowly enough for its
    sag to follow: below its first transverse frequency.
    """
    own = case.point
    holding = float(own.tension[k] - formulas.centrifugal_tension(own.mass_per_length, own.chain_speed))
    if not holding > 0.0:
        return "the tension of its return span is entirely centrifugal"
    if case.pace > (frequency := float(span_frequencies(own)[k])):
        return (
            f"the sag of its return span, whose first frequency is {frequency:.3g} Hz, cannot follow the motion of its "
            "ends"
        )
    across, length = np.array([-1.0, 1.0]) * own.route.span_direction[k][::-1], float(own.route.span_length[k])
    sagging = float(case.weight @ across) ** 2 * length**3 / (12.0 * holding**3)
    share = compliant / (links_compliance(case, k) + sagging)
    return f"its return span also holds it, with {100.0 * share:.2g} % of the stiffness" if share > YIELDING else ""


def no_sag(case: Case, k: int, sag: float) -> str:
    """Return why the mean sag of a span [m] is not compared with the sag at its mean tension, or an empty string."""
    if k in case.guided:
        return "a guide supports it"
    own = case.point
    if not own.tension[k] > formulas.centrifugal_tension(own.mass_per_length, own.chain_speed):
        return "all of the tension is centrifugal"
    if reason := irregular(case, k):
        return reason
    if abs(sag) < SEAT_PLAY * case.drive.chain.roller_diameter:
        words = f"{1e3 * sag:.2g} mm is less than {SEAT_PLAY:g} of a roller diameter"
        return f"{words}: the position of rollers in their seats dominates"
    halves = np.array_split(_finite(case, "span_displacement", k), 2)
    first, second = (float(each.mean()) if each.size else math.nan for each in halves)
    change = abs((second - first) / sag)
    if change > SETTLED:
        return f"it changes by {100.0 * change:.2g} % from the first half of the window to the second"
    return ""
