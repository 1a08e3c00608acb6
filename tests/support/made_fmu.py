"""FMUs for tests, compiled from the C files in ``fmu/`` where a compiler is at hand."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from chaindrive.cosimulation.description import system_folder

__all__ = ["COMPILER", "motor_fmu", "written"]

COMPILER = shutil.which("gcc") or shutil.which("cc")
SOURCES = Path(__file__).parent / "fmu"
UNITS = """<UnitDefinitions>
<Unit name="rad/s"><BaseUnit s="-1" rad="1"/></Unit><Unit name="N.m"><BaseUnit kg="1" m="2" s="-2"/></Unit>
<Unit name="rev/min"><BaseUnit s="-1" rad="1" factor="0.10471975511965977"/></Unit><Unit name="1/min"/>
<Unit name="N.m.s/rad"><BaseUnit kg="1" m="2" s="-1" rad="-1"/></Unit>
<Unit name="s"><BaseUnit s="1"/></Unit><Unit name="m"><BaseUnit m="1"/></Unit>
</UnitDefinitions>"""
VARIABLES = (
    ("speed", "input", "continuous", "rad/s", "0"),
    ("torque", "output", "continuous", "N.m", None),
    ("stall_torque", "parameter", "tunable", "N.m", "40"),
    ("no_load_speed", "parameter", "tunable", "rad/s", "150"),
    ("time_constant", "parameter", "fixed", "s", "0.02"),
    ("fails_at", "parameter", "fixed", "s", "1e300"),
    ("current", "output", "continuous", None, None),
    ("gain", "parameter", "fixed", "N.m.s/rad", "0"),
    ("leak", "parameter", "fixed", None, "1"),
)
TOKEN = "{8c4e810f-3df3-4a00-8276-176fa3c9f013}"


def motor_description(version: int = 2, interpolates: bool = True, **changes: str) -> str:
    """Description of the motor; changes: other units of variables, by name."""
    rows = []
    for reference, (name, causality, variability, unit, start) in enumerate(VARIABLES):
        own = changes.get(name, unit)
        details = (f' unit="{own}"' if own else "") + (f' start="{start}"' if start else "")
        head = f'name="{name}" valueReference="{reference}" causality="{causality}" variability="{variability}"'
        if version == 2:
            rows.append(f"<ScalarVariable {head}><Real{details}/></ScalarVariable>")
        else:
            rows.append(f"<Float64 {head}{details}/>")
    can = 'canHandleVariableCommunicationStepSize="true"'
    if version == 2:
        outputs = "".join(f'<Unknown index="{k}" dependencies="{on}"/>' for k, on in ((2, "1"), (7, "")))
        ahead = ' canInterpolateInputs="true"' if interpolates else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?><fmiModelDescription fmiVersion="2.0" modelName="motor" '
            f'guid="{TOKEN}">'
            f'<CoSimulation modelIdentifier="motor" {can}{ahead} canGetAndSetFMUstate="true" '
            f'canSerializeFMUstate="true"/>{UNITS}<ModelVariables>{"".join(rows)}</ModelVariables>'
            f"<ModelStructure><Outputs>{outputs}</Outputs><InitialUnknowns>{outputs}</InitialUnknowns></ModelStructure>"
            "</fmiModelDescription>"
        )
    rows.append('<Float64 name="time" valueReference="99" causality="independent" variability="continuous"/>')
    outputs = "".join(f'<Output valueReference="{k}" dependencies="{on}"/>' for k, on in ((1, "0"), (6, "")))
    initial = outputs.replace("<Output", "<InitialUnknown")
    return (
        '<?xml version="1.0" encoding="UTF-8"?><fmiModelDescription fmiVersion="3.0" modelName="motor" '
        f'instantiationToken="{TOKEN}"><CoSimulation modelIdentifier="motor" {can} canGetAndSetFMUState="true" '
        f'canSerializeFMUState="true"/>{UNITS}<ModelVariables>{"".join(rows)}</ModelVariables>'
        f"<ModelStructure>{outputs}{initial}</ModelStructure></fmiModelDescription>"
    )


@functools.cache
def _library(version: int) -> bytes:
    """The compiled motor."""
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "motor.so"
        flags = ["-DFMI3"] if version == 3 else []
        command = [COMPILER, "-O2", "-w", "-shared", "-fPIC", "-fvisibility=hidden", *flags, "-o", str(target)]
        subprocess.run([*command, str(SOURCES / "motor.c"), "-lm"], check=True)
        return target.read_bytes()


def written(path: Path, description: str, files: dict[str, bytes]) -> Path:
    """An FMU with a description and files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", description)
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def motor_fmu(folder: Path, version: int = 2, interpolates: bool = True, **changes: str) -> Path:
    """The motor as an FMU for this system; changes: other units of variables, by name."""
    files = {f"binaries/{system_folder(version)}/motor.so": _library(version)}
    return written(folder / f"motor{version}.fmu", motor_description(version, interpolates, **changes), files)
