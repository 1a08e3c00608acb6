"""Compares the rocker-pin chain of a CVT with the results of a paper, with an independent prototype, and with runs of
itself under different conditions.

    python docs/validation/variators.py [FOLDER] [--only PART] [--write]

Every run is kept in ``build/validation/variators`` or in FOLDER: an interrupted call is resumed by the next one with
the same kernels. ``--only``: only the runs whose names begin with PART. ``--write`` makes ``variators.md`` and its
pictures
next to this file.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import _variators_page
from _made import kept_folder
from _variators_runs import everything

import chaindrive as cd
from chaindrive.model.study.files import study_path

STUDY = "cvt-63-thrust-ratio"


def main(words: Sequence[str] | None = None) -> None:
    """Make missing runs, and write the page if requested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="folder in which runs are kept")
    parser.add_argument("--only", default="", help="only the runs whose names begin with this")
    parser.add_argument("--processes", type=int, default=1, help="number of processes for the study")
    parser.add_argument("--write", action="store_true", help="write the page and its pictures")
    asked = parser.parse_args(words)
    if asked.write and asked.only:
        parser.error("the page needs all runs: --write cannot be combined with --only")
    folder = kept_folder("variators", asked.folder)
    found = everything(folder, asked.only)
    if not asked.only:
        study = cd.run_study(study_path(STUDY), output=folder / "study", workers=asked.processes)
        if asked.write:
            _variators_page.draw(study)
            text = _variators_page.page(found, study)
            Path(__file__).with_name("variators.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
