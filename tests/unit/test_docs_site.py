"""The documentation: its pages are correct: code runs, files load, commands exist, links and formulas work.

CI builds the whole site besides, with every warning an error (docs/conf.py), and looks for broken links in the built
site (docs/check_site.py).
"""

import inspect
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import get_args

import check_site
import pytest
from _site import accessible, borrowed, commands, docstrings, drive_keys, generated, searched, tables

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.geometry.profile import Segment
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.model import Drive, RollerOptions
from chaindrive.model.base import Model
from chaindrive.model.files.drives import loads
from chaindrive.model.files.keys import parts_of as annotation_parts
from chaindrive.model.study.description import Study
from chaindrive.model.study.optimisation import Optimisation
from chaindrive.studies.evaluations import drive_with
from chaindrive.studies.merit import prepare_figures
from chaindrive.studies.plan import make_plan
from support.dxf_text import dxf, entity

pytestmark = pytest.mark.usefixtures("few_windows")

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


OWN = [path for path in sorted(DOCS.rglob("*.md")) if "decisions" not in path.parts and "validation" not in path.parts]
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in OWN}
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w{}-]*)[^\n]*\n(?P<text>.*?)^(?P=indent)```", re.DOTALL | re.MULTILINE
)


def blocks(page, *languages):
    """The blocks of code of a page in these languages."""
    return [found["text"] for found in FENCE.finditer(PAGES[page]) if found["language"] in languages]


def pages_with(*languages):
    return [page for page in PAGES if blocks(page, *languages)]


# Code -----------------------------------------------------------------------------------------------------------------


TESTED_ELSEWHERE = {"analytical-checks.md"}  # test_docs_analytical_checks.py


SLOW = {"guide/compare.md", "guide/figures.md", "guide/fmu.md", "guide/stages.md", "guide/strength.md"}
"""Pages whose runs and kernels take a minute, or which a default test in test_fmu.py covers."""


@pytest.mark.usefixtures("few_windows")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.long if page in SLOW else ())
        for page in pages_with("python")
        if page not in TESTED_ELSEWHERE
    ],
)
def test_python_runs(page, tmp_path, monkeypatch, capsys, shared_runs):
    """All blocks of a page, one after the other as a reader would enter them.

    Studies are many runs: test_study_run.py runs some, here their code is only compiled.
    """
    monkeypatch.chdir(tmp_path)
    code = "\n".join(blocks(page, "python"))
    if "run_study(" in code or page.startswith("recipes/"):  # docs/recipes/make.py runs these, after their commands
        compile(code, page, "exec")
        return
    monkeypatch.setattr(cd, "simulate", once(cd.simulate, shared_runs))
    exec(compile(code, page, "exec"), {"__name__": "__main__"})


def once(simulate, shared_runs):
    """``simulate``, with the initial run of most pages taken from the shared ones."""
    begun = shared_runs.file("industrial-08b", 0.5)

    def call(drive, until=None, output=None, **options):
        if until not in (0.5, "500 ms") or drive not in ("industrial-08b", cd.example("industrial-08b")):
            return simulate(drive, until=until, output=output, **options)
        if output is not None:
            shutil.copyfile(begun, output)
        return cd.open(output or begun)

    return call


# Files ----------------------------------------------------------------------------------------------------------------


def parts_of(model):
    """The model of each top-level table of a file, by its name."""
    found = {}
    for name, field in model.model_fields.items():
        inner = [part for part in annotation_parts(field.annotation) if isinstance(part, type)]
        found[name] = [part for part in inner if issubclass(part, Model)]
    return found


def check_fragment(text):
    """Every table of a piece of a drive's file is one that Drive accepts in that place."""
    known = parts_of(Drive)
    for name, given in tomllib.loads(text.replace('links = "auto"', "links = 108")).items():  # which a drive finds
        assert name in known, f"no table or key {name!r} in a drive"
        for fields in given if isinstance(given, list) else [given]:
            if isinstance(fields, dict):
                check_any(known[name], fields)


def check_any(models, fields):
    problems = []
    for model in models:
        try:
            model.from_dict(fields)
        except InputError as error:
            problems.append(error)
        else:
            return
    raise problems[-1] if problems else AssertionError(f"nothing takes {fields}")


@pytest.mark.parametrize("page", pages_with("toml"))
def test_files_load(page, tmp_path, monkeypatch):
    gap = tooth_profile("iso-606", 38, 0.0127, 0.00851)
    (tmp_path / "tooth.dxf").write_text(dxf(*(entity(element, "0", 1e3) for element in gap.elements)))
    (tmp_path / "rail.dxf").write_text(dxf(entity(Segment((0.0, 0.0), (0.2, 0.0)), "RAIL", 1e3)))
    (tmp_path / "cam.csv").write_text("".join(blocks("guide/driving.md", "csv")))
    for measured in (DOCS / "recipes").glob("*.csv"):
        shutil.copy(measured, tmp_path)
    monkeypatch.chdir(tmp_path)
    for text in blocks(page, "toml"):
        found = tomllib.loads(text)
        if "figures_of_merit" in found:
            (Optimisation if "variables" in found else Study).from_dict(found)
        elif {"chain", "wheels"} <= found.keys():
            loads(text, page)
        else:
            check_fragment(text)


def test_a_wrong_fragment_is_found():
    with pytest.raises(InputError, match="tooth"):
        check_fragment('[[wheels]]\nname = "a"\nteeth = 20\nposition = [0, 0]\ntooth = { form = "round" }\n')
    with pytest.raises(AssertionError, match="wheel"):
        check_fragment("[wheel]\nteeth = 20\n")


# Commands -------------------------------------------------------------------------------------------------------------


def shown_commands():
    """Every command line that a page shows, (page, words)."""
    for page in PAGES:
        for text in blocks(page, "", "console", "bash", "sh"):
            for line in text.replace("\\\n", " ").splitlines():
                for part in line.split("  #")[0].split(" && "):
                    if part.strip().startswith("chaindrive "):
                        yield page, re.split(r"\s{3,}", part.strip())[0]


@pytest.mark.parametrize(("page", "line"), list(shown_commands()))
def test_commands_exist(page, line):
    """The command exists, with the options shown and the number of arguments that it takes."""
    words = shlex.split(line)[1:]
    known = commands.commands()
    if words[0].startswith("-"):
        assert words[0] in {"--version", "--help", "-h"}
        return
    name = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
    assert name in known, line
    command, rest = known[name], words[len(name.split()) :]
    takes_value = {text: not p.is_flag for p in command.params if p.param_type_name == "option" for text in p.opts}
    arguments = []
    while rest:
        word = rest.pop(0)
        option = word.split("=")[0] if word.startswith("--") else word
        if option.startswith("-") and not re.fullmatch(r"-\d.*", option):
            assert option in {*commands.options_of(command), "--help", "-h"}, f"{line}: no option {option}"
            if takes_value.get(option) and "=" not in word:
                assert rest, f"{line}: {option} wants a value"
                rest.pop(0)
        else:
            arguments.append(word)
    wanted = [p for p in command.params if p.param_type_name == "argument"]
    several = any(p.nargs != 1 for p in wanted)
    assert sum(p.required for p in wanted) <= len(arguments), f"{line}: too few arguments"
    assert several or len(arguments) <= len(wanted), f"{line}: too many arguments"


def test_every_command_is_in_the_reference():
    text = commands.as_markdown()
    for name, command in commands.commands().items():
        assert f"## chaindrive {name}\n" in text
        section = text.split(f"## chaindrive {name}\n")[1].split("\n## ")[0]
        missing = [text for text in commands.options_of(command) if f"`{text}" not in section]
        assert not missing, name


