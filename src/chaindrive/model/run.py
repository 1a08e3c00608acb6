"""Default options of a run: duration, options of the formulation and the solver, and what is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.model.base import Model, Quantity, Whole
from chaindrive.model.calls import SaveOptionsCall, SolverOptionsCall
from chaindrive.model.formulation import FormulationOptions, RollerOptions

__all__ = ["CouplingOptions", "Run", "SaveOptions", "SolverOptions", "SteadyOptions", "given_formulation"]

MOST_CHANNELS = 1000


class SolverOptions(SolverOptionsCall):
    """Options of the time integration."""

    method: Literal[
        "auto",
        "adams",
        "bdf",
        "dormand-prince",
        "dormand-prince-853",
        "generalized-alpha",
        "ida",
        "leapfrog",
        "modular",
        "moreau-jean",
        "nonsmooth-alpha",
        "splitting",
        "verlet",
        "verlet-beeman",
    ] = Field(
        "auto",
        description="Integration method. 'auto': verlet-beeman for a planar chain with elastic friction or none; "
        "splitting for such a chain in space; verlet if friction is smoothed and rollers hardly chatter; "
        "generalized-alpha for a drive so slow that this method takes less time; dormand-prince otherwise, and if "
        "tolerances or a step are "
        "given. 'dormand-prince' (order 5), 'dormand-prince-853' (order 8), 'adams' (order 1 to 12) and the implicit "
        "'generalized-alpha' (order 2), 'bdf' and 'ida' (order 1 to 5, SUNDIALS: pip install chaindrive[sundials]) "
        "control their step; 'verlet', 'verlet-beeman' and 'splitting' (for links in space) have a fixed step, as do "
        "'moreau-jean' (order 1) and 'nonsmooth-alpha' (order 2 between impacts; with rigid contacts "
        "'generalized-alpha' selects it) for contacts = 'rigid' of the formulations 'roller' and 'link', and "
        "'leapfrog' for 'cvt'. 'modular' integrates chain and mechanism (wheels, bodies, tensioners) each by its own "
        "method and couples them at the ends of macro steps; for 'roller' and 'link'.",
    )
    rtol: Annotated[float, Quantity("", least=0, most=0.1)] = Field(0.0, description="Relative tolerance.")
    rtol_work: Annotated[float, Quantity("", above=0, most=1)] = Field(
        1e-3,
        description="Relative tolerance of every work and loss; it controls the step of the adaptive methods.",
    )
    atol_length: Annotated[float, Quantity("m", above=0, most=1)] | None = Field(
        None,
        description="Tolerance of positions; default: that of the formulation (rollers: 1e-8 m).",
    )
    atol_angle: Annotated[float, Quantity("rad", above=0, most=1)] | None = Field(
        None, description="Tolerance of angles; default: that of the formulation (rollers: 1e-8 rad)."
    )
    atol_speed: Annotated[float, Quantity("m/s", above=0, most=1)] | None = Field(
        None, description="Tolerance of speeds; default: that of the formulation (rollers: 1e-4 m/s)."
    )
    atol_angular_speed: Annotated[float, Quantity("rad/s", above=0, most=1)] | None = Field(
        None, description="Tolerance of angular speeds; default: that of the formulation (rollers: 1e-4 rad/s)."
    )
    atol_pressure: Annotated[float, Quantity("Pa", above=0, most=1e9)] | None = Field(
        None, description="Tolerance of chamber pressures; default: that of the formulation (rollers: 10 Pa)."
    )
    step: Annotated[float | Literal["auto"], Quantity("s", above=0, most=1, words=("auto",))] | None = Field(
        None,
        description="Step of a fixed-step method, or first and longest step of an adaptive method. 'auto' "
        "(default): chosen from the drive; with a fixed-step method it is shortened during the run where contacts "
        "or the energy balance require it.",
    )
    balance: Literal["auto", "each-loss", "all-losses"] = Field(
        "auto",
        description="Accuracy that the energy balance requires of a fixed step that is chosen from the drive. "
        "'each-loss': each loss of at least 0.1 % of the total is accurate to 1 %; 'all-losses': each loss is "
        "accurate to 0.2 % of the total. "
        "'auto' (default): 'all-losses' for verlet-beeman, and for verlet if method = 'auto' selects it.",
    )
    max_steps: Annotated[int, Whole(1, 10**15)] = Field(10**9, description="Largest number of steps.")
    linear_solver: Literal["block-gauss", "dense", "structured"] = Field(
        "structured",
        description="How 'bdf' and 'ida' solve the linear equations of a step. 'dense': LU factorisation of all "
        "states; 'block-gauss': positions are eliminated first; 'structured' (default): as 'block-gauss', then the "
        "links are solved one after the other, in linear time.",
    )
    macro_step: Annotated[float | Literal["auto"], Quantity("s", above=0, most=1, words=("auto",))] = Field(
        "auto",
        description="For 'modular': macro step, after which chain and mechanism exchange forces and motions. 'auto': "
        "four steps of the chain, or fewer where a light wheel or guide oscillates fast on its contacts.",
    )
    scheme: Literal["gauss-seidel", "corrected"] = Field(
        "corrected",
        description="For 'modular'. 'gauss-seidel': the mechanism takes a macro step with extrapolated forces, then "
        "the chain takes the same step with the resulting motion; 'corrected': the mechanism then repeats the step "
        "with the forces of the chain.",
    )
    extrapolation: Literal["constant", "linear", "quadratic"] = Field(
        "linear",
        description="For 'modular': polynomial of the forces over a macro step. Its error is of order 1, 2 or 3, "
        "and one order higher with scheme = 'corrected'.",
    )


class SaveOptions(SaveOptionsCall):
    """Options for the stored results of a run."""

    rate: Annotated[float | Literal["auto"], Quantity("Hz", above=0, most=1e8, words=("auto",))] = Field(
        "auto",
        description="Number of rows stored per simulated second. 'auto': 10 in each period of the highest tooth "
        "frequency or order, at least 1 kHz, as long as the results stay below 500 MB.",
    )
    channels: Literal["standard", "all"] | tuple[str, ...] = Field(
        "standard", description="'standard', 'all', or a list of channel names."
    )
    precision: Literal["single", "double"] = Field(
        "single",
        description="'single': 7 digits for values of links and rollers, 16 digits for all others; 'double': 16 "
        "digits for "
        "all.",
    )
    reduce: Literal["sample", "mean"] = Field(
        "sample",
        description="Whether to store the values at the time of each row, or the means over an interval around this "
        "time.",
    )
    oversample: Annotated[int, Whole(1, 10_000)] = Field(
        8, description="Number of samples per row with reduce = 'mean'."
    )
    chunk_rows: Annotated[int, Whole(1, 1_000_000)] = Field(
        500, description="Number of rows written to the file at a time."
    )

    @field_validator("channels", mode="before")
    @classmethod
    def _known_word_or_names(cls, value: Any) -> Any:
        if isinstance(value, str):
            if value not in ("standard", "all"):
                raise ValueError(
                    f"must be 'standard', 'all' or a list of names; for a single channel write [{value!r}]"
                )
        elif not isinstance(value, (list, tuple)) or not all(isinstance(name, str) and name.strip() for name in value):
            raise ValueError("must be 'standard', 'all' or a list of names of channels")
        elif not 1 <= len(value) <= MOST_CHANNELS:
            raise ValueError(f"must name from 1 to {MOST_CHANNELS} channels, not {len(value)}")
        return value


class SteadyOptions(Model):
    """Criteria for the steady state, for until = "steady" (see ``chaindrive.simulation.steady``)."""

    imbalance: Annotated[float, Quantity("", above=0, most=1)] = Field(
        0.01,
        description="Largest allowed imbalance between the work supplied and the work absorbed in a revolution, "
        "relative to the larger of the two.",
    )
    tension: Annotated[float, Quantity("", above=0, most=1)] = Field(
        0.005,
        description="Largest allowed change of a span's mean tension between revolutions, relative to the "
        "tension of the tightest span.",
    )
    revolutions: Annotated[int, Whole(1, 100_000)] = Field(
        3, description="Number of consecutive revolutions of the driver that must meet both limits."
    )
    loops: Annotated[float, Quantity("", least=0, most=1000)] = Field(
        2.0, description="Minimum total length of the consecutive revolutions, in loops of the chain."
    )


class CouplingOptions(Model):
    """Options for the exchange of torques and motions between the drive and its machines (see
    ``chaindrive.cosimulation``).
    """

    scheme: Literal["jacobi", "gauss-seidel", "iterated"] = Field(
        "gauss-seidel",
        description="'jacobi': drive and machines all advance with extrapolated signals; 'gauss-seidel': the "
        "machines advance first, then the drive with their outputs; 'iterated': as 'gauss-seidel', repeated until "
        "the signals no longer change, for machines that can repeat a step.",
    )
    extrapolation: Literal["constant", "linear", "quadratic"] = Field(
        "linear",
        description="Polynomial of a signal between two communication points, with an error of order 1, 2 or 3.",
    )
    step: Annotated[float | Literal["auto"], Quantity("s", above=0, most=10, words=("auto",))] = Field(
        "auto",
        description="Macro step, from one communication point to the next. 'auto': at most a tenth of the period of "
        "the highest tooth frequency or order, shortened where the tolerance requires it.",
    )
    tolerance: Annotated[float, Quantity("", above=0, most=1)] | None = Field(
        None,
        description="Limit of the power that the coupling creates at a wheel, relative to the largest power there; "
        "macro steps grow as long as it is below the limit. Default: 0.001 with step = 'auto'; none with a given "
        "step, which stays constant.",
    )
    iterations: Annotated[int, Whole(2, 1000)] = Field(20, description="Largest number of iterations per macro step.")


class Run(Model):
    """Default options of a run of the drive."""

    until: Annotated[float | Literal["steady"], Quantity("s", above=0, most=1e7, words=("steady",))] = Field(
        10.0, description="End of the run, or 'steady': the run ends one loop after it has become steady."
    )
    at_most: Annotated[float, Quantity("s", above=0, most=1e7)] | None = Field(
        None,
        description="For until = 'steady': time after which no further revolution of the driver is begun; default: 200 "
        "revolutions or 10 loops, whichever is longer.",
    )
    start: Literal["at_speed", "at_rest", "as_placed"] = Field(
        "at_speed",
        description="'at_speed': the chain is already running; 'at_rest': from equilibrium at rest, with the ramps "
        "of the motions; 'as_placed': at rest in the layout position, which need not be an equilibrium, as when "
        "something is released.",
    )
    quasi_static: Annotated[float, Quantity("", least=1, most=1e4)] | None = Field(
        None,
        description="For slow drives: factor s by which the step becomes longer. All masses and inertias are "
        "multiplied by s^2, while weights stay the same. Tensions, friction and losses of a drive with negligible "
        "inertia forces do not change, but vibrations and impacts do.",
    )
    formulation: FormulationOptions = Field(default_factory=RollerOptions, description="Options of the formulation.")
    solver: SolverOptions = Field(default_factory=SolverOptions, description="Options of the solver.")
    save: SaveOptions = Field(default_factory=SaveOptions, description="What is stored in the results.")
    steady: SteadyOptions = Field(default_factory=SteadyOptions, description="Criteria for the steady state.")
    coupling: CouplingOptions = Field(
        default_factory=CouplingOptions, description="How machines are coupled to the drive."
    )

    @field_validator("formulation", mode="before")
    @classmethod
    def _roller_by_default(cls, value: Any) -> Any:
        return {"kind": "roller", **value} if isinstance(value, Mapping) else value

    @field_validator("at_most")
    @classmethod
    def _waits_for_the_steady_state(cls, at_most: float | None, info: ValidationInfo) -> float | None:
        if at_most is not None and info.data.get("until", "steady") != "steady":
            raise ValueError("applies only to until = 'steady'; other runs end at until")
        return at_most


def given_formulation(run: Any) -> Any:
    """Return the kind of formulation in a table ``run`` as given, validated or not; None if it is not given."""
    options = run.get("formulation") if isinstance(run, Mapping) else getattr(run, "formulation", None)
    return options.get("kind") if isinstance(options, Mapping) else getattr(options, "kind", None)
