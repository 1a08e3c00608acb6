"""Generated drives with rigid links: clearance and wear of the chain, joints of all kinds, different speeds and
loads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from _generated_checks import problems
from _generated_parts import between, rounded

from chaindrive.model import Drive, carried_over, override

__all__ = ["with_links"]

JOINTS = {"clearance": 0.6, "journal": 0.2, "ideal": 0.2}
MOST_CLEARANCE = 0.005
"""Largest clearance of a joint. [pitches]"""
MOST_ELONGATION = 0.015
WEAR_TRIALS = 6
"""Number of elongations tried until one gives a permissible slack; if none does, the chain is new."""
FASTER = {"creep": (0.01, 0.1), "as drawn": (1.0, 1.0), "fast": (1.2, 2.5)}
"""Speed divided by that of the drive with rollers, whose fastest wheel reaches at most 60 % of the manufacturers'
limit. [-]
"""
LOADED = {"none": 0.0, "as drawn": 1.0, "heavy": 3.0}
_LOADS = ("load_torque", "load_viscous", "load_quadratic", "load_table")


def with_links(drive: Drive, seed: int, index: int) -> Drive:
    """The given drive with rigid links, always the same for the same seed and index. Its source states what was
    changed.
    """
    rng = np.random.default_rng([seed, index, 11])
    fields = drive.to_dict()
    joint = str(rng.choice(list(JOINTS), p=list(JOINTS.values())))
    pace, load = str(rng.choice(list(FASTER), p=[0.2, 0.5, 0.3])), str(rng.choice(list(LOADED), p=[0.2, 0.6, 0.2]))
    faster = between(rng, *FASTER[pace])
    wheels = [_wheel(wheel, faster, LOADED[load]) for wheel in fields["wheels"]]
    if problems(Drive.from_dict(fields | {"wheels": wheels})):  # the slack strand does not hold so much
        load, wheels = "as drawn", [_wheel(wheel, faster, 1.0) for wheel in fields["wheels"]]
    fields["wheels"] = wheels
    loaded = Drive.from_dict(fields)
    chain, words = fields["chain"], [joint]
    if rng.random() < 0.8:
        chain["joint_clearance"] = rounded(rng.uniform(0.0, MOST_CLEARANCE) * drive.chain.pitch)
        words.append(f"clearance {1e6 * chain['joint_clearance']:.3g} um")
    wear = [0.0 if rng.random() < 0.4 else rounded(share) for share in rng.uniform(0.0, MOST_ELONGATION, WEAR_TRIALS)]
    chain["elongation"] = next((each for each in wear if each == 0.0 or _can_be_built(loaded, each)), 0.0)
    if chain["elongation"]:
        words.append(f"elongation {100.0 * chain['elongation']:.2g} %")
    if rng.random() < 0.3 and drive.chain.kind == "roller":
        chain["kind"] = "bush"
        words.append("bushes")
    options = {name: value for name, value in fields["run"]["formulation"].items() if value is not None}
    options = carried_over(options, "link") | {"joint": joint}
    if joint == "clearance" and rng.random() < 0.5:
        critical = 2.0 * float(np.sqrt(drive.chain.link_mass * drive.chain.link_stiffness))
        options["oil_damping"] = rounded(between(rng, 1e-3, 1e-2) * critical)
    fields["run"]["formulation"] = options
    fields["run"]["until"] = rounded(min(0.2, float(drive.run.until) / faster), 2)
    fields["name"] = f"{drive.name}, links"
    fields["source"] = f"{drive.source}, {', '.join(words)}, speed: {pace}, load: {load}"
    return Drive.from_dict(fields)


def _can_be_built(drive: Drive, elongation: float) -> bool:
    """Whether the slack of the worn chain, which corresponds to this many additional links, is permissible."""
    longer = round(drive.chain.links * (1.0 + elongation))
    return not problems(override(drive, {"chain.links": longer}))


def _wheel(wheel: dict[str, Any], faster: float, load: float) -> dict[str, Any]:
    """A wheel with its speed and load multiplied by factors."""
    made = {name: value for name, value in wheel.items() if load > 0.0 or name not in _LOADS}
    if "load_torque" in made:
        made["load_torque"] *= load
    if "load_viscous" in made:
        made["load_viscous"] *= load / faster
    if "load_quadratic" in made:
        made["load_quadratic"] *= load / faster**2
    if table := made.get("load_table"):
        made["load_table"] = table | {"torques": [load * torque for torque in table["torques"]]}
    if motion := made.get("motion"):
        speeds = {name: faster * motion[name] for name in ("speed", "initial_speed", "final_speed") if name in motion}
        made["motion"] = motion | speeds
        if "accelerations" in motion:  # as large a part of the square of the speed as before
            made["motion"]["accelerations"] = [faster**2 * each for each in motion["accelerations"]]
        if "orders" in motion:
            orders = [order | {"amplitude": faster**2 * order["amplitude"]} for order in motion["orders"]]
            made["motion"]["orders"] = orders
    return made
