"""Parameters of the parts that are made from Python. Written by packaging/calls.py."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from chaindrive.model.base import Model

Part = Model | Mapping[str, Any]


class BlockOptionsCall(Model):
    def __init__(
        self,
        *,
        kind: Literal['block'] = ...,
        compliance: Literal['spans', 'block'] = ...,
        stiffness: float | str | Sequence[float | str] | None = ...,
        slack: float | str | None = ...,
        damping: float | str | None = ...,
        tension_friction: float | str = ...,
        friction_map: Part | None = ...,
        ripple: Sequence[Part] = ...,
        damping_in_slack: bool = ...,
        maximum_tension: float | str | None = ...,
        targets: Sequence[Part] = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        kind:
        compliance: 'spans': every span is a one-sided spring, for any number of wheels, with slack or pretension;
            'block': one spring with a dead zone between two wheels, as in the Simscape block.
        stiffness [N/m]: Stiffness of a span, or a list with one for each; default: that of a link divided by the
            number of links in the span.
        slack [m]: Length of the whole chain minus the length of its route; a negative value gives pretension.
            Default: from links, pitch and route.
        damping [N*s/m]: Damping of a span; default: that of a link divided by the number of links in the span.
        tension_friction: Friction of the chain on every wheel: torque against the rotation of the wheel, divided by
            its radius and by the sum of the tensions of both adjacent spans. Losses therefore grow with the load.
        friction_map: Additional friction of the chain on every wheel: a force as a function of the speed of the
            chain and of the tensions of both adjacent spans.
        ripple: Elongations of spans that vary periodically with the angles of the wheels at their ends, such as
            polygonal action and runout. They act on tensions and lever arms alike, so that they neither create nor
            dissipate energy.
        damping_in_slack: Whether the damper also acts in slack spans, where it can push, as in the Simscape block.
            If not, it acts only in taut spans and never pushes.
        maximum_tension [N]: Tension that ends the run; default: the breaking load of the chain, if known.
        targets: Initial values of variables, which replace those that the start of the run would give.
        """


