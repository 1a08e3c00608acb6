"""Parts that obstruct each other along a route, compared with circles and lines by hand and with a sampled chain."""

import numpy as np
import pytest

from chaindrive.errors import InputError
from chaindrive.geometry.clearance import TOLERANCE, Layout, Rail, findings, straight_lines
from chaindrive.geometry.route import pitch_radius, route

PITCH, ROLLER = 0.0127, 0.00851 / 2
TIP = 0.3 * PITCH
"""Height of the tips above the pitch circle in these tests."""
SAMPLE = 0.05 * PITCH


def layout(centres, teeth, signs, rails=(), tip=TIP):
    radii = pitch_radius(PITCH, teeth)
    way = route(centres, radii, signs)
    return Layout(way, radii + tip, ROLLER, PITCH, straight_lines(way), tuple(rails))


def by_kind(found):
    return {(f.kind, f.first, f.second): f for f in found}


def test_a_plain_drive_has_no_findings():
    assert findings(layout([(0, 0), (0.5, 0)], [17, 38], [1, 1])) == ()


def idler(teeth, height):
    """Two wheels of 17 teeth, and a third one on the front between them, at this height above the line of their
    centres.
    """
    return layout([(0, 0), (0.6, 0), (0.3, height)], [17, 17, teeth], [1, 1, 1])


R = float(pitch_radius(PITCH, 17))
"""The lower strand is this far below the line of the centres."""


def test_amount_by_which_a_wheel_reaches_into_a_span():
    """Overlap of its tips and the rollers: pitch radius + tip + roller radius - distance of its centre from the
    line.
    """
    ((key, finding),) = by_kind(findings(idler(23, 0.001))).items()
    assert key == ("wheel in span", 2, 0)
    assert finding.amount == pytest.approx(pitch_radius(PITCH, 23) + TIP + ROLLER - R - 0.001, rel=1e-9)
    np.testing.assert_allclose(finding.at, (0.3, -R), atol=1e-9)


def test_a_wheel_that_just_passes():
    free = TIP + ROLLER
    assert findings(idler(17, free)) == ()
    assert findings(idler(17, free - 0.9 * TOLERANCE * PITCH)) == ()
    assert len(findings(idler(17, free - 1.1 * TOLERANCE * PITCH))) == 1


def test_the_chain_on_a_wheel_in_a_span():
    """An idler on the back, pressed down until the chain on it would lie in the lower strand."""
    found = by_kind(findings(layout([(0, 0), (0.6, 0), (0.3, 0.005)], [17, 17, 17], [1, 1, -1])))
    assert set(found) == {("wheel in span", 2, 0), ("spans", 0, 1), ("spans", 0, 2)}
    assert found["wheel in span", 2, 0].amount == pytest.approx(2 * ROLLER - 0.005, rel=1e-9)


def test_a_wheel_inside_the_loop_may_mesh_with_the_other_strand():
    """An idler on the front under the top strand, turning with the loop, whose lower teeth reach the bottom strand."""
    found = by_kind(findings(idler(17, 0.5 * TIP)))
    assert set(found) == {("wheel meets span", 2, 0)}
    assert found["wheel meets span", 2, 0].amount == pytest.approx(0.5 * TIP + ROLLER, rel=1e-9)


def test_tips_of_two_wheels():
    """Two idlers on the back, one from each side, between which no chain passes."""
    apart = 2 * R + 1.2 * TIP
    corners = [(0, 0), (0.5, 0), (0.25 + apart / 2, 0.1), (0.25, 0.4), (0.25 - apart / 2, 0.1)]
    (finding,) = (f for f in findings(layout(corners, [17] * 5, [1, 1, -1, 1, -1])) if f.kind == "wheels")
    assert (finding.first, finding.second) == (2, 4)
    assert finding.amount >= 2 * TIP - 1.2 * TIP - 1e-12
    assert findings(layout([(0, 0), (0.5, 0), (0.5, 0.4), (0, 0.4)], [17] * 4, [1] * 4)) == ()


