/** A sweep: one number of the drive over some values, run as a study, with its table. */
import { effect } from "@preact/signals-core";
import { h } from "../dom";
import { duration } from "../live";
import { fieldAt } from "./schema";
import { act, nameOf, partOf, placeOf, shown, state, valueAt } from "./session";
import { tableOf } from "./panels";
import type { Path, Swept } from "./types";

export interface Figure {
  finding: string;
  name: string;
}

/** Figures that are evaluated unless others are chosen. */
const USUAL = ["tension_steady", "bearing_force", "efficiency"];
const NUMBER = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(.*)$/i;
const SHARES = [0.8, 0.9, 1, 1.1, 1.2];

/** All numbers of the file, by their paths. */
function numbers(value: unknown = shown.value?.fields, path: Path = []): Path[] {
  if (typeof value === "object" && value !== null) {
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return entries.flatMap(([key, below]) => numbers(below, [...path, key]));
  }
  const number = typeof value === "number" || (typeof value === "string" && NUMBER.test(value));
  return number && typeof path.at(-1) === "string" && fieldAt(path, valueAt)?.numeric ? [path] : [];
}

/** Values around the present one, with its unit. */
export function around(present: unknown, whole: boolean): string {
  const [, number = "0", unit = ""] = NUMBER.exec(String(present)) ?? [];
  const values = SHARES.map((share, k) => (whole ? Number(number) + k - 2 : Number((Number(number) * share).toPrecision(6))));
  return values.map((value) => `${value} ${unit}`.trim()).join(", ");
}

/** The form and the table of the last sweep. figures: those to choose from. */
export function sweepPanel(figures: Figure[]): HTMLElement {
  const what = h("select", { id: "sweep-what" });
  const values = h("input", { id: "sweep-values", type: "text", autocomplete: "off" });
  const how = h("select", { id: "sweep-how" }, h("option", { value: "" }, "as stated in the file"), h("option", { value: "block" }, "chain drive block, quick"));
  const boxes = figures.map(({ finding, name }) => ({ finding, box: h("input", { type: "checkbox", id: `sweep-${finding}`, checked: USUAL.includes(finding) }), name }));
  const suggest = (): void => {
    const path = JSON.parse(what.value || "[]") as Path;
    if (path.length) values.value = around(valueAt(path), fieldAt(path, valueAt)?.whole ?? false);
  };
  what.addEventListener("change", suggest);
  const line = (label: string, control: HTMLElement): HTMLElement => h("div", { class: "field" }, h("div", { class: "line" }, h("label", { for: control.id }, label), control));
  const start = h("button", { type: "submit", class: "tool text primary" }, "Sweep");
  const outcome = h("div", { role: "status" });
  const form = h(
    "form",
    {},
    line("What varies", what),
    line("Values", values),
    line("Runs", how),
    h("fieldset", {}, h("legend", {}, "Table"), ...boxes.map(({ box, name }) => h("div", { class: "row" }, box, h("label", { for: box.id }, name)))),
    h("div", { class: "row" }, start),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const place = placeOf(JSON.parse(what.value || "[]") as Path);
    void act("sweep", { place, values: values.value, block: how.value === "block", figures: boxes.filter(({ box }) => box.checked).map(({ finding }) => finding) });
  });
  let known = "";
  effect(() => {
    const paths = shown.value?.problems.length ? [] : numbers();
    const now = paths.map((path) => JSON.stringify(path)).join();
    if (now === known) return;
    known = now;
    const chosen = what.value;
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const path of paths) {
      const part = partOf(path);
      const name = part.length > 1 || path.length > 1 ? nameOf(part) : "drive";
      const key = placeOf(part.length < path.length ? part : []);
      if (!groups.has(key)) groups.set(key, h("optgroup", { label: name }));
      groups.get(key)!.append(h("option", { value: JSON.stringify(path) }, placeOf(path.slice(part.length < path.length ? part.length : 0)).replaceAll("_", " ")));
    }
    what.replaceChildren(...groups.values());
    if (now.includes(chosen) && chosen) what.value = chosen;
    else suggest();
  });
  effect(() => {
    const sweep = state.value!.tasks.sweep;
    const busy = sweep.state === "waiting" || sweep.state === "running";
    start.disabled = busy || !shown.value?.text.trim() || shown.value.problems.length > 0;
    outcome.replaceChildren(...sweepOutcome(sweep));
  });
  return h("div", {}, form, outcome);
}

function sweepOutcome(sweep: Swept): HTMLElement[] {
  if (sweep.state === "waiting" || sweep.state === "running") {
    const { time = 0, until = 0, remaining = null } = sweep.progress ?? {};
    const told = h("p", {}, until ? `${time} of ${until} runs${remaining === null ? "" : `, ${duration(remaining)} left`}` : "checking all runs, compiling …");
    const stop = h("button", { type: "button", class: "tool text", title: "Stop after the current run; its rows are kept", onclick: () => void act("stop", { task: "sweep" }) }, "Stop the sweep");
    return [told, h("progress", { max: 1, value: until ? time / until : 0, "aria-label": "Progress of the sweep" }), stop];
  }
  if (sweep.state === "failed") return [h("p", { class: "field-problem" }, sweep.error?.message ?? "failed")];
  const result = sweep.result;
  if (!result) return [];
  const endings = result.rows.some((row) => row.at(-1));
  const rows = result.rows.map((row) => (endings ? row : row.slice(0, -1)));
  return [
    h("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "Table of the sweep" }, tableOf([...result.columns, ...(endings ? [""] : [])], rows)),
    ...result.remarks.map((remark) => h("p", { class: "warning" }, remark)),
    h("p", {}, result.rows.length < result.total ? `${result.rows.length} of ${result.total} runs. ` : "", h("a", { href: `./sweep.png?${sweep.revision}-${result.picture}`, target: "_blank", rel: "noopener" }, "Picture"), `; table in ${result.table}`),
  ];
}
