/** What can be drawn over what: curves, angles, places and links of a result at common instants. */
import { lastAtOrBefore, type LoadedFrames, type LoadedResult, type Numbers, type Report } from "../data";
import type { Range } from "./plot";

export interface Quantity {
  id: string;
  /** Name of what it belongs to; empty for a link, of which the number is chosen apart. */
  name: string;
  title: string;
  unit: string;
}

export interface QuantityGroup {
  title: string;
  quantities: Quantity[];
}

export const TIME = "time";
export const ADVANCE = "advance";
/** Place of the chosen link along the loop. */
export const PLACE = "place";
/** Angle that a wheel has turned, in degrees and in revolutions. */
const ANGLE = "angle|";
const TURNS = "turns|";

export const angleOf = (wheel: string): string => ANGLE + wheel;

/** Of links and rollers, which frames of the animation hold. */
const OF_LINKS: [id: string, title: string, unit: string, values: (frames: LoadedFrames) => Float32Array | null][] = [
  ["link:tension", "Tension of the link", "N", (frames) => frames.tension],
  ["link:contact", "Contact force on the roller at its rear end", "N", (frames) => frames.contactForce],
  ["link:friction", "Friction force on the roller at its rear end", "N", (frames) => frames.frictionForce],
  ["link:pin", "Force of the pin in the joint at its rear end", "N", (frames) => frames.pinForce],
  ["link:gap", "Gap between pin and bush at its rear end", "m", (frames) => frames.pinGap],
];

/** Whether values are those of the chosen link. */
export function ofLink(id: string): boolean {
  return id === PLACE || id.startsWith("link:");
}

/** Results that have something to draw. */
export function drawable(report: Report): LoadedResult[] {
  return report.results.filter((result) => result.header.free);
}

/** All curves of all results, groups of one quantity after the other. */
export function curveGroups(report: Report): QuantityGroup[] {
  const groups = new Map<string, QuantityGroup>();
  for (const result of drawable(report)) {
    for (const group of result.header.free!.groups) {
      const found = groups.get(group.key) ?? { title: group.title, quantities: [] };
      groups.set(group.key, found);
      for (const { name } of group.series) {
        const id = `${group.key}|${name}`;
        if (found.quantities.every((each) => each.id !== id)) found.quantities.push({ id, name, title: group.title, unit: group.unit });
      }
    }
  }
  for (const group of groups.values()) {
    const units = [...new Set(group.quantities.map((each) => each.unit))].join(", ");
    if ([...groups.values()].filter((other) => other.title === group.title).length > 1) group.title += ` [${units}]`;
  }
  return [...groups.values()];
}

/** Of the chosen link; its tension is NaN where links are not known. */
export function linkQuantities(report: Report): Quantity[] {
  const having = drawable(report).filter((result) => result.frames.count > 0);
  return OF_LINKS.filter(([, , , values]) => having.some((result) => values(result.frames)?.some(Number.isFinite))).map(([id, title, unit]) => ({ id, name: "", title, unit }));
}

/** What x can be besides a curve. */
export function alongQuantities(report: Report): Quantity[] {
  const wheels = [...new Set(drawable(report).flatMap((result) => wheelsOf(result)))];
  const closed = drawable(report).some((result) => result.header.drive.closed && finite(result.array(result.header.free!.advance)));
  return [
    { id: TIME, name: "", title: "Time", unit: "s" },
    ...wheels.map((name): Quantity => ({ id: ANGLE + name, name, title: "Angle", unit: "°" })),
    ...wheels.map((name): Quantity => ({ id: TURNS + name, name, title: "Revolutions", unit: "rev" })),
    ...(closed ? [{ id: ADVANCE, name: "", title: "Travel of the chain", unit: "pitches" }] : []),
    ...(closed && linkQuantities(report).length ? [{ id: PLACE, name: "", title: "Position of the link along the loop", unit: "pitches" }] : []),
  ];
}

function wheelsOf(result: LoadedResult): string[] {
  return finite(result.array(result.header.free!.turned)) ? result.header.drive.wheels.map((wheel) => wheel.name) : [];
}

function finite(values: ArrayLike<number>): boolean {
  return values.length > 0 && Number.isFinite(values[0]!);
}

/** A period over which x can be folded. */
export interface Fold {
  id: string;
  text: string;
}