# Recipes --------------------------------------------------------------------------------------------------------------


RECIPES = [page for page in PAGES if page.startswith("recipes/") and page != "recipes/index.md"]


@pytest.mark.parametrize("page", RECIPES)
def test_a_recipe_is_complete(page):
    """Its sections, the drives of its studies with every value that they set, and the files of its run."""
    text = PAGES[page]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Type", "See", "Read", "Next"]
    assert "**Goal.**" in text
    assert re.search(r"\]\(pictures/[\w-]+\.png\)", text)
    for found in re.finditer(r"<!-- printed: .*? -->\n```text\n(.*?)```", text, re.DOTALL):
        assert found[1].strip(), "run docs/recipes/make.py"
    assert f"]({Path(page).name})" in PAGES["recipes/index.md"]


@pytest.mark.parametrize("page", [page for page in RECIPES if "toml" in str(blocks(page, "toml"))])
def test_the_studies_of_recipes_can_be_run(page, tmp_path):
    """Every drive in them is valid, and every figure fits its channels."""
    shutil.copy(DOCS / "recipes" / "bench.csv", tmp_path)
    for text in blocks(page, "toml"):
        (tmp_path / "study.toml").write_text(text)
        study = cd.load_study(tmp_path / "study.toml")
        drive = cd.example(study.drive)
        if isinstance(study, Optimisation):
            drives = [drive_with(study, drive, tuple(variable.first for variable in study.variables))]
        else:
            drives = [loads(run.drive) for run in make_plan(study, drive).runs]
        system = compile_system(drives[0], drives[0].run.formulation, True)
        assert prepare_figures(study.figures_of_merit, system.channels, system.labels)[0]


