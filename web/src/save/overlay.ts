/** Measured curves over a chart: dropped on it or chosen, shifted and scaled by the reader. They stay in the page. */
import { button, element, swatch } from "../charts/html";
import { INK } from "../charts/look";
import { text } from "../format";
import type { Extra, Plot } from "../charts/plot";
import { type Column, readColumns, rmsDifference, unitFactor } from "./measured";

const DASHES = [[5, 3], [2, 2], [9, 3, 2, 3], [14, 4]];
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

/** The curve as it lies over the chart, in the order of x. */
function curveOf(plot: Plot, one: Measured): { x: number[]; y: number[]; note: string } {
  const { x, y } = plot.wish.axes!();
  const [across, up] = [one.columns[one.x]!, one.columns[one.y]!];
  const notes: string[] = [];
  const factor = (column: Column, unit: string): number => {
    const found = unitFactor(column.unit, unit);
    if (found === null) notes.push(column.unit ? `the unit "${column.unit}" of ${column.name} does not fit: interpreted as ${unit}` : `${column.name} has no unit: interpreted as ${unit}`);
    return found ?? 1;
  };
  const [fx, fy] = [factor(across, x.unit), factor(up, y.unit)];
  const order = Array.from(across.values, (_, k) => k).filter((k) => Number.isFinite(across.values[k]!));
  const place = (k: number) => across.values[k]! * fx * one.stretch + one.offset;
  order.sort((a, b) => place(a) - place(b));
  const apart = order.filter((k, i) => i === 0 || place(k) > place(order[i - 1]!));
  if (apart.length < order.length) notes.push(`${order.length - apart.length} lines with a ${across.name} that occurred before are omitted`);
  return { x: apart.map(place), y: apart.map((k) => up.values[k]! * fy), note: notes.join("; ") };
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
    this.pick = button("Lay a CSV over it …", "A measured curve from a file; you can also drop the file on the chart. It stays in this page.", () => input.click());
    this.list.hidden = true;
    this.box.append(input, this.list, this.problem);
    figure.append(this.box);
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
      if (file.size > MOST) throw new Error(`The file has ${Math.round(file.size / 1e6)} MB; at most ${MOST / 1e6} MB are read`);
      const columns = readColumns(await file.text());
      const { x, y } = this.plot.wish.axes!();
      const fits = (column: Column, unit: string) => unitFactor(column.unit, unit) !== null && (column.unit !== "" || unit === "1");
      const across = Math.max(0, columns.findIndex((column) => fits(column, x.unit)));
      const others = columns.map((_, k) => k).filter((k) => k !== across);
      const up = others.find((k) => fits(columns[k]!, y.unit)) ?? others.find((k) => columns[k]!.unit === "");
      if (up === undefined) throw new Error(`No column of ${file.name} has a unit of ${y.name} (${y.unit || "plain number"}): ${columns.map((column) => `${column.name} [${column.unit}]`).join(", ").slice(0, 300)}`);
      const beside = this.plot.wish.table?.()?.headings[1] ?? "";
      this.all.push({ file: file.name, columns, x: across, y: up, offset: 0, stretch: 1, beside });
      this.show();
    } catch (problem) {
      this.problem.textContent = `${file.name}: ${problem instanceof Error ? problem.message : String(problem)}`;
      this.problem.hidden = false;
    }
  }

  private show(): void {
    this.list.hidden = !this.all.length;
    this.list.replaceChildren(...this.all.map((one, k) => this.item(one, k)));
    this.draw();
  }

  private extra(one: Measured, k: number): Extra {
    const { x, y } = curveOf(this.plot, one);
    return { name: this.nameOf(one), dash: DASHES[k % DASHES.length]!, x, y };
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
    const headings = this.plot.wish.table?.()?.headings.slice(1) ?? [];
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
    const { x, y } = this.plot.wish.axes!();
    const table = this.plot.wish.table?.();
    const column = table ? table.headings.indexOf(one.beside) : -1;
    const curve = curveOf(this.plot, one);
    const parts: string[] = [];
    if (table && column > 0) {
      const own = Array.from(table.columns[0]!, (value, k) => [Number(value), table.columns[column]![k]] as const).filter(([, value]) => value !== undefined);
      const found = rmsDifference(curve.x, curve.y, own.map(([place]) => place), own.map(([, value]) => (value === null ? NaN : Number(value))));
      parts.push(found ? `RMS difference from ${one.beside.replace(/ \[.*?\]$/, "")}: ${text(found.rms, y.unit, 4)}, ${text(found.from, x.unit, 4)} to ${text(found.to, x.unit, 4)}` : `no common range with ${one.beside.replace(/ \[.*?\]$/, "")}`);
    }
    if (curve.note) parts.push(curve.note);
    return `${parts.join("; ")}. It stays in this page.`.replace(/^\. /, "");
  }
}

/** A file that misses a chart must not take the place of the page. */
export function holdDrops(): void {
  for (const event of ["dragover", "drop"] as const)
    document.addEventListener(event, (given) => {
      if (given.dataTransfer?.types.includes("Files")) given.preventDefault();
    });
}