/** Ways to fold x; the first is not to fold it. Places along the loop are folded over that always. */
export function foldsOf(report: Report, x: string): Fold[] {
  const none: Fold = { id: "", text: "not folded" };
  if (x === PLACE) return [{ id: "loop", text: "one loop of the chain" }];
  if (x === ADVANCE) return [none, { id: "loop", text: "one loop of the chain" }, { id: "tooth", text: drawable(report).every((result) => result.header.drive.sheaves) ? "one pitch" : "one tooth" }];
  if (x === TIME) return [none];
  const name = isTurning(x) ? x.slice(ANGLE.length) : driverOf(report);
  if (name === undefined) return [none];
  const turns = new Set([1, 2]);
  for (const result of drawable(report)) {
    const teeth = result.header.drive.wheels.find((wheel) => wheel.name === name)?.teeth;
    const count = teeth ? result.header.free!.period / teeth : 1;
    if (Math.abs(count - Math.round(count)) < 1e-9 && count >= 1 && count <= 60) turns.add(Math.round(count));
  }
  const words = (count: number) => (count === 1 ? "one revolution" : `${count} revolutions`);
  const of = isTurning(x) ? "" : ` of ${name}`;
  const passing = drawable(report).every((result) => result.header.drive.sheaves) ? "one pitch" : `one tooth${of}`;
  return [none, ...[...turns].sort((a, b) => a - b).map((count) => ({ id: String(count), text: words(count) + of })), { id: "tooth", text: passing }];
}

/** Whether x is the angle that a wheel has turned. */
export function isTurning(x: string): boolean {
  return x.startsWith(ANGLE) || x.startsWith(TURNS);
}

/** Whether x is a curve: then what is drawn is an orbit, and its mean is that of both coordinates. */
export function isCurve(x: string): boolean {
  return x !== TIME && x !== ADVANCE && x !== PLACE && !isTurning(x);
}

/** The wheel by which curves over curves are folded. */
export function driverOf(report: Report): string | undefined {
  return drawable(report).flatMap((result) => (wheelsOf(result).length ? result.header.drive.wheels : [])).find((wheel) => wheel.driven)?.name;
}

/** The period of a fold in the unit of x, 0 without one; x along which it counts: a curve is none. */
export function periodOf(result: LoadedResult, x: string, fold: string): number {
  if (fold === "loop") return result.header.drive.links;
  const turn = x.startsWith(ANGLE) ? 360 : 1;
  if (fold !== "tooth") return turn * Number(fold);
  if (x === ADVANCE) return 1;
  const teeth = result.header.drive.wheels.find((wheel) => wheel.name === x.slice(ANGLE.length))?.teeth;
  return teeth ? turn / teeth : 0;
}

/** Instants of one result, all of those it has in common or those of its frames only, and values at them. */
export class Instants {
  readonly time: Float64Array;
  private readonly rows: Int32Array;

  constructor(
    readonly result: LoadedResult,
    perFrame: boolean,
    range: Range | null,
  ) {
    const all = result.array(result.header.free!.time);
    const { time, count } = result.frames;
    const from = perFrame ? Array.from(time.subarray(0, count), (at) => lastAtOrBefore(all, all.length, at)) : Array.from(all, (_, row) => row);
    const margin = 1e-9 * Math.max(Math.abs(all[0] ?? 0), Math.abs(all[all.length - 1] ?? 0));
    this.rows = Int32Array.from(range ? from.filter((row) => all[row]! >= range[0] - margin && all[row]! <= range[1] + margin) : from);
    this.time = Float64Array.from(this.rows, (row) => all[row]!);
  }

  private picked(values: Numbers, from = 0): Float64Array {
    return Float64Array.from(this.rows, (row) => values[from + row]!);
  }

  /** Values in the unit of the quantity; null where the result does not have it. */
  values(id: string, link: number): Float64Array | null {
    const { result } = this;
    const { drive, free } = result.header;
    if (id === TIME) return this.time;
    if (id === ADVANCE) return this.picked(result.array(free!.advance));
    if (id === PLACE) return this.picked(result.array(free!.advance)).map((advance) => link + 0.5 + advance);
    if (isTurning(id)) {
      const wheel = drive.wheels.findIndex((each) => each.name === id.slice(ANGLE.length));
      if (wheel < 0) return null;
      const turned = result.array(free!.turned);
      const factor = (id.startsWith(ANGLE) ? 180 : 0.5) / Math.PI;
      return this.picked(turned, (wheel * turned.length) / drive.wheels.length).map((angle) => angle * factor);
    }
    if (id.startsWith("link:")) return this.ofLink(id, link);
    const at = id.indexOf("|");
    const group = free!.groups.find((each) => each.key === id.slice(0, at));
    const series = group?.series.findIndex((each) => each.name === id.slice(at + 1)) ?? -1;
    return group && series >= 0 ? this.picked(result.array(group.values[series]!)) : null;
  }

  private ofLink(id: string, link: number): Float64Array | null {
    const { frames } = this.result;
    const values = OF_LINKS.find(([each]) => each === id)![3](frames);
    if (!values || link >= frames.links) return null;
    return Float64Array.from(this.time, (time) => values[frames.nearest(time) * frames.links + link]!);
  }
}

