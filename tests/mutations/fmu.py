"""Drives as FMUs: the image, inputs and parameters, the description."""

from mutations.mutation import Mutation

FMU = ("tests/unit/test_fmu.py",)

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
        "loads-changed", "integration", "counts.loads_changed[0] != 0", "counts.loads_changed[0] == 7",
        "A load that changed acts one step late.", ("tests/contracts/test_solver_contract.py",),
    ),
)  # fmt: skip
