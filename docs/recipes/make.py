"""Run the recipes, and put their output and pictures into their pages: python docs/recipes/make.py [NAME ...]

A page is run from its top to its bottom in a separate folder, as a reader would enter it:

    a block of TOML or Python whose first line is "# NAME"    is left as that file; Python is run at once
    a block without a language                                its lines that begin with chaindrive are run
    <!-- printed: FIRST | LAST --> before a block of text     the block becomes what the last commands printed, from the
                                                              line that holds FIRST to the next one that holds LAST
    ![...](pictures/NAME.png)                                 is taken from the folder

Any command that fails ends the script, unless the page expects it (a run that is not good enough has the exit code 2).
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
PICTURES = HERE / "pictures"
WIDTH = 110
"""Width of the output, in characters."""
COLOURS = 128
FENCE = re.compile(
    r"(?:<!-- printed: (?P<first>[^|\n]+?) \| (?P<last>[^|\n]+?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```\n",
    re.DOTALL | re.MULTILINE,
)
NAMED = re.compile(r"# (?P<name>[\w-]+\.(?:toml|py))\b")
PICTURE = re.compile(r"!\[[^\]]*\]\(pictures/(?P<name>[\w-]+\.png)\)")


def pages() -> list[Path]:
    """Return the recipes, without the page that lists them."""
    return [path for path in sorted(HERE.glob("*.md")) if path.stem != "index"]


def commands(text: str) -> list[str]:
    """Return the commands of a block."""
    joined = text.replace("\\\n", " ").splitlines()
    return [line.split("  #")[0].strip() for line in joined if line.startswith("chaindrive ")]


def run(words: list[str], folder: Path) -> str:
    """Run a command and return its output. End the script if the command fails."""
    there = {**os.environ, "COLUMNS": str(WIDTH), "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=there, check=False)
    if done.returncode:
        raise SystemExit(f"{shlex.join(words)}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n"


def chaindrive(line: str, folder: Path) -> str:
    """Return the output of a command of chaindrive."""
    print(f"  {line}", flush=True)
    return run([sys.executable, "-m", "chaindrive.cli.main", *shlex.split(line)[1:]], folder)


def part(printed: str, first: str, last: str) -> str:
    """Return the lines from the one that holds ``first`` to the next with ``last``. End the script if there is none."""
    lines = printed.splitlines()
    begin = next((i for i, line in enumerate(lines) if first in line), None)
    if begin is None:
        raise SystemExit(f"nothing printed holds {first!r}:\n{printed}")
    end = next((i for i in range(begin, len(lines)) if last in lines[i]), None)
    if end is None:
        raise SystemExit(f"nothing printed after {first!r} holds {last!r}:\n{printed}")
    return "\n".join(lines[begin : end + 1]) + "\n"


def keep(source: Path, target: Path) -> None:
    """Write a picture as a small PNG file."""
    Image.open(source).convert("RGB").quantize(COLOURS).save(target, optimize=True)


def make(page: Path, folder: Path) -> None:
    """Run a page in a folder, and write it with the output."""
    text, printed = page.read_text(encoding="utf-8"), ""

    def block(found: re.Match[str]) -> str:
        nonlocal printed
        inside, named = found["text"], NAMED.match(found["text"])
        if found["first"]:
            told = part(printed, found["first"], found["last"])
            return f"<!-- printed: {found['first']} | {found['last']} -->\n```text\n{told}```\n"
        if named:
            (folder / named["name"]).write_text(inside, encoding="utf-8")
            if found["language"] == "python":
                printed = run([sys.executable, named["name"]], folder)
        elif not found["language"] and commands(inside):
            printed = "".join(chaindrive(line, folder) for line in commands(inside))
        return found[0]

    made = FENCE.sub(block, text)
    for found in PICTURE.finditer(made):
        keep(folder / found["name"], PICTURES / found["name"])
    page.write_text(made, encoding="utf-8")


def main(chosen: list[str]) -> None:
    """Run the chosen pages, or all."""
    PICTURES.mkdir(exist_ok=True)
    for page in pages():
        if chosen and page.stem not in chosen:
            continue
        print(page.stem, flush=True)
        with tempfile.TemporaryDirectory() as name:
            for given in HERE.glob("*.csv"):
                shutil.copy(given, name)
            make(page, Path(name))


if __name__ == "__main__":
    main(sys.argv[1:])
