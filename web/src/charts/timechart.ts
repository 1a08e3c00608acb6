/** A chart over time: lines with a common unit, linked with the moment of the animation and with all other charts over time. */
import { signal, type Signal, untracked } from "@preact/signals-core";
import uPlot from "uplot";
import type { Report } from "../data";
import { effect, store } from "../store";
import { fixed } from "../format";
import { element, throttled } from "./html";
import { Legend } from "./legend";
import { axis, withAlpha } from "./look";
import { axisScale, decimalsOf, extremesOf, gaps, largestOf, withBrackets, withUnit, type Scale } from "./numbers";
import { CursorPair } from "./pair";
import { Plot, type Range, type Recipe } from "./plot";
import { TIME } from "./quantities";
import { keep, numbersIn, textOf } from "../save/kept";
import { headed, type Table } from "../save/table";

export interface TimeLine {
  name: string;
  colour: string;
  dash: number[];
  time: Float64Array;
  values: ArrayLike<number>;
  /** the value at a moment, for the legend */
  at: (time: number) => number;
  /** least and largest around the line, drawn as a band */
  band?: { low: ArrayLike<number>; high: ArrayLike<number> } | null;
  /** drawn as single points */
  points?: boolean;
}

export interface TimeChartWish {
  title: string;
  unit: string;
  remark: () => string;
  /** what was left out, shown when the pointer rests on the caption */
  note?: () => string;
  /** which of several is shown: written behind the title on paper, where no choice is seen */
  which?: () => string;
  lines: () => TimeLine[];
  tools?: HTMLElement | null;
  height: number;
}

/** The part of time that all charts over time show, null for the whole run. */
export const timeRange: Signal<Range | null> = signal<Range | null>(null);

/** Where both cursors of all charts over time are [s]. */
export const timeCursors: Signal<Range | null> = signal<Range | null>(null);
/** Charts over time that show them. */
const withCursors = new Set<TimeChart>();

/** The times of the cursors are kept by the link while a chart shows them. */
export function keepTimeCursors(report: Report): void {
  const text = () => (withCursors.size ? textOf(...(timeCursors.peek() ?? [])) : "");
  keep("cursors", text, (given) => {
    const [first, last] = fullTime(report);
    const found = numbersIn(given, 2);
    if (found && given !== text()) timeCursors.value = [Math.min(Math.max(found[0]!, first), last), Math.min(Math.max(found[1]!, first), last)];
  });
}

export function fullTime(report: Report): Range {
  const first = Math.min(...report.results.map((result) => result.timeRange[0]));
  const last = Math.max(...report.results.map((result) => result.timeRange[1]));
  if (last > first) return [first, last];
  return Number.isFinite(first) ? [first - 5e-4, first + 5e-4] : [0, 1];
}

/** Stop at the stored instant nearest to a time, or so many frames away from it. */
export function goTo(report: Report, time: number, steps = 0): void {
  const result = report.results.find((r) => store.visible.peek()[r.index] && r.frames.count > 0) ?? report.results[0];
  store.playing.value = false;
  if (!result || result.frames.count === 0) {
    store.time.value = time;
    return;
  }
  const { frames } = result;
  store.time.value = frames.time[Math.min(Math.max(frames.nearest(time) + steps, 0), frames.count - 1)]!;
}

/** Keys that move the moment. */
export function timeKeys(report: Report, event: KeyboardEvent): boolean {
  const steps = event.shiftKey ? 10 : 1;
  if (event.key === "ArrowRight") goTo(report, store.time.peek(), steps);
  else if (event.key === "ArrowLeft") goTo(report, store.time.peek(), -steps);
  else if (event.key === " ") store.playing.value = !store.playing.peek();
  else if (event.key === "Home") goTo(report, fullTime(report)[0]);
  else if (event.key === "End") goTo(report, fullTime(report)[1]);
  else return false;
  return true;
}

/** Limits of an axis a little beyond the values; zero is an edge where the values come near it. */
export function padded(low: number | null, high: number | null): [number, number] {
  if (low == null || high == null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size === 0) return [-1, 1];
  if (high - low <= 1e-9 * size) return [low - 0.05 * size, high + 0.05 * size];
  const pad = 0.05 * (high - low);
  const bottom = low >= 0 && low < 0.25 * (high - low) ? 0 : low - pad;
  const top = high <= 0 && -high < 0.25 * (high - low) ? 0 : high + pad;
  return [bottom, top];
}

