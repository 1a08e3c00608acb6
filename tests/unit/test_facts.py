"""Facts of a drive: computed once for each drive, and never carried over to another one."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.mechanism import facts as module
from chaindrive.mechanism.facts import DriveFacts, drive_facts
from chaindrive.model import Drive, loads
from support.small_drives import two_wheels

COPIES = {
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "copy of the model": lambda drive: drive.model_copy(),
    "pickle": lambda drive: pickle.loads(pickle.dumps(drive)),
    "file": lambda drive: loads(str(drive)),
}


def asked(drive: Drive) -> DriveFacts:
    """The facts of a drive, after its route and directions of rotation have been computed."""
    facts = drive_facts(drive)
    assert facts.route is facts.route
    assert facts.senses is facts.senses
    return facts


def test_each_fact_is_computed_once(monkeypatch):
    drive, calls = two_wheels(), []
    for name in ("turning_signs", "route_around", "balance_speed", "load_periods"):
        real = getattr(module, name)

        def counted(*given, name=name, real=real):
            calls.append(name)
            return real(*given)

        monkeypatch.setattr(module, name, counted)
    for _ in range(3):
        facts = drive_facts(drive)
        assert (facts.senses * facts.direction).tolist() == facts.signs.tolist()
        assert len(facts.route.wrap) == 2
        assert facts.balance_speed is None or facts.balance_speed > 0.0
        assert facts.period == 17 or facts.repeats_with_teeth
    assert sorted(calls) == ["balance_speed", "load_periods", "route_around", "turning_signs"]


def test_what_an_analysis_computes_is_computed_once_for_each_key():
    drive, calls = two_wheels(), []
    for count in (2, 3, 2):
        found = drive_facts(drive).once(("modes", count), lambda count=count: calls.append(count) or [0.0] * count)
        assert len(found) == count
    assert calls == [2, 3]
    with pytest.raises(ZeroDivisionError):  # what fails is tried again
        drive_facts(drive).once("no number", lambda: 1 / 0)
    assert drive_facts(drive).once("no number", lambda: 7) == 7


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_has_facts_of_its_own(how):
    drive = two_wheels()
    facts = asked(drive)
    other = COPIES[how](drive)
    assert other == drive
    assert drive_facts(other) is not facts
    assert drive_facts(other).drive is other
    assert drive_facts(drive) is facts


def test_a_changed_drive_has_other_facts():
    drive = two_wheels()
    facts = asked(drive)
    first, second = drive.wheels
    turned = {"loop": "clockwise" if drive.loop == "counterclockwise" else "counterclockwise"}
    assert drive_facts(drive.model_copy(update=turned)).signs.tolist() == (-facts.signs).tolist()
    assert drive_facts(drive.replace("loop", turned["loop"])).signs.tolist() == (-facts.signs).tolist()
    away = second.model_copy(update={"position": (second.position[0] + 0.01, second.position[1])})
    moved = drive_facts(drive.model_copy(update={"wheels": (first, away)}))
    assert moved.route.span_length == pytest.approx(facts.route_at([first.position, away.position]).span_length)
    assert moved.route.span_length[0] > facts.route.span_length[0]


def test_facts_make_no_difference_to_a_drive():
    """Not to equality with another drive, to its file, or to its pickle."""
    drive, other = two_wheels(), two_wheels()
    before = pickle.dumps(drive)
    asked(drive)
    assert drive == other
    assert str(drive) == str(other)
    assert pickle.dumps(drive) == before


def test_facts_end_with_their_drive():
    gc.freeze()  # what is there before is not looked through
    try:
        drive = two_wheels()
        facts = weakref.ref(asked(drive))
        del drive
        gc.collect()
        assert facts() is None
    finally:
        gc.unfreeze()


def test_a_route_that_does_not_exist_is_refused_every_time():
    drive = two_wheels()
    first, second = drive.wheels
    inside = drive.model_copy(update={"wheels": (first, second.model_copy(update={"position": first.position}))})
    for _ in range(2):
        with pytest.raises(cd.InputError):
            _ = drive_facts(inside).route


def test_arrays_are_read_only():
    facts = drive_facts(two_wheels())
    found = [facts.teeth, facts.signs, facts.senses, facts.slow_speeds, facts.pitch_radii, facts.wrapped_radii]
    for array in (*found, *(part for part in facts.route if isinstance(part, np.ndarray))):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
