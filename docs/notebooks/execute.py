"""Run the notebooks and keep their outputs in them: python docs/notebooks/execute.py [NAME ...]"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from _site.notebooks import FOLDER, executed, read, write

if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        if len(sys.argv) == 1 or path.stem in sys.argv[1:]:
            write(path, executed(read(path)))
            print(path.name)
