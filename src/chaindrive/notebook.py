"""Displays drives and results in a notebook as HTML with a picture and without scripts.

``Drive`` and ``Solution`` call these functions from their ``_repr_html_``, which Jupyter calls. A display must not
fail: if something cannot be drawn, a line of text says so, and anything unreadable is shown as plain text.
"""

from __future__ import annotations

import base64
import html
import io
import math
import shutil
import tempfile
import warnings
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chaindrive.errors import ChaindriveError
from chaindrive.numbers import column, count, quantity, scaled

if TYPE_CHECKING:
    from chaindrive.analyses.results.verdict import Verdict
    from chaindrive.model import Drive
    from chaindrive.results import Solution

__all__ = ["drive_html", "show", "solution_html", "verdict_html"]

PICTURE_DPI = 75
"""Resolution of the picture of a result: about 700 pixels wide."""
FRAME_HEIGHT = 900
"""Height of a report in a notebook. [pixels]"""

_TEMPLATE = """\
{% macro shown(table) %}
{% if table.folded %}<details><summary>{{ table.caption }}</summary>{% endif %}
<table>
{% if table.caption and not table.folded %}<caption>{{ table.caption }}</caption>{% endif %}
{% if table.columns %}<thead><tr>\
{% for name in table.columns %}<th scope="col"{% if loop.index0 in table.numbers %} class="number"{% endif %}>\
{{ name }}</th>{% endfor %}</tr></thead>{% endif %}
<tbody>
{% for cells in table.rows %}{% set row = loop.index0 %}<tr><th scope="row">{{ cells[0] }}</th>\
{% for cell in cells[1:] %}<td{% if loop.index in table.numbers %} class="number"\
{% elif table.signs and loop.index == 2 %} class="{{ table.signs[row] }}"{% endif %}>{{ cell }}</td>\
{% endfor %}</tr>
{% endfor %}</tbody></table>
{% if table.folded %}</details>{% endif %}
{% endmacro %}
<div class="chaindrive-display">
<style>
.chaindrive-display { max-width: 62em; line-height: 1.4 }
div.chaindrive-display table { border-collapse: collapse; margin: 0.4em 0 }
div.chaindrive-display caption { text-align: left; opacity: 0.7 }
div.chaindrive-display :is(th, td) { vertical-align: top }
div.chaindrive-display th { text-align: left; font-weight: normal; opacity: 0.7; padding: 0.1em 1em 0.1em 0 }
div.chaindrive-display td { text-align: left; padding: 0.1em 1em 0.1em 0 }
.chaindrive-display .number { text-align: right; font-variant-numeric: tabular-nums }
.chaindrive-display .picture { background: white; width: fit-content; max-width: 100%; margin: 0.4em 0 }
.chaindrive-display .picture :is(svg, img) { max-width: 100%; height: auto; display: block }
.chaindrive-display :is(.good, .near, .beyond, .open) { font-weight: 600; white-space: nowrap }
.chaindrive-display .good { color: #14855E; color: color-mix(in srgb, #14855E 75%, currentColor) }
.chaindrive-display .near { color: #B06A00; color: color-mix(in srgb, #B06A00 75%, currentColor) }
.chaindrive-display .beyond { color: #D0392B; color: color-mix(in srgb, #D0392B 75%, currentColor) }
.chaindrive-display .warning { border-left: 4px solid #D55E00; padding-left: 0.6em }
</style>
<strong>{{ title }}</strong>{% if subtitle %}<br><span style="opacity: 0.7">{{ subtitle }}</span>{% endif %}
{% for text in warnings %}<p class="warning">{{ text }}</p>
{% endfor %}
{% for table in verdicts %}
{{ shown(table) }}{% endfor %}
{% if picture %}<div class="picture">{{ picture }}</div>
{% elif remark %}<p>{{ remark }}</p>
{% endif %}
{% for table in tables %}
{{ shown(table) }}{% endfor %}
</div>"""


class _Table(NamedTuple):
    rows: Sequence[tuple[str, ...]]
    columns: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    """Indices of the columns of numbers, which are aligned to the right."""
    caption: str = ""
    folded: bool = False
    """Whether the table is folded away behind its caption."""
    signs: tuple[str, ...] = ()
    """Judgement that colours the third column of each row: good, near, beyond or open."""


def drive_html(drive: Drive) -> str:
    """A drive as HTML: its drawing to scale, the chain, the wheels and other parts."""
    return _shown(drive, _drive)


def solution_html(solution: Solution) -> str:
    """A result as HTML: warnings, verdict, a picture of the last instant, the end of the run, energy balance and
    channels.
    """
    return _shown(solution, _solution)


