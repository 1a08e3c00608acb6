/** Waterfall map: amplitude over frequency and over time or speed, with the lines of a Campbell diagram. */
import { effect, signal } from "@preact/signals-core";
import uPlot from "uplot";
import { number } from "../format";
import type { Report } from "../data";
import { store } from "../store";
import type { ArrayRef, Campbell, Header, SpeedMap } from "../types";
import { CutsChart } from "./cuts";
import { button, choice, element, swatch } from "./html";
import { axis, PAGE, powerText } from "./look";
import { drawCrossings, drawNames, drawOperating, lineOnMap, type Line } from "./maplines";
import { kindOf } from "./marks";
import { isDark } from "../style/theme";
import { axisScale, extremesOf, gaps, nearest, withUnit, type Scale } from "./numbers";
import { Plot, type Range, type Recipe } from "./plot";
import { keep, numbersIn, textOf } from "../save/kept";
import { headed, type Table } from "../save/table";
import { edges, mapPicture, ramp, rgb, type Colour } from "./ramp";

const DECADES = 4;

/** A map that can be chosen: of a result of a report, or of a curve of a study. */
export interface Entry {
  /** The result or the curve; empty where there is one only. */
  group: string;
  info: Campbell & Partial<SpeedMap>;
  array: (ref: ArrayRef) => ArrayLike<number>;
}

/** The maps of a page in their order, of which one is shown; and what they are grouped by. */
export interface Offer {
  entries: Entry[];
  groups: string;
  tension: readonly string[];
}

const ORDERS = new Set(["tooth", "driver", "order"]);

export class CampbellChart {
  readonly figure = element("figure", { class: "chart wide" });
  private readonly caption = element("figcaption");
  private readonly scaleBar = element("div", { class: "scale-bar" });
  private readonly lineList = element("ul", { class: "chart-legend" });
  private readonly remark = element("p", { class: "remark" });
  private readonly titles = element("select");
  private readonly range = signal<Range | null>(null);
  private readonly plot: Plot;
  private readonly cuts: CutsChart;
  private readonly off = new Set<string>();
  private entry: Entry;
  private x!: ArrayLike<number>;
  private y!: ArrayLike<number>;
  private power!: ArrayLike<number>;
  private lines: Line[] = [];
  private span: [number, number] = [0, 1];
  private scale: Scale = { factor: 1, unit: "" };
  private image: HTMLCanvasElement | null = null;
  private colours: Colour[] = [];
  private top = Infinity;
  private column = 0;
  private row = 0;

  constructor(private readonly offer: Offer) {
    this.entry = offer.entries[0]!;
    this.plot = new Plot({
      height: (width, paper) => (paper ? 380 : width < 500 ? 340 : 440),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: this.range,
      full: () => this.full(),
      table: () => this.table(),
      onHover: (x, y) => (x === null ? null : this.tip(x, y)),
      onClick: (x) => this.open(x),
      onKey: (event) => this.key(event),
    });
    this.cuts = new CutsChart({ range: this.range, full: () => this.full(), draw: (u, scale) => drawOperating(u, scale, this.entry.info.operating), onClick: (x) => this.open(x) });
    const tools = element(
      "div",
      { class: "chart-tools" },
      button("Zoom in", "Show half the frequency range", () => this.limit(this.top / 2)),
      button("Zoom out", "Show twice the frequency range", () => this.limit(2 * this.top)),
      button("All", "Show all frequencies and all columns", () => {
        this.range.value = null;
        this.limit(Infinity);
      }),
    );
    tools.prepend(...this.choices());
    this.figure.append(element("div", { class: "chart-head" }, this.caption, tools), this.scaleBar, this.plot.box, this.lineList, this.remark, this.cuts.figure);
    this.update();
    effect(() => {
      void store.colours.value;
      this.colours = ramp(offer.tension, PAGE, isDark());
      this.image = null;
      this.showScale();
      this.showLines();
      this.plot.invalidate();
      this.cuts.show();
    });
  }

  /** What a link brings back besides the choices: the frequencies and the lines that are cut. */
  keep(name: string): void {
    keep(`${name}.top`, () => textOf(this.top), (text) => {
      const top = numbersIn(text, 1)?.[0] ?? 0;
      if (top > 0 && text !== textOf(this.top)) this.limit(top);
    });
    keep(`${name}.cuts`, () => this.cuts.labels, (text) => (this.cuts.labels = text));
  }

