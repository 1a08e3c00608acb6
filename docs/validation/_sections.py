"""The sections of the validation page under the main table."""

from __future__ import annotations

from collections.abc import Sequence

import _table
import numpy as np
from _cases import DISSIPATIVE, L60, S90, open_cases
from _pictures import binder_loads
from _quantities import SEGMENT_1, SEGMENT_4, Outcome

KILO = 1e3
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


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A markdown table; all but the first column right-aligned."""
    rule = "|" + "|".join([":--"] + ["--:"] * (len(header) - 1)) + "|"
    return "\n".join(["| " + " | ".join(header) + " |", rule, *("| " + " | ".join(line) + " |" for line in lines)])


def number(value: float, digits: int = 3) -> str:
    """Significant digits without powers of ten; a dash for what is not a number."""
    if not np.isfinite(value):
        return "–"
    decimals = max(0, digits - 1 - int(np.floor(np.log10(abs(value))))) if value else 0
    return f"{value:.{decimals}f}"


def _picture(name: str, caption: str) -> str:
    return f"![{caption.split(' (')[0].split('. ')[0]}](pictures/{name}.png)\n\n{caption}\n"


def l60(results: Outcomes) -> str:
    real, circular = results["l60-real"], results["l60-circular"]
    swing = {
        name: results[f"l60-{name}"].shown["long_displacement"].std(axis=0) * KILO for name in ("real", "circular")
    }
    lines = []
    for name, run in (("real", results["l60-real-contacts"]), ("circular", results["l60-circular-contacts"])):
        for wheel in range(4):
            seats, loads = run.contacts["seats"][wheel], binder_loads(run, wheel)
            printed = binder_loads(run, wheel, corrected=False)
            inner = slice(1, -1)
            lines.append([
                f"{name}, sprocket {wheel + 1}", str(seats.size), number(seats[inner].mean() / KILO),
                number(loads[inner].mean() / KILO), number(printed[inner].mean() / KILO),
                number(float(np.mean(loads[inner] / seats[inner])), 2), number(_table.binder_deviation(run, wheel), 2),
            ])  # fmt: skip
    binder = table(["tooth, sprocket", "rollers", "simulated [kN]", "Binder, corrected [kN]", "Binder, as printed [kN]",
                    "mean of corrected/simulated", "rms deviation"], lines)  # fmt: skip
    return f"""## 6L60MC: circular and real tooth at 120 rpm (thesis section 5.2)

Without friction and joint damping nothing but link damping (0.002 of critical) and impacts calms the chain, and the
start is forgotten slowly:

{
        _picture(
            "transients",
            "Mean tension of segment 1 over each second, after starts at speed and at rest and with both "
            "integrators. The circular tooth needs more than 10 s: statistics begin at 20 s.",
        )
    }
{
        _picture(
            "link-force",
            "Tension of one link over one turn of the chain (Fig. 5.2). Thesis: with the real tooth the force "
            "varies noticeably while the link is on sprocket 1 and on sprocket 3, with the circular tooth the large "
            "variations come before and after; the amplitude is noticeably smaller with the real tooth.",
        )
    }
{
        _picture(
            "mean-link-force",
            "Mean tension of the links of segment 1 during one second (Fig. 5.3). Thesis: mean "
            "approximately 25 kN with the circular and 19 kN with the real tooth, amplitude up to approximately 13 "
            "and 6 kN.",
        )
    }
Over the whole window of 40 s segment 1 ranges from {number(real.low[0] / KILO)} to {
        number(real.high[0] / KILO)
    } kN (real)
and from {number(circular.low[0] / KILO)} to {number(circular.high[0] / KILO)} kN (circular).

{
        _picture(
            "strands",
            "Middles of segments 1 and 4 about the straight line between the sprockets (Figs. 5.4 and 5.5). "
            "Thesis: in segment 1 similar for both teeth, with about the same main frequency; in segment 4 different "
            "in amplitude; smoother with the real tooth.",
        )
    }
In the last 10 s segment 1 swings by {swing["real"][0]:.1f} mm rms with the real and {swing["circular"][0]:.1f} mm with
the circular tooth, segment 4 by {swing["real"][3]:.1f} and {swing["circular"][3]:.1f} mm: the real tooth smooths the
curves and the tension, but the strands swing more with it.

