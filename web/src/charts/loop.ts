/** Tension along the loop of the chain over one revolution, and what joints have, with the values at the moment over it. */
import { signal } from "@preact/signals-core";
import uPlot from "uplot";
import type { LoadedFrames, LoadedResult, Report } from "../data";
import { effect, store } from "../store";
import type { Loop, LoopCurve } from "../types";
import { resultColour } from "./curves";
import { choice, element, switcher } from "./html";
import { fitText, placeLabels } from "./labels";
import { Legend } from "./legend";
import { axis, colourOf, font, INK, LIMIT, LINE, MARK, PAGE, QUIET, RAIL, withAlpha } from "./look";
import { axisScale, extremesOf, gaps, largestOf, nearest, withBrackets, withUnit, type Scale } from "./numbers";
import { Plot, type Range, type Recipe } from "./plot";
import { headed, type Table } from "../save/table";
import { padded } from "./timechart";

const ALL = "all";
/** A limit that is so many times the largest value is told and not drawn. */
const FAR = 2;
type Limit = NonNullable<Loop["limits"]>[number];
type Zone = Loop["zones"][number];

/** What is shown along the loop: of the links, or of the joints, which are at the rollers. */
interface Quantity {
  title: string;
  name: string;
  unit: string;
  kind: "link" | "roller";
  /** Of what it is, in words. */
  item: "link" | "joint" | "pin";
  /** From a link or roller to where it counts, in pitches. */
  middle: number;
  values: (frames: LoadedFrames) => Float32Array | null;
}

const QUANTITIES: Record<LoopCurve["key"], Quantity> = {
  link_tension: { title: "Tension", name: "tension", unit: "N", kind: "link", item: "link", middle: 0.5, values: (frames) => frames.tension },
  pin_force: { title: "Pin force", name: "pin force", unit: "N", kind: "roller", item: "joint", middle: 0, values: (frames) => frames.pinForce },
  pin_normal_force: { title: "Normal force on an end of a pin", name: "normal force", unit: "N", kind: "roller", item: "pin", middle: 0, values: (frames) => frames.pinNormalForce },
  pin_circumferential_friction: { title: "Friction around the axis on an end of a pin", name: "friction", unit: "N", kind: "roller", item: "pin", middle: 0, values: (frames) => frames.pinCircumferentialFriction },
  pin_radial_friction: { title: "Friction along the cone on an end of a pin", name: "friction", unit: "N", kind: "roller", item: "pin", middle: 0, values: (frames) => frames.pinRadialFriction },
  pin_slip: { title: "Slip around the axis", name: "slip", unit: "m/s", kind: "roller", item: "pin", middle: 0, values: (frames) => frames.pinSlip },
  pin_drift: { title: "Slip along the cone", name: "slip", unit: "m/s", kind: "roller", item: "pin", middle: 0, values: (frames) => frames.pinDrift },
  pin_gap: { title: "Gap between pin and bush", name: "pin gap", unit: "m", kind: "roller", item: "joint", middle: 0, values: (frames) => frames.pinGap },
};

/** Where the middle of a link is along the loop [pitches]. */
export function placeOfLink(link: number, advance: number, links: number, middle = 0.5): number {
  const place = (link + middle + advance) % links;
  return place < 0 ? place + links : place;
}

/** The link whose middle is nearest to a position along the loop. */
export function linkAt(place: number, advance: number, links: number, middle = 0.5): number {
  return ((Math.round(place - middle - advance) % links) + links) % links;
}

/** The zone that holds a place; zones may run over the end of the loop. */
export function zoneAt(zones: readonly Zone[], place: number, links: number): Zone | null {
  return zones.find((zone) => (place >= zone.start && place <= zone.end) || (place + links >= zone.start && place + links <= zone.end)) ?? null;
}

/** Pieces of a zone within 0..links. */
export function pieces(zone: Zone, links: number): Range[] {
  const start = ((zone.start % links) + links) % links;
  const end = start + (zone.end - zone.start);
  return end <= links ? [[start, end]] : [[start, links], [0, Math.min(end - links, start)]];
}

class LoopChart {
  readonly figure = element("figure", { class: "chart wide" });
  private readonly caption = element("figcaption");
  private readonly legend = new Legend();
  private readonly range = signal<Range | null>(null);
  private readonly remark = element("p", { class: "remark" });
  private readonly plot: Plot;
  private scale: Scale = { factor: 1, unit: "N" };
  private byLink = false;
  private chosen: LoopCurve["key"] = "link_tension";
  private which: string;
  private readonly withLoop: LoadedResult[];