  get title(): string {
    const { info, group } = this.entry;
    return group ? `${info.title}, ${group}` : info.title;
  }

  /** Where x and a frequency are in the window, in pixels; null while the map is not drawn. */
  place(x: number, frequency: number): [number, number] | null {
    const { u } = this.plot;
    if (!u) return null;
    const box = u.over.getBoundingClientRect();
    return [box.left + u.valToPos(x, "x"), box.top + u.valToPos(frequency, "y")];
  }

  /** Choices of the channel and of the result or curve, where there are several. */
  private choices(): HTMLElement[] {
    const { entries, groups } = this.offer;
    const names = [...new Set(entries.map((entry) => entry.group))];
    const made: HTMLElement[] = [];
    this.titles.addEventListener("change", () => this.choose(this.titles.value, this.entry.group));
    const box = element("label", { class: "chart-choice" }, element("span", {}, "Map of"), this.titles);
    if (new Set(entries.map((entry) => entry.info.title)).size > 1) made.push(box);
    if (names.length > 1) {
      made.push(choice(groups, names.map((name): [string, string] => [name, name]), names[0]!, (name) => this.choose(this.entry.info.title, name)));
    }
    return made;
  }

  /** Show the map of this title and group; of another title where the group has none of this one. */
  private choose(title: string, group: string): void {
    const there = this.offer.entries.filter((entry) => entry.group === group);
    this.entry = there.find((entry) => entry.info.title === title) ?? there[0]!;
    this.update();
  }

  /** The report of the run that is nearest to x, in a window of its own. */
  private open(x: number): void {
    const href = this.entry.info.runs?.[nearest(this.x, x)]?.href;
    if (href) window.open(href, "_blank", "noopener");
  }

  private full(): Range {
    const found = edges(this.x);
    return found.length > 1 && found[found.length - 1]! > found[0]! ? [found[0]!, found[found.length - 1]!] : [0, 1];
  }

  private update(): void {
    const { info, array } = this.entry;
    this.x = array(info.columns);
    this.y = array(info.frequency);
    this.power = array(info.amplitude);
    this.lines = info.lines.map(({ label, kind, frequency }) => ({ label, kind, frequency: array(frequency) }));
    const titles = this.offer.entries.filter((entry) => entry.group === this.entry.group).map((entry) => entry.info.title);
    this.titles.replaceChildren(...titles.map((title) => element("option", { value: title }, title)));
    this.titles.value = info.title;
    const found = extremesOf(this.power) ?? [0, 1];
    this.span = [Math.max(found[0], found[1] - DECADES), found[1] > found[0] ? found[1] : found[0] + 1];
    this.scale = axisScale(10 ** this.span[1], info.unit);
    this.caption.textContent = this.title;
    this.image = null;
    this.range.value = null;
    this.top = this.usefulTop();
    this.showScale();
    this.showLines();
    this.remark.textContent = this.remarks();
    this.cuts.set(this.x, info.x, info.unit, info.lines.map(({ label, kind, cut }) => ({ label, amplitude: array(cut), order: ORDERS.has(kind) })));
    this.plot.invalidate();
  }

  private remarks(): string {
    const { info } = this.entry;
    const parts = ["Amplitude as colour, on a logarithmic scale. Lines: expected excitation and natural frequencies."];
    if (info.lines.some((line) => line.kind === "folded")) {
      parts.push(`Aliased: a multiple of the ${info.lines.some((line) => line.label.includes("pin frequency")) ? "pin" : "tooth"} frequency above half the save rate, drawn where it appears; nothing vibrates there.`);
    }
    if (info.crossings.length) parts.push("Numbers: crossings of an excitation and a natural frequency, listed below.");
    if (info.runs) parts.push(info.runs.some((run) => run.href) ? "Click a run to open its report." : "");
    return [...parts, `Resolution ${number(info.resolution, 3)} Hz.`].filter(Boolean).join(" ");
  }

  private showScale(): void {
    const { unit } = this.entry.info;
    const stops = this.colours.map((colour) => `rgb(${colour.join(",")})`);
    const bar = element("div", { class: "ramp", "aria-hidden": "true" });
    bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
    const ticks = element("div", { class: "ticks" });
    for (let power = Math.ceil(this.span[0] - 1e-9); power <= this.span[1] + 1e-9; power++) {
      const mark = element("span", {}, powerText(power));
      mark.style.left = `${(100 * (power - this.span[0])) / (this.span[1] - this.span[0])}%`;
      ticks.append(mark);
    }
    this.scaleBar.replaceChildren(element("span", {}, unit ? `amplitude [${unit}]` : "amplitude"), element("div", { class: "ramp-box" }, bar, ticks));
  }

