"""Notebooks without Jupyter: their cells are run, and made into a page of the site.

A notebook is read and written in the format of Jupyter (nbformat 4), which any Jupyter opens.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "as_markdown", "executed", "read", "write"]

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


def read(path: Path) -> dict[str, Any]:
    """The notebook of a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, notebook: dict[str, Any]) -> None:
    """Write a notebook in Jupyter's format."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its code cells, which are run one after the other in one namespace.

    Outputs are the printed text of a cell, and its last expression: as HTML where it has it, a figure as PNG, or as
    text.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    for count, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] == "code":
            cell = {**cell, "execution_count": count, "outputs": _outputs("".join(cell["source"]), names, count)}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(code: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    tree, printed, value = ast.parse(code), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "notebook", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {mime: text if mime == "image/png" else text.splitlines(keepends=True) for mime, text in _shown(value)}
        found.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return found


def _shown(value: Any) -> list[tuple[str, str]]:
    """The representations of a value."""
    from matplotlib.figure import Figure

    if isinstance(value, Figure):
        file = io.BytesIO()
        value.savefig(file, format="png", dpi=90, metadata={"Software": None})
        return [("image/png", base64.b64encode(file.getvalue()).decode("ascii"))]
    html = getattr(value, "_repr_html_", lambda: None)()
    return [("text/html", html)] if html else [("text/plain", repr(value))]


def as_markdown(notebook: dict[str, Any], name: str) -> str:
    """A page of the site: text, code, outputs, and a link to the notebook itself."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_output(each) for each in cell["outputs"]]
    parts.append(f"{{download}}`Open this page as a notebook <{name}.ipynb>` in Jupyter or VS Code.")
    return "\n\n".join(parts) + "\n"


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    data = output["data"]
    if "image/png" in data:
        return f'<img alt="The figure of the code above" src="data:image/png;base64,{data["image/png"]}">'
    if "text/html" in data:
        html = "\n".join(line for line in "".join(data["text/html"]).splitlines() if line.strip())
        return f'<div class="output" tabindex="0">\n{html}\n</div>'
    return f"```text\n{''.join(data['text/plain'])}\n```"
