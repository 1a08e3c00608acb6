"""Integrators and the search for rest."""

from mutations.mutation import Mutation

DP = ("tests/unit/test_solvers_dormand_prince.py",)
DP853 = ("tests/unit/test_solvers_dormand_prince_853.py",)
ADAMS = ("tests/unit/test_solvers_adams.py",)
VERLET = ("tests/unit/test_solvers_verlet.py",)
BEEMAN = ("tests/unit/test_solvers_verlet_beeman.py",)
CONTRACT = ("tests/contracts/test_solver_contract.py", "tests/contracts/test_a_top_by_every_method.py")
SPLITTING = ("tests/unit/test_solvers_splitting.py",)
FASTEST = ("tests/verification/test_highest_frequencies.py",)
STEPS = ("tests/unit/test_growing_steps.py", "tests/verification/test_steps.py")
BALANCE = ("tests/unit/test_results_balance.py",)
MODULAR = ("tests/unit/test_solvers_modular.py",)
CONTROLLER = ("tests/unit/test_solvers_controller.py",)
ALPHA = ("tests/unit/test_solvers_generalized_alpha.py",)
STRUCTURE = ("tests/unit/test_solvers_structure.py",)
BY_REFERENCE = ("tests/unit/test_by_reference.py",)
SUNDIALS = ("tests/unit/test_solvers_sundials.py",)
COMPILER = ("tests/unit/test_kernel_compiler.py",)
SHORTCUTS = ("tests/unit/test_kernel_shortcuts.py",)