  constructor(private readonly report: Report) {
    this.withLoop = report.results.filter((result) => result.header.loop);
    this.which = this.withLoop.length > 1 ? ALL : String(this.withLoop[0]!.index);
    this.plot = new Plot({
      height: (width, paper) => (paper ? 270 : width < 500 ? 260 : 320),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: this.range,
      full: () => [0, this.links()],
      table: () => this.table(),
      axes: () => ({ x: this.byLink ? { name: this.quantity.item, unit: "1" } : { name: "position along the loop", unit: "pitches" }, y: { name: this.quantity.title, unit: this.quantity.unit } }),
      onClick: (x) => this.pick(x),
      onHover: (x) => (x === null ? null : this.tip(x)),
      onKey: (event) => this.key(event),
      overlay: (context, u, scale) => this.drawMoment(context, u, scale),
    });
    const tools = element("div", { class: "chart-tools" });
    const keys = [...new Set(this.withLoop.flatMap((result) => result.header.loop!.curves.map((curve) => curve.key)))];
    if (keys.length > 1) {
      tools.append(choice("Quantity along the loop", keys.map((key): [string, string] => [key, QUANTITIES[key].name]), this.chosen, (value) => {
        this.chosen = value as LoopCurve["key"];
        this.update();
      }));
    }
    if (this.withLoop.length > 1) {
      const options = this.withLoop.map((result): [string, string] => [String(result.index), result.header.label]);
      tools.append(choice("Result", [[ALL, "all (means)"], ...options], this.which, (value) => {
        this.which = value;
        this.update();
      }));
    }
    tools.append(switcher("By position or by link", [["place", "by position"], ["link", "by link"]], "place", (value) => {
      this.byLink = value === "link";
      this.range.value = null;
      this.update();
    }));
    this.figure.append(element("div", { class: "chart-head" }, this.caption, tools), this.plot.box, this.legend.list, this.remark);
    this.plot.watch(() => {
      void store.time.value;
      void store.picked.value;
      this.plot.redrawLayer();
    });
    effect(() => {
      void [store.visible.value, store.colours.value];
      this.update();
    });
  }

  private get quantity(): Quantity {
    return QUANTITIES[this.chosen];
  }

  private curveOf(result: LoadedResult): LoopCurve | undefined {
    return result.header.loop!.curves.find((curve) => curve.key === this.chosen);
  }

  private shown(): LoadedResult[] {
    const having = this.withLoop.filter((result) => this.curveOf(result));
    if (this.which !== ALL) return having.filter((result) => String(result.index) === this.which);
    return having.filter((result) => store.visible.peek()[result.index] !== false);
  }

  private links(): number {
    return Math.max(1, ...this.shown().map((result) => result.header.drive.links));
  }

  private columns(result: LoadedResult): { x: ArrayLike<number>; low: ArrayLike<number>; mean: ArrayLike<number>; high: ArrayLike<number> } {
    const curve = this.curveOf(result)!;
    if (!this.byLink) return { x: result.array(curve.places), low: result.array(curve.low), mean: result.array(curve.mean), high: result.array(curve.high) };
    const low = result.array(curve.link_low);
    return { x: Float64Array.from(low, (_, i) => i), low, mean: result.array(curve.link_mean), high: result.array(curve.link_high) };
  }

  private update(): void {
    const shown = this.shown();
    const single = shown.length === 1 ? shown[0]! : null;
    const { title, unit, item } = this.quantity;
    this.scale = axisScale(Math.max(...shown.map((result) => largestOf(single ? this.columns(result).high : this.columns(result).mean)), 0), unit);
    const whose = single && this.report.results.length > 1 ? `, ${single.header.label}` : "";
    this.caption.textContent = withBrackets(`${title} ${this.byLink ? `of every ${item}` : "along the loop"}${whose}`, this.scale.unit);
    if (single) {
      this.legend.set([
        { name: "minimum to maximum", colour: withAlpha(LINE, 0.25), band: true, shown: true, toggle: null },
        { name: "mean", colour: LINE, shown: true, toggle: null },
        { name: "at the animation time", colour: MARK, shown: true, toggle: null },
      ]);
    } else {
      this.legend.set(shown.map((result) => ({ name: `${result.header.label}: mean`, colour: resultColour(this.report, result), shown: true, toggle: null })));
    }
    const loop = shown[0]?.header.loop;
    const advice = single ? `Click to select the nearest ${this.quantity.kind}.` : "Select one result to see its minimum, maximum and current values.";
    this.remark.replaceChildren(
      loop ? "" : "The selected result has no joints of this kind. ",
      loop ? `One loop of the chain, ${loop.start.toFixed(4)} s to ${loop.stop.toFixed(4)} s. ` : "",
      single ? this.farLimits(single) : "",
      element("span", { class: "hint" }, loop ? advice : ""),
    );
    this.plot.invalidate();
  }

