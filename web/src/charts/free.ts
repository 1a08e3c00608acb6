/** The free chart: anything over anything, folded over a revolution, with two cursors and the moment of the animation. */
import { signal, untracked } from "@preact/signals-core";
import uPlot from "uplot";
import type { Report } from "../data";
import { number } from "../format";
import { effect, store } from "../store";
import { resultColour } from "./curves";
import { followPicked, FreeControls, short } from "./freecontrols";
import { drawExtras, drawMoment, drawTraces, type Look } from "./freedraw";
import { button, element, throttled } from "./html";
import { Legend } from "./legend";
import { axis, colourOf, dashOf } from "./look";
import { axisScale, largestOf, nearest, withBrackets, withUnit, type Scale } from "./numbers";
import { CursorPair } from "./pair";
import { Plot, type Axes, type Range, type Recipe } from "./plot";
import { keep, numbersIn } from "../save/kept";
import { headed, type Table } from "../save/table";
import { drawable, isCurve, isTurning, ofLink, type Quantity } from "./quantities";
import type { Axis } from "./readout";
import { goTo, padded, timeKeys, timeRange } from "./timechart";
import { extentOf, momentIn, nearestPoint, tracesOf, type Choice, type Part, type Side, type Traces } from "./traces";

/** Width over height of the plotting area where both axes have the same scale. */
const ASPECT = 1.3;
/** So near must the pointer be to a trace for its values to be told [CSS pixels]. */
const NEAR = 60;

class FreeChart {
  readonly figure = element("figure", { class: "chart wide free" });
  private readonly caption = element("figcaption");
  private readonly legend = new Legend();
  private readonly remark = element("p", { class: "remark" });
  private readonly range = signal<Range | null>(null);
  private readonly pair: CursorPair;
  private readonly plot: Plot;
  private readonly controls: FreeControls;
  private readonly chosen: Choice;
  private found: Traces = { traces: [], period: 0, orbit: false, shown: 0, stored: 0, perFrame: false, without: [] };
  private scales: Record<Side | "x", Scale> = { x: { factor: 1, unit: "" }, y: { factor: 1, unit: "" }, y2: { factor: 1, unit: "" } };
  private full: Range = [0, 1];

  constructor(private readonly report: Report) {
    this.chosen = { x: "time", left: [], right: [], fold: "", link: 0, part: "headline" };
    this.controls = new FreeControls(report, this.chosen, () => this.update());
    this.pair = new CursorPair(
      {
        traces: () => this.found.traces,
        labels: () => this.looks().map((look, index) => ({ name: look.name, scale: this.scales[this.found.traces[index]!.side] })),
        axis: () => this.axisOf(),
        side: () => this.found.traces[0]!.side,
        byTime: () => this.byTime,
        shown: () => this.range.peek() ?? this.full,
        links: () => this.found.traces[0]!.result.header.drive.links,
        redraw: () => this.plot.redrawLayer(),
      },
      signal(null),
    );
    this.plot = new Plot({
      height: (width, paper) => this.height(width, paper),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: this.range,
      full: () => this.full,
      table: () => this.numbers(),
      axes: () => this.axes(),
      free: true,
      curves: () => this.curves(),
      cursors: this.pair.cursors,
      onClick: (x, y) => this.click(x, y),
      onHover: (x, y) => (x === null ? null : this.tip(x, y)),
      onKey: (event) => timeKeys(report, event),
      overlay: (context, u, scale) => drawMoment(context, u, scale, this.found.traces, this.looks(), store.time.peek()),
    });
    const zoom = button("All", "Show all of the x axis", () => (this.range.value = null));
    const tools = element("div", { class: "chart-tools" }, this.pair.button, zoom);
    this.figure.append(this.controls.box, element("div", { class: "chart-head" }, this.caption, tools), this.plot.box, this.legend.list, this.pair.readings, this.remark);
    const show = throttled(() => this.showValues(), 100);
    this.plot.watch(() => {
      void store.time.value;
      this.plot.redrawLayer();
      show();
    });
    const renew = throttled(() => this.update(), 150);
    effect(() => {
      void timeRange.value;
      if (this.chosen.part === "curves") renew();
    });
    effect(() => {
      void store.picked.value;
      untracked(() => followPicked(this.controls));
    });
    effect(() => {
      void store.visible.value;
      untracked(() => this.update());
    });
    effect(() => {
      void store.colours.value;
      untracked(() => this.showNames());
    });
    this.keep();
  }

