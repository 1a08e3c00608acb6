"""Formulas as MathML, made while the site is built: no script and no network is needed to read them."""

from __future__ import annotations

import re
from html import escape, unescape
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
    return _for_browsers(made)


_VARIANT = re.compile(r'<mi mathvariant="(bold|bold-italic|sans-serif)">([^<]+)</mi>')
_UPRIGHT = re.compile(r'(?:<mi mathvariant="normal">[^<]</mi>){2,}')
_UNARY = re.compile(
    r"(<mo(?: stretchy=\"false\")?>&#x0(?:003D|002C|0028|005B|2208|2264);</mo>)<mo>(&#x02212;|&#x0002B;)</mo>"
)
_FUNCTION = r"<mi>(?:sin|cos|tan|tanh|arctan|ln|exp|max|min)</mi>"
_AFTER = re.compile(rf"({_FUNCTION})(?!<mo[^>]*>&#x0*28;|</|<mrow><mo[^>]*>&#x0*28;)")
_BEFORE = re.compile(rf"(</(?:mi|mn|msub|msup|msubsup|mover|mfrac)>|&#x0007C;</mo>)(?={_FUNCTION})")
_THIN = '<mspace width="0.17em"/>'


def _for_browsers(made: str) -> str:
    """The formula with bold letters as characters, words in one piece, and signs close to their numbers.

    Browsers support MathML Core, whose only mathvariant is "normal".
    """
    made = _VARIANT.sub(_letter, made)
    made = _UPRIGHT.sub(lambda found: f"<mi>{re.sub('<[^>]*>', '', found.group())}</mi>", made)
    made = made.replace(
        '<mo stretchy="false">&#x0007C;</mo>', '<mo stretchy="false" lspace="0" rspace="0">&#x0007C;</mo>'
    )
    made = _AFTER.sub(rf"\1{_THIN}", _BEFORE.sub(rf"\1{_THIN}", made))
    made = made.replace("<mo>&#x0002F;</mo>", '<mo lspace="0.06em" rspace="0.06em">&#x0002F;</mo>')
    return _UNARY.sub(r'\1<mo form="prefix">\2</mo>', made)


def _letter(found: re.Match[str]) -> str:
    """A bold Latin letter as a separate character; anything else upright."""
    kind, letter = found.group(1), unescape(found.group(2))
    if kind != "sans-serif" and len(letter) == 1 and letter.isascii() and letter.isalpha():
        first = 0x1D400 if letter.isupper() else 0x1D41A - ord("a") + ord("A")
        return f"<mi>&#x{first + ord(letter) - ord('A'):X};</mi>"
    return f'<mi mathvariant="normal">{escape(letter)}</mi>'


def _inline(writer: Any, node: Any) -> None:
    from docutils import nodes

    writer.body.append(mathml(node.astext(), block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: Any) -> None:
    from docutils import nodes
    from sphinx.util.math import get_node_equation_number

    label = escape(f"({get_node_equation_number(writer, node)})") if node.get("number") else ""
    ids = "".join(f' id="{escape(name)}"' for name in node.get("ids", ())[:1])
    number = f'<span class="eqno">{label}</span>' if label else ""
    made = mathml(node.astext(), block=True)
    writer.body.append(f'<div class="formula"{ids}><div class="lines">{made}</div>{number}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, Any]:
    """Register the renderer with Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