  private showLines(): void {
    const kinds = [...new Set(this.lines.map((line) => line.kind))];
    this.lineList.replaceChildren(
      ...kinds.map((kind) => {
        const { name, colour, dash } = kindOf(kind, this.lines.find((line) => line.kind === kind)?.label);
        const made = element("button", { type: "button", class: "entry", "aria-pressed": String(!this.off.has(kind)) }, swatch(colour, dash), element("span", { class: "name" }, name));
        made.addEventListener("click", () => {
          if (!this.off.delete(kind)) this.off.add(kind);
          made.setAttribute("aria-pressed", String(!this.off.has(kind)));
          this.plot.invalidate();
        });
        return element("li", {}, made);
      }),
    );
  }

  /** A row for every column of the map: the lines, then the amplitudes at the frequencies that are shown. */
  private table(): Table | null {
    const { x, unit } = this.entry.info;
    const lines = this.lines.filter((line) => !this.off.has(line.kind));
    const rows = Array.from(this.y, (_, r) => r).filter((r) => this.y[r]! <= this.top);
    const amplitude = (r: number) => Float32Array.from(this.x, (_, c) => 10 ** this.power[c * this.y.length + r]!);
    return {
      comments: [`${this.title}: expected frequencies, then amplitudes`],
      headings: [x, ...lines.map((line) => headed(line.label, "Hz")), ...rows.map((r) => headed(`amplitude at ${this.y[r]} Hz`, unit))],
      columns: [this.x, ...lines.map((line) => line.frequency), ...rows.map(amplitude)],
    };
  }

  private recipe(scale: number): Recipe | null {
    const columns = this.x.length;
    if (columns === 0 || this.y.length < 2) return null;
    const shown = this.lines.filter((line) => !this.off.has(line.kind));
    const rows = edges(this.y);
    const { top } = this;
    return {
      data: [this.x as number[], Array.from(this.x, () => null), ...shown.flatMap((line) => [gaps(line.frequency), gaps(line.frequency)])],
      options: {
        scales: { x: { time: false }, y: { range: [Math.max(0, rows[0]!), top] } },
        axes: [axis("x", scale, { label: this.entry.info.x, grid: false }), axis("y", scale, { label: "frequency [Hz]", grid: false })],
        series: [{}, { show: true }, ...shown.flatMap((line) => lineOnMap(line, scale, columns))],
        padding: [8 * scale, 16 * scale, 0, 0],
        hooks: { drawAxes: [(u) => this.drawMap(u)], draw: [(u) => drawOperating(u, scale, this.entry.info.operating), (u) => drawNames(u, scale, this.x, shown), (u) => drawCrossings(u, scale, this.entry.info.crossings)] },
      },
    };
  }

  private highest(): number {
    return edges(this.y)[this.y.length] ?? 1;
  }

  private limit(top: number): void {
    this.top = Math.min(Math.max(top, 8 * (this.highest() / Math.max(1, this.y.length))), this.highest());
    this.plot.invalidate();
  }

  /** A little beyond the highest frequency with a hundredth of the largest amplitude, of a study with a thousandth. */
  private usefulTop(): number {
    const rows = this.y.length;
    let last = 0;
    for (let i = 0; i < this.power.length; i++) if (this.power[i]! > this.span[1] - (this.entry.info.runs ? 3 : 2)) last = Math.max(last, i % rows);
    return Math.min(this.highest(), 1.25 * (this.y[last] ?? Infinity));
  }

  /** The map as a picture of one pixel per value, made once. */
  private picture(): HTMLCanvasElement {
    if (this.image) return this.image;
    this.image = mapPicture(this.power, this.x.length, this.y.length, this.span, this.colours, rgb(PAGE));
    return this.image;
  }

