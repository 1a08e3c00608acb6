"""Torques of motors as functions of speed."""

from __future__ import annotations

from chaindrive.kernels import kernel

__all__ = ["MOST_FLUX", "dc_current_rate", "flux_of", "kloss_torque"]

MOST_FLUX = 1.2
"""Largest flux of an induction motor, relative to the rated flux. It is limited because the iron saturates. [-]"""


@kernel
def kloss_torque(slip_speed, flux, pull_out, critical, critical_at_rest, synchronous):
    """Torque of an induction motor whose field rotates faster than its rotor by slip_speed [rad/s]; it has the sign of
    slip_speed. [N m]

    Kloss (1909): M = 2 flux^2 M_K / (d/d_K + d_K/d) with the slip speed d. For a given flux, the frequency of the field
    does not matter (Leonhard 2001, section 10.3, without the resistance of the stator). pull_out M_K [N m]; critical:
    d_K [rad/s]; at slip speeds beyond d_K this value grows linearly to ``critical_at_rest`` at the slip speed
    ``synchronous`` [rad/s], like the resistance of deep bars. flux: relative to the rated flux [-].
    """
    d = abs(slip_speed)
    if d <= critical:
        bend = critical
    elif d >= synchronous:
        bend = critical_at_rest
    else:
        bend = critical + (critical_at_rest - critical) * (d - critical) / (synchronous - critical)
    return 2.0 * flux * flux * pull_out * slip_speed * bend / (slip_speed * slip_speed + bend * bend)


@kernel
def flux_of(frequency, voltage):
    """Flux relative to the rated flux, from frequency and voltage relative to their rated values; a voltage below 0
    means V/f control. [-]

    V/f control keeps the flux constant up to the rated frequency, and the voltage constant beyond it.
    """
    size = abs(frequency)
    if voltage < 0.0:
        return 1.0 if size <= 1.0 else 1.0 / size
    if voltage >= MOST_FLUX * size:
        return MOST_FLUX if voltage > 0.0 else 0.0
    return voltage / size


@kernel
def dc_current_rate(speed, current, voltage, no_load_speed, time_constant):
    """Rate of the current of a direct-current motor, relative to its stall current. [1/s]

    L/R i' = u - w/w0 - i: voltage u relative to the rated voltage, speed w and no-load speed w0 [rad/s], L/R
    time_constant [s].
    """
    return (voltage - speed / no_load_speed - current) / time_constant
