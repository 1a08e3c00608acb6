"""Drives as FMUs: the image, inputs and parameters, the description."""

from mutations.mutation import Mutation

FMU = ("tests/unit/test_fmu.py",)
PYTHON = ("tests/unit/test_fmu_python.py",)

MUTATIONS = (
    Mutation(
        "fmu-image-pointer", "_moved", "segments[at].offset + address - segments[at].begin", "segments[at].offset",
        "A view within an array has the address of the array.", FMU,
    ),
    Mutation(
        "fmu-law-slope", "_law", "(cells[-1] - cells[0]) / (x[-1] - x[0])", "(cells[-1] - cells[0]) / (x[-1] + x[0])",
        "Numbers follow a parameter with another slope.", FMU,
    ),
    Mutation(
        "fmu-parameter-base", "parameter_variables", "here - law.slope * key.value**law.power", "here",
        "A parameter adds to what the file gives.", FMU,
    ),
    Mutation(
        "fmu-speed-state", "input_variables", "image.offset(state, each.speed)", "image.offset(state, each.position)",
        "The ramp to a speed begins at the angle of the wheel.", FMU,
    ),
    Mutation(
        "fmu-power-of-unit", "_powers", '(-1 if sign == "/" else 1)', "1",
        "Units behind a slash are above it.", FMU,
    ),
    Mutation(
        "fmu-number", "number", "self.base + self.slope * value**self.power", "self.slope * value**self.power",
        "What does not follow a parameter is left out of a number.", PYTHON,
    ),
    Mutation(
        "fmu-python-position", "_signals", "(found[0, k] - here) / step", "found[0, k] / step",
        "A position is reached with the speed from the origin.", PYTHON,
    ),
    Mutation(
        "fmu-python-memory", "_make", "array[...] = self._untouched[name]", "array[...] = array",
        "Inputs and contacts of the last run are there at the start of the next.", PYTHON,
    ),
    Mutation(
        "fmu-recorded", "record_at", "later = time > times.start[0]", "later, times.start[0] = False, time",
        "Errors of works are judged by the time to the row to come, as if the run began there.", PYTHON,
    ),
    Mutation(
        "fmu-python-ending", "_end", "self._integrator.record_at(time)", "self._integrator.record_at(0.0)",
        "The outputs at an ending are recorded for another time.", PYTHON,
    ),
    Mutation(
        "fmu-python-changed", "set", "self._changed = True", "self._changed = False",
        "An input that is set between steps does not act.", PYTHON,
    ),
    Mutation(
        "loads-changed", "integration", "counts.loads_changed[0] != 0", "counts.loads_changed[0] == 7",
        "A load that changed acts one step late.", ("tests/contracts/test_solver_contract.py",),
    ),
)  # fmt: skip
