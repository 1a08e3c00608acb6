/** Waterfall map: amplitude over frequency and over time or speed, with the lines of a Campbell diagram. */
import { effect, signal } from "@preact/signals-core";
import uPlot from "uplot";
import { number } from "../format";
import type { LoadedResult, Report } from "../data";
import { store } from "../store";
import { button, choice, element, swatch } from "./html";
import { axis, font, PAGE, powerText, withAlpha } from "./look";
import { kindOf } from "./marks";
import { isDark } from "../style/theme";
import { axisScale, extremesOf, gaps, nearest, withUnit, type Scale } from "./numbers";
import { Plot, type Range, type Recipe } from "./plot";
import { headed, type Table } from "../save/table";

const DECADES = 4;

interface Line {
  label: string;
  kind: string;
  frequency: ArrayLike<number>;
}

/** Edges between columns: halfway, the outer ones as far beyond as the next is within. */
export function edges(middles: ArrayLike<number>): Float64Array {
  const count = middles.length;
  const found = new Float64Array(count + 1);
  for (let i = 1; i < count; i++) found[i] = 0.5 * (middles[i - 1]! + middles[i]!);
  const first = count > 1 ? middles[1]! - middles[0]! : 1;
  const last = count > 1 ? middles[count - 1]! - middles[count - 2]! : 1;
  if (count > 0) {
    found[0] = middles[0]! - first / 2;
    found[count] = middles[count - 1]! + last / 2;
  }
  return found;
}

/**
 * Colours from the page's (small) over the colours of tension to what stands out most (large): on white backwards, to dark, which prints
 * with little ink; on a dark page to bright. Lines show on either.
 */
export function ramp(tension: readonly string[], page = "#ffffff", dark = false): [number, number, number][] {
  const back = (dark ? [...tension] : [...tension].reverse()).map(rgb);
  const ground = rgb(page);
  const first = back[0] ?? ground;
  const pale = Array.from({ length: Math.ceil(back.length / 3) }, (_, k, count = Math.ceil(back.length / 3)): [number, number, number] => {
    const share = k / count;
    return [0, 1, 2].map((c) => Math.round(ground[c]! + share * (first[c]! - ground[c]!))) as [number, number, number];
  });
  return [...pale, ...back];
}

class CampbellChart {
  readonly figure = element("figure", { class: "chart wide" });
  private readonly caption = element("figcaption");
  private readonly scaleBar = element("div", { class: "scale-bar" });
  private readonly lineList = element("ul", { class: "chart-legend" });
  private readonly remark = element("p", { class: "remark" }, "The amplitude is shown by colour, logarithmically. Lines: frequencies to be expected.");
  private readonly range = signal<Range | null>(null);
  private readonly plot: Plot;
  private readonly off = new Set<string>();
  private result: LoadedResult;
  private x!: ArrayLike<number>;
  private y!: ArrayLike<number>;
  private power!: ArrayLike<number>;
  private lines: Line[] = [];
  private span: [number, number] = [0, 1];
  private scale: Scale = { factor: 1, unit: "" };
  private image: HTMLCanvasElement | null = null;
  private colours: [number, number, number][] = [];
  private readonly several: boolean;
  private top = Infinity;
  private column = 0;
  private row = 0;

  constructor(
    report: Report,
    all: LoadedResult[],
  ) {
    this.several = report.results.length > 1;
    this.result = all[0]!;
    this.plot = new Plot({
      height: (width, paper) => (paper ? 380 : width < 500 ? 340 : 440),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: this.range,
      full: () => this.full(),
      table: () => this.table(),
      onHover: (x, y) => (x === null ? null : this.tip(x, y)),
      onKey: (event) => this.key(event),
    });
    const tools = element(
      "div",
      { class: "chart-tools" },
      button("Zoom in", "Show half the frequencies", () => this.limit(this.top / 2)),
      button("Zoom out", "Show twice the frequencies", () => this.limit(2 * this.top)),
      button("All", "Show all frequencies and all columns", () => {
        this.range.value = null;
        this.limit(Infinity);
      }),
    );
    if (all.length > 1) {
      const options = all.map((result): [string, string] => [String(result.index), result.header.label]);
      tools.prepend(choice("Result", options, String(this.result.index), (index) => {
        this.result = all.find((result) => String(result.index) === index)!;
        this.update();
      }));
    }
    this.figure.append(element("div", { class: "chart-head" }, this.caption, tools), this.scaleBar, this.plot.box, this.lineList, this.remark);
    this.update();
    effect(() => {
      void store.colours.value;
      this.colours = ramp(report.header.colours.tension, PAGE, isDark());
      this.image = null;
      this.showScale();
      this.showLines();
      this.plot.invalidate();
    });
  }