def test_the_measurement_of_the_recipes_says_that_it_is_none():
    assert (DOCS / "recipes" / "bench.csv").read_text().startswith("# synthetic")


def test_ten_questions_are_answered_for_both_drives():
    parts = re.split(r"^## \d+\. ", PAGES["guide/ten-questions.md"], flags=re.MULTILINE)[1:]
    assert len(parts) == 10
    for part in parts:
        for name in ("timing-06b", "6s90mc-c"):
            answer = re.search(rf"^\*\*{name}\*\*: (.*)$", part, re.MULTILINE)
            assert answer, part[:60]
            assert re.search(r"\d", answer[1]) or "**Not judged**" in answer[1]
            assert f"-{name}.png)" in part or "no such run" in answer[1]
    assert "**Not judged**" in parts[5]


# References made from the code ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", [Drive, Study, Optimisation])
def test_every_key_is_in_the_reference(root):
    found = drive_keys.tables(root)
    text = drive_keys.as_markdown(found)
    assert len({table.model for table in found}) == len(found)
    for table in found:
        for key in table.keys:
            assert key.text, f"{table.model.__name__}.{key.name} has no description"
            assert f"| `{key.name}` |" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 6 for row in rows)


def test_keys_say_what_the_models_say():
    text = drive_keys.as_markdown(drive_keys.tables(Drive))
    assert "| `teeth` |  | **required** | whole, 5 to 1000 | Number of teeth, from 5 to 1000. |" in text
    assert "| `pitch` | `m` | catalogue or estimate | > 0, ≤ 10 |" in text
    assert '| `until` | `s` | `10` | > 0, ≤ 1e7 or `"steady"` |' in text
    assert '| `kind` |  | **required** | `"hydraulic"` |' in text
    assert "`[wheels.contact]`, `[guides.contact]`" in text


def test_every_table_of_keys_is_on_one_page():
    """Except the top level, which is above the list of the pages."""
    grouped = [table for group in generated.key_groups().values() for table in group]
    assert sorted(table.model.__name__ for table in grouped) == sorted(
        table.model.__name__ for table in drive_keys.tables(Drive)[1:]
    )


def test_every_public_module_has_a_page():
    pages = generated.pages()
    for name in ("model.drive", "simulation.simulate", "analyses.results.losses", "plots.spectra", "notebook"):
        assert f"```{{module-names}} chaindrive.{name}\n" in pages[f"api/modules/chaindrive.{name}"]
        assert generated.summary(f"chaindrive.{name}")


@pytest.mark.parametrize("name", [name for name in cd.__all__ if name != "__version__"])
def test_every_name_of_the_package_is_in_the_reference(name):
    given = getattr(cd, name)
    module = given.__name__ if inspect.ismodule(given) else given.__module__
    assert f"api/modules/{module}" in generated.pages()
    assert f"`cd.{name}" in PAGES["api/index.md"]


def test_every_example_is_once_in_the_gallery():
    shown = [name for names in tables.GROUPS.values() for name in names]
    assert sorted(shown) == sorted(cd.model.example_names())
    for group in tables.GROUPS:
        assert f"```{{gallery}} {group}\n" in PAGES[f"gallery/{group}.md"]


def test_pages_are_made_accessible():
    html = '<p class="caption" role="heading">Guide</p><div class="table-wrapper docutils container"><pre>x</pre></div>'
    made = accessible.accessible(html)
    assert 'role="heading" aria-level="2"' in made
    assert '<div class="table-wrapper docutils container" tabindex="0"><pre tabindex="0">' in made
    parameters = "<dl>\n<dd>a,</dd>\n<dd>b</dd>\n</dl>\n"
    made = accessible.accessible(
        f'<dt class="sig sig-object py" id="f">f({parameters})</dt><dd><dl><dt>c</dt></dl></dd>'
    )
    assert made.count("<dl>") == 1
    assert '<div class="parameters">\n<div>a,</div>\n<div>b</div>\n</div>' in made