  private drawMap(u: uPlot): void {
    const { ctx, bbox } = u;
    const image = this.picture();
    const columns = edges(this.x);
    const rows = edges(this.y);
    const bottom = u.valToPos(rows[0]!, "y", true);
    const top = u.valToPos(rows[rows.length - 1]!, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.imageSmoothingEnabled = false;
    for (let c = 0; c < this.x.length; c++) {
      const left = u.valToPos(columns[c]!, "x", true);
      const right = u.valToPos(columns[c + 1]!, "x", true);
      if (right < bbox.left || left > bbox.left + bbox.width) continue;
      ctx.drawImage(image, c, 0, 1, image.height, Math.floor(left), top, Math.ceil(right) - Math.floor(left), bottom - top);
    }
    ctx.restore();
  }

  private tip(x: number, y: number): string[] {
    this.column = Math.max(0, nearest(this.x, x));
    this.row = Math.max(0, nearest(this.y, y));
    return this.reading();
  }

  private reading(): string[] {
    const { column, row } = this;
    const power = this.power[column * this.y.length + row]!;
    const { info } = this.entry;
    const [quantity, unit] = info.x.split(/ \[|\]/);
    const run = info.runs?.[column];
    const lines = [
      ...(run ? [run.name] : []),
      `${quantity} ${number(this.x[column]!, 4)} ${unit ?? ""}, ${number(this.y[row]!, 4)} Hz`,
      Number.isFinite(power) ? `amplitude ${withUnit(10 ** power, this.scale, 3)}` : "no value",
    ];
    for (const line of this.lines) {
      const f = line.frequency[column]!;
      if (!this.off.has(line.kind) && Math.abs(f - this.y[row]!) < 0.015 * this.top) lines.push(`${line.label}: ${number(f, 4)} Hz`);
    }
    info.crossings.forEach(([x, frequency, what], k) => {
      const [first, last] = this.range.peek() ?? this.full();
      if (Math.abs(frequency - this.y[row]!) < 0.015 * this.top && Math.abs(x - this.x[column]!) < 0.02 * (last - first)) lines.push(`${k + 1}: ${what}`);
    });
    return [...lines.slice(0, 7), ...(run?.href ? ["click: open its report"] : [])];
  }

  private key(event: KeyboardEvent): boolean {
    const across = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const up = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const { u } = this.plot;
    if (event.key === "Enter" && this.entry.info.runs?.[this.column]?.href) {
      this.open(this.x[this.column]!);
      return true;
    }
    if ((across === 0 && up === 0) || !u) return false;
    this.column = Math.min(Math.max(this.column + across, 0), this.x.length - 1);
    this.row = Math.min(Math.max(this.row + up * (event.shiftKey ? 10 : 1), 0), this.y.length - 1);
    const left = u.valToPos(this.x[this.column]!, "x");
    const top = u.valToPos(this.y[this.row]!, "y");
    u.setCursor({ left, top }, false);
    this.plot.showTip(this.reading(), left, top);
    return true;
  }

  private text(): string {
    const rows = this.y.length;
    let best = 0;
    for (let i = 0; i < this.power.length; i++) if (!(this.power[i]! <= this.power[best]!) && Number.isFinite(this.power[i]!)) best = i;
    const { x } = this.entry.info;
    const place = `largest amplitude ${withUnit(10 ** this.power[best]!, this.scale)} at ${number(this.y[best % rows]!, 4)} Hz`;
    const names = this.lines.map((line) => line.label).slice(0, 12).join(", ");
    return `${this.title}: map over ${x} and frequency; ${place}. Lines: ${names || "none"}. Arrow keys read values${this.entry.info.runs?.some((run) => run.href) ? ", Enter opens the report of a run" : ""}.`;
  }
}

/** The waterfalls of a report. */
export function startCampbell(report: Report, place: HTMLElement): void {
  const several = report.results.length > 1;
  const entries = report.results.flatMap((result) =>
    result.header.campbell.map((info): Entry => ({ group: several ? result.header.label : "", info, array: (ref) => result.array(ref) })),
  );
  if (!entries.length) return;
  const chart = new CampbellChart({ entries, groups: "Result", tension: report.header.colours.tension });
  place.append(chart.figure);
  chart.keep("campbell");
}

/** The maps of a study. */
export function startMaps(header: Header, array: (ref: ArrayRef) => ArrayLike<number>, place: HTMLElement): CampbellChart {
  const entries = (header.maps ?? []).map((info): Entry => ({ group: info.group, info, array }));
  const chart = new CampbellChart({ entries, groups: "Curve", tension: header.colours.tension });
  place.append(chart.figure);
  return chart;
}
