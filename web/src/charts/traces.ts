/** The traces of the free chart: what is chosen, of every result that is shown, at its instants. */
import type { LoadedResult, Report } from "../data";
import { store } from "../store";
import { ascending, folded, meanOf, modulo, type Mean, type Strand } from "./fold";
import { nearest } from "./numbers";
import type { Range } from "./plot";
import { angleOf, drawable, driverOf, Instants, isCurve, ofLink, periodOf } from "./quantities";
import { timeRange } from "./timechart";

/** Which part of the run is drawn: all of it, that of the headline numbers, or what the curves over time show. */
export type Part = "all" | "headline" | "curves";
export type Side = "y" | "y2";

export interface Choice {
  x: string;
  left: string[];
  right: string[];
  fold: string;
  link: number;
  part: Part;
}

export interface Trace {
  result: LoadedResult;
  id: string;
  side: Side;
  time: Float64Array;
  x: Float64Array;
  y: Float64Array;
  /** What is drawn: one piece, or one for every revolution. */
  strands: Strand[];
  mean: Mean | null;
  /** The curve that has one value at every x: the mean of all revolutions, or the trace itself; null for an orbit. */
  line: Strand | null;
}

export interface Traces {
  traces: Trace[];
  /** Over which it is folded, 0: not; for orbits in the phase, else in x. */
  period: number;
  orbit: boolean;
  /** Instants that are drawn and that were stored in the same part of the run, of the first result. */
  shown: number;
  stored: number;
  /** Frames only, since links are not known at other instants. */
  perFrame: boolean;
  /** Results without what is chosen. */
  without: string[];
}

function rangeOf(result: LoadedResult, part: Part): Range | null {
  const { start, stop } = result.header.free!.window;
  return part === "headline" ? [start, stop] : part === "curves" ? timeRange.peek() : null;
}

export function tracesOf(report: Report, choice: Choice): Traces {
  const wanted = [...choice.left.map((id) => ({ id, side: "y" as Side })), ...choice.right.map((id) => ({ id, side: "y2" as Side }))];
  const perFrame = [choice.x, ...choice.left, ...choice.right].some(ofLink);
  const found: Traces = { traces: [], period: 0, orbit: false, shown: 0, stored: 0, perFrame, without: [] };
  for (const result of drawable(report)) {
    if (store.visible.peek()[result.index] === false) continue;
    const instants = new Instants(result, perFrame, rangeOf(result, choice.part));
    const orbit = isCurve(choice.x);
    const along = orbit ? angleOf(driverOf(report) ?? "") : choice.x;
    const period = periodOf(result, along, choice.fold);
    const x = instants.values(choice.x, choice.link);
    const phase = orbit && period > 0 ? instants.values(along, choice.link) : null;
    const made = wanted.flatMap(({ id, side }) => {
      const y = x && instants.values(id, choice.link);
      const points = { result, id, side, time: instants.time, x: x!, y: y! };
      return y ? [orbit ? orbitOf(points, phase, period) : traceOf(points, period)] : [];
    });
    if (made.length < wanted.length) found.without.push(result.header.label);
    if (!found.traces.length && made.length) {
      const { free } = result.header;
      const all = result.array(free!.time);
      const share = all.length > 1 && instants.time.length > 1 ? (instants.time[instants.time.length - 1]! - instants.time[0]!) / (all[all.length - 1]! - all[0]!) : 1;
      found.shown = instants.time.length;
      found.stored = Math.max(found.shown, Math.round(share * (free!.stored - 1)) + 1);
    }
    found.traces.push(...made);
    found.period = Math.max(found.period, period);
    found.orbit = orbit;
  }
  return found;
}

type Points = Pick<Trace, "result" | "id" | "side" | "time" | "x" | "y">;

/** A curve over time, an angle or a place, folded over a period, 0: not. */
export function traceOf(points: Points, period: number): Trace {
  const { x, y } = points;
  if (!(period > 0)) {
    const whole = { x, y };
    return { ...points, strands: [whole], mean: null, line: ascending(x) ? whole : null };
  }
  const mean = meanOf(x, y, period);
  return { ...points, x: x.map((at) => modulo(at, period)), strands: folded(x, y, period), mean, line: mean };
}

/** A curve over a curve, and its mean over whole periods of a phase. */
export function orbitOf(points: Points, phase: Float64Array | null, period: number): Trace {
  const x = phase && meanOf(phase, points.x, period);
  const y = phase && meanOf(phase, points.y, period);
  return { ...points, strands: [{ x: points.x, y: points.y }], mean: x && y ? { x: x.y, y: y.y, periods: x.periods } : null, line: null };
}

/** Least and largest of what is drawn of traces, of y where x is in a range; null for nothing. */
export function extentOf(traces: readonly Pick<Trace, "strands" | "mean">[], axis: "x" | "y", within: Range | null = null): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { x, y } of traces.flatMap((trace) => (trace.mean ? [...trace.strands, trace.mean] : trace.strands))) {
    const values = axis === "x" ? x : y;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (!Number.isFinite(x[i]!) || !Number.isFinite(y[i]!) || (within && (x[i]! < within[0] || x[i]! > within[1]))) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : null;
}

/** Index of the instant nearest to a place of the picture; `across` and `up` lead from values to pixels. */
export function nearestPoint(trace: { x: ArrayLike<number>; y: ArrayLike<number> }, left: number, top: number, across: (x: number) => number, up: (y: number) => number): { index: number; distance: number } {
  let index = -1;
  let least = Infinity;
  for (let i = 0; i < trace.x.length; i++) {
    const dx = across(trace.x[i]!) - left;
    const dy = up(trace.y[i]!) - top;
    const square = dx * dx + dy * dy;
    if (square < least) {
      least = square;
      index = i;
    }
  }
  return { index, distance: Math.sqrt(least) };
}

/** Index of the instant nearest to a moment, -1 where that is not among them. */
export function momentIn(time: Float64Array, moment: number): number {
  const last = time.length - 1;
  if (last < 0) return -1;
  const step = last > 0 ? (time[last]! - time[0]!) / last : 0;
  return moment < time[0]! - step || moment > time[last]! + step ? -1 : nearest(time, moment);
}
