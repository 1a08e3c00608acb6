"""A massless span of chain: a spring that can only pull, with a damper in parallel.

After the Chain Drive block of Simscape Driveline (MathWorks), which has one such spring with a dead zone between two
sprockets. The tensile strain x of that block is an elongation [m].
"""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["span_energy", "span_force", "span_spring"]


@kernel(inline=True)
def span_spring(elongation, stiffness):
    """Force of the spring: K e where it is stretched, zero where it is slack. [N]

    elongation e [m], negative in slack; stiffness K [N/m].
    """
    return stiffness * max(elongation, 0.0)


@kernel(inline=True)
def span_force(elongation, rate, stiffness, damping, damping_in_slack):
    """Force of spring and damper, positive in tension. [N]

    With ``damping_in_slack`` it is K max(e, 0) + D e': the damper always acts, and pushes when the span shortens, as in
    the Simscape block. Otherwise it is max(K e + D e', 0) where e > 0, and zero in slack: a chain cannot push, so that
    the damper force does not exceed that of the spring.
    elongation e [m], rate e' [m/s], stiffness K [N/m], damping D [N s/m].
    """
    force = span_spring(elongation, stiffness) + damping * rate
    if damping_in_slack:
        return force
    return max(force, 0.0) if elongation > 0.0 else 0.0


@kernel(inline=True)
def span_energy(elongation, stiffness):
    """Elastic energy: K e^2 / 2 where the spring is stretched. [J]

    elongation e [m], negative in slack; stiffness K [N/m].
    """
    stretched = max(elongation, 0.0)
    return 0.5 * stiffness * stretched * stretched
