"""Configuration of the documentation site: python -m sphinx -W -n -b html docs build/site

Everything in it comes from the repository; nothing is fetched, neither while it is built nor while it is read.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # the reference shows kernels as the Python functions that they are written as
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from pygments.lexers.special import TextLexer
from sphinx.highlighting import lexers

import chaindrive

gc.set_threshold(200_000, 20, 100)  # trees of pages have many objects and hardly any garbage to look for
lexers["csv"] = TextLexer()

project = "chaindrive"
author = "The chaindrive developers"
copyright = "the chaindrive developers, BSD-3-Clause"
version = release = chaindrive.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "_site.accessible",
    "_site.borrowed",
    "_site.directives",
    "_site.docstrings",
    "_site.generated",
    "_site.mathml",
    "_site.navigation",
    "_site.searched",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_site", "_static", "gallery/reports"]
nitpick_ignore_regex = [(r"py:.*", r".*")]  # types of other libraries in signatures; pages and headings are checked

myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "attrs_inline", "colon_fence"]
myst_heading_anchors = 4
myst_dmath_double_inline = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
toc_object_entries_show_parents = "hide"
add_module_names = False

html_theme = "furo"
html_title = f"chaindrive {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "mathml"
html_last_updated_fmt = None
numfig = math_numfig = True  # equations are counted through all pages
numfig_secnum_depth = 0
highlight_language = "text"
pygments_style = "xcode"  # of sufficient contrast
pygments_dark_style = "monokai"
