"""Colours of ``plots.style`` in CSS notation, for drawings made without matplotlib."""

from __future__ import annotations

__all__ = ["RESULTS", "SERIES", "TENSION"]

# fmt: off
TENSION = (
    "#0d0887", "#16078a", "#1f068f", "#260591", "#2d0595", "#330597", "#3a049a", "#40049d",
    "#45039f", "#4c03a1", "#5102a2", "#5701a4", "#5c01a5", "#6200a7", "#6800a8", "#6d00a8",
    "#7401a8", "#7902a8", "#7e03a8", "#8305a7", "#8808a6", "#8e0ca4", "#920fa3", "#9814a0",
    "#9c179e", "#a11b9b", "#a41f99", "#a92396", "#ae2792", "#b12b8f", "#b62f8c", "#b93389",
    "#be3884", "#c23d81", "#c5407e", "#c9447a", "#cc4877", "#cf4c74", "#d25071", "#d6546e",
    "#d9596a", "#db5c68", "#de6164", "#e16462", "#e4695e", "#e66c5c", "#e97158", "#eb7655",
    "#ee7b52", "#f0804e", "#f2844c", "#f48848", "#f58d46", "#f79242", "#f9973f", "#fa9b3c",
    "#fba139", "#fca537", "#fdab33", "#fdaf31", "#feb52e", "#febb2b", "#fec029", "#fdc627",
)
# fmt: on
"""Colours for increasing tension, in 64 equal steps from lowest to highest: the part of the colour map "plasma" that is
legible on white."""

SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Colours distinguishable by colour-blind readers (Okabe & Ito 2008), for curves and wheels."""

RESULTS = (*SERIES, "#332288", "#882255", "#117733", "#999933", "#661100", "#6699CC")
"""Colours of results: the colours above, followed by the muted colours of Tol (2021) that differ most from them."""
