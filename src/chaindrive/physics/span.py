"""A massless span of chain: a spring that can only pull, in parallel with a damper.

After the Chain Drive block of Simscape Driveline (MathWorks), which has one such spring with a dead zone between two
sprockets. The tensile strain x of that block is an elongation [m].
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["span_energy", "span_force", "span_spring"]


@kernel(inline=True)
def span_spring(elongation, stiffness):
    """Force of the spring: K e if the span is stretched, zero if it is slack. [N]

    elongation e [m], negative when slack; stiffness K [N/m].
    """
    return stiffness * max(elongation, 0.0)


@kernel(inline=True)
def span_force(elongation, rate, stiffness, damping, damping_in_slack):
    """Force of spring and damper, positive in tension. [N]

    With ``damping_in_slack`` the force is K max(e, 0) + D e': the damper always acts, and pushes while the span
    shortens, as in the Simscape block. Without it the force is max(K e + D e', 0) for e > 0 and zero when slack: a
    chain cannot push, so that the damper can at most cancel the spring force. elongation e [m], rate e' [m/s],
    stiffness K [N/m], damping D [N s/m].
    """
    force = span_spring(elongation, stiffness) + damping * rate
    if damping_in_slack:
        return force
    return max(force, 0.0) if elongation > 0.0 else 0.0


@kernel(inline=True)
def span_energy(elongation, stiffness):
    """Elastic energy: K e^2 / 2 if the span is stretched, zero if it is slack. [J]

    elongation e [m], negative when slack; stiffness K [N/m].
    """
    stretched = max(elongation, 0.0)
    return 0.5 * stiffness * stretched * stretched