def test_spans_that_cross():
    """An idler on the back below the lower strand: the strands that lead to it cross that one."""
    found = by_kind(findings(layout([(0, 0), (0.6, 0), (0.3, -0.2)], [17] * 3, [1, 1, -1])))
    assert {key for key in found if key[0] == "spans"} == {("spans", 0, 1), ("spans", 0, 2)}
    assert found["spans", 0, 1].amount == pytest.approx(2 * ROLLER)


def test_spans_that_come_too_near():
    """The chain leaves an idler that is pressed down so far slightly above its lowest point."""
    made = layout([(0, 0), (0.6, 0), (0.3, 0.006)], [17, 17, 17], [1, 1, -1])
    height = made.route.span_end[1][1] + R  # of the point where span 1 arrives on the idler
    assert by_kind(findings(made))["spans", 0, 1].amount == pytest.approx(2 * ROLLER - height, rel=1e-6)
    assert 0.006 < height < 2 * ROLLER


def rail_at(height, half=0.05, span=0, c=ROLLER, up=True):
    """A flat rail from left to right, or (up False) from right to left, material on the right of travel."""
    x = np.linspace(-half, half, 5) * (1 if up else -1) + 0.3
    return Rail(np.column_stack([x, np.full(5, height)]), span, c)


def test_a_rail_that_crosses_another_span():
    slanted = Rail(np.array([(0.3, -R - 0.02), (0.35, R + 0.01)]), 1, ROLLER)
    found = by_kind(findings(layout([(0, 0), (0.6, 0)], [17, 17], [1, 1], [slanted])))
    # it is meant for the upper span and crosses the lower one, 20 mm beyond
    assert found["rail across span", 0, 0].amount == pytest.approx(0.02, rel=1e-9)
    assert ("rail across span", 0, 1) not in found


def test_a_rail_beside_another_span_touches_it_in_front_and_not_behind():
    drive = [(0, 0), (0.6, 0)], [17, 17], [1, 1]
    (finding,) = findings(layout(*drive, [rail_at(-R - 0.003, span=1)]))  # below the lower span, its face upwards
    assert (finding.kind, finding.second) == ("rail beside span", 0)
    assert finding.amount == pytest.approx(ROLLER - 0.003, rel=1e-9)
    assert findings(layout(*drive, [rail_at(-R - 0.003, span=1, up=False)])) == ()  # its back
    assert findings(layout(*drive, [rail_at(-R - 0.003, span=0)])) == ()  # for the span that it is meant for


def test_rails_at_wheels():
    drive = [(0, 0), (0.6, 0)], [17, 17], [1, 1]

    def upright(x, y=0.0):
        return Rail(np.array([(x, y - 0.02), (x, y + 0.02)]), 0, ROLLER)

    (through,) = findings(layout(*drive, [upright(R / 2)]))
    assert (through.kind, through.first, through.second) == ("rail in wheel", 0, 0)
    assert through.amount == pytest.approx(R + TIP - R / 2, rel=1e-9)
    (teeth,) = findings(layout(*drive, [upright(R + 0.5 * TIP)]))
    assert (teeth.kind, teeth.amount) == ("rail on wheel", pytest.approx(0.5 * TIP, rel=1e-9))
    (chain,) = findings(layout(*drive, [upright(-R - 0.002)]))  # where the chain lies on the wheel
    assert (chain.kind, chain.amount) == ("rail on wheel", pytest.approx(ROLLER - 0.002, rel=1e-9))
    assert findings(layout(*drive, [upright(-R - ROLLER)])) == ()


# The same question asked of a chain that is sampled point by point.


def random_layout(random):
    """Wheels anywhere, on any side, in the order of their direction from the middle with a swap now and then."""
    count = int(random.integers(2, 7))
    teeth = random.integers(9, 40, count)
    centres = random.uniform(-1, 1, (count, 2)) * random.uniform(0.15, 0.6, 2)
    order = np.argsort(np.arctan2(*(centres - centres.mean(axis=0)).T[::-1]))
    if random.random() < 0.3:
        order[[0, 1]] = order[[1, 0]]
    signs = np.where(random.random(count) < 0.2, -1, 1)
    try:
        return layout(centres[order], teeth, signs)
    except InputError:
        return None