/** The part of time to show after the moment has moved: where it has left the part that is shown, that follows. */
export function followed(range: Range, before: number, now: number, playing: boolean, full: Range): Range {
  const [first, last] = range;
  const inside = (time: number) => time >= first && time <= last;
  if (inside(now) || (playing && !inside(before))) return range;
  const width = last - first;
  const start = playing ? (now > last ? now : now - 0.02 * width) : now - width / 2;
  const shifted = Math.min(Math.max(start, full[0]), full[1] - width);
  return [shifted, shifted + width];
}

/** Charts that are zoomed in go with the moment: page by page while it plays, at once after a jump. */
export function startFollowing(report: Report): void {
  let before = store.time.peek();
  effect(() => {
    const now = store.time.value;
    const range = timeRange.peek();
    if (range) {
      const next = followed(range, before, now, store.playing.peek(), fullTime(report));
      if (next !== range) timeRange.value = next;
    }
    before = now;
  });
}

export class TimeChart {
  readonly figure = element("figure", { class: "chart" });
  private readonly caption = element("figcaption");
  private readonly remark = element("p", { class: "remark" });
  private readonly legend = new Legend();
  private readonly plot: Plot;
  private lines: TimeLine[] = [];
  private readonly hidden = new Set<string>();
  private scale: Scale = { factor: 1, unit: "" };
  private decimals = 0;
  private look = "";
  private readonly pair: CursorPair;
  private readonly stop: () => void;

  constructor(
    report: Report,
    private readonly wish: TimeChartWish,
  ) {
    this.pair = new CursorPair(
      {
        traces: () => this.shown().map(({ time, values }) => ({ time, x: time, y: values, line: { x: time, y: values }, mean: null })),
        labels: () => this.shown().map(({ name }) => ({ name, scale: this.scale })),
        axis: () => ({ id: TIME, title: "Time", scale: { factor: 1, unit: "s" } }),
        side: () => "y",
        byTime: () => false,
        shown: () => timeRange.peek() ?? fullTime(report),
        links: () => 0,
        redraw: () => this.plot.redrawLayer(),
      },
      timeCursors,
    );
    this.plot = new Plot({
      cursors: this.pair.cursors,
      height: (_width, paper) => (paper ? Math.min(wish.height, 172) : wish.height),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: timeRange,
      table: () => this.table(),
      axes: () => ({ x: { name: "time", unit: "s" }, y: { name: wish.title, unit: wish.unit } }),
      full: () => fullTime(report),
      moment: store.time,
      pointed: store.hoveredTime,
      onClick: (time) => goTo(report, time),
      onSlide: (time) => goTo(report, time),
      onHover: (time) => {
        store.hoveredTime.value = time;
        return null;
      },
      onKey: (event) => timeKeys(report, event),
    });
    const tools = element("div", { class: "chart-tools" }, ...(wish.tools ? [wish.tools] : []), this.pair.button);
    this.figure.append(element("div", { class: "chart-head" }, this.caption, tools), this.plot.box, this.legend.list, this.pair.readings, this.remark);
    this.pair.button.addEventListener("click", () => (this.pair.on ? withCursors.add(this) : withCursors.delete(this)));
    this.plot.watch(() => {
      void timeCursors.value;
      this.plot.redrawLayer();
      this.pair.show();
    });
    const show = throttled(() => this.showValues(), 100);
    this.plot.watch(() => {
      void store.time.value;
      void store.hoveredTime.value;
      show();
    });
    this.stop = effect(() => {
      void store.colours.value;
      untracked(() => this.update());
    });
  }

  remove(): void {
    withCursors.delete(this);
    this.stop();
    this.plot.remove();
    this.figure.remove();
  }

  /** Take the data as they are now. */
  update(): void {
    this.lines = this.wish.lines();
    let largest = 0;
    for (const line of this.lines) largest = Math.max(largest, largestOf(line.values), line.band ? largestOf(line.band.high) : 0);
    this.scale = axisScale(largest, this.wish.unit);
    this.decimals = decimalsOf(largest, this.scale);
    const which = this.wish.which?.() ?? "";
    this.caption.replaceChildren(this.wish.title, ...(which ? [element("span", { class: "on-paper" }, `: ${which}`)] : []), ` ${withBrackets("", this.scale.unit).trim()}`.trimEnd());
    this.remark.textContent = this.wish.remark();
    this.remark.hidden = this.remark.textContent === "";
    this.caption.title = this.wish.note?.() ?? "";
    this.legend.set(
      this.lines.map((line, index) => ({
        name: line.name,
        colour: line.colour,
        dash: line.dash,
        shown: !this.hidden.has(line.name),
        toggle: this.lines.length > 1 ? (shown: boolean) => this.toggle(index, shown) : null,
      })),
    );
    const look = JSON.stringify([this.scale.unit, this.lines.map((line) => [line.name, line.colour, line.dash, !!line.band])]);
    if (look === this.look) this.plot.renew();
    else this.plot.invalidate();
    this.look = look;
    this.showValues();
    this.pair.show();
  }

