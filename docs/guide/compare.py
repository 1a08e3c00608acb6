"""Put the output of ``chaindrive compare`` into the guide: python docs/guide/compare.py [--write]

Without --write it only prints.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_name("compare.md")
COMMAND = [
    sys.executable,
    "-m",
    "chaindrive.cli.main",
    "compare",
    "industrial-08b",
    "--until",
    "500 ms",
    "--set",
    "run.save.rate=10 kHz",
]
PLACE = re.compile(r"(?<=<!-- printed -->\n)```text\n.*?```\n(?=<!-- end -->)", re.DOTALL)


def printed() -> str:
    """Run the command in an empty folder and return its output, without blanks at the ends of lines."""
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(COMMAND, cwd=folder, capture_output=True, text=True, check=True, encoding="utf-8")
    return "\n".join(line.rstrip() for line in found.stdout.splitlines())


if __name__ == "__main__":
    text = printed()
    print(text)
    if "--write" in sys.argv[1:]:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(PLACE.sub(lambda _: f"```text\n{text}\n```\n", page), encoding="utf-8")