  /** What a link brings back. */
  private keep(): void {
    const { chosen, controls } = this;
    keep("free.x", () => chosen.x, (x) => controls.take({ x }));
    for (const side of ["left", "right"] as const) keep(`free.${side}`, () => chosen[side].join("\n"), (text) => controls.take({ [side]: text.split("\n").filter(Boolean) }));
    keep("free.fold", () => chosen.fold, (fold) => controls.take({ fold }));
    keep("free.part", () => chosen.part, (part) => controls.take({ part: part as Part }));
    keep("free.link", () => ([chosen.x, ...chosen.left, ...chosen.right].some(ofLink) ? String(chosen.link) : null), (text) => controls.take({ link: numbersIn(text, 1)?.[0] }));
    keep("free.cursors", () => this.pair.link, (text) => (this.pair.link = text));
  }

  /** Whether x goes from 0 to a period. */
  private get folded(): boolean {
    return this.found.period > 0 && !this.found.orbit;
  }

  private quantity(id: string): Quantity {
    return this.controls.quantity(id);
  }

  /** Both axes in newtons of one force: an orbit, drawn to scale. */
  private get toScale(): boolean {
    const pair = /^(\w+)_x\|(.*)$/.exec(this.chosen.x);
    return Boolean(pair) && this.chosen.left.length === 1 && this.chosen.left[0] === `${pair![1]}_y|${pair![2]}` && this.chosen.right.length === 0;
  }

  private height(width: number, paper: boolean): number {
    if (this.toScale) return (width - 80) / ASPECT + 60;
    return paper ? 300 : width < 500 ? 300 : 380;
  }

  /** Names, colours and dashes: of one result a colour per curve, of several one per result. */
  private looks(): Look[] {
    const several = drawable(this.report).length > 1;
    const ids = [...this.chosen.left, ...this.chosen.right];
    return this.found.traces.map((trace) => {
      const turn = ids.indexOf(trace.id);
      const name = this.controls.name(this.quantity(trace.id));
      const named = name.replace(/ the link$/, ` link ${this.chosen.link}`);
      const side = trace.side === "y2" ? " (right)" : "";
      if (several) return { name: `${trace.result.header.label}: ${named}${side}`, colour: resultColour(this.report, trace.result), dash: dashOf(turn) };
      return { name: named + side, colour: colourOf(turn), dash: trace.side === "y2" ? dashOf(1) : [] };
    });
  }

  private update(): void {
    this.found = tracesOf(this.report, this.chosen);
    const { traces } = this.found;
    const extent = extentOf(traces, "x") ?? [0, 1];
    this.full = this.folded ? [0, this.found.period] : this.byTime ? padded(...extent) : extent;
    if (this.toScale) this.full = this.widened(extent);
    if (!(this.full[1] > this.full[0])) this.full = padded(...this.full);
    const unit = (id: string | undefined) => (id ? this.quantity(id).unit : "");
    const { x, left, right } = this.chosen;
    this.scales = {
      x: isCurve(x) ? axisScale(Math.max(...this.full.map(Math.abs)), unit(x)) : { factor: 1, unit: unit(x) },
      y: axisScale(largest(traces, "y"), unit(left[0])),
      y2: axisScale(largest(traces, "y2"), unit(right[0])),
    };
    if (this.toScale) this.scales.y = this.scales.x;
    this.range.value = null;
    this.showNames();
    this.caption.textContent = this.title();
    this.remark.replaceChildren(this.told(), " ", element("span", { class: "hint" }, "Click to move the animation to that time, which the dot marks; drag to zoom."));
    this.pair.restart();
    this.plot.axesChanged();
    this.plot.invalidate();
    this.showValues();
  }

  private axes(): Axes {
    const { x, left, right } = this.chosen;
    const of = (id: string) => ({ name: short(this.quantity(id).title), unit: this.quantity(id).unit });
    const first = left[0] ?? right[0];
    return { x: of(x), y: first ? of(first) : { name: "", unit: "1" }, right: left[0] && right[0] ? of(right[0]) : null, period: this.folded ? this.found.period : 0, path: this.found.orbit };
  }

  /** Curves with one value at every x. */
  private curves(): { heading: string; x: ArrayLike<number>; y: ArrayLike<number> }[] {
    const looks = this.looks();
    return this.found.traces.flatMap(({ id, line }, k) => (line ? [{ heading: headed(looks[k]!.name, this.quantity(id).unit), x: line.x, y: line.y }] : []));
  }

  /** Measured curves with their axes, as traces. */
  private extras() {
    return this.plot.extras.map((extra) => ({ ...extra, side: (extra.right || !this.chosen.left.length ? "y2" : "y") as Side, strands: [{ x: Float64Array.from(extra.x), y: Float64Array.from(extra.y) }], mean: null }));
  }

  private showNames(): void {
    this.legend.set(this.looks().map((look) => ({ ...look, shown: true, toggle: null })));
    this.showValues();
  }