  /** How much the tension uses of limits that lie beyond the chart. */
  private farLimits(result: LoadedResult): string {
    const most = largestOf(this.columns(result).high);
    const near = this.nearLimits(most);
    const far = this.tensionLimits().filter((limit) => !near.includes(limit));
    const told = far.map((limit) => `${limit.name} ${withUnit(limit.value, this.scale)}, ${((100 * most) / limit.value).toPrecision(2)} % used`);
    return told.length > 0 ? `Beyond the chart: ${told.join("; ")}. ` : "";
  }

  private table(): Table | null {
    const shown = this.shown();
    if (!shown.length) return null;
    const { unit, item } = this.quantity;
    const headings = [this.byLink ? item : "position along the loop [pitches]"];
    const tables = shown.map((result): uPlot.AlignedData => {
      const { x, low, mean, high } = this.columns(result);
      const of = shown.length > 1 ? `${result.header.label}: ` : "";
      headings.push(headed(`${of}mean`, unit), headed(`${of}minimum`, unit), headed(`${of}maximum`, unit));
      return [x as number[], gaps(mean), gaps(low), gaps(high)];
    });
    const now = shown.length === 1 ? this.atMoment(shown[0]!) : null;
    if (now) {
      headings.push(headed(`at ${shown[0]!.frames.time[now.frame]} s`, unit));
      tables.push([now.x, now.y]);
    }
    const { start, stop } = shown[0]!.header.loop!;
    return { comments: [`one loop of the chain, ${start} s to ${stop} s`], headings, columns: uPlot.join(tables) as ArrayLike<number>[] };
  }

  /** Values at the moment, in the order of the x axis. */
  private atMoment(result: LoadedResult): { x: number[]; y: number[]; frame: number } | null {
    const frame = this.frame(result);
    const values = frame < 0 ? null : this.quantity.values(result.frames);
    if (!values) return null;
    const { links } = result.header.drive;
    const advance = result.frames.advance[frame]!;
    const place = (link: number) => (this.byLink ? link : placeOfLink(link, advance, links, this.quantity.middle));
    const order = Array.from({ length: links }, (_, link) => link).sort((a, b) => place(a) - place(b));
    return { x: order.map(place), y: order.map((link) => values[frame * links + link]!), frame };
  }

  private recipe(scale: number): Recipe | null {
    const shown = this.shown();
    if (shown.length === 0) return null;
    const single = shown.length === 1;
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    const tables = shown.map((result): uPlot.AlignedData => {
      const { x, low, mean, high } = this.columns(result);
      const colour = single ? LINE : resultColour(this.report, result);
      series.push({ stroke: colour, width: 1.6 * scale, points: { show: false } });
      if (!single) return [x as number[], gaps(mean)];
      const edge: uPlot.Series = { stroke: withAlpha(LINE, 0.5), width: 0.7 * scale, points: { show: false } };
      bands.push({ series: [3, 2], fill: withAlpha(LINE, 0.16) });
      series.push(edge, edge);
      return [x as number[], gaps(mean), gaps(low), gaps(high)];
    });
    return {
      data: tables.length === 1 ? tables[0]! : uPlot.join(tables),
      options: {
        scales: { x: { time: false }, y: { range: (_u, low, high) => this.limits(low, high) } },
        axes: [axis("x", scale, { label: this.byLink ? this.quantity.item : "position along the loop [pitches]" }), axis("y", scale, { unit: this.scale })],
        series,
        bands,
        padding: [(this.byLink ? 8 : 36) * scale, 14 * scale, 0, 0],
        hooks: { drawClear: [(u) => this.drawZones(u, scale)], draw: [(u) => this.drawLimits(u, scale)] },
      },
    };
  }

  /** Room for the values at any moment of the run, so that the axis stands still while it plays. */
  private limits(low: number | null, high: number | null): [number, number] {
    const shown = this.shown();
    if (shown.length !== 1 || low == null || high == null) return padded(low, high);
    const { header, frames } = shown[0]!;
    const range = this.chosen === "link_tension" ? header.tension_range : extremesOf(this.quantity.values(frames) ?? []);
    const [least, most] = range ?? [low, high];
    const far = most - least > 2.5 * (high - low); // a start or a shock that would flatten everything else
    const top = far ? high : Math.max(high, most);
    const limits = this.nearLimits(top).map((limit) => limit.value);
    return padded(far ? low : Math.min(low, least), Math.max(top, ...limits));
  }