def sampled(made):
    """Points of the line of roller centres, which part each belongs to (span k, wheel W + k), place along the loop."""
    way = made.route
    count = len(way.radii)
    points, part, place, reached = [], [], [], 0.0
    for w in range(count):
        n = max(2, int(way.wrap[w] * way.radii[w] / SAMPLE))
        turned = np.linspace(0.0, way.wrap[w], n)
        angle = way.arrival_angle[w] + way.signs[w] * turned
        points.append(way.centres[w] + way.radii[w] * np.column_stack([np.cos(angle), np.sin(angle)]))
        part += [count + w] * n
        place.append(reached + way.radii[w] * turned)
        reached += way.radii[w] * way.wrap[w]
        n = max(2, int(way.span_length[w] / SAMPLE))
        points.append(np.linspace(way.span_start[w], way.span_end[w], n))
        part += [w] * n
        place.append(reached + np.linspace(0.0, way.span_length[w], n))
        reached += way.span_length[w]
    return np.concatenate(points), np.array(part), np.concatenate(place), reached


def brute_force(made):
    """Depth of every pair of parts, by circles around points: keys as in the findings, each pair once."""
    points, part, place, total = sampled(made)
    count = len(made.route.radii)
    depth = {}
    inside = {w: points[part == count + w] for w in range(count)}
    along = {k: points[part == k] for k in range(count)}
    for w, centre in enumerate(made.route.centres):
        for k in set(range(count)) - {w, (w - 1) % count}:
            tips = made.tips[w] + ROLLER - np.hypot(*(along[k] - centre).T).min()
            apart = along[k][:, None] - inside[w][None]
            rollers = 2 * ROLLER - np.hypot(apart[..., 0], apart[..., 1]).min()
            depth["wheel", w, k] = max(tips, rollers)
        for v in range(w):
            tips = made.tips[w] + made.tips[v] - np.hypot(*(centre - made.route.centres[v]))
            chains = [
                made.tips[a] + ROLLER - np.hypot(*(inside[b] - made.route.centres[a]).T).min()
                for a, b in ((v, w), (w, v))
            ]
            depth["wheels", v, w] = max(tips, *chains)
    for k in range(count):
        for other in range(k + 1, count):
            a, b = np.flatnonzero(part == k), np.flatnonzero(part == other)
            apart = np.abs(place[a][:, None] - place[b][None])
            far = np.minimum(apart, total - apart) > 2 * np.pi * ROLLER
            gap = points[a][:, None] - points[b][None]
            near = np.where(far, np.hypot(gap[..., 0], gap[..., 1]), np.inf).min()
            depth["spans", k, other] = 2 * ROLLER - near
    return depth


@pytest.mark.parametrize("count", [25, pytest.param(200, marks=pytest.mark.long)])
def test_layouts_against_a_sampled_chain(count):
    """Every pair that a sampled chain finds deep is found, no pair that it finds separate, and amounts agree.

    A point of the exact line lies within half a sample of one of the sampled line: distances agree within one sample.
    Rollers on two wheels, which ``model.checks`` keeps apart, may be found where the sampled tips are not.
    """
    random = np.random.default_rng(20261122)
    margin = SAMPLE
    seen = {"built": 0, "not": 0, "wheel": 0, "wheels": 0, "spans": 0}
    while seen["built"] + seen["not"] < count:
        made = random_layout(random)
        if made is None:
            continue
        truth = brute_force(made)
        found = {}
        for finding in findings(made):
            kind = finding.kind.split()[0]
            found[kind, finding.first, finding.second] = finding.amount
        for key, deep in truth.items():
            limit = TOLERANCE * PITCH
            if deep > limit + margin:
                assert key in found, (key, deep, made)
            if deep < limit - margin:
                assert key not in found or key[0] == "wheels", (key, deep, found[key], made)
            if key in found and key[0] != "wheels":
                assert found[key] == pytest.approx(deep, abs=margin), (key, made)
            seen[key[0]] += key in found
        seen["not" if found else "built"] += 1
    assert min(seen["built"], seen["not"]) > count // 5
    assert min(seen["wheel"], seen["wheels"], seen["spans"]) > count // 10