class ChainCall(Model):
    def __init__(
        self,
        *,
        standard: str | None = ...,
        kind: Literal['roller', 'bush', 'leaf', 'rocker-pin'] = ...,
        links: int | Literal['auto'] = ...,
        ends: Sequence[Part] | None = ...,
        pitch: float | str = ...,
        pitches: Sequence[float | str] | None = ...,
        link_mass: float | str = ...,
        link_inertia: float | str | None = ...,
        link_stiffness: float | str = ...,
        link_damping: float | str = ...,
        roller_diameter: float | str = ...,
        pin_diameter: float | str | None = ...,
        inner_width: float | str | None = ...,
        joint_damping: float | str = ...,
        joint_friction: float | str = ...,
        breaking_load: float | str | None = ...,
        strands: int = ...,
        inner_link: Part = ...,
        outer_link: Part = ...,
        joint_clearance: float | str | Sequence[float | str] = ...,
        elongation: float | str | Sequence[float | str] = ...,
        wear: float | str = ...,
        scatter: Part | None = ...,
        attachments: Sequence[Part] = ...,
        sideways: Part = ...,
        pins: Part | None = ...,
        plates: Part | None = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        standard: Name of a standard chain, such as "08B-1", "08B-2" (duplex), "08B-3" (triplex), "40", "520" or
            "bicycle-11"; chaindrive chains lists them.
        kind: 'roller'; 'bush': without rollers, such as 04C (25) and 06C (35); 'leaf': only plates and pins,
            running over sheaves instead of teeth; 'rocker-pin': the chain of a CVT, which runs between conical
            [[sheaves]] and requires pins.
        links: Number of links of the chain; at least 3 for a closed chain. 'auto': the smallest even number that
            reaches around the route or, with [closing], of the even numbers with which the chain closes the nearest
            to that of the layout as drawn.
        ends: Both ends of an open chain, in the order in which it meets the wheels; default: a closed chain.
        pitch [m]: Distance between neighbouring pins, such as '12.7 mm' (or name a standard chain).
        pitches [m]: Mixed pitch of a rocker-pin chain, so that its pins do not all strike at one frequency, such as
            ['10.85 mm', '8.85 mm', '8.85 mm']: lengths of successive links, repeated along the chain. Given instead
            of pitch, which is then the mean length.
        link_mass [kg]: Mass of one link, which is the mass per roller (or name a standard chain).
        link_inertia [kg*m^2]: Moment of inertia of a link of a rocker-pin chain about its centre, for links =
            'rigid'; default: that of a plate, 1.4 pitches long and 1.1 pitches deep, with the mass of the link.
        link_stiffness [N/m]: Stiffness of one link in tension (estimated when breaking_load or a standard chain is
            given).
        link_damping [N*s/m]: Damping of one link in tension; default: 2 % of the critical damping of one link.
        roller_diameter [m]: Diameter of the rollers, such as '8.51 mm' (or name a standard chain); for a bush chain
            the outer diameter of the bushes, for a leaf chain the depth of its plates.
        pin_diameter [m]: Diameter of the pins.
        inner_width [m]: Width between the inner plates.
        joint_damping [N*m*s/rad]: Viscous rotational damping between neighbouring links.
        joint_friction: Coulomb friction coefficient between pin and bush; requires pin_diameter.
        breaking_load [N]: Load at which the chain breaks.
        strands: Number of strands side by side. For a standard chain whose name does not state the number, such as
            '08B', mass and breaking load are those of this number of strands.
        inner_link: Inner links, with the bushes and rollers.
        outer_link: Outer links, with the pins.
        joint_clearance [m]: Bore of the bush minus pin diameter: one value for all joints or one for each. Joint i
            is in the bush of link i, at the rear end of the link. A new 08B has at least 0.05 mm.
        elongation: Elongation of a link due to wear or tolerance, relative to the pitch, such as '0.5 %'; one value
            for all links or one for each.
        wear: Mean elongation due to wear of pins and bushes, such as '2 %': outer links become longer by twice
            this, inner links keep their length; the teeth keep the nominal pitch.
        scatter: Random variation of the pitch from link to link.
        attachments: Attachments on every n-th link, such as buckets or flights.
        sideways: Out-of-plane behaviour of the joints, for the formulation 'spatial'.
        pins: Pins of a rocker-pin chain (kind = 'rocker-pin').
        plates: Rows of plates of a rocker-pin chain, from which the force on each plate is computed.
        """


class ContactCall(Model):
    def __init__(
        self,
        *,
        stiffness: float | str,
        exponent: float | str = ...,
        restitution: float | str = ...,
        law: Any | None | str = ...,
        friction: float | str = ...,
        coefficient_law: Any | None | str = ...,
        static_friction: float | str | None = ...,
        compliant: bool = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        stiffness: Contact stiffness of all strands in N/m^exponent, such as '1 GN/m^1.5' for exponent = 1.5. With
            law: the stiffness of the closest power law, for estimates.
        exponent: Exponent of the penetration: 1.5 for Hertzian point contact, 1 for a linear spring. With law: the
            exponent of the closest power law, for estimates.
        restitution: Coefficient of restitution, a parameter of the contact law; 0 dissipates most. Not used with
            law.
        law: User-defined law of the normal force as a function of penetration, its rate and the impact speed
            (chaindrive.law.contact), instead of run.formulation.contact_law. Available only from Python: a file
            stores the name of the law and the digest of its source. Requires elastic contacts.
        friction: Coefficient of friction between roller and tooth; with coefficient_law, the largest value of the
            law.
        coefficient_law: User-defined law of the coefficient of friction as a function of sliding speed and normal
            force (chaindrive.law.friction). Available only from Python: a file stores the name of the law and the
            digest of its source. Requires elastic contacts.
        static_friction: Coefficient of friction up to which a roller sticks, not less than friction; only for
            run.formulation.contacts = 'rigid'. Default: the value of friction.
        compliant: Whether the contact keeps its stiffness with run.formulation.contacts = 'rigid'. By default all
            contacts are then rigid; with 'compliant' every contact has its stiffness, regardless of this key.
        """


class DriveCall(Model):
    def __init__(
        self,
        *,
        name: str,
        chain: Part,
        source: str = ...,
        notes: Sequence[str] = ...,
        gravity: Sequence[float | str] = ...,
        loop: Literal['counterclockwise', 'clockwise'] = ...,
        contact: Part = ...,
        preload: Part | None = ...,
        closing: Part | None = ...,
        bicycle: Part | None = ...,
        wheels: Sequence[Part] = ...,
        sheaves: Sequence[Part] = ...,
        bodies: Sequence[Part] = ...,
        guides: Sequence[Part] = ...,
        tensioners: Sequence[Part] = ...,
        payloads: Sequence[Part] = ...,
        limits: Part | None = ...,
        stages: Sequence[Part] = ...,
        rotors: Sequence[Part] = ...,
        machines: Sequence[Part] = ...,
        run: Part = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        name: Name of the drive.
        chain: The chain.
        source: Where the data come from.
        notes: Remarks and uncertainties.
        gravity [m/s^2]: Acceleration of gravity [x, y].
        loop: Direction of rotation of wheels with side = 'front' when the chain runs in the order of the list.
        contact: Contact between rollers and teeth, for all wheels without a contact table of their own.
        preload: Required tension or sag of one span.
        closing: A wheel or body that is moved from its drawn position until the chain closes around its wheels and
            rails.
        bicycle: A bicycle; wheels, bodies and, unless given, the number of links follow from it.
        wheels: The wheels, in the order in which the chain meets them. A closed chain with a single wheel hangs
            from it in a loop; an open chain may have none.
        sheaves: Two pairs of conical sheaves of a variator, between which a rocker-pin chain runs; they replace
            wheels and contact.
        bodies: Bodies that move and support wheels or guides; in any order.
        guides: Rails that the chain slides along.
        tensioners: Springs, dampers, ratchets and hydraulic elements between two points.
        payloads: Goods that the chain carries between two points of its route.
        limits: Load limits and required life of the chain, against which strength and life are judged.
        stages: Additional chains, each driven through a shaft by a wheel of an earlier chain.
        rotors: Rotating masses outside the chains, each connected by a shaft or gearing.
        machines: Machines coupled to the drive, such as engines, vehicles or controllers, as FMUs or Python
            objects.
        run: Duration, options and stored results of a run; all can be overridden when the run is started.
        """


class LinkOptionsCall(Model):
    def __init__(
        self,
        *,
        kind: Literal['link'] = ...,
        contact_law: Literal['hertz', 'kelvin-voigt', 'hunt-crossley', 'lankarani-nikravesh', 'flores', 'herbert-mcwhannell', 'lee-wang', 'gonthier', 'hu-guo'] = ...,
        impact_memory: Literal['bounded', 'stored', 'reference'] = ...,
        impact_speed_floor: float | str = ...,
        reference_speed: float | str = ...,
        friction_law: Literal['elastic', 'smoothed'] | None | str = ...,
        friction_regularisation: Literal['linear', 'polynomial', 'super-elliptic', 'bezier', 'tanh', 'arctan', 'logistic'] = ...,
        friction_speed: float | str = ...,
        friction_sharpness: float | str = ...,
        on_jump: Literal['stop', 'continue'] = ...,
        joint_friction_rate: float | str | None = ...,
        contacts: Literal['compliant', 'rigid'] = ...,
        position_projection: bool = ...,
        coordinates: Literal['cartesian', 'path'] = ...,
        joint: Literal['clearance', 'journal', 'ideal', 'revolute'] = ...,
        journal_stiffness: float | str | None = ...,
        journal_damping: float | str | None = ...,
        oil_damping: float | str = ...,
        oil_film: float | str = ...,
        roller_damping: float | str = ...,
        surface_oil_damping: float | str = ...,
        surface_oil_film: float | str = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        kind:
        contact_law: Law of the normal contact force.
        impact_memory: 'stored': the impact speed is stored at each impact; 'bounded': the same, but the damping is
            at least that of an impact that would reach the same depth; 'reference': the same reference speed
            throughout (no memory).
        impact_speed_floor [m/s]: Lowest impact speed that is stored; not used with impact_memory = 'reference'.
        reference_speed [m/s]: Impact speed assigned to rollers that are in contact at the start of the run, at
            least impact_speed_floor. With impact_memory = 'reference' it is the impact speed of every contact
            throughout the run.
        friction_law: Coulomb friction of rollers, guides, joints and bearings of wheels. 'elastic': a spring that
            slides at mu N; it holds at rest, and the step does not depend on the speed. 'smoothed': a function of
            the sliding speed, as in Pedersen (2004), whose slope at zero speed limits the step; contacts at rest
            creep. Default: 'elastic'; 'smoothed' where friction_regularisation, friction_speed, friction_sharpness
            or joint_friction_rate (in the spatial formulation, presliding) has a value other than its default.
        friction_regularisation: Function that smooths Coulomb friction at zero speed.
        friction_speed [m/s]: Speed v* of the regularisation.
        friction_sharpness: Epsilon of tanh, arctan, logistic and bezier (there at most 1); v* times epsilon is
            their speed scale.
        on_jump: Whether a run stops when the chain jumps a tooth. If not, it continues and counts the jumps on
            every wheel.
        joint_friction_rate [rad/s]: Angular velocity of a joint at which its smoothed Coulomb friction is 76 % of
            its full value. Default: 0.02 times the speed of the fastest wheel, which is the speed of joints as they
            run onto it, or 0.01 times this speed if there are guides.
        contacts: Contacts of rollers and plates with teeth and guides. 'compliant': springs and dampers; 'rigid':
            rigid contacts with stick-slip friction, whose impulses over a fixed step follow from complementarity;
            contacts with compliant = true keep their stiffness.
        position_projection: With contacts = 'rigid': whether rollers that penetrate rigid surfaces too far are
            pushed out after each step, at unchanged velocities. The energy balance lists the energy of these
            corrections separately.
        coordinates: Coordinates in which links are integrated: 'cartesian', or 'path': along and normal to the path
            of the chain at the start. Results are the same.
        joint: 'clearance': the pin makes and loses contact with its bush; 'ideal': no clearance, a joint as stiff
            as the links; 'journal': as 'ideal', with a journal bearing given by journal_stiffness and
            journal_damping; 'revolute': a rigid constraint without clearance, for contacts = 'rigid'.
        journal_stiffness [N/m]: Radial stiffness of a journal bearing, in series with that of the links; default:
            rigid.
        journal_damping [N*s/m]: Radial damping of a journal bearing; default: that of the links.
        oil_damping [N*s/m]: Squeeze-film damping of the oil between pin and bush where they touch; it acts while
            the gap closes.
        oil_film [m]: Gap between pin and bush above which the oil exerts no force; below it the force grows as the
            gap closes.
        roller_damping [N*m*s/rad]: Viscous friction between a bush and its roller, for rollers that are pressed
            against a wheel, move with it and turn on their bush.
        surface_oil_damping [N*s/m]: Squeeze-film damping of the oil on teeth and guides; it resists approach.
        surface_oil_film [m]: Gap to a tooth or guide above which the oil exerts no force.
        """


class OptimisationCall(Model):
    def __init__(
        self,
        *,
        name: str,
        drive: str,
        variables: Sequence[Part],
        figures_of_merit: Sequence[Part],
        source: str = ...,
        notes: Sequence[str] = ...,
        set: Mapping[str, Any] = ...,
        minimise: str | None = ...,
        maximise: str | None = ...,
        constraints: Sequence[str] = ...,
        search: Part = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        name: Name of the study.
        drive: Name of an example, or path of the file of a drive, relative to that of the study.
        variables: The variables of the search.
        figures_of_merit: Numbers evaluated for every run.
        source: Source of the data.
        notes: Remarks and uncertainties.
        set: Values of the drive for all runs, by path.
        minimise: Objective to minimise: a figure of merit, or an expression with figures and variables, whose names
            are in quotes: "'largest force' + 0.1 * 'lost power'".
        maximise: Objective to maximise, instead of minimise.
        constraints: Conditions that must hold, such as ["'least span tension' >= 20"]; numbers are in the unit of
            the column.
        search: Method and limits of the search.
        """


class RollerOptionsCall(Model):
    def __init__(
        self,
        *,
        kind: Literal['roller'] = ...,
        contact_law: Literal['hertz', 'kelvin-voigt', 'hunt-crossley', 'lankarani-nikravesh', 'flores', 'herbert-mcwhannell', 'lee-wang', 'gonthier', 'hu-guo'] = ...,
        impact_memory: Literal['bounded', 'stored', 'reference'] = ...,
        impact_speed_floor: float | str = ...,
        reference_speed: float | str = ...,
        friction_law: Literal['elastic', 'smoothed'] | None | str = ...,
        friction_regularisation: Literal['linear', 'polynomial', 'super-elliptic', 'bezier', 'tanh', 'arctan', 'logistic'] = ...,
        friction_speed: float | str = ...,
        friction_sharpness: float | str = ...,
        on_jump: Literal['stop', 'continue'] = ...,
        joint_friction_rate: float | str | None = ...,
        contacts: Literal['compliant', 'rigid'] = ...,
        position_projection: bool = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        kind:
        contact_law: Law of the normal contact force.
        impact_memory: 'stored': the impact speed is stored at each impact; 'bounded': the same, but the damping is
            at least that of an impact that would reach the same depth; 'reference': the same reference speed
            throughout (no memory).
        impact_speed_floor [m/s]: Lowest impact speed that is stored; not used with impact_memory = 'reference'.
        reference_speed [m/s]: Impact speed assigned to rollers that are in contact at the start of the run, at
            least impact_speed_floor. With impact_memory = 'reference' it is the impact speed of every contact
            throughout the run.
        friction_law: Coulomb friction of rollers, guides, joints and bearings of wheels. 'elastic': a spring that
            slides at mu N; it holds at rest, and the step does not depend on the speed. 'smoothed': a function of
            the sliding speed, as in Pedersen (2004), whose slope at zero speed limits the step; contacts at rest
            creep. Default: 'elastic'; 'smoothed' where friction_regularisation, friction_speed, friction_sharpness
            or joint_friction_rate (in the spatial formulation, presliding) has a value other than its default.
        friction_regularisation: Function that smooths Coulomb friction at zero speed.
        friction_speed [m/s]: Speed v* of the regularisation.
        friction_sharpness: Epsilon of tanh, arctan, logistic and bezier (there at most 1); v* times epsilon is
            their speed scale.
        on_jump: Whether a run stops when the chain jumps a tooth. If not, it continues and counts the jumps on
            every wheel.
        joint_friction_rate [rad/s]: Angular velocity of a joint at which its smoothed Coulomb friction is 76 % of
            its full value. Default: 0.02 times the speed of the fastest wheel, which is the speed of joints as they
            run onto it, or 0.01 times this speed if there are guides.
        contacts: Contacts of rollers and plates with teeth and guides. 'compliant': springs and dampers; 'rigid':
            rigid contacts with stick-slip friction, whose impulses over a fixed step follow from complementarity;
            contacts with compliant = true keep their stiffness.
        position_projection: With contacts = 'rigid': whether rollers that penetrate rigid surfaces too far are
            pushed out after each step, at unchanged velocities. The energy balance lists the energy of these
            corrections separately.
        """


class SaveOptionsCall(Model):
    def __init__(
        self,
        *,
        rate: float | str | Literal['auto'] = ...,
        channels: Literal['standard', 'all'] | Sequence[str] | str = ...,
        precision: Literal['single', 'double'] = ...,
        reduce: Literal['sample', 'mean'] = ...,
        oversample: int = ...,
        chunk_rows: int = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        rate [Hz]: Number of rows stored per simulated second. 'auto': 10 in each period of the highest tooth
            frequency or order, at least 1 kHz, as long as the results stay below 500 MB.
        channels: 'standard', 'all', or a list of channel names.
        precision: 'single': 7 digits for values of links and rollers, 16 digits for all others; 'double': 16 digits
            for all.
        reduce: Whether to store the values at the time of each row, or the means over an interval around this time.
        oversample: Number of samples per row with reduce = 'mean'.
        chunk_rows: Number of rows written to the file at a time.
        """


class SolverOptionsCall(Model):
    def __init__(
        self,
        *,
        method: Literal['auto', 'adams', 'bdf', 'dormand-prince', 'dormand-prince-853', 'generalized-alpha', 'ida', 'leapfrog', 'modular', 'moreau-jean', 'nonsmooth-alpha', 'splitting', 'verlet', 'verlet-beeman'] = ...,
        rtol: float | str = ...,
        rtol_work: float | str = ...,
        atol_length: float | str | None = ...,
        atol_angle: float | str | None = ...,
        atol_speed: float | str | None = ...,
        atol_angular_speed: float | str | None = ...,
        atol_pressure: float | str | None = ...,
        step: float | str | Literal['auto'] | None = ...,
        balance: Literal['auto', 'each-loss', 'all-losses'] = ...,
        max_steps: int = ...,
        linear_solver: Literal['block-gauss', 'dense', 'structured'] = ...,
        macro_step: float | str | Literal['auto'] = ...,
        scheme: Literal['gauss-seidel', 'corrected'] = ...,
        extrapolation: Literal['constant', 'linear', 'quadratic'] = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        method: Integration method. 'auto': verlet-beeman for a planar chain with elastic friction or none;
            splitting for such a chain in space; verlet if friction is smoothed and rollers hardly chatter;
            generalized-alpha for a drive so slow that this method takes less time; dormand-prince otherwise, and if
            tolerances or a step are given. 'dormand-prince' (order 5), 'dormand-prince-853' (order 8), 'adams'
            (order 1 to 12) and the implicit 'generalized-alpha' (order 2), 'bdf' and 'ida' (order 1 to 5, SUNDIALS:
            pip install chaindrive[sundials]) control their step; 'verlet', 'verlet-beeman' and 'splitting' (for
            links in space) have a fixed step, as do 'moreau-jean' (order 1) and 'nonsmooth-alpha' (order 2 between
            impacts; with rigid contacts 'generalized-alpha' selects it) for contacts = 'rigid' of the formulations
            'roller' and 'link', and 'leapfrog' for 'cvt'. 'modular' integrates chain and mechanism (wheels, bodies,
            tensioners) each by its own method and couples them at the ends of macro steps; for 'roller' and 'link'.
        rtol: Relative tolerance.
        rtol_work: Relative tolerance of every work and loss; it controls the step of the adaptive methods.
        atol_length [m]: Tolerance of positions; default: that of the formulation (rollers: 1e-8 m).
        atol_angle [rad]: Tolerance of angles; default: that of the formulation (rollers: 1e-8 rad).
        atol_speed [m/s]: Tolerance of speeds; default: that of the formulation (rollers: 1e-4 m/s).
        atol_angular_speed [rad/s]: Tolerance of angular speeds; default: that of the formulation (rollers: 1e-4
            rad/s).
        atol_pressure [Pa]: Tolerance of chamber pressures; default: that of the formulation (rollers: 10 Pa).
        step [s]: Step of a fixed-step method, or first and longest step of an adaptive method. 'auto' (default):
            chosen from the drive; with a fixed-step method it is shortened during the run where contacts or the
            energy balance require it.
        balance: Accuracy that the energy balance requires of a fixed step that is chosen from the drive. 'each-
            loss': each loss of at least 0.1 % of the total is accurate to 1 %; 'all-losses': each loss is accurate
            to 0.2 % of the total. 'auto' (default): 'all-losses' for verlet-beeman, and for verlet if method =
            'auto' selects it.
        max_steps: Largest number of steps.
        linear_solver: How 'bdf' and 'ida' solve the linear equations of a step. 'dense': LU factorisation of all
            states; 'block-gauss': positions are eliminated first; 'structured' (default): as 'block-gauss', then
            the links are solved one after the other, in linear time.
        macro_step [s]: For 'modular': macro step, after which chain and mechanism exchange forces and motions.
            'auto': four steps of the chain, or fewer where a light wheel or guide oscillates fast on its contacts.
        scheme: For 'modular'. 'gauss-seidel': the mechanism takes a macro step with extrapolated forces, then the
            chain takes the same step with the resulting motion; 'corrected': the mechanism then repeats the step
            with the forces of the chain.
        extrapolation: For 'modular': polynomial of the forces over a macro step. Its error is of order 1, 2 or 3,
            and one order higher with scheme = 'corrected'.
        """


class SpatialOptionsCall(Model):
    def __init__(
        self,
        *,
        kind: Literal['spatial'] = ...,
        contact_law: Literal['hertz', 'kelvin-voigt', 'hunt-crossley', 'lankarani-nikravesh', 'flores', 'herbert-mcwhannell', 'lee-wang', 'gonthier', 'hu-guo'] = ...,
        impact_memory: Literal['bounded', 'stored', 'reference'] = ...,
        impact_speed_floor: float | str = ...,
        reference_speed: float | str = ...,
        friction_law: Literal['elastic', 'smoothed'] | None | str = ...,
        friction_regularisation: Literal['linear', 'polynomial', 'super-elliptic', 'bezier', 'tanh', 'arctan', 'logistic'] = ...,
        friction_speed: float | str = ...,
        friction_sharpness: float | str = ...,
        on_jump: Literal['stop', 'continue'] = ...,
        presliding: float | str = ...,
        side_stiffness: float | str | None = ...,
        side_damping: float | str = ...,
        side_friction: float | str | None = ...,
        bushing: Literal['quaternion', 'rotation-vector'] = ...,
        quaternion_feedback: float | str = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        kind:
        contact_law: Law of the normal contact force.
        impact_memory: 'stored': the impact speed is stored at each impact; 'bounded': the same, but the damping is
            at least that of an impact that would reach the same depth; 'reference': the same reference speed
            throughout (no memory).
        impact_speed_floor [m/s]: Lowest impact speed that is stored; not used with impact_memory = 'reference'.
        reference_speed [m/s]: Impact speed assigned to rollers that are in contact at the start of the run, at
            least impact_speed_floor. With impact_memory = 'reference' it is the impact speed of every contact
            throughout the run.
        friction_law: Coulomb friction of rollers, guides, joints and bearings of wheels. 'elastic': a spring that
            slides at mu N; it holds at rest, and the step does not depend on the speed. 'smoothed': a function of
            the sliding speed, as in Pedersen (2004), whose slope at zero speed limits the step; contacts at rest
            creep. Default: 'elastic'; 'smoothed' where friction_regularisation, friction_speed, friction_sharpness
            or joint_friction_rate (in the spatial formulation, presliding) has a value other than its default.
        friction_regularisation: Function that smooths Coulomb friction at zero speed.
        friction_speed [m/s]: Speed v* of the regularisation.
        friction_sharpness: Epsilon of tanh, arctan, logistic and bezier (there at most 1); v* times epsilon is
            their speed scale. The default and thus the step are ten times those of the planar formulations.
        on_jump: Whether a run stops when the chain jumps a tooth. If not, it continues and counts the jumps on
            every wheel.
        presliding [rad]: With friction_law = 'smoothed': angle by which a pin turns in its bush before it slides;
            up to this angle joint friction acts like a spring (Dahl 1968). Losses are underestimated by a fraction
            of about twice the ratio of this angle to 2 pi/teeth.
        side_stiffness [N/m]: Contact stiffness between a plate and the side of a tooth; default: 0.2 x
            link_stiffness.
        side_damping [s/m]: Damping of the contact between a plate and the side of a tooth: relative increase of the
            contact force per unit of approach speed (Hunt & Crossley 1975).
        side_friction: Friction coefficient of plates on the sides of teeth; default: that of the table contact.
        bushing: How joints resist twist and bending. 'quaternion': by the angles midway between the two links; the
            torque has a potential. 'rotation-vector': stiffness times rotation vector in the frame of the pin, as
            in Omar (2014), for comparison with his results; this torque is rotated by half the angle of the pin and
            has no potential.
        quaternion_feedback [1/s]: Rate at which the quaternions of links return to length 1 with a method that does
            not preserve it (Omar 2014): half the reciprocal of the time in which the error decays to 37 %. Not
            needed with 'splitting'.
        """


class StudyCall(Model):
    def __init__(
        self,
        *,
        name: str,
        drive: str,
        parameters: Sequence[Part],
        figures_of_merit: Sequence[Part],
        source: str = ...,
        notes: Sequence[str] = ...,
        set: Mapping[str, Any] = ...,
        curves: Sequence[Part] = ...,
        spectra: Sequence[Part] = ...,
        operating: float | str | None = ...,
        reports: bool = ...,
        on_misfit: Literal['stop', 'row'] = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        name: Name of the study.
        drive: Name of an example, or path of the file of a drive, relative to that of the study.
        parameters: The varied quantities; the first one forms the x axis of the plot.
        figures_of_merit: Numbers evaluated for every run.
        source: Source of the data.
        notes: Remarks and uncertainties.
        set: Values of the drive for all runs, by path.
        curves: The curves; default: a single curve without changes to the drive.
        spectra: Spectra that are stored for every run, for a map over speed and frequency.
        operating [rad/s]: Operating speed of the driver, which is marked in the map; default: the speed in the file
            of the drive or in [set].
        reports: Whether a report is written for every run (reports/0.html, ...). Each takes a few seconds and a few
            megabytes. The map links to the reports.
        on_misfit: What happens if the drive is impossible with some values, such as a gear in which the chain does
            not close. 'stop': the study does not start; 'row': a row that states the reason replaces the run.
        """


class WheelCall(Model):
    def __init__(
        self,
        *,
        name: str,
        teeth: int,
        position: Sequence[float | str],
        tooth: Part,
        body: str = ...,
        shaft: Part | None = ...,
        shaft_with: str | None = ...,
        tilt: Sequence[float | str] = ...,
        offset: float | str = ...,
        tooth_width: float | str | None = ...,
        lateral_stiffness: float | str | None = ...,
        lateral_damping: float | str = ...,
        lateral_motion: Part | None = ...,
        cogs: Sequence[Part] = ...,
        gates: Sequence[Part] | None = ...,
        tooth_width_wide: float | str | None = ...,
        side: Literal['front', 'back'] = ...,
        mass: float | str | None = ...,
        inertia: float | str | None = ...,
        roller_diameter: float | str | None = ...,
        tooth_wear: float | str = ...,
        motion: Part | None = ...,
        initial_speed: float | str | None = ...,
        bearing_damping: float | str = ...,
        bearing_friction: float | str = ...,
        load_torque: float | str = ...,
        torque: float | str | Part | Sequence[float | str | Part] = ...,
        load_viscous: float | str = ...,
        load_quadratic: float | str = ...,
        load_table: Part | None = ...,
        loads: Sequence[Part] = ...,
        vehicle: Part | None = ...,
        freewheel: Part | None = ...,
        unbalance: Part | None = ...,
        pitch_radius: float | str | None = ...,
        pitch_line: Part | None = ...,
        contact: Part | None = ...,
    ) -> None:
        """Quantities are numbers in SI units or texts with a unit. Raises InputError.

        name: Name of the wheel, unique in the drive.
        teeth: Number of teeth, from 5 to 1000.
        position [m]: Centre [x, y].
        tooth: Tooth form, such as { form = 'asa-ii' } or { form = 'iso-606' }.
        body: Name of the body that supports the wheel, or 'ground'.
        shaft: Elastic shaft that carries the wheel. It bends under the pull of the chain, so that the wheel shifts
            and tilts.
        shaft_with: Name of a wheel earlier in the list to whose shaft this wheel is fixed, as in a differential
            hoist. Both turn together, and a motion is given for the earlier wheel.
        tilt [rad]: Constant tilt angles [about x, about y] of the wheel relative to the plane of the chain, such as
            ['0.2 deg', '0 deg'].
        offset [m]: Offset of the middle plane of the teeth in front of the drawing plane, such as '2 mm'; for the
            formulation 'spatial'.
        tooth_width [m]: Width of the teeth along the axis, for the formulation 'spatial'; default: 0.93 x inner
            width up to 12.7 mm pitch, 0.95 above (ISO 606).
        lateral_stiffness [N/m]: Stiffness that resists motion of the wheel out of the plane of the drawing, for the
            formulation 'spatial'; requires mass. Default: the wheel does not move out of the plane.
        lateral_damping [N*s/m]: Viscous damping of motion out of the plane of the drawing.
        lateral_motion: Prescribed motion of the wheel out of the plane of the drawing, starting from its offset,
            such as that of the pulleys of a derailleur: { kind = 'move', by = '-3.75 mm', duration = '0.1 s' }; for
            the formulation 'spatial'.
        cogs: Additional cogs on the hub of the wheel, onto which the chain can be shifted; at the start the chain
            is on the wheel itself. For the formulation 'spatial'.
        gates: For a wheel with cogs: those of its own teeth that are shaped for shifting, like the gates of a cog.
        tooth_width_wide [m]: Width of every second tooth of a narrow-wide sprocket, which fits only between outer
            plates; for the formulation 'spatial'. The chain is placed with its outer links on these teeth, and the
            number of teeth must be even.
        side: Side of the chain on which the wheel runs; a wheel on the back turns in the opposite direction.
        mass [kg]: Mass of the wheel and everything that turns with it; needed on a moving body, on a shaft, and
            with lateral_stiffness.
        inertia [kg*m^2]: Moment of inertia about the axis, including any unbalance; needed if the wheel has no
            motion.
        roller_diameter [m]: Roller diameter for which the teeth are cut, if it differs from that of the chain.
            Rollers too large for the gaps wedge between the flanks.
        tooth_wear [m]: Depth of wear of the teeth, normal to their surface, at the seats and both flanks.
        motion: Prescribed motion; omit it if the wheel turns freely.
        initial_speed [rad/s]: Initial angular velocity, positive counter-clockwise, for a run that starts at speed
            if no wheel has a motion; this wheel is then the driver.
        bearing_damping [N*m*s/rad]: Viscous damping of the bearing.
        bearing_friction [N*m]: Coulomb friction torque of the bearing; it also holds the wheel at rest
            (friction_law).
        load_torque [N*m]: Torque that opposes the direction in which the driver turns this wheel by its motion (in
            a run-up by the faster speed), initial_speed or torque. It keeps its direction when the drive reverses.
            A negative torque drives.
        torque [N*m]: Torque on the wheel, such as that of a motor or of the weight on a winch, positive counter-
            clockwise like all results, whatever the direction of rotation. A number, a table over 'time', 'speed'
            or 'angle', a table with a kind, such as { kind = 'dc_motor', ... }, or a list of these, which add up.
        load_viscous [N*m*s/rad]: Coefficient of a torque opposing the actual speed, proportional to it, such as
            that of an oil pump.
        load_quadratic [N*m*s^2/rad^2]: Coefficient of a torque opposing the actual speed, proportional to its
            square, such as that of a fan.
        load_table: Load torque against the rotation as a function of the angle turned, such as that of a camshaft.
        loads: Additional loads, which add up; each depends on time, angle or speed and acts against the motion or
            against the direction of rotation.
        vehicle: A vehicle that moves with the wheel: its mass, the slope, rolling resistance and air drag.
        freewheel: A one-way clutch that drives a hub in the wheel's direction of rotation; loads and torques of the
            wheel then act on the hub, which overruns when the wheel is slower.
        unbalance: An eccentric mass, such as that of a counterweight.
        pitch_radius [m]: Pitch radius in the drawing, which is only compared with pitch / (2 sin(pi / teeth)).
        pitch_line: Pitch line of an oval sprocket, such as { form = 'ellipse', ovality = 1.1 }; default: a circle.
            Only one wheel of a closed chain can have one.
        contact: Contact of this wheel, if it differs from that of the drive.
        """
