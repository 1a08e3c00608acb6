import "../style/index.css";
import "../stage/stage.css";
import "./editor.css";
import { effect, signal } from "@preact/signals-core";
import { choice as chooser } from "../charts/html";
import { h, setText } from "../dom";
import { type Choice, choice, choose, CHOICES, startTheme } from "../style/theme";
import { acts, actName, chosenAct, putOn, refusal } from "./acting";
import { askScale, beneathPanel } from "./beneath";
import { Board, points, route, step, type Tool, tool } from "./canvas";
import { Forms } from "./forms";
import { shortPanel, checkPanel, numbersPanel, pathOf, problemsPanel, runPanel } from "./panels";
import { type Schema, useSchema } from "./schema";
import { act, connected, edit, follow, nameOf, partOf, placeOf, preview, samePath, selected, shown, state, table, trouble, valueAt } from "./session";
import { startPage } from "./starting";
import { type Figure, sweepPanel } from "./sweep";
import type { CatalogueChain, Path, Problem, Template } from "./types";

const TOOLS: [Tool, string, string][] = [
  ["select", "Select", "Pick and move parts (V)"],
  ["wheel", "Wheel", "Place a wheel: click its centre (W)"],
  ["guide", "Guide", "Place a rail: click both ends (G)"],
  ["body", "Body", "Place a body: click the point about which it turns (B)"],
  ["tensioner", "Tensioner", "Place a tensioner: click both ends (T)"],
  ["torque", "Torque", "Apply a torque, load or motor to a wheel: choose its kind, then click the wheel (L)"],
  ["route", "Route", "Click the wheels in the order in which the chain meets them; a second click on a wheel changes its side. Enter ends (R)"],
];
const HINTS: Partial<Record<Tool, string>> = {
  wheel: "Click where the centre of the wheel is.",
  guide: "Click both ends of the rail.",
  body: "Click the point about which the body turns.",
  tensioner: "Click both ends: first the end on the ground, then the end that is pushed.",
  torque: "Choose a kind and click a wheel; Enter takes the selected wheel.",
  route: "Click the wheels in the order in which the chain meets them; click one again to change its side.",
  scale: "Click two points of the picture whose distance you know.",
};
const KEYS: [string, string][] = [
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Ctrl+S", "save"],
  ["Ctrl+D", "copy the selected part"],
  ["Delete", "remove the selected part"],
  ["Arrow keys", "move the selected part by a step, with Shift by ten"],
  ["Page Up, Page Down", "select the previous, next part"],
  ["V W G B T L R", "tools: select, wheel, guide, body, tensioner, torque, route"],
  ["+ − 0", "zoom in, zoom out, show all"],
  ["Alt while moving", "do not snap"],
  ["Escape", "cancel the current action"],
];
const STEPS: [string, string][] = [["0", "off"], ["0.0001", "0.1 mm"], ["0.001", "1 mm"], ["0.005", "5 mm"], ["0.01", "10 mm"], ["0.1", "100 mm"]]; // prettier-ignore
const LISTS = ["wheels", "sheaves", "bodies", "guides", "tensioners", "payloads", "stages", "rotors"];

let chains: CatalogueChain[] = [];
/** Grows when a form is to be made anew without a change of the file. */
const formVersion = signal(0);

function namesFor(path: Path): string[] {
  const key = path[path.length - 1];
  const names = (list: string): string[] => ((valueAt([list]) as { name?: string }[] | undefined) ?? []).map(({ name }) => String(name ?? ""));
  if (key === "standard") return chains.map(({ name }) => name);
  if (key === "body" || key === "parent" || key === "from_body" || key === "to_body") return ["ground", ...names("bodies")];
  if (key === "wheel" || key === "shaft_with") return names("wheels");
  if (key === "span") return (shown.value?.sketch?.numbers[0]?.spans ?? []).map(({ name }) => name);
  return [];
}

function problemsNow(): Problem[] {
  const document = shown.value?.problems ?? [];
  const { check } = state.value?.tasks ?? {};
  const checked = check && check.revision === state.value?.revision && check.state === "done" ? (check.result?.problems ?? []) : [];
  return [...document, ...checked.filter((each) => !document.some(({ place, message }) => place === each.place && message === each.message))];
}