def test_every_ending_and_channel_is_in_its_table():
    text = tables.ending_table()
    endings = [*Status.GENERAL[1:], *(status for each in FORMULATIONS.values() for status in each.endings)]
    assert len(endings) > len(Status.GENERAL)
    assert all(status.meaning in text and status.advice.replace("|", "\\|") in text for status in endings)
    channels = tables.channel_table()
    assert "| `guide_force` | N | guide, axis | yes |" in channels
    assert "| `roller_velocity` | m/s | roller, axis | on request |" in channels


def test_table_of_laws():
    """Known values: see tests/verification/test_contact_laws.py."""
    rows = {line.split("`")[1]: line for line in tables.law_table().splitlines() if "`" in line}
    assert rows["lankarani-nikravesh"].endswith("| 0.663 | 0.672 | 0.725 | 0.847 |")
    assert rows["flores"].startswith("| `flores` | refused | 0.156 |")
    assert rows["kelvin-voigt"].endswith("| 0.200 | 0.500 | 0.800 |")


@pytest.mark.parametrize("field", ["contact_law", "friction_regularisation"])
def test_every_law_and_form_is_in_the_theory(field):
    rows = (DOCS / "theory" / "contact.md").read_text(encoding="utf-8")
    names = get_args(RollerOptions.model_fields[field].annotation)
    assert names
    assert [name for name in names if f"\n| `{name}` | " not in rows] == []


# Text -----------------------------------------------------------------------------------------------------------------


def test_docstrings_become_plain_text():
    given = ["Force |x| of a_ in ``code_``, *stressed*.", "", "    f = a * b_", "", "    g = c", "", "See :func:`f`."]
    found = docstrings.as_text(given)
    assert "\\|x\\| of a\\_ in \\ ``code_``\\ , \\ *stressed*\\ ." in found[1]
    block = found[found.index("::") :]
    assert block[2:5] == ["    " + "    f = a * b_", "     ", "    " + "    g = c"]
    assert any("``f``" in line for line in found)


def test_parameters_become_a_list():
    """Sentences and half-sentences about parameters, and nothing else."""
    given = [
        "Spectrum of a signal.", "",
        "Of these: values [N]: many. start and stop [s]: the",
        "window; step: its a_ step. Returns all.",
        "Raises InputError: for less.", "",
        "step: in a formula below:", "",
        "    step: x",
    ]  # fmt: skip
    found = [line for line in docstrings.with_lists(given, ["values", "start", "stop", "step"]) if line]
    assert found[:3] == ["Spectrum of a signal.", "Of these: values [N]: many.", ".. rst-class:: parameters"]
    assert found[3:7] == ["    ``start``, ``stop`` [s]", "        the window", "    ``step``", "        its a\\_ step."]
    assert found[7:10] == ["Returns all.", "Raises InputError: for less.", ".. rst-class:: parameters"]
    assert found[-2:] == ["::", "        step: x"]
    assert docstrings.with_lists(given, []) == docstrings.as_text(given)


def test_every_parameter_of_simulate_is_in_a_list():
    thing = cd.simulate
    found = docstrings.with_lists(inspect.getdoc(thing).splitlines(), list(inspect.signature(thing).parameters))
    listed = {name for line in found if line.startswith("    ``") for name in re.findall(r"``(\w+)``", line)}
    assert listed == set(inspect.signature(thing).parameters)


