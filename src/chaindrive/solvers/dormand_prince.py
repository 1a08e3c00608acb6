"""The method of Dormand & Prince, order 5(4): an explicit method with step control.

Dormand & Prince (1980), A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6, 19-26: RK5(4)7M. Dense
output of order 4: Shampine (1986), Some practical Runge-Kutta formulas, Math. Comp. 46, 135-150, which is also CONTD5
of Hairer, Norsett & Wanner (1993), II.6.
"""

from __future__ import annotations

from chaindrive.solvers.runge_kutta import runge_kutta_method
from chaindrive.solvers.tableau import Tableau

__all__ = ["METHOD", "TABLEAU"]

TABLEAU = Tableau(
    order=5,
    error_order=4,
    nodes=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0),
    a=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
        (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    ),
    error=(71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),
    dense=(
        (1.0, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799),
        (0.0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072),
        (0.0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632),
        (0.0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844),
        (0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423),
    ),
)

METHOD = runge_kutta_method(TABLEAU)