function section(id: string, title: string): { section: HTMLElement; body: HTMLElement } {
  const body = h("div", { class: "panel-body" });
  return { section: h("section", { id, class: "panel", "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), body), body };
}

function button(label: string, title: string, run: () => void, kind = ""): HTMLButtonElement {
  return h("button", { type: "button", class: `tool text ${kind}`.trim(), title, onclick: run }, label);
}

function save(): void {
  void act("save", {});
}

/** Open the form of the part with a problem, and its field. */
function open(problem: Problem): void {
  const path = pathOf(problem.place);
  const part = path.length ? partOf(path) : [];
  selected.value = part.length && valueAt(part) !== undefined ? part : part.length ? part.slice(0, 1).filter((key) => valueAt([key]) !== undefined) : null;
  if (!selected.value?.length) selected.value = null;
  focusField(problem.place);
}

/** What mends a problem by one click; null where only its user can tell. */
function mend(problem: Problem): { label: string; title: string; run: () => void } | null {
  const path = pathOf(problem.place);
  if (path[path.length - 1] !== "links" || path[path.length - 2] !== "chain" || valueAt(path) === "auto") return null;
  return { label: "Count from the route", title: "The number of links follows from the route: links = \"auto\"", run: () => void edit([{ kind: "set", path, value: "auto" }], "count the links from the route") };
}

function focusField(place: string): void {
  requestAnimationFrame(() => {
    const fields = [...document.querySelectorAll<HTMLElement>("[data-place]")];
    const found = fields.filter((field) => place === field.dataset.place || place.startsWith(`${field.dataset.place}.`) || place.startsWith(`${field.dataset.place}[`)).pop();
    const input = (found ?? document.getElementById("part")!).querySelector<HTMLElement>("input, select, textarea");
    input?.focus();
    (found ?? input)?.scrollIntoView({ block: "nearest" });
  });
}

async function start(): Promise<void> {
  startTheme();
  const colours = JSON.parse(document.getElementById("editor-colours")!.textContent ?? "[]") as string[];
  const [schema, templates, catalogue, figures] = await Promise.all([table<Schema>("schema"), table<Template[]>("templates"), table<CatalogueChain[]>("catalogue"), table<Figure[]>("figures")]);
  useSchema(schema);
  chains = catalogue;
  void follow();
  await new Promise<void>((resolve) => {
    const stop = effect(() => {
      if (shown.value) queueMicrotask(() => (stop(), resolve()));
    });
  });
  build(templates, colours, figures);
  document.documentElement.dataset.chaindrive = "ready";
}

function build(templates: Template[], colours: string[], figures: Figure[]): void {
  const scaleBox = h("div", { class: "scale-box" });
  const board = new Board(state.value!.name, colours, (first, second) => askScale(board, scaleBox, first, second), putChosenOn);
  const forms = new Forms(namesFor, () => formVersion.value++, (path) => (selected.value = path));
  document.body.append(bar(), notices(), h("main", {}, drawingSide(board, scaleBox), panels(board, forms, figures)));
  const begin = startPage(templates, () => board.fit());
  const main = document.querySelector("main")!;
  const rest = [...main.children] as HTMLElement[];
  main.prepend(begin);
  effect(() => {
    const empty = !shown.value?.text.trim();
    begin.hidden = !empty;
    rest.forEach((side) => (side.hidden = empty));
  });
  keys(board);
  window.chaindrive = Object.freeze({
    get state() {
      return state.value;
    },
    get fields() {
      return shown.value?.fields;
    },
    get text() {
      return shown.value?.text;
    },
    get selected() {
      return selected.value && placeOf(selected.value);
    },
    get problems() {
      return problemsNow();
    },
    get sketch() {
      return board.sketch;
    },
    get dragged() {
      return preview.value !== null;
    },
    get trouble() {
      return trouble.value;
    },
    /** What lies beneath: its extent [m], left, right, bottom, top. */
    get beneath() {
      return board.underlay.extent;
    },
    /** Where a point of the drive [m] is on the canvas, in pixels. */
    pixel: (x: number, y: number) => [board.camera.x(x), board.camera.y(y)],
  });
}

function bar(): HTMLElement {
  const title = h("h1", {});
  const undo = button("Undo", "", () => void act("undo"));
  const redo = button("Redo", "", () => void act("redo"));
  const saving = button("Save", "Write the file (Ctrl+S)", save, "primary");
  const run = button("Run", "Simulate the drive as its file specifies, with a report", () => void act("run"));
  effect(() => {
    const now = state.value;
    if (!now) return;
    setText(title, `${now.name}${now.unsaved ? " (not saved)" : ""}`);
    document.title = `${now.unsaved ? "• " : ""}${now.name} – chaindrive`;
    undo.disabled = now.undo === null;
    redo.disabled = now.redo === null;
    undo.title = now.undo ? `Undo: ${now.undo} (Ctrl+Z)` : "Nothing to undo";
    redo.title = now.redo ? `Redo: ${now.redo} (Ctrl+Y)` : "Nothing to redo";
    saving.disabled = !now.unsaved;
    run.disabled = problemsNow().length > 0 || !shown.value?.text.trim() || ["waiting", "running"].includes(now.tasks.run.state);
  });
  const names: Record<Choice, string> = { system: "system setting", light: "light", dark: "dark" };
  const look = chooser("Colours", CHOICES.map((one): [string, string] => [one, names[one]]), choice(), (chosen) => choose(chosen as Choice)); // prettier-ignore
  look.classList.add("appearance");
  look.querySelector("select")!.setAttribute("aria-label", "Colours of the page");
  return h("header", { class: "editor-bar" }, title, h("div", { class: "actions", role: "toolbar", "aria-label": "File" }, undo, redo, saving, run), look);
}

/** What must not be overlooked: trouble, a lost server, a file changed outside, changes taken up again. */
function notices(): HTMLElement {
  const box = h("div", { class: "notices", role: "alert" });
  let restoredTold = false;
  effect(() => {
    const lines: Node[] = [];
    const now = state.value;
    if (!connected.value) lines.push(h("p", { class: "problem" }, "The editor has ended or does not respond. Changes so far are kept in a file beside the drive; start chaindrive edit again to continue."));
    if (trouble.value) lines.push(h("p", { class: "problem" }, trouble.value, " ", button("Close", "Close this message", () => (trouble.value = ""))));
    if (now?.changed_outside)
      lines.push(h("p", { class: "problem" }, "The file was changed by another program, and there are unsaved changes here. ", button("Load the file", "Undo restores the changes made in this page", () => void act("take")), " ", button("Overwrite it", "Write the file with the changes made here", () => void act("save", { over: true }))));
    if (now && now.restored > 0 && !restoredTold && now.unsaved) lines.push(h("p", { class: "restored" }, `${now.restored === 1 ? "One unsaved change" : `${now.restored} unsaved changes`} from the last session ${now.restored === 1 ? "was" : "were"} restored. `, button("Close", "Close this message", () => { restoredTold = true; box.querySelector(".restored")?.remove(); }))); // prettier-ignore
    box.replaceChildren(...lines);
  });
  return box;
}

function drawingSide(board: Board, scaleBox: HTMLElement): HTMLElement {
  const tools = TOOLS.map(([name, label, title]) => {
    const made = button(label, title, () => pick(name));
    effect(() => made.setAttribute("aria-pressed", String(tool.value === name)));
    return made;
  });
  const hint = h("p", { class: "hint tool-hint", role: "status" });
  const done = button("Done", "Sort the wheels in the order of the clicks (Enter)", () => board.finishRoute(), "primary");
  effect(() => {
    setText(hint, HINTS[tool.value] ?? "");
    done.hidden = tool.value !== "route" || (route.value ?? []).length < 2;
  });
  const snap = chooser("Snap", STEPS, String(step.value), (value) => (step.value = Number(value)));
  const copy = button("Copy", "Copy the selected part (Ctrl+D)", () => board.copy());
  const remove = button("Remove", "Remove the selected part (Delete)", () => board.remove());
  effect(() => {
    copy.disabled = remove.disabled = (selected.value?.length ?? 0) < 2;
  });
  const view = [button("+", "Zoom in (+)", () => board.zoomBy(1.25)), button("−", "Zoom out (−)", () => board.zoomBy(0.8)), button("All", "Show all (0)", () => board.fit())];
  return h(
    "div",
    { class: "drawing-side" },
    h("div", { class: "tools", role: "toolbar", "aria-label": "Tools" }, ...tools, copy, remove, snap, ...view, button("Keys", "All keys (?)", () => help().showModal())),
    hint,
    actChooser(),
    done,
    board.canvas,
    scaleBox,
    numbersSection(),
    beneathPanel(board, () => pick("scale")),
  );
}

/** What the tool "Torque" puts on a wheel. */
function actChooser(): HTMLElement {
  const all = acts();
  chosenAct.value = all[0]!;
  const groups = [...new Set(all.map(({ key }) => key))].map((key) => h("optgroup", { label: key.replaceAll("_", " ") }, ...all.flatMap((act, k) => (act.key === key ? [h("option", { value: k }, actName(act))] : []))));
  const select = h("select", { "aria-label": "What acts on the wheel" }, ...groups);
  const meaning = h("p", { class: "hint" });
  const take = (): void => {
    chosenAct.value = all[Number(select.value)]!;
    setText(meaning, /^.*?[.:](?=\s|$)/s.exec(chosenAct.value.description)?.[0].replace(/:$/, ".") ?? "");
  };
  select.addEventListener("change", take);
  take();
  const box = h("div", { class: "act-choice" }, select, meaning);
  effect(() => void (box.hidden = tool.value !== "torque"));
  return box;
}

/** Put what is chosen on a wheel, and open its form there. */
function putChosenOn(wheel: Path): void {
  trouble.value = refusal(wheel, chosenAct.value!);
  if (trouble.value) return;
  const { changes, place, label } = putOn(wheel, chosenAct.value!);
  const open = (): void => {
    tool.value = "select";
    selected.value = wheel;
    focusField(placeOf(place));
  };
  if (!changes.length) open();
  else void edit(changes, label).then((done) => done && open());
}

/** Lengths and wraps, also while something is dragged. */
function numbersSection(): HTMLElement {
  const numbers = section("numbers", "Chain and route");
  effect(() => {
    const found = (preview.value ?? shown.value?.sketch)?.numbers ?? [];
    numbers.body.replaceChildren(found.length ? numbersPanel(found) : h("p", { class: "remark" }, "Available once there are no problems."));
  });
  return numbers.section;
}

function pick(name: Tool): void {
  points.value = [];
  route.value = name === "route" ? [] : null;
  tool.value = name;
}

function panels(board: Board, forms: Forms, figures: Figure[]): HTMLElement {
  const parts = section("parts", "Parts");
  const part = section("part", "Selected part");
  const problems = section("problems", "Problems");
  const check = section("check", "At rest");
  const short = section("short", "Short run");
  const run = section("run", "Run");
  const sweep = section("sweep", "Sweep");
  sweep.body.append(sweepPanel(figures));
  effect(() => parts.body.replaceChildren(partsList(board)));
  const draft = new Draft(part.body, () => formVersion.value++);
  effect(() => {
    void formVersion.value;
    const path = selected.value;
    const found = problemsNow();
    const title = part.section.querySelector("h2")!;
    setText(title, path ? nameOf(path) : "The drive");
    const content = path && valueAt(path) !== undefined ? forms.form(path, found) : shown.value?.text.trim() ? forms.form([], found) : h("p", {});
    if (!draft.kept(path)) refill(part.body, content);
  });
  effect(() => problems.body.replaceChildren(problemsPanel(problemsNow(), open, mend)));
  effect(() => {
    const now = state.value!;
    const blocked = problemsNow().length > 0 || !shown.value?.text.trim();
    check.body.replaceChildren(shown.value?.problems.length ? h("p", { class: "remark" }, "Available once there are no problems.") : checkPanel(now.tasks.check, now.revision));
    short.body.replaceChildren(shortPanel(now.tasks.short, now.revision, blocked));
    run.body.replaceChildren(runPanel(now.tasks.run, () => void act("stop")));
  });
  return h("div", { class: "side" }, problems.section, parts.section, part.section, check.section, short.section, run.section, sweep.section);
}

/** What is being typed in a form and is not given yet. The form is not made anew meanwhile: the result of a check may arrive between two keys. */
class Draft {
  private field: EventTarget | null = null;
  private path: Path | null = null;
  private late = false;

  constructor(box: HTMLElement, private readonly anew: () => void) {
    box.addEventListener("input", (event) => (this.field = event.target));
    box.addEventListener("change", () => (this.field = null));
    box.addEventListener("focusout", () => this.end());
  }

  /** Whether the form of the part at a path stays as it is for now. */
  kept(path: Path | null): boolean {
    const typing = this.field !== null && this.field === document.activeElement && samePath(path, this.path);
    this.late = typing;
    if (!typing) [this.field, this.path] = [null, path];
    return typing;
  }

  private end(): void {
    this.field = null;
    if (this.late) setTimeout(this.anew); // the focus is on its way to the next field
  }
}

/** Put a new form in place of an old one, and the focus where it was. */
function refill(box: HTMLElement, content: HTMLElement): void {
  const active = document.activeElement as HTMLElement | null;
  const place = active && box.contains(active) ? active.closest<HTMLElement>("[data-place]")?.dataset.place : undefined;
  const order = place ? [...active!.closest("[data-place]")!.querySelectorAll("input, select, textarea")].indexOf(active!) : -1;
  box.replaceChildren(content);
  if (place === undefined || order < 0) return;
  const field = [...box.querySelectorAll<HTMLElement>("[data-place]")].find((each) => each.dataset.place === place);
  (field?.querySelectorAll<HTMLElement>("input, select, textarea")[order] ?? null)?.focus({ preventScroll: true });
}

function partsList(board: Board): HTMLElement {
  const fields = shown.value?.fields ?? {};
  const groups: HTMLElement[] = [];
  const item = (path: Path, label: string): HTMLElement => {
    const made = button(label, `Select ${label}`, () => {
      selected.value = path;
      board.redraw();
    });
    made.setAttribute("aria-pressed", String(samePath(selected.value, path)));
    return made;
  };
  const singles = Object.entries(fields).filter(([, value]) => typeof value === "object" && value !== null && !Array.isArray(value));
  const whole = button("drive", "Name, gravity and everything else that applies to the entire drive", () => (selected.value = null));
  whole.setAttribute("aria-pressed", String(selected.value === null));
  groups.push(h("div", { class: "group" }, whole, ...singles.map(([key]) => item([key], key))));
  for (const list of LISTS) {
    const present = fields[list];
    if (!Array.isArray(present) || !present.length) continue;
    groups.push(h("div", { class: "group" }, h("span", { class: "group-name" }, list), ...present.map((_, k) => item([list, k], nameOf([list, k])))));
  }
  return h("div", { class: "groups" }, ...groups);
}

let dialog: HTMLDialogElement | null = null;

function help(): HTMLDialogElement {
  if (!dialog) {
    const rows = KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, what)));
    dialog = h("dialog", { class: "help", "aria-label": "Keys" }, h("h3", {}, "Keys"), h("table", {}, h("tbody", {}, ...rows)), button("Close", "Close (Escape)", () => dialog!.close()));
    document.body.append(dialog);
  }
  return dialog;
}

function keys(board: Board): void {
  const typedInto = new WeakSet<EventTarget>();
  document.addEventListener("input", (event) => void typedInto.add(event.target!));
  document.addEventListener("change", (event) => void typedInto.delete(event.target!));
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      const undoes = typing && typedInto.has(event.target!); // a text field undoes what is typed into it itself
      if (key === "s") save();
      else if (undoes && key !== "d") return;
      else if (key === "z") void act(event.shiftKey ? "redo" : "undo");
      else if (key === "y") void act("redo");
      else if (key === "d") board.copy();
      else return;
      event.preventDefault();
      return;
    }
    if (event.key === "Escape") board.escape();
    if (typing || event.altKey) return;
    if (event.key === "?") help().showModal();
    const found = { v: "select", w: "wheel", g: "guide", b: "body", t: "tensioner", l: "torque", r: "route" }[key] as Tool | undefined;
    if (found) pick(found);
  });
  window.addEventListener("beforeunload", () => board.underlay.keep());
}

start().catch((problem: unknown) => {
  console.error(problem);
  document.body.append(h("p", { class: "problem", role: "alert" }, `The editor cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}`));
});
