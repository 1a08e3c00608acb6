"""The position of the chain on every wheel, and the teeth that it has jumped.

A roller that moves with its wheel keeps its gap, and so do its neighbours, in neighbouring gaps. When the chain climbs
out and comes down one tooth further on, its rollers move into other gaps, one after the other. The first of them breaks
the order (two neighbouring rollers in gaps that are not neighbours), and the last one restores it. Every roller is then
one gap further on than at the start. A jump is therefore counted once for the chain, not for each roller: when the last
roller between the teeth has followed. Rollers that climb and come back do not count.

The number of teeth by which roller i has moved, its slip, is the number of its gap, counted along the chain, minus i.
The slip is tracked through one roller that stays within reach from one search to the next. The slip of its neighbours
follows from the differences between their gaps. It is therefore not necessary to store the slip of every roller, or
the number of loops.

On a wheel with additional cogs, between which the chain may be shifted, no jumps are counted.
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["NEVER", "follow_mesh", "forget_mesh", "from_gap_squared", "gaps_in_order"]

NEVER = -1.0
"""Stored time of the first jump while the chain has not jumped on a wheel. [s]"""


@kernel(inner=True)
def forget_mesh(p):
    """Use the present position of the chain on the wheels as its reference."""
    p.mesh.gap[:] = p.mesh.slip[:] = p.mesh.lies[:] = p.mesh.jumps[:] = p.mesh.tilt[:] = 0.0
    for w in range(p.wheels):
        p.mesh.roller[w] = -1.0
        p.mesh.first[w] = NEVER


@kernel(inner=True)
def gaps_in_order(p):
    """Return whether neighbouring rollers that both press on a wheel sit in neighbouring gaps, on all wheels."""
    n = p.rollers
    for w in range(p.wheels):
        if p.wheel.smooth[w] != 0 or p.wheel.cogs[w] != 0:
            continue
        teeth = p.wheel.teeth[w]
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            if (p.closed or j > 0) and _pressed(p, w, i) and _pressed(p, w, j):
                step = (p.gap[w, j] - p.gap[w, i]) % teeth
                if step != 1 and step != teeth - 1:
                    return False
    return True


@kernel(inline=True)
def _pressed(p, w, i):
    """Return whether roller i presses on any face of wheel w."""
    pressed = p.impact_speed[w, i] > 0.0
    for face in range(p.surfaces, p.faces):
        pressed = pressed or (p.face.surface[face] == w and p.impact_speed[face, i] > 0.0)
    return pressed


@kernel(inner=True)
def follow_mesh(t, place, p):
    """Return the number of teeth that the chain has jumped since the previous search, and add it to the jumps of the
    wheels.

    To be called after a search.
    """
    jumped = 0.0
    for w in range(p.wheels):
        start = _known_roller(place, p, w) if p.wheel.cogs[w] == 0 else -1
        if start >= 0:
            jumped += _count(t, place, p, w, start)
    return jumped


@kernel(inner=True)
def _known_roller(place, p, w):
    """Return a roller within reach of wheel w whose slip is now in p.mesh, or -1 if no roller is within reach."""
    roller, n = int(p.mesh.roller[w]), p.rollers
    if roller >= 0 and p.gap[w, roller] >= 0:
        moved = p.wheel.order[w] * (p.gap[w, roller] - int(p.mesh.gap[w]))
        p.mesh.slip[w] += _shortest(moved, p.wheel.teeth[w])
        p.mesh.gap[w] = p.gap[w, roller]
        return roller
    roller = -1
    for i in range(n):  # the first search, or the chain had left the wheel: its place is where it settles
        if p.gap[w, i] >= 0 and (
            roller < 0 or (not _between_teeth(place, p, w, roller) and _between_teeth(place, p, w, i))
        ):
            roller = i
    p.mesh.roller[w] = roller
    p.mesh.slip[w] = p.mesh.lies[w]
    p.mesh.gap[w] = p.gap[w, roller] if roller >= 0 else 0.0
    return roller


@kernel(inner=True)
def _count(t, place, p, w, start):
    """Compare the slips of all rollers between the teeth of wheel w with the stored position; return the number of
    teeth jumped.

    start: the roller whose slip is known. It is replaced by the roller that will stay longest, which is the middle one
    between the teeth or, if there is none, the middle one within reach.
    """
    n, teeth, order = p.rollers, p.wheel.teeth[w], p.wheel.order[w]
    first, slip = start, int(p.mesh.slip[w])
    for _ in range(n - 1):  # back to the first roller of this run
        before = first - 1 if first > 0 else n - 1
        if p.gap[w, before] < 0 or not (p.closed or first > 0):
            break
        slip -= _shortest(order * (p.gap[w, first] - p.gap[w, before]) - 1, teeth)
        first = before
    last_slip, count, seated, least, most = slip, 1, 0, 0, 0
    i = first
    for _ in range(n):
        if _between_teeth(place, p, w, i):
            least = slip if seated == 0 else min(least, slip)
            most = slip if seated == 0 else max(most, slip)
            seated += 1
        after = i + 1 if i + 1 < n else 0
        if p.gap[w, after] < 0 or after == first or not (p.closed or after > 0):
            break
        slip += _shortest(order * (p.gap[w, after] - p.gap[w, i]) - 1, teeth)
        count += 1
        i = after
    _hand_on(place, p, w, first, last_slip, count, seated)
    if seated == 0:
        return 0.0
    lies = p.mesh.lies[w]
    now = max(lies, float(least)) if least > lies else min(lies, float(most))
    jumped = abs(now - lies)
    if jumped > 0.0:
        p.mesh.lies[w] = now
        p.mesh.jumps[w] += jumped
        if p.mesh.first[w] == NEVER:
            p.mesh.first[w] = t
    return jumped


@kernel(inner=True)
def _hand_on(place, p, w, first, slip, count, seated):
    """From now on, track the middle roller between the teeth or, if no roller is there, the middle roller of the whole
    run.

    first, slip: the first of the ``count`` rollers within reach, and its slip.
    """
    n, teeth, order = p.rollers, p.wheel.teeth[w], p.wheel.order[w]
    wanted = (seated if seated > 0 else count) // 2
    i = first
    for _ in range(count):
        if seated == 0 or _between_teeth(place, p, w, i):
            if wanted == 0:
                break
            wanted -= 1
        after = i + 1 if i + 1 < n else 0
        slip += _shortest(order * (p.gap[w, after] - p.gap[w, i]) - 1, teeth)
        i = after
    p.mesh.roller[w], p.mesh.gap[w], p.mesh.slip[w] = i, p.gap[w, i], slip


@kernel(inner=True)
def _between_teeth(place, p, w, i):
    """Return whether the centre of roller i, which has a gap of wheel w, is inside the tips of its teeth."""
    dx = place[i] - p.frame.x[w]
    dy = place[p.rollers + i] - p.frame.y[w]
    return from_gap_squared(p, w, p.gap[w, i], dx, dy) <= p.wheel.tip[w] * p.wheel.tip[w]


@kernel(inline=True)
def from_gap_squared(p, w, gap, dx, dy):
    """Return the squared distance of a point from the centre of the round wheel that would have this gap. [m^2]

    For a wheel that is round itself, this centre is on its axis.

    dx, dy: position of the point relative to the axis of wheel w [m].
    """
    if p.gap_shift.shape[0] > 0:
        row, c, s = p.wheel.gap[w] + gap, p.frame.cos[w], p.frame.sin[w]
        ux = c * p.direction[row, 0] - s * p.direction[row, 1]
        uy = s * p.direction[row, 0] + c * p.direction[row, 1]
        dx -= p.gap_shift[row, 0] * ux - p.gap_shift[row, 1] * uy
        dy -= p.gap_shift[row, 0] * uy + p.gap_shift[row, 1] * ux
    return dx * dx + dy * dy


@kernel(inner=True)
def _shortest(steps, teeth):
    """Return a difference of gap numbers, taken the shorter way around the wheel."""
    around = steps % teeth
    return around - teeth if 2 * around > teeth else around
