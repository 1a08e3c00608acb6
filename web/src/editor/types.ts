/** What the server of the editor answers. SI units. */
import type { Drive, Frames, Point } from "../types";

export type Path = (string | number)[];

export interface Problem {
  place: string;
  message: string;
  value: string;
}

export interface SketchWheel {
  /** Null of a wheel that the file does not list, such as those of a bicycle. */
  path: Path | null;
  name: string;
  teeth: number;
  centre: Point;
  radius: number;
  /** The pitch polygon of an oval sprocket, as it stands; empty of a round one. */
  corners: Point[];
  back: boolean;
  driver: boolean;
  /** +1 counter-clockwise, -1 clockwise, 0 not known. */
  sense: number;
}

export interface Numbers {
  chain: string;
  links: number;
  /** The number of links follows from the route. */
  chosen: boolean;
  pitches: number | null;
  slack: number | null;
  sag: number | null;
  spans: { name: string; length: number }[];
  wraps: { name: string; wrap: number; teeth: number }[];
}

export interface Sketch {
  wheels: SketchWheel[];
  /** spans: x, y of both ends; arcs: centre x, y, radius, first and last angle, sign; lines: on an oval sprocket. */
  routes: { spans: number[][]; arcs: number[][]; lines: Point[][] }[];
  rails: { path: Path; name: string; surface: Point[] }[];
  forces: { path: Path; name: string; ends: [Point, Point] }[];
  /** Bodies, as bars from their joint to what they carry. */
  bodies: { path: Path | null; bars: [Point, Point][] }[];
  /** Points of the file that can be moved. */
  handles: { path: Path; at: Point }[];
  loads: { centre: Point; radius: number; sense: number }[];
  numbers: Numbers[];
}

/** The drawing of the report for one instant. */
export interface Picture {
  drive: Drive;
  frames: Frames;
  data: string;
}

export interface Shown {
  text: string;
  fields: Record<string, unknown>;
  problems: Problem[];
  sketch: Sketch;
  pictures: Picture[];
}

export interface Verdict {
  name: string;
  window: string;
  summary: string;
  tiles: { title: string; headline: string; word: string; sign: string; mark: string; lines: string[] }[];
}

export interface Task {
  state: "idle" | "waiting" | "running" | "done" | "failed";
  revision: number;
  progress: { time: number; until: number; remaining: number | null } | null;
  error: { message: string } | null;
}

export interface Checked extends Task {
  result: {
    problems: Problem[];
    warnings: string[];
    pictures: Picture[];
    chains: {
      name: string;
      at_rest: boolean;
      residual: number | null;
      spans: { name: string; length: number; tension: number | null }[];
      tensioners: { name: string; length: number; force: number }[];
      frequencies: number[];
      no_frequencies: string;
      cost: string;
    }[];
  } | null;
}

export interface Ran extends Task {
  result: { formulation?: string; reasons?: string[]; until?: number; verdicts: Verdict[]; report?: string; output?: string; ending?: string } | null;
}

export interface Swept extends Task {
  /** rows: the cells of the columns, and how a run ended if it has no result. */
  result: { table: string; picture: string; total: number; columns: string[]; rows: string[][]; remarks: string[] } | null;
}

export interface State {
  stamp: number;
  revision: number;
  name: string;
  unsaved: boolean;
  undo: string | null;
  redo: string | null;
  changed_outside: boolean;
  restored: number;
  tasks: { check: Checked; short: Ran; run: Ran; sweep: Swept };
  /** Only where the page does not have it yet. */
  document?: Shown;
}

/** One change of the file; metres: the value is a point in m, to be written in the units of the file. */
export interface Change {
  kind: "set" | "add" | "remove" | "move";
  path: Path;
  value?: unknown;
  to?: number;
  metres?: boolean;
}

export interface Template {
  kind: string;
  title: string;
  questions: { name: string; text: string; allowed: string; default: string; options: Record<string, string> | null }[];
}

export interface CatalogueChain {
  name: string;
  series: string;
  pitch: number;
  roller_diameter: number;
  breaking_load: number | null;
}