  private full(): Range {
    const found = edges(this.x);
    return found.length > 1 && found[found.length - 1]! > found[0]! ? [found[0]!, found[found.length - 1]!] : [0, 1];
  }

  private update(): void {
    const campbell = this.result.header.campbell!;
    this.x = this.result.array(campbell.columns);
    this.y = this.result.array(campbell.frequency);
    this.power = this.result.array(campbell.amplitude);
    this.lines = campbell.lines.map(({ label, kind, frequency }) => ({ label, kind, frequency: this.result.array(frequency) }));
    const found = extremesOf(this.power) ?? [0, 1];
    this.span = [Math.max(found[0], found[1] - DECADES), found[1] > found[0] ? found[1] : found[0] + 1];
    this.scale = axisScale(10 ** this.span[1], campbell.unit);
    this.caption.textContent = this.several ? `${campbell.title}, ${this.result.header.label}` : campbell.title;
    this.image = null;
    this.range.value = null;
    this.top = this.usefulTop();
    this.showScale();
    this.showLines();
    this.plot.invalidate();
  }

  private showScale(): void {
    const { unit } = this.result.header.campbell!;
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
        const { name, colour, dash } = kindOf(kind);
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
    const { x, unit } = this.result.header.campbell!;
    const lines = this.lines.filter((line) => !this.off.has(line.kind));
    const rows = Array.from(this.y, (_, r) => r).filter((r) => this.y[r]! <= this.top);
    const amplitude = (r: number) => Float32Array.from(this.x, (_, c) => 10 ** this.power[c * this.y.length + r]!);
    return {
      comments: [`${this.result.header.label}: frequencies to be expected, then amplitudes`],
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
        axes: [axis("x", scale, { label: this.result.header.campbell!.x, grid: false }), axis("y", scale, { label: "frequency [Hz]", grid: false })],
        series: [{}, { show: true }, ...shown.flatMap((line) => lineOnMap(line, scale, columns))],
        padding: [8 * scale, 16 * scale, 0, 0],
        hooks: { drawAxes: [(u) => this.drawMap(u)], draw: [(u) => this.drawNames(u, scale, shown)] },
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

  /** A little beyond the highest frequency with a hundredth of the largest amplitude. */
  private usefulTop(): number {
    const rows = this.y.length;
    let last = 0;
    for (let i = 0; i < this.power.length; i++) if (this.power[i]! > this.span[1] - 2) last = Math.max(last, i % rows);
    return Math.min(this.highest(), 1.25 * (this.y[last] ?? Infinity));
  }

  /** The map as a picture of one pixel per value, made once. */
  private picture(): HTMLCanvasElement {
    if (this.image) return this.image;
    const columns = this.x.length;
    const rows = this.y.length;
    const canvas = element("canvas", { width: String(columns), height: String(rows) });
    const context = canvas.getContext("2d")!;
    const pixels = context.createImageData(columns, rows);
    const table = this.colours;
    for (let c = 0; c < columns; c++) {
      for (let r = 0; r < rows; r++) {
        const power = this.power[c * rows + r]!;
        const share = Math.min(1, Math.max(0, (power - this.span[0]) / (this.span[1] - this.span[0])));
        const colour = Number.isFinite(power) ? table[Math.round(share * (table.length - 1))]! : rgb(PAGE);
        pixels.data.set([colour[0]!, colour[1]!, colour[2]!, 255], 4 * ((rows - 1 - r) * columns + c));
      }
    }
    context.putImageData(pixels, 0, 0);
    this.image = canvas;
    return canvas;
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

  /** Names at the right end of the lines, where there is room. */
  private drawNames(u: uPlot, scale: number, shown: readonly Line[]): void {
    const { ctx, bbox } = u;
    const px = scale * uPlot.pxRatio;
    const right = bbox.left + bbox.width;
    ctx.save();
    ctx.font = font(10.5, px);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    const taken: number[] = [];
    const order = [...shown].sort((a, b) => kindOf(b.kind).weight - kindOf(a.kind).weight);
    for (const line of order) {
      const last = this.lastSeen(u, line);
      if (last < 0) continue;
      const y = u.valToPos(line.frequency[last]!, "y", true) - 8 * px;
      if (y < bbox.top + 6 * px || y > bbox.top + bbox.height || taken.some((other) => Math.abs(other - y) < 14 * px)) continue;
      taken.push(y);
      const width = ctx.measureText(line.label).width + 6 * px;
      ctx.fillStyle = withAlpha(PAGE, 0.82);
      ctx.fillRect(right - width - 4 * px, y - 7 * px, width, 14 * px);
      ctx.fillStyle = kindOf(line.kind).colour;
      ctx.fillText(line.label, right - 7 * px, y);
    }
    ctx.restore();
  }

  private lastSeen(u: uPlot, line: Line): number {
    const max = u.scales["x"]!.max ?? Infinity;
    for (let c = this.x.length - 1; c >= 0; c--) if (this.x[c]! <= max && Number.isFinite(line.frequency[c]!)) return c;
    return -1;
  }

  private tip(x: number, y: number): string[] {
    this.column = Math.max(0, nearest(this.x, x));
    this.row = Math.max(0, nearest(this.y, y));
    return this.reading();
  }

  private reading(): string[] {
    const { column, row } = this;
    const power = this.power[column * this.y.length + row]!;
    const [quantity, unit] = this.result.header.campbell!.x.split(/ \[|\]/);
    const lines = [
      `${quantity} ${number(this.x[column]!, 4)} ${unit ?? ""}, ${number(this.y[row]!, 4)} Hz`,
      Number.isFinite(power) ? `amplitude ${withUnit(10 ** power, this.scale, 3)}` : "no value",
    ];
    for (const line of this.lines) {
      const f = line.frequency[column]!;
      if (!this.off.has(line.kind) && Math.abs(f - this.y[row]!) < 0.015 * this.top) lines.push(`${line.label}: ${number(f, 4)} Hz`);
    }
    return lines.slice(0, 6);
  }

  private key(event: KeyboardEvent): boolean {
    const across = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const up = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    const { u } = this.plot;
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
    const { title, x } = this.result.header.campbell!;
    const place = `largest amplitude ${withUnit(10 ** this.power[best]!, this.scale)} at ${number(this.y[best % rows]!, 4)} Hz`;
    const names = this.lines.map((line) => line.label).slice(0, 12).join(", ");
    return `${title}: map over ${x} and frequency; ${place}. Lines: ${names || "none"}. Arrow keys read values.`;
  }
}

/** A line with a pale border, so that it is seen on dark and on pale. */
function lineOnMap(line: Line, scale: number, columns: number): uPlot.Series[] {
  const { colour, dash } = kindOf(line.kind);
  const points = { show: columns < 3 };
  return [
    { stroke: withAlpha(PAGE, 0.7), width: 3.4 * scale, points },
    { stroke: colour, width: 1.5 * scale, dash: dash.map((length) => length * scale), points },
  ];
}

/** "#rrggbb" or "rgb(r, g, b)" as three numbers. */
export function rgb(colour: string): [number, number, number] {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour);
  if (hex) return [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16)];
  const parts = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return [parts[0] ?? 128, parts[1] ?? 128, parts[2] ?? 128];
}

export function startCampbell(report: Report, place: HTMLElement): void {
  const all = report.results.filter((result) => result.header.campbell);
  if (all.length) place.append(new CampbellChart(report, all).figure);
}