MUTATIONS = (
    Mutation(
        "rows-in-the-way-of-accept", "aside", "with_copies(self.parameters, self.scratch)", "self.parameters",
        "What is done between steps uses the contacts of the last row.", CONTRACT,
    ),
    Mutation(
        "step-cut-from-what-it-left", "advance", "revisit(c, p)", "pass",
        "A run that continues between the rows of a step and its end has lost the contacts of that step.", CONTRACT,
    ),
    Mutation(
        "residual-of-positions", "", "v += self._g / part", "v -= self._g / part",
        "The corrector of an implicit method uses the residual of the positions with the wrong sign.", SUNDIALS,
    ),
    Mutation(
        "stale-step-in-corrector", "", "return 2.0 / (1.0 + g / self._g) * z", "return z",
        "A correction is not scaled if the step has changed since the factorisation.", SUNDIALS,
    ),
    Mutation(
        "works-of-implicit-methods", "integrate_works", "4.0 * middle[j]", "2.0 * middle[j]",
        "The work integrals of implicit methods do not match the motion.", SUNDIALS, compiled=True,
    ),
    Mutation(
        "failed-corrector-as-error-test", "", "AFTER_FAILED_CORRECTOR = 0.25", "AFTER_FAILED_CORRECTOR = 0.5",
        "Failed correctors are treated like failed error tests.", SUNDIALS,
    ),
    Mutation(
        "pi-exponent", "controlling", "- 0.75 * beta", "+ 0.75 * beta",
        "The step-size controller has the wrong exponent.", CONTROLLER,
    ),
    Mutation(
        "pi-without-memory", "controlling", "times.error_before[0] ** beta / proportional", "1.0 / proportional",
        "The step-size controller ignores the previous error.", CONTROLLER,
    ),
    Mutation(
        "step-grows-after-rejection", "controlling", "factor = min(factor, 1.0)", "factor = max(factor, 1.0)",
        "A step may grow directly after a rejected step.", CONTROLLER,
    ),
    Mutation(
        "error-weight", "", "error=(71 / 57600,", "error=(71 / 5760,", "The error estimate has a wrong weight.", DP,
    ),
    Mutation(
        "dense-output-sign", "", "-8048581381 / 2820520608", "8048581381 / 2820520608",
        "Rows between steps are interpolated wrongly.", DP,
    ),
    Mutation(
        "errors-combined-wrongly", "combined_norm", "first + 0.01 * second_squares(c)", "first + second_squares(c)",
        "The two error estimates of Dormand-Prince 8(5,3) are combined with the wrong weights.", DP853,
    ),
    Mutation(
        "further-stages-from-the-end", "evaluate", "c.before, h, c.stages", "c.state, h, c.stages",
        "The stages for dense output start from the end of the step.", DP853,
    ),
    Mutation(
        "further-stages-of-an-earlier-step", "count_step", "c.counts.dense[0] = 0", "c.counts.dense[0] *= 1",
        "All rows use the additional stages of the first step with a row.", DP853,
    ),
    Mutation(
        "adams-divided-differences", "set_coefficients", "of.beta[i - 1] * reach / before", "of.beta[i - 1]",
        "Adams' method treats unequal steps as equal.", ADAMS,
    ),
    Mutation(
        "adams-corrects-with-the-predictor", "correct", "c.own.of.g[k + 1]", "c.own.of.g[k]",
        "The corrector of Adams' method has the weight of its predictor.", ADAMS,
    ),
    Mutation(
        "adams-dense-output", "interpolate", "(back + reach) / psi", "back / psi",
        "Rows between steps of Adams' method come from a wrong polynomial.", ADAMS,
    ),
    Mutation(
        "adams-remembers-a-failed-step", "take_back", "of.psi[i] - h", "of.psi[i]",
        "After a rejected step, Adams' method has wrong previous points.", ADAMS,
    ),
    Mutation(
        "adams-order-never-rises-again", "choose_order", "n.lowered[0] == 0 and higher_error", "False and higher_error",
        "The order of Adams' method decreases and never increases.", ADAMS,
    ),
    Mutation(
        "adams-forgets-an-impact", "go_on", "if answer == RHS_CHANGED:", "if answer != RHS_CHANGED:",
        "Adams' method continues with the forces before an impact.", ADAMS,
    ),
    Mutation(
        "works-of-no-time-as-measure", "norm_of_works", "least = max(SMALL_WORK * largest, c.times.least_work[0])",
        "least = SMALL_WORK * largest", "A drive in which friction begins from rest takes steps of nanoseconds.",
        ("tests/verification/test_steps.py::test_friction_with_a_vertical_slope_begins_from_rest",), compiled=True,
    ),
    Mutation(
        "strides-of-another-axis", "_read_array", "for length in shape[:0:-1]:", "for length in shape[:-1]:",
        "Kernels read wrong numbers from an array with three axes.", BY_REFERENCE, compiled=True,
    ),
    Mutation(
        "constants-are-kinds", "get_call_template", "tuple(map(types.unliteral, args))", "tuple(args)",
        "A kernel is compiled again for each constant with which it is called.", COMPILER, compiled=True,
    ),
    Mutation(
        "code-that-nobody-takes-in", "serialize",
        'b"" if self.called_only else self._get_module_for_linking().as_bitcode()',
        "self._get_module_for_linking().as_bitcode()",
        "The intermediate code of kernels that are only called is kept, and read in every process.",
        COMPILER, compiled=True,
    ),
    Mutation(
        "code-never-read", "_get_module_for_linking", "if self._unread:", "if not self._unread:",
        "A kernel loaded from the disk cannot be inlined in another kernel.", COMPILER, compiled=True,
    ),
    Mutation(
        "types-of-other-names", "_pickled", "self._of, self.fields", "self.name, self.fields",
        "A type from the file of a kernel differs from the type that the process knows.", BY_REFERENCE, compiled=True,
    ),
    Mutation(
        "code-of-an-overload-for-all", "_signature_once",
        "if function.get_impl_key(answer) == function.typing_key:", "if answer:",
        "Code compiled for a call has the flags of the first kernel that called it.", SHORTCUTS, compiled=True,
    ),
    Mutation(
        "names-that-a-copy-forgets", "_scope_copied", "copied.localvars._con.update(scope.localvars._con)", "pass",
        "A copy of a block loses the variables of its function.", SHORTCUTS, compiled=True,
    ),
    Mutation(
        "operators-by-the-first-numbers", "_signature_once", "id(context), tuple(args))", "id(context), len(args))",
        "An operator between two numbers has the signature of the first numbers for which it was used.",
        SHORTCUTS, compiled=True,
    ),
    Mutation(
        "variables-never-followed", "_alive_where_needed", "if emit_dels or code.is_generator:",
        "if code.is_generator:",
        "Numba never releases a Python object, because the last use of objects is not determined.",
        SHORTCUTS, compiled=True,
    ),
    Mutation(
        "address-of-the-block", "_read_field", "field.word * WORD", "WORD",
        "Kernels read a nested NamedTuple at the wrong address.", BY_REFERENCE, compiled=True,
    ),
    Mutation(
        "work-booked-without-sign", "book_works", "c.account.drift[w] += c.account.step_error[w]",
        "c.account.drift[w] += abs(c.account.step_error[w])", "Errors of work integrals never cancel each other.",
        CONTROLLER,
    ),
    Mutation(
        "verlet-half-drift", "move", "0.5 * h * a)", "h * a)",
        "The acceleration term in Verlet's positions is doubled.", VERLET,
    ),
    Mutation(
        "verlet-of-first-slope", "correct", "(slope_before[j] + slope[j])", "(slope_before[j] + slope_before[j])",
        "Verlet's velocities use only the acceleration at the start.", VERLET,
    ),
    Mutation(
        "verlet-grows", "shorten", "times.largest_step[0] *= left", "times.largest_step[0] *= 1.5 * left",
        "A fixed step is cut to three quarters instead of being halved.", (*VERLET, *CONTRACT),
    ),
    Mutation(
        "step-of-chain-and-mechanism", "largest_step", "method.limiting(system).motion", "system.motion",
        "The step of the chain is limited by the mechanism, although this is integrated separately.",
        MODULAR, compiled=True,
    ),
    Mutation(
        "part-without-damping", "limited_by", "c = min(c, 0.5 * highest_frequency)", "c = 0.0",
        "The step of a part of a system takes no account of its damping.", BEEMAN,
    ),
    Mutation(
        "chain-alone-twice", "of_chain", "_replace(chain_alone=limited_by_all)", "_replace()",
        "The limit of the mechanism is removed twice from that of the chain.", MODULAR, compiled=True,
    ),
    Mutation(
        "beeman-extrapolates-the-sum", "move", "(a - slope_before[j])",
        "(a + slope_before[j])", "The acceleration in the predicted velocity is doubled.", BEEMAN,
    ),
    Mutation(
        "beeman-behind-a-short-step", "extrapolated", "min(h / before, 1.0)", "(h / before)",
        "Rates are extrapolated over many times the previous step.", BEEMAN,
    ),
    Mutation(
        "splitting-without-damping", "_by_bounds", "OF_STABLE * 2.0 / (c + math.sqrt(c * c + w * w))",
        "OF_STABLE * 2.0 / w", "The step for links in space ignores damping.", SPLITTING,
    ),
    Mutation(
        "fastest-without-damping", "iterate", "by * 4.0 * carried / h * vector[j]", "by * vector[j]",
        "The frequency of the fastest motion of links in space ignores damping.", FASTEST, compiled=True,
    ),
    Mutation(
        "fastest-by-the-sum", "iterate", "(fastest.back[n + j] - fastest.ahead[n + j])",
        "(fastest.back[n + j] + fastest.ahead[n + j])",
        "The mean of two accelerations is used instead of their change.",
        FASTEST, compiled=True,
    ),
    Mutation(
        "carried-on-the-sum", "_predict", "(slope[j] - before[j])", "(slope[j] + before[j])",
        "The velocity used for forces in space contains too much of the acceleration.", FASTEST, compiled=True,
    ),
    Mutation(
        "step-that-never-grows", "_lengthen", "longest == step or ", "True or ",
        "A step that was shortened for a moment stays short for the rest of the run.", STEPS,
    ),
    Mutation(
        "step-grows-despite-contacts", "_lengthen", "self._largest_product / cuts.highest_asked", "math.inf",
        "A step grows to lengths at which the contacts of the last section were unstable.", STEPS,
    ),
    Mutation(
        "step-grows-despite-the-balance", "_lengthen", "math.sqrt(AIM * permitted / missed) * step", "math.inf",
        "A step grows to lengths at which the last section would have violated the balance.", STEPS,
    ),
    Mutation(
        "sections-stay-long", "_choose_section", "facts.shortest_section\n", "LONGEST_SECTION\n",
        "Sections stay long after a change of the step.", STEPS,
    ),
    Mutation(
        "early-look-with-the-limit-of-the-end", "_missed", "permitted_so_far *= begun.end / steps", "pass",
        "A section is rejected soon after its beginning by the limit for its few losses so far.", STEPS,
    ),
    Mutation(
        "method-never-left", "_count_costly", "facts.costly >= COSTLY_STEPS", "False",
        "A run whose steps stay too short to be worthwhile never changes its method.", STEPS,
    ),
    Mutation(
        "method-left-within-a-step", "_count_costly", " and integrator.settled", "",
        "The method is left within a step, although a row in this step is still due.", STEPS,
    ),
    Mutation(
        "costly-sections-added-up", "_count_costly", "facts.costly + facts.section if costly else 0.0",
        "facts.costly + facts.section if costly else facts.costly",
        "Costly sections are counted even if others lie between them.", STEPS,
    ),
    Mutation(
        "method-taken-over-without-its-state", "take_over", "mine.trial[...] = other.state",
        "mine.trial[...] = mine.state",
        "After a change of the method the run begins again from its first state.", STEPS,
    ),
    Mutation(
        "step-too-long-tried-again", "_lengthen", "math.sqrt(step * facts.too_long)", "math.inf",
        "A step that proved too long is tried again after every section.", STEPS,
    ),
    Mutation(
        "step-after-failed-growth", "_note_failure", "facts.grown_from / facts.grown_to", "0.0",
        "After growth that failed the step is shorter than before it grew.", STEPS,
    ),
    Mutation(
        "frequency-of-earlier-sections", "begin_section", "self._control.times.highest_asked[0] = 0.0", "pass",
        "The highest frequency of the run limits the step for the rest of it.",
        FASTEST,
    ),
    Mutation(
        "followed-curve-the-sum", "_follow_curve", "(slope[j] - slope_before[j])", "(slope[j] + slope_before[j])",
        "Yielding joints in space have twice their rate.", FASTEST, compiled=True,
    ),
    Mutation(
        "beeman-damping-at-half", "longest_step", "math.sqrt(c * c + 0.25 * w * w)", "0.5 * w",
        "The step for damped systems is twice the stable step.", BEEMAN,
    ),
    Mutation(
        "residual-of-first-order", "judge", "math.sqrt(AIM * permitted)", "AIM * permitted",
        "A section is repeated with a shorter step than its residual requires.", BALANCE,
    ),
    Mutation(
        "hermite-slope", "hermite", "x * end_slope[j]", "x * start_slope[j]",
        "Rows within a step of Verlet use the slope at its start for its end, too.", VERLET,
    ),
    Mutation(
        "implicit-positions-of-rates-before", "leading", "h * ((0.5 - BETA) * a[n + j] + BETA * a1[n + j]))",
        "h * ((0.5 - BETA) * a[n + j] + BETA * a[n + j]))",
        "Positions of an implicit step depend only on the rates at its start.", ALPHA,
    ),
    Mutation(
        "implicit-works-of-rates-before", "do_works", "GAMMA * a1[k]", "GAMMA * a[k]",
        "Work integrals of an implicit step use only the rates at its start.", CONTRACT,
    ),
    Mutation(
        "step-longer-than-its-memory", "step", "min(times.next_step[0], horizon(p))", "times.next_step[0]",
        "An implicit step is longer than the candidates for contacts remain valid.", ALPHA,
    ),
    Mutation(
        "neighbour-behind-is-the-link-itself", "linearise", "(rise[right] - dy[right])", "(rise[own] - dy[own])",
        "The effect of a link on the next one is computed as that on itself.", STRUCTURE,
    ),
    Mutation(
        "links-of-the-border-without-those-of-blocks", "_enter_border",
        "s.below[s.place[column, 0], s.seat[row], s.place[column, 1]] += value", "value += 0.0",
        "Links in the border of the matrix are not coupled to those in its blocks.", STRUCTURE,
    ),
    Mutation(
        "wheels-without-links-of-the-border", "_by_tangent", "_inertia(s, s.border[k]), s.corner[k], r)",
        "0.0, s.corner[k], r)", "Links in the border do not turn wheels.", STRUCTURE,
    ),
    Mutation(
        "border-rows-without-inertia", "_transposed", " / s.masses[s.border[r]]", "",
        "Links turn wheels without the inertia of the wheels.", STRUCTURE,
    ),
    Mutation(
        "rows-of-the-border-keep-what-lies-before", "_gather_block", "rows[r, c] -= s.rows[i - 1, r, k] * ahead[k, c]",
        "rows[r, c] -= 0.0", "Only the first block is eliminated from the equations of the border.", STRUCTURE,
    ),
    Mutation(
        "stop-overrun", "next_target",
        "if k < c.stops.size and c.stops[k] < c.times.end[0]:", "if k + 1 < c.stops.size:",
        "The last stop is stepped over.", CONTRACT,
    ),
    Mutation(
        "row-before-step", "fill_rows", "(due - times.time_before[0]) / times.last_step[0]",
        "(times.time[0] - due) / times.last_step[0]",
        "Rows within a step are interpolated at the mirrored instant.", DP,
    ),
    Mutation(
        "ending-at-the-end-of-a-step", "cut_short", "if margin(p) > 0.0:\n                low = middle",
        "if margin(p) < 1e9:\n                low = middle",
        "A run ends at the end of the first step beyond the limit.", CONTRACT,
    ),
    Mutation(
        "ending-without-its-state", "cut_short", "c.counts.cut_short[0] = 1", "c.counts.cut_short[0] = 0",
        "A run ends at the right instant, but with the state at the end of the step.", CONTRACT,
    ),
    Mutation(
        "ending-bisected-coarsely", "cut_short", "> ROUNDING * abs(times.time[0])", "> 1e-3 * times.last_step[0]",
        "The instant at which a run ends is found only to a thousandth of the step.", CONTRACT,
    ),
    Mutation(
        "ending-of-another-instant", "accept_step",
        "rhs(time, c.state, c.derivative, p)\n            copy_into", "copy_into",
        "Whether a run ends is decided from the last evaluation of the bisection.", CONTRACT,
    ),
    Mutation(
        "extremes-never-forgotten", "gather", "if anew:\n            forget_peaks",
        "if False:\n            forget_peaks",
        "Every row shows the extremes of the whole run so far.", ("tests/unit/test_peaks.py",),
    ),
    Mutation(
        "peak-inside-a-step-not-looked-at", "accept_step", "if inside > 0.0:", "if inside > 1.0:",
        "The peak of an impact between the ends of two steps is missed.", ("tests/unit/test_peaks.py",), compiled=True,
    ),
    Mutation(
        "peak-looked-for-at-the-wrong-instant", "_top",
        "where, top = (part - 1 + aside) / INSIDE", "where, top = 0.5 * (part - 1 + aside) / INSIDE",
        "A step is examined halfway before the peak of a force.", ("tests/unit/test_peaks.py",),
    ),
    Mutation(
        "peak-without-the-approach", "_top",
        "_begins(p, k, r, step), step * p.contact.rate[k]", "rise, rise",
        "The depth within a step is linear, and therefore has no peak.", ("tests/unit/test_peaks.py",),
    ),
    Mutation(
        "peak-without-hysteresis", "_top", "normal_force(elastic, rate / step,", "normal_force(elastic, 0.0,",
        "The peak of a damped impact is searched for at its deepest point.", ("tests/unit/test_peaks.py",),
    ),
    Mutation(
        "peak-of-the-wheel-before", "turning", "_pass_on(p, s, course",
        "_pass_on(p, 0, course",
        "Only the first group of rollers is followed within a step.", ("tests/unit/test_peaks.py",), compiled=True,
    ),
    Mutation(
        "memory-not-reevaluated", "accept_step", "if outcome == RHS_CHANGED:", "if outcome == RHS_CHANGED + 100:",
        "The derivative is not evaluated again after the memory has changed.", CONTRACT,
    ),
    Mutation(
        "angles-limited-as-lengths", "StructuredRest", "(self._limit, blocks) / chain", "(self._limit, blocks)",
        "In a search for equilibrium, the limit for displacements in metres is also the limit for rotations in "
        "radians.",
        ("tests/verification/test_rigid_links.py",),
    ),
)  # fmt: skip
