/** Beside the drawing: what is wrong, lengths and wraps, statics and frequencies, the verdict of a short run, the run. */
import { h } from "../dom";
import { duration } from "../live";
import { number, text } from "../format";
import { lengthText } from "./drawing";
import type { Checked, Numbers, Path, Problem, Ran, Verdict } from "./types";

const degrees = (angle: number): string => `${number((angle * 180) / Math.PI, 4)}°`;

/** A table whose first column names its rows. */
export function tableOf(heads: string[], rows: (string | Node)[][]): HTMLElement {
  const head = h("tr", {}, ...heads.map((each) => h("th", { scope: "col" }, each)));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, k) => (k ? h("td", {}, cell) : h("th", { scope: "row" }, cell)))))));
}

/** Length in pitches, slack and sag: also while something is dragged. */
export function numbersPanel(numbers: Numbers[]): HTMLElement {
  return h("div", {}, ...numbers.flatMap((each) => {
    const links = `${each.links} links${each.chosen ? " (follow from the route)" : ""}${each.chain ? ` of ${each.chain}` : ""}`;
    const slack = each.slack ?? 0;
    const length = each.pitches === null ? links : `${links}; the route is ${number(each.pitches, 6)} pitches long`;
    const lines = [length, ...(each.slack === null ? [] : [slack >= 0 ? `slack ${lengthText(slack)}, sag ${lengthText(each.sag ?? 0)}` : `too short by ${lengthText(-slack)}: the chain would be stretched`])];
    return [
      ...lines.map((line, k) => h("p", { class: k && slack < 0 ? "field-problem" : "numbers" }, line)),
      tableOf(["wheel", "wrap", "teeth in mesh"], each.wraps.map(({ name, wrap, teeth }) => [name, degrees(wrap), number(teeth, 4)])),
    ];
  })); // prettier-ignore
}

/** Problems, each leading to its field, with a button where one click mends it. */
export function problemsPanel(problems: Problem[], open: (problem: Problem) => void, mend: (problem: Problem) => { label: string; title: string; run: () => void } | null): HTMLElement {
  if (!problems.length) return h("p", { class: "good" }, "✓ No problems");
  const items = problems.map((problem) => {
    const mending = mend(problem);
    const button = mending ? [" ", h("button", { type: "button", class: "tool text", title: mending.title, onclick: mending.run }, mending.label)] : [];
    return h("li", {}, h("button", { type: "button", class: "link", onclick: () => open(problem) }, problem.place || "file"), `: ${problem.message}${problem.value ? ` (got ${problem.value})` : ""}`, ...button);
  });
  return h("ul", { class: "problems" }, ...items);
}

function working(task: { state: string; revision: number; error: { message: string } | null }, revision: number): HTMLElement[] {
  if (task.state === "failed") return [h("p", { class: "field-problem" }, task.error?.message ?? "failed")];
  const busy = task.state === "running" || task.state === "waiting";
  return busy || (task.state === "done" && task.revision !== revision) ? [h("p", { class: "working", role: "status" }, "computing …")] : [];
}

export function checkPanel(check: Checked, revision: number): HTMLElement {
  const box = h("div", {}, ...working(check, revision));
  const result = check.result;
  if (!result || check.state === "failed") return box;
  for (const chain of result.chains) {
    const forces = chain.spans.some(({ tension }) => tension !== null);
    box.append(h("p", {}, chain.at_rest ? `At rest, largest unbalanced force ${text(chain.residual, "N", 2)}` : "No equilibrium was found; the run starts as drawn."));
    const rows = chain.spans.map(({ name, length, tension }) => [name, lengthText(length), ...(forces ? [text(tension, "N", 4)] : [])]);
    box.append(tableOf(["span", "length", ...(forces ? ["tension"] : [])], rows));
    if (chain.tensioners.length) box.append(tableOf(["tensioner", "length", "force"], chain.tensioners.map(({ name, length, force }) => [name, lengthText(length), text(force, "N", 4)])));
    if (chain.frequencies.length) box.append(h("p", {}, `First frequencies: ${chain.frequencies.map((each) => number(each, 4)).join(", ")} Hz`));
    else if (chain.no_frequencies) box.append(h("p", { class: "remark" }, chain.no_frequencies));
    if (chain.cost) box.append(h("p", { class: "remark" }, `The run: ${chain.cost}`));
  }
  if (!result.problems.length) box.append(h("p", { class: "good" }, result.warnings.length ? "✓ No part collides with another, but see below" : "✓ No part collides with another"));
  for (const warning of result.warnings) box.append(h("p", { class: "warning" }, warning));
  return box;
}

function verdictOf(verdict: Verdict): HTMLElement {
  const tiles = verdict.tiles.map(({ title, headline, word, sign, mark, lines }) => h("li", { class: `tile ${sign}`, title: lines.join("\n") }, h("span", { class: "tile-title" }, title), h("span", { class: "tile-headline" }, headline), h("span", { class: "tile-sign" }, `${mark} ${word}`)));
  return h("div", {}, h("p", {}, `${verdict.summary} (${verdict.window})`), h("ul", { class: "verdict-tiles" }, ...tiles));
}

export function shortPanel(short: Ran, revision: number, blocked: boolean): HTMLElement {
  if (blocked) return h("p", { class: "remark" }, "Runs as soon as there are no problems.");
  const box = h("div", {}, ...working(short, revision));
  const result = short.result;
  if (!result || short.state === "failed") return box;
  const reasons = result.reasons ?? [];
  const how = `${text(result.until, "s")} in the formulation ${result.formulation}`;
  box.append(h("p", { class: "remark", title: reasons.join("\n") }, reasons.length ? `${how}: the chain drive block, which is quicker, does not support this drive.` : `${how}.`));
  box.append(...result.verdicts.map(verdictOf));
  return box;
}

export function runPanel(run: Ran, stop: () => void): HTMLElement {
  const box = h("div", { role: "status" });
  if (run.state === "waiting" || run.state === "running") {
    const progress = run.progress;
    const share = progress && progress.until > 0 ? progress.time / progress.until : 0;
    const left = progress?.remaining == null ? "" : `, ${duration(progress.remaining)} left`;
    box.append(
      h("p", {}, progress ? `${number(progress.time, 4)} of ${number(progress.until, 4)} s${left}` : "compiling, finding the static equilibrium …"),
      h("progress", { max: 1, value: share, "aria-label": "Progress of the run" }),
      h("button", { type: "button", class: "tool text", onclick: stop }, "Stop"),
    );
  } else if (run.state === "failed") box.append(h("p", { class: "field-problem" }, run.error?.message ?? "failed"));
  else if (run.state === "done" && run.result) {
    box.append(
      h("p", {}, h("a", { href: "./report.html", target: "_blank", rel: "noopener" }, "Open the report"), ` (${run.result.report}, results in ${run.result.output})`),
      ...(run.result.ending ? [h("p", {}, run.result.ending)] : []),
      ...run.result.verdicts.map(verdictOf),
    );
  } else box.append(h("p", { class: "remark" }, "Run simulates the drive as its file specifies, and writes results and report beside it."));
  return box;
}

/** The field or part of a problem: "wheels[2].motion.speed" as a path. */
export function pathOf(place: string): Path {
  return [...place.matchAll(/([A-Za-z_][\w-]*)|\[(\d+)\]/g)].map(([, key, index]) => (key !== undefined ? key : Number(index)));
}
