"""Drives as FMUs: the image, inputs and parameters, the description."""

from mutations.mutation import Mutation

FMU = ("tests/unit/test_fmu.py",)
PYTHON = ("tests/unit/test_fmu_python.py",)

MUTATIONS = (
    Mutation(
        "fmu-image-pointer", "_moved", "segments[at].offset + address - segments[at].begin", "segments[at].offset",
        "A view of part of an array has the address of the array.", FMU,
    ),
    Mutation(
        "fmu-law-slope", "_law", "(cells[-1] - cells[0]) / (x[-1] - x[0])", "(cells[-1] - cells[0]) / (x[-1] + x[0])",
        "Numbers depend on a parameter with a wrong slope.", FMU,
    ),
    Mutation(
        "fmu-parameter-base", "parameter_variables", "here - law.slope * key.value**law.power", "here",
        "A parameter is added to the value in the file instead of replacing it.", FMU,
    ),
    Mutation(
        "fmu-speed-state", "input_variables", "image.offset(state, each.speed)", "image.offset(state, each.position)",
        "The ramp to a new speed begins at the angle of the wheel.", FMU,
    ),
    Mutation(
        "fmu-power-of-unit", "_powers", '(-1 if sign == "/" else 1)', "1",
        "Units after a slash count as if they were before it.", FMU,
    ),
    Mutation(
        "fmu-number", "number", "self.base + self.slope * value**self.power", "self.slope * value**self.power",
        "The part of a number that does not depend on a parameter is omitted.", PYTHON,
    ),
    Mutation(
        "fmu-python-position", "_signals", "(found[0, k] - here) / step", "found[0, k] / step",
        "A prescribed position is approached with the speed from the origin.", PYTHON,
    ),
    Mutation(
        "fmu-python-memory", "_make", "array[...] = self._untouched[name]", "array[...] = array",
        "Inputs and contacts of the last run remain at the start of the next run.", PYTHON,
    ),
    Mutation(
        "fmu-recorded", "record_at", "later = time > times.start[0]", "later, times.start[0] = False, time",
        "Errors of work integrals are judged as if the run had begun at the last row.", PYTHON,
    ),
    Mutation(
        "fmu-python-ending", "_end", "self._integrator.record_at(time)", "self._integrator.record_at(0.0)",
        "The outputs at the end of a run are recorded for a wrong time.", PYTHON,
    ),
    Mutation(
        "fmu-python-changed", "set", "self._changed = True", "self._changed = False",
        "An input that is set between two steps has no effect.", PYTHON,
    ),
    Mutation(
        "loads-changed", "integration", "counts.loads_changed[0] != 0", "counts.loads_changed[0] == 7",
        "A load that was changed acts one step late.", ("tests/contracts/test_solver_contract.py",),
    ),
    Mutation(
        "fmu-unit-twice", "_units", "{_spelled(each.unit) for each in variables}", "{each.unit for each in variables}",
        "A unit that channels and keys spell differently is defined twice.", FMU,
    ),
)  # fmt: skip