  /** Limits of the tension of the one result that is shown; in comparisons every drive has its own. */
  private tensionLimits(): Limit[] {
    const shown = this.shown();
    return this.chosen === "link_tension" && shown.length === 1 ? (shown[0]!.header.loop!.limits ?? []) : [];
  }

  /** Those that would not flatten curves that reach so far. */
  private nearLimits(most: number): Limit[] {
    return this.tensionLimits().filter((limit) => limit.value <= FAR * most);
  }

  private drawLimits(u: uPlot, scale: number): void {
    const { ctx, bbox } = u;
    const px = scale * uPlot.pxRatio;
    ctx.save();
    ctx.strokeStyle = LIMIT;
    ctx.fillStyle = LIMIT;
    ctx.lineWidth = 1.4 * px;
    ctx.font = font(11, px);
    ctx.textAlign = "right";
    ctx.textBaseline = "bottom";
    for (const limit of this.tensionLimits()) {
      const y = u.valToPos(limit.value, "y", true);
      if (!(y >= bbox.top && y <= bbox.top + bbox.height)) continue;
      ctx.setLineDash([7 * px, 4 * px]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.fillText(`${limit.name} ${withUnit(limit.value, this.scale)}`, bbox.left + bbox.width - 6 * px, y - 2 * px);
    }
    ctx.restore();
  }

  private drawZones(u: uPlot, scale: number): void {
    const result = this.shown()[0];
    if (this.byLink || !result) return;
    const { links } = result.header.drive;
    const { ctx, bbox } = u;
    const ratio = uPlot.pxRatio;
    const px = scale * ratio;
    const left = bbox.left;
    const right = bbox.left + bbox.width;
    ctx.save();
    ctx.font = font(11, px);
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    const wishes: { at: number; width: number; weight: number; text: string; colour: string }[] = [];
    for (const zone of result.header.loop!.zones) {
      const colour = zone.kind === "wheel" ? colourOf(zone.index) : RAIL;
      const parts = pieces(zone, links);
      const widest = Math.max(...parts.map(([start, end]) => end - start));
      parts.forEach(([start, end]) => {
        const from = Math.max(left, u.valToPos(start, "x", true));
        const to = Math.min(right, u.valToPos(end, "x", true));
        if (to <= from) return;
        if (zone.kind !== "span") {
          ctx.fillStyle = withAlpha(colour, zone.kind === "wheel" ? 0.13 : 0.3);
          ctx.fillRect(from, bbox.top, to - from, bbox.height);
          ctx.fillStyle = colour;
          ctx.fillRect(from, bbox.top - 4 * px, to - from, 3 * px);
        }
        if (end - start < widest) return;
        const text = zone.kind === "span" ? fitText(ctx, zone.name, to - from - 6 * px) : fitText(ctx, zone.name, Math.max(to - from, 110 * px));
        if (text) wishes.push({ at: (from + to) / 2, width: ctx.measureText(text).width, weight: (zone.kind === "wheel" ? 1e6 : zone.kind === "guide" ? 1e5 : 0) + to - from, text, colour: zone.kind === "span" ? QUIET : INK });
      });
    }
    placeLabels(wishes, left, right, 2, 6 * px).forEach((place, index) => {
      if (!place) return;
      ctx.fillStyle = wishes[index]!.colour;
      ctx.fillText(wishes[index]!.text, place.left, bbox.top - (12 + 14 * place.row) * px);
    });
    ctx.restore();
  }

  private frame(result: LoadedResult): number {
    return result.frames.count > 0 ? result.frames.nearest(store.time.peek()) : -1;
  }

  private drawMoment(context: CanvasRenderingContext2D, u: uPlot, scale: number): void {
    const shown = this.shown();
    const result = shown.length === 1 ? shown[0]! : null;
    const frame = result ? this.frame(result) : -1;
    if (!result || frame < 0) return;
    const { links } = result.header.drive;
    const advance = result.frames.advance[frame]!;
    const values = this.quantity.values(result.frames);
    if (!values) return;
    const { middle } = this.quantity;
    context.save();
    context.beginPath();
    context.rect(0, 0, u.bbox.width / uPlot.pxRatio, u.bbox.height / uPlot.pxRatio);
    context.clip();
    context.strokeStyle = MARK;
    context.fillStyle = MARK;
    context.lineWidth = 1.3 * scale;
    context.lineJoin = "round";
    context.beginPath();
    const first = this.byLink ? 0 : linkAt(0.5, advance, links, middle);
    for (let k = 0; k < links; k++) {
      const link = (first + k) % links;
      const x = this.byLink ? link : placeOfLink(link, advance, links, middle);
      const y = values[frame * links + link]!;
      const px = u.valToPos(x, "x");
      const py = u.valToPos(y, "y");
      if (k === 0) context.moveTo(px, py);
      else context.lineTo(px, py);
    }
    context.stroke();
    this.drawPicked(context, u, scale, result, frame, values);
    context.restore();
  }

  private drawPicked(context: CanvasRenderingContext2D, u: uPlot, scale: number, result: LoadedResult, frame: number, values: Float32Array): void {
    const picked = store.picked.peek();
    if (!picked || picked.result !== result.index || (picked.kind !== "link" && picked.kind !== "roller")) return;
    const { links } = result.header.drive;
    const x = this.byLink ? picked.index : placeOfLink(picked.index, result.frames.advance[frame]!, links, this.quantity.middle);
    context.beginPath();
    context.arc(u.valToPos(x, "x"), u.valToPos(values[frame * links + picked.index]!, "y"), 4.5 * scale, 0, 2 * Math.PI);
    context.fill();
    context.lineWidth = 1.5 * scale;
    context.strokeStyle = PAGE;
    context.stroke();
  }

  /** The link at a value of the x axis, at the moment. */
  private link(result: LoadedResult, x: number): number {
    const { links } = result.header.drive;
    const frame = this.frame(result);
    if (this.byLink) return Math.min(Math.max(Math.round(x), 0), links - 1);
    return linkAt(x, frame >= 0 ? result.frames.advance[frame]! : 0, links, this.quantity.middle);
  }

  private pick(x: number): void {
    const result = this.shown()[0];
    if (result) store.picked.value = { result: result.index, kind: this.quantity.kind, index: this.link(result, x) };
  }

  private tip(x: number): string[] {
    const lines: string[] = [];
    const shown = this.shown();
    const first = shown[0];
    if (!first) return lines;
    const { links } = first.header.drive;
    const link = this.link(first, x);
    const zone = this.byLink ? null : zoneAt(first.header.loop!.zones, x, links);
    const { item } = this.quantity;
    lines.push(this.byLink ? `${item} ${link}` : `${x.toFixed(1)} pitches${zone ? `, ${zone.name}` : ""}`);
    for (const result of shown) {
      const { x: places, low, mean, high } = this.columns(result);
      const at = nearest(places, x);
      const name = shown.length > 1 ? `${result.header.label}: ` : "";
      if (at >= 0) lines.push(`${name}${withUnit(low[at]!, this.scale)} to ${withUnit(high[at]!, this.scale)}, mean ${withUnit(mean[at]!, this.scale)}`);
    }
    const frame = this.frame(first);
    const values = this.quantity.values(first.frames);
    if (shown.length === 1 && frame >= 0 && values) {
      lines.push(`${this.byLink ? "" : `${item} ${link} `}at the animation time: ${withUnit(values[frame * links + link]!, this.scale)}`);
    }
    return lines;
  }

  /** Arrow keys go from link to link, in the order of the picture. */
  private key(event: KeyboardEvent): boolean {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const result = this.shown()[0];
    if (step === 0 || !result) return false;
    const { links } = result.header.drive;
    const picked = store.picked.peek();
    const from = picked && picked.result === result.index && (picked.kind === "link" || picked.kind === "roller") ? picked.index : this.link(result, 0) - step;
    store.picked.value = { result: result.index, kind: this.quantity.kind, index: (((from + step * (event.shiftKey ? 10 : 1)) % links) + links) % links };
    return true;
  }

  private text(): string {
    const parts = this.shown().map((result) => {
      const { low, mean, high } = this.columns(result);
      const least = Math.min(...Array.from(low).filter(Number.isFinite));
      const most = Math.max(...Array.from(high).filter(Number.isFinite));
      const means = Array.from(mean).filter(Number.isFinite);
      return `${result.header.label}: minimum ${withUnit(least, this.scale)}, maximum ${withUnit(most, this.scale)}, mean between ${withUnit(Math.min(...means), this.scale)} and ${withUnit(Math.max(...means), this.scale)}`;
    });
    const { title, item, kind } = this.quantity;
    return `${title} ${this.byLink ? `of every ${item}` : "along the loop"} over one loop. ${parts.join("; ")}. Left and right select the next ${kind}.`;
  }
}

export function startLoop(report: Report, place: HTMLElement): void {
  if (!report.results.some((result) => result.header.loop)) return;
  place.append(new LoopChart(report).figure);
}