  /** So much of x that the orbit fits into an area of the aspect at one scale. */
  private widened([low, high]: Range): Range {
    const [bottom, top] = extentOf(this.found.traces, "y") ?? [0, 1];
    const size = 1.08 * Math.max(high - low, (top - bottom) * ASPECT) || 1;
    return [(low + high - size) / 2, (low + high + size) / 2];
  }

  private title(): string {
    const of = (ids: string[]) => [...new Set(ids.map((id) => short(this.quantity(id).title)))].join(", ");
    const y = [of(this.chosen.left), of(this.chosen.right)].filter(Boolean).join("; ");
    const over = lower(this.controls.name(this.quantity(this.chosen.x)));
    return y ? `${y} over ${over}` : "No curve is selected";
  }

  /** What is drawn, and what was left out. */
  private told(): string {
    const { traces, shown, stored, perFrame, without, period } = this.found;
    const parts: string[] = [];
    const lead = traces[0];
    if (lead && lead.time.length) parts.push(`${number(lead.time[0]!, 5)} s to ${number(lead.time[lead.time.length - 1]!, 5)} s`);
    if (lead) parts.push(shown < stored ? `${shown} of ${stored} stored instants${perFrame ? " (values of links are available only at the frames of the animation)" : ""}` : `all ${shown} stored instants`);
    if (lead && period > 0) {
      const whole = lead.mean?.periods;
      parts.push(whole ? `bold line: mean of ${whole} whole ${whole === 1 ? "period" : "periods"}` : "no mean: no whole period in this part, or too few instants per period");
    }
    if ([this.chosen.x, ...this.chosen.left, ...this.chosen.right].some((id) => id.startsWith("span_velocity"))) parts.push("velocities are central differences of the stored instants");
    const groups = [this.chosen.x, ...this.chosen.left, ...this.chosen.right].map((id) => lead?.result.header.free!.groups.find((group) => id.startsWith(`${group.key}|`)));
    const remarks = [...new Set(groups.map((group) => group?.remark).filter(Boolean))].map((text) => ` ${text}`).join("");
    if (without.length) parts.push(`not in ${without.join(", ")}`);
    const angles = isTurning(this.chosen.x) ? " Angles count in the direction of rotation of the wheel, from the first stored instant." : "";
    return parts.length ? `${parts.join("; ")}.${angles}${remarks}` : "";
  }

  /** The instants of all traces below each other; a column for every trace. */
  private numbers(): Table | null {
    if (!this.found.traces.length) return null;
    const looks = this.looks();
    const x = this.quantity(this.chosen.x);
    const own = this.found.traces.map(({ id, time, x, y }, k) => ({ heading: headed(looks[k]!.name, this.quantity(id).unit), time, x, y }));
    const all = [...own, ...this.plot.extras.map(({ name, unit, x, y }) => ({ heading: headed(name, unit), time: Array.from(x, () => null), x, y }))];
    const stacked = (of: (one: (typeof all)[number]) => ArrayLike<number | null>) => all.flatMap((one) => Array.from(of(one)));
    const column = (k: number) => all.flatMap(({ y }, other) => (other === k ? Array.from(y) : Array.from(y, () => null)));
    return { comments: [this.told()], headings: [headed(this.controls.name(x), x.unit), "time [s]", ...all.map(({ heading }) => heading)], columns: [stacked(({ x }) => x), stacked(({ time }) => time), ...all.map((_, k) => column(k))] };
  }

  private recipe(scale: number): Recipe | null {
    if (!this.found.traces.length) return null;
    const right = this.chosen.right.length > 0;
    const extras = this.extras();
    const of = (side: Side) => [...this.found.traces, ...extras].filter((trace) => trace.side === side);
    const shown = (u: uPlot): Range => [u.scales["x"]!.min ?? this.full[0], u.scales["x"]!.max ?? this.full[1]];
    const range = (side: Side) => (u: uPlot): uPlot.Range.MinMax => {
      const found = extentOf(of(side), "y", shown(u));
      return this.toScale ? sameScale(u, shown(u), found) : padded(found?.[0] ?? null, found?.[1] ?? null);
    };
    const x = this.quantity(this.chosen.x);
    const label = (id: string | undefined, side: Side) => (id ? withBrackets(this.fitting(short(this.quantity(id).title), side), this.scales[side].unit) : "");
    const wide = (side: Side) => ({ unit: this.scales[side], label: label(side === "y" ? this.chosen.left[0] : this.chosen.right[0], side) });
    const second: uPlot.Axis[] = right ? [{ ...axis("y", scale, wide("y2")), scale: "y2", side: 1, grid: { show: !this.chosen.left.length } }] : [];
    const empty = [null, null];
    return {
      data: [this.full, empty, ...(right ? [empty] : [])],
      options: {
        scales: { x: { time: false }, y: { range: range("y") }, ...(right ? { y2: { range: range("y2") } } : {}) },
        axes: [
          axis("x", scale, { label: withBrackets(this.fitting(lower(this.controls.name(x)), "x"), this.scales.x.unit), unit: this.scales.x }),
          axis("y", scale, wide("y")),
          ...second,
        ],
        series: [{}, { scale: "y" }, ...(right ? [{ scale: "y2" }] : [])],
        padding: [10 * scale, (right ? 4 : 18) * scale, 0, 0],
        hooks: { draw: [(u) => drawTraces(u, scale, this.found.traces, this.looks()), (u) => drawExtras(u, scale, extras)] },
      },
    };
  }