def test_internals_are_out_of_the_search():
    pages = [path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")]
    hidden = {page for page in pages if searched.is_internal(page)}
    assert {"project/contributing", "project/architecture", "validation/mutations"} <= hidden
    assert {page for page in pages if page.startswith("decisions/")} <= hidden
    assert not {page for page in hidden if page.startswith(("guide/", "recipes/", "api/", "theory/"))}
    assert all(any(searched.fnmatchcase(page, pattern) for page in pages) for pattern in searched.INTERNALS)


def test_formulas_can_be_read():
    """Every formula of every page becomes MathML; one with an unknown command is refused."""
    pytest.importorskip("latex2mathml", reason="in the extra 'docs'")
    from _site.mathml import mathml

    count = 0
    for page, text in PAGES.items():
        prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
        for double, single in re.findall(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+?)\$", prose, re.DOTALL):
            made = mathml(double or single, bool(double))
            assert made.startswith("<math"), page
            count += 1
    assert count > 150
    with pytest.raises(ValueError, match="unknowncommand"):
        mathml(r"a = \unknowncommand{b}", True)


def test_formulas_are_what_browsers_know():
    """MathML Core has no bold letters and no words made of single letters; a sign after a relation is not a
    subtraction.
    """
    pytest.importorskip("latex2mathml", reason="in the extra 'docs'")
    from _site.mathml import mathml

    assert "<mi>&#x1D42B;</mi>" in mathml(r"\mathbf r", False)
    assert "<mi>&#x1D407;</mi>" in mathml(r"\mathbf H", False)
    assert "<mi>chain</mi>" in mathml(r"M_\mathrm{chain}", False)
    assert '<mo form="prefix">&#x02212;</mo>' in mathml("a = -b", False)
    assert "form" not in mathml("a - b", False)
    assert mathml(r"R\cos B", False).count("<mspace") == 2
    assert mathml(r"R\cos(B)", False).count("<mspace") == 1


def test_pages_borrowed_from_the_repository_lead_on():
    text = borrowed.borrowed("project/contributing")
    assert "(architecture.md)" in text
    assert "(changes.md)" in text
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (DOCS / "project" / target).exists(), target


def test_check_of_the_site(tmp_path):
    """It finds broken links and content fetched from other sites, and nothing else."""
    (tmp_path / "b.html").write_text('<p id="there"><a href="https://example.org">a link may go out</a></p>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">x</a><a href="b.html#nowhere">x</a><a href="c.html">x</a>'
        '<img src="https://example.org/x.png"><script src="gone.js"></script><img src="data:image/png;base64,">'
    )
    (tmp_path / "s.css").write_text("@font-face { src: url(//fonts.example.org/f.woff2) }")
    found = sorted(check_site.problems(tmp_path))
    assert len(found) == 5
    for word, line in zip(("gone.js", "https://example.org/x.png", "b.html#nowhere", "c.html"), found[:4], strict=True):
        assert word in line or any(word in other for other in found)
    assert "fonts.example.org" in found[-1]


@pytest.mark.parametrize("page", PAGES)
def test_links_within_the_pages(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", PAGES[page])):
        path = target.split("#")[0]
        if path and ":" not in path:
            assert (DOCS / page).parent.joinpath(path).exists(), target


# Numbers that are quoted from pages which scripts write ---------------------------------------------------------------


def cells(page, row):
    """The cells of the first row of a table that begins with these words."""
    lines = (DOCS / page).resolve().read_text(encoding="utf-8").splitlines()
    found = next(line for line in lines if line.startswith((f"| {row}", f"| **{row}")))
    return [cell.strip(" *") for cell in found.strip("| ").split("|")]


def test_quoted_validation():
    """Quoted numbers on the page of Pedersen's figures: those of all values, and of those reproduced."""
    source = re.search(
        r"(\d+) of (\d+) numbers are within", (DOCS / "validation/pedersen.md").read_text(encoding="utf-8")
    )
    quoted = re.search(r"of (\d+) numbers that[^,]*,\s*(\d+) are reproduced", PAGES["theory/index.md"])
    assert (quoted[2], quoted[1]) == source.groups()


def test_quoted_tensions():
    """The table of contact stiffness in How to choose is on the page of the marine drives."""
    text = (DOCS / "validation/marine-drives.md").read_text(encoding="utf-8")
    first, second = text.split("### 6L60MC, real tooth")[1].split("### 6S90MC-C, friction 0.1 and")
    for row, part in (("6S90MC-C: mean tension of segment 1", second), ("6L60MC: the same", first)):
        quoted = cells("guide/choosing.md", row)[1:5]
        names = ("contact stiffness 0.3e9", "**as the example", "contact stiffness 3e9", "contact stiffness 10e9")
        measured = [
            next(line for line in part.splitlines() if line.startswith(f"| {name}")).split("|")[3].strip()
            for name in names
        ]
        assert quoted == measured


def test_quoted_times():
    """CPU times of both solvers in How to choose are those of the benchmark page, within the differences between
    machines.
    """
    quoted = cells("guide/choosing.md", "CPU time for 10 s of the 6S90MC-C")[1:]
    for solver, said in zip(("dormand-prince", "verlet"), quoted, strict=True):
        measured = cells("../benchmarks/README.md", f"6s90mc-c, in memory: 10 s by {solver}")[1]
        assert float(said.split()[0]) == pytest.approx(float(measured.split()[0]), rel=0.3)
