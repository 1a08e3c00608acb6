"""Builds the source distribution, and compares its files with those under version control.

    python packaging/sdist.py [-o dist]

It contains the sources of a wheel, with the page of the report both as its sources (``web/``) and built, and no
compiled kernels. Tests and documentation stay in the repository.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADDED = {"PKG-INFO", ".gitignore"}
"""Files that the builder adds."""


def main() -> None:
    """Build, compare; exit code 1 when a file is missing or does not belong there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("dist"), help="folder of the source distribution")
    output = parser.parse_args().output
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", str(output), str(ROOT)], check=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    parts = project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    version = project["project"]["version"]
    found, wanted = files_in(output / f"chaindrive-{version}.tar.gz") - ADDED, under_version_control(parts)
    for name in sorted(wanted - found):
        print(f"missing in the source distribution: {name}")
    for name in sorted(found - wanted):
        print(f"does not belong in the source distribution: {name}")
    if found != wanted:
        raise SystemExit(1)
    print(f"{len(found)} files, as under version control")


def files_in(archive: Path) -> set[str]:
    """Names of the files of an archive, without their common folder."""
    with tarfile.open(archive) as opened:
        return {member.name.partition("/")[2] for member in opened.getmembers() if member.isfile()}


def under_version_control(parts: list[str]) -> set[str]:
    """Names of these files, and of those in these folders, of this checkout."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--", *parts]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(filter(None, listed.split("\0")))


if __name__ == "__main__":
    main()
