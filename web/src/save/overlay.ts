/** Measured curves over a chart: dropped on it or chosen, shifted and scaled by the reader. They stay in the page. */
import { button, element, swatch } from "../charts/html";
import { INK } from "../charts/look";
import { axisScale, withUnit } from "../charts/numbers";
import { intoPeriod } from "../charts/fold";
import type { Axes, AxisOf, Extra, Plot } from "../charts/plot";
import { type Column, readColumns, rmsDifference, unitFactor } from "./measured";
import { type Cell, headed } from "./table";

const DASHES = [[5, 3], [2, 2], [9, 3, 2, 3], [14, 4]];
/** At the end of a heading. */
const UNIT = / \[[^\]]*\]$/;
/** A file may have so many bytes. */
const MOST = 60e6;

interface Measured {
  file: string;
  columns: Column[];
  /** Which columns, which units of them are meant. */
  x: number;
  y: number;
  offset: number;
  stretch: number;
  /** The curve that it is compared with, by its heading. */
  beside: string;
}

/** Whether a column can be on an axis: units of the same quantity, a plain number without one. */
function fits(column: Column | undefined, axis: AxisOf | null | undefined): boolean {
  return Boolean(column && axis) && unitFactor(column!.unit, axis!.unit) !== null && (column!.unit !== "" || axis!.unit === "1");
}

/** Columns for the axes, those given where they fit; undefined where none does. */
function columnsFor(columns: Column[], { x, y, right }: Axes, given: { x: number; y: number } = { x: -1, y: -1 }): { x: number | undefined; y: number | undefined } {
  const all = columns.map((_, k) => k);
  const across = [given.x, ...all].find((k) => fits(columns[k], x));
  const others = all.filter((k) => k !== (across ?? 0));
  return { x: across, y: [...(given.y === across ? [] : [given.y]), ...others].find((k) => fits(columns[k], y)) ?? others.find((k) => fits(columns[k], right)) };
}

/** The curve as it lies over the chart, in the order of x where that grows, and the axis it belongs to. */
function curveOf(plot: Plot, one: Measured): { x: ArrayLike<number>; y: ArrayLike<number>; right: boolean; note: string } {
  const { x, y, right, period, path } = plot.wish.axes!();
  const [across, up] = [one.columns[one.x]!, one.columns[one.y]!];
  const toRight = !fits(up, y) && fits(up, right);
  const notes: string[] = [];
  const nothing = { x: [], y: [], right: toRight };
  const factor = (column: Column, unit: string): number | null => {
    const found = unitFactor(column.unit, unit);
    if (found === null && column.unit !== "" && plot.wish.free) notes.push(`not shown: the unit "${column.unit}" of ${column.name} does not fit ${unit}`);
    else if (found === null) notes.push(column.unit ? `the unit "${column.unit}" of ${column.name} does not fit: ${unit} is assumed` : `${column.name} has no unit: ${unit} is assumed`);
    return found ?? (column.unit !== "" && plot.wish.free ? null : 1);
  };
  const [fx, fy] = [factor(across, x.unit), factor(up, toRight ? right!.unit : y.unit)];
  if (fx === null || fy === null) return { ...nothing, note: notes.join("; ") };
  const order = Array.from(across.values, (_, k) => k).filter((k) => Number.isFinite(across.values[k]!));
  const place = (k: number) => across.values[k]! * fx * one.stretch + one.offset;
  const value = (k: number) => up.values[k]! * fy;
  if (path) return { x: order.map(place), y: order.map(value), right: toRight, note: notes.join("; ") };
  order.sort((a, b) => place(a) - place(b));
  const apart = order.filter((k, i) => i === 0 || place(k) > place(order[i - 1]!));
  if (apart.length < order.length) notes.push(`${order.length - apart.length} lines that repeat an earlier ${across.name} are omitted`);
  if (!period) return { x: apart.map(place), y: apart.map(value), right: toRight, note: notes.join("; ") };
  const turned = intoPeriod(apart.map(place), apart.map(value), period);
  if (turned.periods) notes.push(`mean of ${turned.periods} whole ${turned.periods === 1 ? "period" : "periods"}`);
  return { ...turned, right: toRight, note: notes.join("; ") };
}

