"""Out-of-plane behaviour of the links; the formulation 'spatial' estimates values that are not specified."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity

__all__ = ["Sideways"]

_Moment = Quantity("N*m/rad", above=0, most=1e12)
_Angle = Quantity("rad", least=0, most=0.5)


class Sideways(Model):
    """Out-of-plane behaviour of the joints: free play, and stiffness and damping beyond it. Only 'spatial' uses it."""

    stiffness: Annotated[float, Quantity("N/m", above=0, most=1e14)] | None = Field(
        None, description="Stiffness of a joint along its pin beyond the free play; default: 0.2 x link_stiffness."
    )
    pin_play: Annotated[float, Quantity("m", least=0, most=0.1)] | None = Field(
        None,
        description="Free play of a bush along its pin, to either side. Default: 0, as friction holds loaded joints "
        "in place. Bicycle chains have 0.1 to 0.2 mm.",
    )
    bend_stiffness: Annotated[float, _Moment] | None = Field(
        None,
        description="Stiffness of a joint against bending out of the plane (side bow) beyond the free play; "
        "default: 0.06 x link_stiffness x pitch^2.",
    )
    bend_play: Annotated[float, _Angle] | None = Field(
        None,
        description="Angle by which neighbouring links bend freely out of the plane, to either side; default: "
        "joint_clearance divided by the length of the bush, or 0.4 degrees without a clearance.",
    )
    twist_stiffness: Annotated[float, _Moment] | None = Field(
        None,
        description="Stiffness of a joint against twist about the longitudinal axis of the chain beyond the free "
        "play; default: 0.025 x link_stiffness x pitch^2.",
    )
    twist_play: Annotated[float, _Angle] | None = Field(
        None, description="Angle by which neighbouring links twist freely, to either side; default: bend_play."
    )
    damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e9)] | None = Field(
        None,
        description="Damping of a joint against twist and bending out of the plane; default: 2 % of the critical "
        "damping for bend_stiffness and the inertia of a link.",
    )