  private toggle(index: number, shown: boolean): void {
    const { name } = this.lines[index]!;
    if (shown) this.hidden.delete(name);
    else this.hidden.add(name);
    this.plot.invalidate();
    this.pair.show();
  }

  /** Lines that are not hidden, with values. */
  private shown(): TimeLine[] {
    return this.lines.filter((line) => !this.hidden.has(line.name) && line.time.length > 0);
  }

  private recipe(scale: number): Recipe | null {
    const lines = inColumns(this.lines.filter((line) => !this.hidden.has(line.name)));
    if (this.lines.every((line) => line.time.length === 0)) return null;
    const series: uPlot.Series[] = [{}];
    const bands: uPlot.Band[] = [];
    const points = { size: 4 * scale, width: scale };
    for (const line of lines) {
      series.push({
        stroke: line.colour,
        width: line.points ? 0 : 1.2 * scale,
        dash: line.dash.map((length) => length * scale),
        points: { ...points, show: line.points || line.time.length < 3, fill: line.colour },
      });
      if (!line.band) continue;
      const edge: uPlot.Series = { stroke: withAlpha(line.colour, 0.35), width: 0.6 * scale, points: { show: false } };
      bands.push({ series: [series.length + 1, series.length], fill: withAlpha(line.colour, 0.18) });
      series.push(edge, edge);
    }
    return {
      data: aligned(lines.length ? lines : this.lines.slice(0, 1), lines.length > 0),
      options: {
        scales: { x: { time: false }, y: { range: (_u, low, high) => padded(low, high) } },
        axes: [axis("x", scale, { label: "time [s]" }), axis("y", scale, { unit: this.scale })],
        series,
        bands,
        padding: [8 * scale, 20 * scale, 0, 0],
      },
    };
  }

  private table(): Table | null {
    const lines = inColumns(this.lines.filter((line) => !this.hidden.has(line.name)));
    if (!lines.some((line) => line.time.length)) return null;
    const { unit } = this.wish;
    const headings = lines.flatMap(({ name, band }) => [headed(name, unit), ...(band ? [headed(`${name}, least`, unit), headed(`${name}, largest`, unit)] : [])]);
    return { comments: [this.wish.remark(), this.wish.note?.() ?? ""].filter(Boolean), headings: ["time [s]", ...headings], columns: aligned(lines, true) as ArrayLike<number>[] };
  }

  private showValues(): void {
    const time = store.hoveredTime.peek() ?? store.time.peek();
    this.legend.show(this.lines.map((line) => `${fixed(line.at(time), this.scale, this.decimals)} ${this.scale.unit}`.trimEnd()));
  }

  private text(): string {
    const parts = this.lines.slice(0, 12).map((line) => {
      const low = extremesOf(line.band?.low ?? line.values);
      const high = extremesOf(line.band?.high ?? line.values);
      return low && high ? `${line.name}: ${withUnit(low[0], this.scale)} to ${withUnit(high[1], this.scale)}` : `${line.name}: no values`;
    });
    return `${this.wish.title} over time. ${parts.join("; ")}. Arrow keys move the animation time, plus and minus zoom, 0 shows the whole run.`;
  }
}

/** In the order of the columns of `aligned`. */
function inColumns(lines: readonly TimeLine[]): TimeLine[] {
  return [...new Set(lines.map((line) => line.time))].flatMap((time) => lines.filter((line) => line.time === time));
}

/** Columns for uPlot; lines with different times are put on common ones. */
function aligned(lines: readonly TimeLine[], withValues: boolean): uPlot.AlignedData {
  const times = [...new Set(lines.map((line) => line.time))];
  const columns = (line: TimeLine) => (line.band ? [line.values, line.band.low, line.band.high] : [line.values]);
  const tables = times.map((time): uPlot.AlignedData => [
    time,
    ...(withValues ? lines.filter((line) => line.time === time).flatMap((line) => columns(line).map(gaps)) : []),
  ]);
  return tables.length === 1 ? tables[0]! : uPlot.join(tables);
}