{
        _picture(
            "spectra-l60",
            "Spectra of the middles (Figs. 5.6 and 5.7). Thesis: segment 1 at 6.1 Hz (circular) and 5.1 Hz "
            "(real); segment 4 at 5.2 and 4.5 Hz, further peaks at 15.5, 25.5, 83 and 157 Hz (circular), 13, 33, 87 "
            "and 153 Hz (real), and both at the tooth frequency of 120 Hz.",
        )
    }
The thesis finds these peaks below the frequencies of a string at rest (7.3 and 6.3 Hz, 6.2 and 5.5 Hz) and suspects the
damping. The moving string of its own Eq. 4.27 puts them where they are, within the widths of the peaks. The middle of a
span shows the odd modes; the peaks at 87 and 153 Hz are side bands of the tooth frequency, 120 Hz less and more the 33
Hz at which segment 4 also swings.

{
        _picture(
            "contact-history",
            "Contact force on one roller over one turn of the chain (Fig. 5.8). The thesis shows "
            "the curves without a statement on them.",
        )
    }
{
        _picture(
            "contact-binder",
            "Contact force through the stay of a roller on each sprocket (Figs. 5.9 and 5.10): mean of all "
            "stays, band of 80 % of them, and Binder's formula with the run's own mean tensions. Thesis: the forces "
            "agree better with the analysis when the tooth is real; on sprockets 2 and 4, where the stay is short, "
            "analysis and simulation do not compare well.",
        )
    }
Binder's formula is Eq. 4.41 with its terms corrected: only the tension above the centrifugal one decays along the
wrap, and the term 2 q_c sin(α/2) is left out, because it is the centripetal force that the chain's own tension
supplies. Means over the rollers of the wrap but the first and last:

{binder}

As printed the formula is far too high everywhere. Corrected it holds on the long wraps of sprockets 1 and 3; on 4 to 7
rollers the sum of two one-sided solutions violates equilibrium and is 1.5 to 2 times too high: the mismatch that the
thesis reports. That the real tooth agrees better than the circular one is not confirmed: with each run's own tensions
both agree alike.
"""


def s90(results: Outcomes) -> str:
    lines = []
    for key in ("s90-bare", "s90-joint", "s90-friction", "s90-gate", "s90-joint-5"):
        run = results[key]
        swing = run.shown["long_displacement"].std(axis=0) * KILO
        lines.append([run.case.words, *(number(x / KILO) for x in run.mean), number(run.contacts["largest"] / KILO),
                      number(run.contacts["largest_link"] / KILO), number(swing[SEGMENT_1], 2),
                      number(swing[SEGMENT_4], 2)])  # fmt: skip
    runs = table(["case", "segment 1 [kN]", "2 [kN]", "3 [kN]", "4 [kN]", "largest contact force [kN]",
                  "largest link force [kN]", "rms swing of segment 1 [mm]", "of segment 4 [mm]"], lines)  # fmt: skip
    elastic = []
    for key, words in (("s90-friction", "0"), ("s90-elastic-0.8", "0.8"), ("s90-elastic-0.9", "0.9"),
                       ("s90-elastic-1", "1")):  # fmt: skip
        run = results[key]
        largest = run.contacts.get("largest", np.nan)
        elastic.append(
            [words, number(run.mean[SEGMENT_1] / KILO), number(largest / KILO), run.status.lower().replace("_", " ")]
        )
    rest = table(["restitution", "mean of segment 1 [kN]", "largest contact force [kN]", "run"], elastic)
    moments = ", ".join(
        f"{results[f's90-moment-{c}'].moment:.0f} N m with {c} N m s/rad" for c in ("0.5", "5")
    )  # fmt: skip
    return f"""## 6S90MC-C: friction and joint damping (thesis sections 5.3 to 5.6, without guide bars)

{runs}

{
        _picture(
            "link-s90",
            "Tension of one link (Figs. 5.17 and 5.23). Thesis: friction smooths the link force; joint damping "
            "smooths it further, and its mean is approximately 70 kN instead of approximately 90 kN without.",
        )
    }
{
        _picture(
            "spectra-s90",
            "Spectra of the middles of segments 1 and 4 with friction 0.1 and joint damping 0.5 N m s. Thesis: "
            "segment 1 at approximately 3.8 Hz and at the tooth frequency of 81 Hz; segment 4 at approximately 2.6, "
            "7.8 and 81 Hz.",
        )
    }
{
        _picture(
            "friction-history",
            "Contact force without and with friction, and friction force, on one roller (Figs. 5.13, 5.14 "
            "and 5.16). Thesis: on sprocket 4 from 8.25 to 8.34 s, on 1 from 8.75 to 9.2 s, on 2 from 9.48 to 9.57 "
            "s, on 3 from 9.65 to 9.85 s; the friction force swings about zero through the stay; friction smooths "
            "the contact force.",
        )
    }
