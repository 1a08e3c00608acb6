"""Make the picture of a drive's file in an editor: python docs/guide/editors_picture.py

The marks, the list and the explanation are answers of Taplo, the language server of VS Code's extension "Even Better
TOML", on a file of ``chaindrive new`` with two mistakes (``editors_answers.mjs``). The window is drawn here.
It needs the extra "test", Chromium, Node and ``npm ci --prefix web``.
"""

from __future__ import annotations

import html
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

import chaindrive as cd
from chaindrive.model.files.schema import schema_text

HERE = Path(__file__).parent
MISTAKES = {'loop = "counterclockwise"': 'lop = "counterclockwise"', "teeth = 19": 'teeth = "19"'}
LINES = 31
"""Lines of the file that are shown."""
CHOICES = 7
"""Entries of the list that are shown."""
STYLE = """
body { margin: 0; background: #1f1f1f; color: #d4d4d4; font: 15px/1.5 monospace; width: 1000px; }
.tab { background: #181818; padding: 6px 14px; font-family: sans-serif; font-size: 14px; }
.tab span { background: #1f1f1f; padding: 6px 16px; border-top: 1px solid #0078d4; }
.code { position: relative; padding: 10px 0; }
.line { white-space: pre; height: 1.5em; }
.line i { display: inline-block; width: 3em; margin-right: 1em; text-align: right; color: #858585; font-style: normal; }
.comment { color: #7cb668; } .key { color: #9cdcfe; } .text { color: #ce9178; } .table { color: #4ec9b0; }
.wrong { text-decoration: underline wavy #f14c4c; text-underline-offset: 3px; }
.box { position: absolute; background: #252526; border: 1px solid #5a5a5a; }
.box div { padding: 1px 10px; } .box div:first-child.entry { background: #04395e; color: #fff; }
.about { max-width: 25em; white-space: normal; padding: 6px 10px; font-family: sans-serif; font-size: 14px; }
.problems { border-top: 1px solid #3c3c3c; padding: 8px 14px 12px; font-family: sans-serif; font-size: 14px; }
.problems b { color: #f14c4c; }
"""


def answers(folder: Path) -> tuple[list[str], int, int, dict[str, Any]]:
    """Return the lines of the file, the cursor position (line, character) and the answers of the language server."""
    text = cd.templates.two_wheels().text
    for right, wrong in MISTAKES.items():
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    (folder / "two-wheels.toml").write_text(text, encoding="utf-8")
    (folder / "drive.schema.json").write_text(schema_text(), encoding="utf-8")
    lines = text.splitlines()
    line = next(number for number, each in enumerate(lines) if each.startswith("standard"))
    character = lines[line].index('"') + 3
    command = ["node", str(HERE / "editors_answers.mjs"), str(folder / "two-wheels.toml"), str(line), str(character)]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=120).stdout
    return lines, line, character, json.loads(printed)


def coloured(line: str) -> str:
    """Return a line of TOML, coloured."""
    if line.startswith("#"):
        return f'<span class="comment">{html.escape(line)}</span>'
    if line.startswith("["):
        return f'<span class="table">{html.escape(line)}</span>'
    value, hash_, comment = line.partition("  #")
    key, equals, rest = value.partition(" = ")
    rest = re.sub(r'"[^"]*"', lambda found: f'<span class="text">{html.escape(found[0])}</span>', rest)
    return f'<span class="key">{html.escape(key)}</span>{equals}{rest}' + (
        f'<span class="comment">{html.escape(hash_ + comment)}</span>' if hash_ else ""
    )


def page() -> str:
    """Return the window of the editor as HTML."""
    with tempfile.TemporaryDirectory() as folder:
        lines, line, character, found = answers(Path(folder))
    wrong = {problem["range"]["start"]["line"]: problem["message"] for problem in found["problems"]}
    typed = lines[line].partition('"')[2][:2]
    choices = [each["label"] for each in found["completion"] if each["label"].startswith(f'"{typed}')]
    shown = [
        f'<div class="line"><i>{number + 1}</i><span{" class=wrong" * (number in wrong)}>{coloured(text)}</span></div>'
        for number, text in enumerate(lines[:LINES])
    ]
    top, left = 10 + (line + 1) * 22.5, 16 * 4 * 0.56 + character * 9
    listed = "".join(f'<div class="entry">{html.escape(each)}</div>' for each in choices[:CHOICES])
    about = html.escape(found["hover"]["contents"]["value"].strip())
    problems = "".join(
        f"<div><b>✕</b> two-wheels.toml, line {number + 1}: {html.escape(text)}</div>" for number, text in wrong.items()
    )
    return (
        f'<style>{STYLE}</style><div class="tab"><span>two-wheels.toml</span></div><div class="code">{"".join(shown)}'
        f'<div class="box" style="top:{top}px;left:{left}px">{listed}</div>'
        f'<div class="box about" style="top:{top}px;left:{left + 130}px">{about}</div></div>'
        f'<div class="problems">{problems}</div>'
    )


def main() -> None:
    """Make the picture."""
    browser = os.environ.get("CHAINDRIVE_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        window = chromium.new_page(viewport={"width": 1000, "height": 400})
        window.set_content(page())
        picture = Image.open(io.BytesIO(window.locator("body").screenshot())).convert("RGB")
        chromium.close()
    picture.quantize(128).save(HERE / "pictures" / "editors.png", optimize=True)


if __name__ == "__main__":
    main()
