"""The sections of the page about the marine drives below its main table."""

from __future__ import annotations

from collections.abc import Sequence

from _cases import DISSIPATIVE, L60, S90, open_cases
from _quantities import Outcome
from _rows import KILO, number, table
from _signals import SEGMENT_1, SEGMENT_4

Outcomes = dict[str, Outcome]

# What an earlier, independent prototype of the same model gave for segment 1, with restitution and laws as there. [kN]
PROTOTYPE = {
    "l60-real": "18.9", "l60-stiffness-0.3": "14.8", "l60-stiffness-3": "20.3", "l60-stiffness-10": "26.2",
    "l60-exponent-1": "27.6 / 32.6", "l60-tightener+0.5": "20.8", "l60-tightener-0.5": "17.2", "l60-friction": "17.5",
    "l60-joint-0.5": "8.7", "l60-joint-5": "12.3", "l60-restitution-0.5": "18.0", "l60-restitution-0.8": "19.4",
    "l60-link-damping": "18.95", "l60-circular": "24.2", "s90-gate": "71.1", "s90-stiffness-0.3": "45",
    "s90-stiffness-3": "94", "s90-stiffness-10": "112", "s90-exponent-1": "120–135", "s90-restitution-0.8": "71.3",
    "s90-rounded": "64.8",   "s90-friction-speed": "70.8",
}  # fmt: skip


def _picture(name: str, caption: str) -> str:
    return f"![{caption.split(' (')[0].split('. ')[0]}](pictures/{name}.png)\n\n{caption}\n"


def l60(results: Outcomes) -> str:
    return f"""## 6L60MC: how long the start has an effect

Without friction and joint damping only link damping (0.002 of critical) and impacts damp the chain, and the effect
of the start decays slowly:

{
        _picture(
            "transients",
            "Mean tension of segment 1 in each second, after starts at speed and at rest and with both "
            "integrators. The circular tooth needs more than 10 s to settle; therefore statistics begin at 20 s.",
        )
    }"""


def s90(results: Outcomes) -> str:
    lines = []
    for key in ("s90-bare", "s90-joint", "s90-friction", "s90-gate", "s90-joint-5"):
        run = results[key]
        lines.append([run.case.words, *(number(x / KILO) for x in run.mean), number(run.swing[SEGMENT_1] * KILO, 2),
                      number(run.swing[SEGMENT_4] * KILO, 2)])  # fmt: skip
    runs = table(["case", "segment 1 [kN]", "2 [kN]", "3 [kN]", "4 [kN]", "rms swing of segment 1 [mm]",
                  "of segment 4 [mm]"], lines)  # fmt: skip
    return f"""## 6S90MC-C: effects of friction and joint damping

{runs}
"""


def _tension_lines(results: Outcomes, keys: Sequence[str], words: dict[str, str] | None = None) -> list[list[str]]:
    lines = []
    for key in keys:
        run = results[key]
        label = (words or {}).get(key, run.case.words)
        ended = "" if not run.failed else f" ({run.status.lower().replace('_', ' ')} at {run.reached:.1f} s)"
        lines.append([label + ended, number(run.static[SEGMENT_1] / KILO), number(run.mean[SEGMENT_1] / KILO),
                      number(run.mean[SEGMENT_4] / KILO), f"{run.low[0] / KILO:.1f} … {run.high[0] / KILO:.1f}",
                      PROTOTYPE.get(key, "–")])  # fmt: skip
    return lines


TENSIONS = ["change", "segment 1 at rest [kN]", "segment 1 running [kN]", "segment 4 running [kN]",
            "range of segment 1 [kN]", "prototype, segment 1 [kN]"]  # fmt: skip


def open(results: Outcomes) -> str:
    keys = {drive: [case.key for case in open_cases() if case.drive == drive] for drive in (L60, S90)}
    base = {"l60-real": "**as the example, real tooth**", "l60-circular": "**circular tooth, ASA clearance**",
            "s90-gate": "**as the example**"}  # fmt: skip
    l60 = table(TENSIONS, _tension_lines(results, ["l60-real", "l60-circular", *keys[L60]], base))
    s90 = table(TENSIONS, _tension_lines(results, ["s90-gate", *keys[S90]], base))
    return f"""## What the thesis leaves open

The thesis gives the contact stiffness as "1 GN/m" without an exponent. Its Tables 5.2 and 5.6 require pre-tensions of
21 and 40 kN, although the pre-tension already follows from fixed centres and a whole number of links. The centres are
rounded to 0.1 mm.

{
        _picture(
            "sensitivity",
            "Running and static tension of segment 1 against contact stiffness and exponent. Only an exponent of "
            "1.5 with 1e9 N/m^1.5 gives the tensions of the thesis on both drives.",
        )
    }
### 6L60MC, real tooth unless stated, 20 s to 40 s

{l60}

### 6S90MC-C, friction 0.1 and joint damping 0.5 N m s, 8 s to 20 s

{s90}

The tension at rest is that of the static equilibrium from which the run starts, without friction; a dash means that
none was found and the run started from the kinematic initial configuration. (The prototype found 5.0 to 5.6 and 74 to
78 kN at rest. It searched for the equilibrium with contacts 1.75 times as stiff, and the rows for 1.75e9 agree with it
within 4 %.) The chain is tighter when running than at rest: rollers ride up the flanks, spans vibrate, and the
centrifugal tension is added. A shift of the tightener by 0.2 mm changes the tension of the 6S90MC-C by 3 kN, and the
rounding of its centre in Table 5.5 changes it by 6 kN: data of this kind do not determine a tension to better than 5 %.
"""


