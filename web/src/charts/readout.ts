/** What two cursors say: values at both, differences, and how often their distance fits into a second or a turn. */
import { number } from "../format";
import { between } from "./fold";
import { nearest, withUnit, type Scale } from "./numbers";
import { ADVANCE, PLACE, TIME } from "./quantities";

export interface ReadoutRow {
  name: string;
  a: string;
  b: string;
  difference: string;
}

export interface Axis {
  id: string;
  title: string;
  scale: Scale;
}

/** A curve as cursors read it. */
export interface Read {
  time: ArrayLike<number>;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** The curve with one value at every x; null for an orbit. */
  line: { x: ArrayLike<number>; y: ArrayLike<number> } | null;
  mean: object | null;
}

const DIGITS = 5;

/** Where a cursor is on a trace: by x on curves with one value there, by time on all others. */
export function valueAt(trace: Read, byTime: boolean, at: number, of: "time" | "x" | "y"): number {
  if (!byTime) return of === "x" ? at : trace.line ? between(trace.line.x, of === "time" ? (trace.mean ? [] : trace.time) : trace.line.y, at) : NaN;
  const index = nearest(trace.time, at);
  return index < 0 ? NaN : trace[of][index]!;
}

/** What fits into a second, a revolution, a loop: 1 / the difference, in words. */
export function inverse(id: string, difference: number, links: number): [name: string, value: string] | null {
  const size = Math.abs(difference);
  if (!(size > 0)) return null;
  if (id === TIME) return ["1 / difference in time", withUnit(1 / size, { factor: 1, unit: "Hz" }, DIGITS)];
  if (id === ADVANCE || id === PLACE) return ["Loop / difference", `${number(links / size, DIGITS)} per loop`];
  if (id.startsWith("angle|")) return ["Revolution / difference (order)", number(360 / size, DIGITS)];
  if (id.startsWith("turns|")) return ["1 / difference (order)", number(1 / size, DIGITS)];
  return null;
}

/** links: of the chain. */
export function readout(traces: readonly Read[], byTime: boolean, cursors: readonly [number, number], x: Axis, labels: readonly { name: string; scale: Scale }[], links: number): ReadoutRow[] {
  const lead = traces[0]!;
  const rows: ReadoutRow[] = [];
  const add = (name: string, scale: Scale, values: readonly [number, number]) =>
    rows.push({ name, a: withUnit(values[0], scale, DIGITS), b: withUnit(values[1], scale, DIGITS), difference: withUnit(values[1] - values[0], scale, DIGITS) });
  const pair = (trace: Read, of: "time" | "x" | "y"): [number, number] => [valueAt(trace, byTime, cursors[0], of), valueAt(trace, byTime, cursors[1], of)];
  const tell = (id: string, values: [number, number]) => {
    const found = inverse(id, values[1] - values[0], links);
    if (found) rows.push({ name: found[0], a: "", b: "", difference: found[1] });
  };
  if (x.id !== TIME && (byTime || !lead.mean)) {
    add("Time", { factor: 1, unit: "s" }, pair(lead, "time"));
    tell(TIME, pair(lead, "time"));
  }
  add(x.title, x.scale, pair(lead, "x"));
  tell(x.id, pair(lead, "x"));
  traces.forEach((trace, index) => add(labels[index]!.name, labels[index]!.scale, pair(trace, "y")));
  return rows;
}
