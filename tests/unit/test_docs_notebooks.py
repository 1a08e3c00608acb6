"""The notebooks of the documentation run, and the stored output is what they produce."""

from __future__ import annotations

import re

import pytest
from _site.notebooks import FOLDER, as_markdown, executed, read

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SLOW = {"variants"}
NUMBER = re.compile(r"(?<![#\w.])-?\d+\.\d+(?![\w.])")


def visible(output):
    """The text of an output, without the data of pictures."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    html = "".join(output["data"].get("text/html", output["data"].get("text/plain", "")))
    return re.sub(r"<svg.*?</svg>|<style.*?</style>|<img[^>]*>|<[^>]+>", " ", html, flags=re.DOTALL)


@pytest.mark.parametrize(
    "path",
    [pytest.param(each, id=each.stem, marks=pytest.mark.long if each.stem in SLOW else ()) for each in NOTEBOOKS],
)
def test_a_notebook_gives_what_it_shows(path):
    kept = read(path)
    made = executed({**kept, "cells": [{**cell, "outputs": []} for cell in kept["cells"]]})
    outputs = 0
    for before, now in zip(kept["cells"], made["cells"], strict=True):
        if before["cell_type"] == "code":
            assert [each["output_type"] for each in now["outputs"]] == [
                each["output_type"] for each in before["outputs"]
            ]
            for one, other in zip(before["outputs"], now["outputs"], strict=True):
                outputs += 1
                first, second = visible(one), visible(other)
                assert [float(x) for x in NUMBER.findall(second)] == pytest.approx(
                    [float(x) for x in NUMBER.findall(first)], rel=0.02, abs=1e-4
                )
                assert NUMBER.sub("", second) == NUMBER.sub("", first) or "wall-clock" in first
    assert outputs >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda each: each.stem)
def test_a_page_has_every_cell(path):
    notebook = read(path)
    text = as_markdown(notebook, path.stem)
    assert all("".join(cell["source"]) in text for cell in notebook["cells"])
    shown = sum(len(cell.get("outputs", ())) for cell in notebook["cells"])
    assert text.count('<div class="output"') + text.count("<img alt=") + text.count("```text") >= shown > 0


def test_cells_share_their_names_and_show_their_last_line():
    cells = [
        {"cell_type": "code", "source": ["x = 2\n", "print(x)\n", "x + 1"]},
        {"cell_type": "markdown", "source": ["# text"]},
        {"cell_type": "code", "source": ["x"]},
        {"cell_type": "code", "source": ["y = x"]},
    ]
    made = executed({"cells": cells})["cells"]
    assert [each["output_type"] for each in made[0]["outputs"]] == ["stream", "execute_result"]
    assert made[0]["outputs"][0]["text"] == ["2\n"]
    assert made[0]["outputs"][1]["data"] == {"text/plain": ["3"]}
    assert made[2]["outputs"][0]["data"] == {"text/plain": ["2"]}
    assert made[3]["outputs"] == []
    with pytest.raises(ZeroDivisionError):
        executed({"cells": [{"cell_type": "code", "source": ["1 / 0"]}]})