  /** As much of a title as fits along an axis. */
  private fitting(title: string, side: Side | "x"): string {
    const width = this.plot.box.clientWidth;
    const letters = Math.floor(((side === "x" ? width : this.height(width, false)) - 110) / 6);
    return title.length > letters ? `${title.slice(0, letters - 1).trimEnd()}…` : title;
  }

  private get byTime(): boolean {
    return this.found.traces.some((trace) => !trace.line);
  }

  private axisOf(): Axis {
    return { id: this.chosen.x, title: upper(this.controls.name(this.quantity(this.chosen.x))), scale: this.scales.x };
  }

  private showValues(): void {
    const time = store.time.peek();
    this.legend.show(this.found.traces.map((trace) => {
      const index = momentIn(trace.time, time);
      return index < 0 ? "" : withUnit(trace.y[index]!, this.scales[trace.side]);
    }));
  }

  private click(x: number, y: number): void {
    const found = this.pointAt(x, y);
    if (found) goTo(this.report, found.time);
  }

  /** The instant at a place of the chart: by x where time or angle go on, else of the point that is nearest. */
  private pointAt(x: number, y: number): { trace: number; index: number; time: number; distance: number } | null {
    const u = this.plot.u;
    const { traces } = this.found;
    if (!u || !traces.length) return null;
    if (!this.byTime && !this.folded) {
      const index = nearest(traces[0]!.x, x);
      return { trace: 0, index, time: traces[0]!.time[index]!, distance: 0 };
    }
    const near = traces.map((trace) => nearestPoint(trace, u.valToPos(x, "x"), u.valToPos(y, "y"), (v) => u.valToPos(v, "x"), (v) => u.valToPos(v, trace.side)));
    const trace = near.reduce((best, each, k) => (each.distance < near[best]!.distance ? k : best), 0);
    const { index, distance } = near[trace]!;
    return index < 0 ? null : { trace, index, time: traces[trace]!.time[index]!, distance };
  }

  private tip(x: number, y: number): string[] | null {
    const found = this.pointAt(x, y);
    if (!found || found.distance > NEAR) return null;
    const looks = this.looks();
    const { traces } = this.found;
    const { title, scale } = this.axisOf();
    const lead = traces[found.trace]!;
    const along = this.chosen.x === "time" ? [] : [`${number(found.time, 5)} s`];
    const all = found.distance === 0 && !this.folded ? traces : [lead];
    return [...along, `${title} ${withUnit(lead.x[found.index]!, scale)}`, ...all.map((trace) => `${looks[traces.indexOf(trace)]!.name} ${withUnit(trace.y[trace === lead ? found.index : nearest(trace.time, found.time)]!, this.scales[trace.side])}`)];
  }

  private text(): string {
    const parts = this.looks().map((look, index) => {
      const trace = this.found.traces[index]!;
      const range = extentOf([trace], "y");
      return `${look.name}: ${range ? `${withUnit(range[0], this.scales[trace.side])} to ${withUnit(range[1], this.scales[trace.side])}` : "no values"}`;
    });
    return `${this.title()}. ${parts.join("; ")}. Arrow keys move the animation time, plus and minus zoom, 0 shows all.`;
  }
}

function largest(traces: Traces["traces"], side: Side): number {
  return Math.max(0, ...traces.filter((trace) => trace.side === side).map((trace) => largestOf(trace.y)));
}

/** Limits of y around the middle of the values, at the scale of x. */
function sameScale(u: uPlot, [first, last]: Range, values: Range | null): Range {
  const size = ((last - first) * u.bbox.height) / u.bbox.width;
  const middle = values ? (values[0] + values[1]) / 2 : 0;
  return [middle - size / 2, middle + size / 2];
}

function lower(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
}

function upper(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

export function startFree(report: Report, place: HTMLElement): void {
  if (drawable(report).some((result) => result.header.free!.groups.length)) place.append(new FreeChart(report).figure);
}