def verdict_html(verdict: Verdict) -> str:
    """A verdict as HTML: a table with a row for each tile."""
    return _shown(verdict, lambda found: _filled(title=_title(found), subtitle=found.summary, tables=[_tiles(found)]))


class _Page:
    """A report that a notebook shows in its own frame."""

    def __init__(self, page: str, height: int) -> None:
        self._page, self._height = page, height

    def __repr__(self) -> str:
        return f"<report of {len(self._page)} characters>"

    def _repr_html_(self) -> str:
        frame = f'<iframe title="report" srcdoc="{html.escape(self._page)}" sandbox="allow-scripts allow-downloads"'
        return f'{frame} style="width: 100%; height: {self._height}px; border: 1px solid #C9D0D5"></iframe>'


def show(
    results: Solution | Sequence[Solution],
    *,
    labels: Sequence[str] | None = None,
    frames: int | None = None,
    height: int = FRAME_HEIGHT,
) -> _Page | None:
    """Show the report of results, with animation and curves, in the notebook, or otherwise in a browser.

    labels, frames: as for ``write_report``. height: height of the frame in a notebook [pixels]. The report is stored in
    the notebook and needs no network; fewer frames make it smaller. Returns the report for display in the notebook, or
    None if it opens in a browser.

    Raises InputError if the results contain no rows, and ComputationError if the report cannot be written.
    """
    from chaindrive.report import write_report
    from chaindrive.simulation.progress import in_notebook

    folder = Path(tempfile.mkdtemp(prefix="chaindrive-"))
    path = folder / "report.html"
    write_report(results, path, labels=labels, frames=frames)
    if not in_notebook():
        webbrowser.open(path.as_uri())
        return None
    page = path.read_text(encoding="utf-8")
    shutil.rmtree(folder)
    return _Page(page, height)


def _shown(subject: Any, make: Callable[[Any], str]) -> str:
    """The HTML, or plain text if the subject cannot be read (for example because its file is closed)."""
    try:
        return make(subject)
    except Exception as error:  # a display must not end in a traceback
        reason = str(error) if isinstance(error, ChaindriveError) else f"{type(error).__name__}: {error}"
        return f"<pre>{html.escape(_plain(subject))}</pre><p>{html.escape(f'not shown in full: {reason}')}</p>"


def _plain(subject: Any) -> str:
    try:
        return repr(subject)
    except Exception:  # for a result, even this reads the file
        return f"<{type(subject).__name__}>"


def _filled(**values: Any) -> str:
    from jinja2 import Environment

    page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(_TEMPLATE)
    return page.render({"warnings": (), "subtitle": "", "remark": "", "picture": "", "verdicts": (), **values})


def _drive(drive: Drive) -> str:
    from markupsafe import Markup

    from chaindrive.drawing.scene import scene_of
    from chaindrive.export.svg import drive_svg

    tables = [_Table(_chain_facts(drive))]
    try:
        scene = scene_of(drive)
        picture: Any = Markup(drive_svg(drive, full_size=False))  # noqa: S704 (its texts are escaped)
        wraps = [f"{math.degrees(wrap):.1f}" for wrap in scene.route.wrap]
        remark = ""
    except ChaindriveError as error:
        picture, remark, wraps = "", f"cannot be drawn: {error}", ["–"] * len(drive.wheels)
    speeds = [_speed(wheel) for wheel in drive.wheels]
    rows = [
        (wheel.name, str(wheel.teeth), wheel.side, speed, wrap)
        for wheel, speed, wrap in zip(drive.wheels, speeds, wraps, strict=True)
    ]
    tables.append(_Table(rows, ("wheel", "teeth", "side", "speed [rpm]", "wrap [°]"), (1, 3, 4)))
    return _filled(
        title=drive.name or "unnamed drive", subtitle=drive.source, picture=picture, remark=remark, tables=tables
    )


def _speed(wheel: Any) -> str:
    """Prescribed speed of a wheel in rpm, or its final speed if it changes, or the torque that drives the wheel, as
    text.
    """
    from chaindrive.model import largest_torque, torque_text

    if wheel.shaft_with:
        return f"with {wheel.shaft_with}"
    if wheel.motion is None and largest_torque(wheel.torque):
        return f"free, torque {torque_text(wheel.torque)}"
    if wheel.motion is None:
        return "free"
    speed = getattr(wheel.motion, "final_speed", getattr(wheel.motion, "speed", None))
    if wheel.motion.kind == "speed_table":
        speed = wheel.motion.running_speed
    return "prescribed" if speed is None else f"{30.0 / math.pi * speed:.4g}"