def attractors(results: Outcomes) -> str:
    lines = []
    for law in ("hertz", *DISSIPATIVE):
        line = [law]
        for drive in ("l60", "s90"):
            for memory in ("stored", "reference"):
                run = results.get(f"{drive}-{law}-{memory}")
                line.append(
                    "–" if run is None else number(run.mean[SEGMENT_1] / KILO) + (" (ended)" if run.failed else "")
                )
        lines.append(line)
    laws = table(["law", "6L60MC, stored", "6L60MC, reference", "6S90MC-C, stored", "6S90MC-C, reference"], lines)
    damped = [results[f"l60-{law}-{m}"].mean[SEGMENT_1] / KILO for law in DISSIPATIVE for m in ("stored", "reference")]
    return f"""## Several states of one drive

The table gives the mean tension of segment 1 [kN] by contact law, for a restitution of 0.5 in the law, with the impact
speed stored at each impact or with a single reference speed of 1 m/s. The Kelvin-Voigt law is linear and has no form
with exponent 1.5 (see the tables above for exponent 1).

{laws}

{
        _picture(
            "states",
            "Mean tension of segment 1 of the undamped 6L60MC in each second, by contact law. A run stays "
            "in a state for seconds to minutes and may leave it for another.",
        )
    }
At restitution 0.5 Gonthier's coefficient coincides with Hu and Guo's. With friction and joint damping all laws that
dissipate energy give the same tension. Without friction and joint damping the 6L60MC has several states: the laws give
{min(damped):.1f} to {max(damped):.1f} kN here, as means over a window in which a run may change from one state to
another. A change of law, stiffness, restitution or initial state decides in which state a run ends up. This is why
individual rows of the table for the 6L60MC above differ from the prototype, which found both 16.3 and 19.0 kN in the
same way. An undamped run therefore gives the level of tension only to within about 25 %, however many digits are
printed. It is tested no more tightly than that, except for the ratio of its frequency to that of a moving string under
the tension of the run. With the Hertz law, which dissipates nothing, the tension of the undamped drive is far higher
than with any other law.
"""


def numerics(results: Outcomes) -> str:
    lines = []
    for key, words in (
        ("s90-gate", "6S90MC-C, start at speed, Verlet"),
        ("s90-gate-at-rest", "6S90MC-C, start at rest, Verlet"),
        ("s90-gate-dormand-prince", "6S90MC-C, start at speed, Dormand-Prince"),
        ("s90-gate-long", "6S90MC-C, start at speed, Verlet, long after the start"),
        ("l60-real", "6L60MC, real, start at speed, Verlet"),
        ("l60-real-at-rest", "6L60MC, real, start at rest, Verlet"),
        ("l60-real-dormand-prince", "6L60MC, real, start at speed, Dormand-Prince"),
        ("l60-circular", "6L60MC, circular, start at speed, Verlet"),
        ("l60-circular-at-rest", "6L60MC, circular, start at rest, Verlet"),
        ("l60-circular-dormand-prince", "6L60MC, circular, start at speed, Dormand-Prince"),
    ):
        run = results[key]
        lines.append([words, f"{run.case.begin:g} … {run.case.until:g}", f"{run.mean[SEGMENT_1] / KILO:.2f}",
                      f"{run.mean[SEGMENT_4] / KILO:.2f}", f"{run.residual:.0e}",
                      f"{run.seconds / run.reached:.2f}"])  # fmt: skip
    runs = table(["run", "window [s]", "segment 1 [kN]", "segment 4 [kN]", "energy residual / energy exchanged",
                  "CPU time per simulated second [s/s]"], lines)  # fmt: skip
    return f"""## Integrators, starts and energy

{runs}

After the start at speed the vibration of segment 1 of the 6S90MC-C takes about a minute to grow to its limit cycle;
after the start at rest it has this amplitude immediately. The tensions differ by half a per cent. The energy residual
is the energy that the energy balance of the run cannot account for. CPU times were measured on a machine shared with
other work and include the compilation in the first run of each process.
"""