Here it does so on sprockets 2 and 4 and at the beginning of the other two; through most of the stay on 1 and 3 it keeps
one sign. The relative speed of Fig. 5.13 is not drawn: it is no channel.

{
        _picture(
            "moments-and-strands",
            "Middle of segment 1 over 10 s (Fig. 5.22). Thesis: joint damping has a major influence, the "
            "amplitude is damped out and the oscillations are smoother.",
        )
    }
Largest moment in any joint at any instant: {moments} (Fig. 5.21: always within ± 150 N m with 5).

Coefficient of restitution, friction 0.1 without joint damping (section 5.4). Thesis: with 1 the contact force bounces
between zero and about 100 kN; with 0.9, 0.8 and 0 it is similar, around 15 kN, and the difference between 0.8 and 0 is
minimal. (0 put into the law gives an achieved restitution of 0.66, 0.8 gives 0.85.)

{rest}

{
        _picture(
            "restitution",
            "Contact force on one roller on sprocket 1 for four coefficients of restitution, friction 0.1, no joint "
            "damping (Fig. 5.19).",
        )
    }
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
    keys = {drive: [case.key for case in open_cases() if case.drive == drive and "elastic" not in case.key]
            for drive in (L60, S90)}  # fmt: skip
    base = {"l60-real": "**as the example, real tooth**", "l60-circular": "**circular tooth, ASA clearance**",
            "s90-gate": "**as the example**"}  # fmt: skip
    l60 = table(TENSIONS, _tension_lines(results, ["l60-real", "l60-circular", *keys[L60]], base))
    s90 = table(TENSIONS, _tension_lines(results, ["s90-gate", *keys[S90]], base))
    return f"""## What the thesis leaves open

The thesis writes "1 GN/m" for the contact stiffness and gives no exponent; its Table 5.2 and 5.6 ask for pre-tensions
of 21 and 40 kN, which fixed centres and a whole number of links do not leave free; centres are rounded to 0.1 mm.

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

The tension at rest is that of the static equilibrium from which the run starts, without friction; a dash where none was
found and the run started from the kinematic placing. (The prototype found 5.0 to 5.6 and 74 to 78 kN at rest; it
settled with every contact 1.75 times stiffer, and the rows for 1.75e9 agree within 4 %.) The chain runs tighter than
it rests: rollers ride up the flanks, strands swing, and the centrifugal tension is carried on top. 0.2 mm of tightener
are worth 3 kN on the 6S90MC-C, the rounding of its centre in Table 5.5 6 kN: data of this kind fix no tension to
better than 5 %.
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

Mean tension of segment 1 [kN] by contact law, restitution 0.5 put in, impact speed stored at each impact or one
reference speed of 1 m/s throughout. Kelvin-Voigt is linear and has no form with exponent 1.5 (see the tables above for
exponent 1).

{laws}

{
        _picture(
            "states",
            "Mean tension of segment 1 of the undamped 6L60MC over each second, by contact law. A run stays "
            "in a state for seconds to minutes and may leave it for another.",
        )
    }
At restitution 0.5 Gonthier's and Hu and Guo's coefficients coincide.
With friction and joint damping every law that dissipates gives the same tension. Without them the 6L60MC has several
states: here {min(damped):.1f} to {max(damped):.1f} kN over the
laws, means over a window in which a run may change from one state to another. A change of law, stiffness, restitution
or start decides which one a run falls into, and single rows of the table for the 6L60MC above differ from the
prototype for that reason; it found 16.3 and 19.0 kN in the same way. So an undamped run tells the level of tension
within some 25 %, whatever its digits, and is gated no tighter than that, but for the ratio to its own moving string.
Without any loss in the contacts (Hertz) the undamped drive shakes itself to a tension far above all of these.
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
    runs = table(["run", "window [s]", "segment 1 [kN]", "segment 4 [kN]", "energy residual / energy turned over",
                  "CPU s per simulated s"], lines)  # fmt: skip
    return f"""## Integrators, starts and energy

{runs}

After the start at speed the swing of segment 1 of the 6S90MC-C grows for about a minute to its limit cycle; the start
at rest is in it at once. The tension differs by half a per cent. The energy residual is what the audit of the run
cannot account for. CPU times are those of a machine shared with other work and contain the compilation in each
process' first run.
"""
