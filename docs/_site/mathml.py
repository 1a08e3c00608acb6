"""Formulas as MathML, made while the site is built: no script and no network is needed to read them."""

from __future__ import annotations

from html import escape
from typing import Any

from latex2mathml.converter import convert

__all__ = ["mathml", "setup"]


def mathml(latex: str, block: bool) -> str:
    """The MathML of a formula in LaTeX. Raises ValueError when it cannot be read."""
    text = " ".join(latex.split())
    if block and "\\\\" in text and "\\begin" not in text:
        text = rf"\begin{{aligned}} {text} \end{{aligned}}"
    try:
        made = convert(text, display="block" if block else "inline")
    except Exception as error:  # latex2mathml has errors of its own for each kind of mistake
        raise ValueError(f"the formula cannot be read: {latex!r} ({type(error).__name__})") from error
    if "\\" in "".join(made.split("<mo>&#x0005C;</mo>")):
        raise ValueError(f"latex2mathml does not know a command of the formula: {latex!r}")
    return made


def _inline(writer: Any, node: Any) -> None:
    from docutils import nodes

    writer.body.append(mathml(node.astext(), block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: Any) -> None:
    from docutils import nodes

    label = escape(f"({node['number']})") if node.get("number") else ""
    ids = "".join(f' id="{escape(name)}"' for name in node.get("ids", ())[:1])
    number = f'<span class="eqno">{label}</span>' if label else ""
    writer.body.append(f'<div class="formula"{ids}>{mathml(node.astext(), block=True)}{number}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, Any]:
    """Register the renderer with Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