def _chain_facts(drive: Drive) -> list[tuple[str, str]]:
    chain = drive.chain
    standard = f", {chain.standard}" if chain.standard else ""
    facts = [("chain", f"{chain.links} links of {quantity(chain.pitch, 'm', 6)}{standard}")]
    mass, stiffness = quantity(1e3 * chain.link_mass, "g"), quantity(chain.link_stiffness, "N/m")
    facts.append(("a link", f"{mass}, {stiffness}, roller {quantity(chain.roller_diameter, 'm')}"))
    for kind, parts in (("guides", drive.guides), ("bodies", drive.bodies), ("tensioners", drive.tensioners)):
        if parts:
            facts.append((kind, ", ".join(part.name for part in parts)))
    return facts


def _solution(solution: Solution) -> str:
    time = solution.time
    covered = "nothing stored"
    if time.size:
        first, last = quantity(float(time[0]), "s"), quantity(float(time[-1]), "s", 6)
        covered = f"{first} to {last}, {count(time.size)} instants"
    facts = [("time", covered), ("ended", solution.ending)]
    for name in ("formulation", "solver"):
        if solution.attrs.get(name, "").strip():
            facts.append((name, solution.attrs[name]))
    if "steps" in solution.statistics:
        facts.append(("steps", count(solution.statistics["steps"])))
    if "wall_time" in solution.statistics:
        facts.append(("wall-clock time", quantity(float(solution.statistics["wall_time"]), "s", 3)))
    picture, remark = _picture(solution) if time.size else ("", "")
    channels = [
        (c.name, c.unit, " × ".join(f"{n} {dim}" for dim, n in zip(c.dims, c.shape, strict=True)), c.description)
        for c in solution.channels.values()
    ]
    names = ("channel", "unit", "elements", "")
    tables = [_Table(facts), *_energy(solution)]
    tables.append(_Table(channels, names, caption=f"{len(channels)} channels", folded=True))
    return _filled(
        title=solution.name or "unnamed result", subtitle=solution.attrs.get("source", ""),
        warnings=solution.warnings, verdicts=_verdicts(solution), picture=picture, remark=remark, tables=tables,
    )  # fmt: skip


def _verdicts(solution: Solution) -> list[_Table]:
    """A table with the verdict for each chain of the run; none if too little was stored."""
    from chaindrive.analyses.results.verdict import verdict

    tables = []
    for chain in solution.chains:
        try:
            found = verdict(chain)
        except ChaindriveError:
            continue
        whose = f"{chain.name}, " if solution.stages else ""
        tables.append(_tiles(found)._replace(caption=f"{whose}{_title(found)}"))
    return tables


def _tiles(found: Verdict) -> _Table:
    """A table with a row for each tile of a verdict: title, number, judgement and the most important line."""
    rows = [(tile.title, tile.headline, f"{tile.mark} {tile.word}", tile.brief) for tile in found.tiles]
    return _Table(rows, signs=tuple(tile.sign.name.lower() for tile in found.tiles))


def _title(found: Verdict) -> str:
    return f"{found.part.name} {found.window}"


def _energy(solution: Solution) -> list[_Table]:
    """A table with the energy balance of the run; none if no energy was exchanged."""
    audit = solution.audit
    if not audit.energy_exchanged > 0.0:
        return []
    factor, unit = scaled(audit.rows.values(), "J")
    rows = [(name, column(factor * value)) for name, value in audit.rows.items()]
    residual, of_what = audit.judged
    caption = f"energy residual: at most {residual:.1e} {of_what}"
    return [_Table(rows, ("energy", f"[{unit}]"), (1,), caption, folded=True)]


def _picture(solution: Solution) -> tuple[Any, str]:
    """A picture of the drive at the last instant, coloured by tension, and a line that states the reason if there is
    none.
    """
    from markupsafe import Markup

    from chaindrive.plots import plot_tension_around

    try:
        figure = plot_tension_around(solution)
        file = io.BytesIO()
        with warnings.catch_warnings():  # about letters missing from the font
            warnings.simplefilter("ignore")
            figure.savefig(file, format="png", dpi=PICTURE_DPI)
    except (
        ChaindriveError,
        ValueError,
    ) as error:  # raised by matplotlib if limits are not finite, after a run that diverged
        return "", f"no picture: {error}"
    data = base64.b64encode(file.getvalue()).decode("ascii")
    image = Markup('<img alt="The drive at the last instant, links coloured by tension" src="{}">')
    return image.format(f"data:image/png;base64,{data}"), ""