export class Overlay {
  readonly box = element("div", { class: "measured" });
  readonly pick: HTMLElement;
  private readonly list = element("ul", { class: "chart-legend measured-list" });
  private readonly problem = element("p", { class: "problem measured-problem", role: "alert", hidden: "" });
  private all: Measured[] = [];

  constructor(
    private readonly plot: Plot,
    figure: HTMLElement,
  ) {
    const input = element("input", { type: "file", accept: ".csv,.txt,.tsv,text/csv,text/plain", hidden: "" });
    input.addEventListener("change", () => {
      void this.take(input.files?.[0]);
      input.value = "";
    });
    this.pick = button("Overlay a CSV …", "A measured curve from a file; you can also drop the file on the chart. The file stays in this page.", () => input.click());
    this.list.hidden = true;
    this.box.append(input, this.list, this.problem);
    figure.append(this.box);
    plot.axesChanged = () => this.refit();
    figure.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      figure.classList.add("drop");
    });
    figure.addEventListener("dragleave", () => figure.classList.remove("drop"));
    figure.addEventListener("drop", (event) => {
      figure.classList.remove("drop");
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      void this.take(event.dataTransfer.files[0]);
    });
  }

  private async take(file: File | undefined): Promise<void> {
    if (!file) return;
    this.problem.hidden = true;
    try {
      if (file.size > MOST) throw new Error(`The file is ${Math.round(file.size / 1e6)} MB; at most ${MOST / 1e6} MB can be read`);
      const columns = readColumns(await file.text());
      const axes = this.plot.wish.axes!();
      const found = columnsFor(columns, axes);
      const across = found.x ?? 0;
      const up = found.y ?? columns.findIndex((column, k) => k !== across && column.unit === "");
      const { y, right } = axes;
      const asked = [y, right].flatMap((axis) => (axis ? `${axis.name} (${axis.unit || "plain number"})` : [])).join(" or ");
      if (up < 0) throw new Error(`No column of ${file.name} has a unit of ${asked}: ${columns.map((column) => `${column.name} [${column.unit}]`).join(", ").slice(0, 300)}`);
      this.all.push({ file: file.name, columns, x: across, y: up, offset: 0, stretch: 1, beside: this.besideOf(columns[up]!) });
      this.show();
    } catch (problem) {
      this.problem.textContent = `${file.name}: ${problem instanceof Error ? problem.message : String(problem)}`;
      this.problem.hidden = false;
    }
  }

  /** The axes are others: take the columns that fit them. */
  private refit(): void {
    if (!this.all.length) return;
    const axes = this.plot.wish.axes!();
    const headings = this.curves().map(({ heading }) => heading);
    for (const one of this.all) {
      const unit = one.columns[one.y]!.unit;
      const found = columnsFor(one.columns, axes, one);
      one.x = found.x ?? one.x;
      one.y = found.y ?? one.y;
      if (!headings.includes(one.beside) || one.columns[one.y]!.unit !== unit) one.beside = this.besideOf(one.columns[one.y]!);
    }
    this.show();
  }

  /** The first curve with which one of this column can be compared. */
  private besideOf(column: Column): string {
    const { y, right } = this.plot.wish.axes!();
    const { unit } = !fits(column, y) && fits(column, right) ? right! : y;
    const headings = this.curves().map(({ heading }) => heading);
    return headings.find((heading) => heading === headed(heading.replace(UNIT, ""), unit)) ?? headings[0] ?? "";
  }

  /** Curves of the chart that have one value at every x, with their headings. */
  private curves(): { heading: string; x: ArrayLike<number>; y: ArrayLike<number> }[] {
    const { curves, table } = this.plot.wish;
    if (curves) return curves();
    const own = table?.() ?? null;
    if (!own) return [];
    return own.headings.slice(1).map((heading, k) => {
      const rows = Array.from(own.columns[0]!, (_, r) => r).filter((r) => own.columns[k + 1]![r] !== undefined);
      const values = (column: ArrayLike<Cell>) => rows.map((r) => (column[r] === null ? NaN : Number(column[r])));
      return { heading, x: values(own.columns[0]!), y: values(own.columns[k + 1]!) };
    });
  }

  private show(): void {
    this.list.hidden = !this.all.length;
    this.list.replaceChildren(...this.all.map((one, k) => this.item(one, k)));
    this.draw();
  }

  private extra(one: Measured, k: number): Extra {
    const { y: own, right: other } = this.plot.wish.axes!();
    const { x, y, right } = curveOf(this.plot, one);
    return { name: this.nameOf(one), unit: right ? other!.unit : own.unit, right, dash: DASHES[k % DASHES.length]!, x, y };
  }

  private nameOf(one: Measured): string {
    return `${one.columns[one.y]!.name} (${one.file})`;
  }

  private draw(): void {
    this.plot.overlay(this.all.map((one, k) => this.extra(one, k)));
  }

  private item(one: Measured, k: number): HTMLElement {
    const told = element("span", { class: "measured-told", role: "status" });
    const renew = () => {
      name.textContent = this.nameOf(one);
      told.textContent = this.comparison(one);
      this.draw();
    };
    const options = one.columns.map((column, c): [string, string] => [String(c), column.unit ? `${column.name} [${column.unit}]` : column.name]);
    const choose = (label: string, given: [string, string][], value: string, run: (value: string) => void) => {
      const list = element("select", {}, ...given.map(([key, words]) => element("option", { value: key }, words)));
      list.value = value;
      list.addEventListener("change", () => {
        run(list.value);
        renew();
      });
      return element("label", {}, `${label} `, list);
    };
    const { x } = this.plot.wish.axes!();
    const number = (label: string, value: number, run: (value: number) => void) => {
      const input = element("input", { type: "number", step: "any", value: String(value) });
      input.addEventListener("input", () => {
        const given = Number(input.value);
        const good = input.value !== "" && Number.isFinite(given) && !(label === "times" && given === 0);
        input.setAttribute("aria-invalid", String(!good));
        if (!good) return;
        run(given);
        renew();
      });
      return element("label", {}, `${label} `, input);
    };
    const headings = this.curves().map(({ heading }) => heading);
    const name = element("span", { class: "name" }, this.nameOf(one));
    const tools = element(
      "span",
      { class: "measured-tools" },
      choose("Shown", options, String(one.y), (value) => (one.y = Number(value))),
      choose("over", options, String(one.x), (value) => (one.x = Number(value))),
      number("times", one.stretch, (value) => (one.stretch = value)),
      number(`plus [${x.unit}]`, one.offset, (value) => (one.offset = value)),
      ...(headings.length > 1 ? [choose("beside", headings.map((heading): [string, string] => [heading, heading]), one.beside, (value) => (one.beside = value))] : []),
      button("Remove", `Remove ${this.nameOf(one)}`, () => {
        this.all = this.all.filter((other) => other !== one);
        this.show();
      }),
    );
    told.textContent = this.comparison(one);
    return element("li", {}, element("span", { class: "entry" }, swatch(INK, DASHES[k % DASHES.length]!), name), told, tools);
  }

  /** How far it is from the curve of the page. */
  private comparison(one: Measured): string {
    const { x, y, right } = this.plot.wish.axes!();
    const own = this.curves().find(({ heading }) => heading === one.beside);
    const curve = curveOf(this.plot, one);
    const { unit } = curve.right ? right! : y;
    const parts: string[] = [];
    const beside = one.beside.replace(UNIT, "");
    const told = (value: number, of: string) => withUnit(value, axisScale(value, of), 4);
    // on the free chart it may belong to the other axis
    if (own && curve.x.length && (!this.plot.wish.free || one.beside === headed(beside, unit))) {
      const found = rmsDifference(curve.x, curve.y, own.x, own.y);
      parts.push(found ? `RMS difference from ${beside}: ${told(found.rms, unit)}, ${told(found.from, x.unit)} to ${told(found.to, x.unit)}` : `no range in common with ${beside}`);
    }
    if (curve.note) parts.push(curve.note);
    return `${parts.join("; ")}. The file stays in this page.`.replace(/^\. /, "");
  }
}

/** A file that misses a chart must not take the place of the page. */
export function holdDrops(): void {
  for (const event of ["dragover", "drop"] as const)
    document.addEventListener(event, (given) => {
      if (given.dataTransfer?.types.includes("Files")) given.preventDefault();
    });
}
