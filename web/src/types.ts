/** What Python writes into the page: the header, and where the arrays are. SI units throughout. */

/** Where an array is in the decompressed data of its result, and how it is coded (little endian). */
export interface ArrayRef {
  at: number;
  shape: number[];
  /** q2: a float quantised to uint16; value = offset + scale * u, u = 65535 means "not a number". */
  kind: "f8" | "f4" | "q2" | "i4" | "i2" | "u1";
  scale?: number;
  offset?: number;
  /** q2, i2, u1: differences along axis 0, modulo 2^16 or 2^8. q2 and i2: all low bytes first, then all high bytes. */
  delta?: boolean;
}

export interface Header {
  format: 1;
  made: string;
  version: string;
  title: string;
  live: boolean;
  colours: {
    /** 64 CSS colours from low to high. */
    tension: string[];
    /** One per result. */
    results: string[];
  };
  results: Result[];
  /** Of the page of a study; it has no results. */
  maps?: SpeedMap[];
}

export interface Result {
  label: string;
  drive: Drive;
  frames: Frames;
  /** Null of a run that goes on; not in reports of earlier versions. */
  view?: View | null;
  curves: CurveGroup[];
  /** Null of a run that goes on, and where there is nothing to draw. */
  free?: Free | null;
  loop: Loop | null;
  spectra: Spectrum[];
  orders: OrderSpectrum[];
  /** The first one is shown first. */
  campbell: Campbell[];
  /** Least and largest tension of all links over the whole run. */
  tension_range: [number, number];
  /** Texts of the tables for other windows of time; nothing of a run that goes on. */
  windows?: Windows | null;
  time_range: [number, number];
  status: string;
  /** Why a result does not hold forces, by their channel; nothing of a run that goes on. */
  absent?: Record<string, string>;
}

/** What the drawing is told besides its frames. */
export interface View {
  /** The moment at which it opens [s], and what is the case then. */
  opening: { time: number; why: string } | null;
  /** From when to when means are taken [s]; whether the run is steady there, null when that is not known. */
  start: number;
  stop: number;
  steady: boolean | null;
  /** Mean tension of every span [N]. */
  span_tension: (number | null)[] | null;
  /** (M, 2): mean position of the chain at M places that stand still along its loop, M / N for every pitch. */
  course: ArrayRef | null;
}

export type Point = [number, number];

export interface Wheel {
  name: string;
  teeth: number;
  centre: Point;
  radius: number;
  sign: 1 | -1;
  driven: boolean;
  /** -1: joined to the ground. */
  body: number;
  /** (P, 2), closed, relative to the centre, at wheel angle 0. */
  outline: ArrayRef;
  /** Beside its teeth, on the same hub; the largest first. */
  cogs: Cog[];
}

export interface Cog {
  teeth: number;
  radius: number;
  /** Of the middle plane of its teeth in front of that of the wheel [m]. */
  offset: number;
  /** As that of the wheel, with which it turns. */
  outline: ArrayRef;
}

export interface Guide {
  name: string;
  body: number;
  /** (n, 2) in the reference configuration. */
  surface: ArrayRef;
  strip: ArrayRef;
}

/** All points in the reference configuration. */
export interface Body {
  name: string;
  joint: "revolute" | "prismatic" | "fixed";
  on_ground: boolean;
  parent: number;
  centre: Point;
  place: Point;
  direction: Point;
  support: Point;
  bars: [Point, Point][];
}

export interface Tensioner {
  name: string;
  kind: string;
  /** In the reference configuration. */
  ends: [Point, Point];
  /** On which the ends are; -1: the ground. */
  bodies: [number, number];
}

/** Plates, bushes and pins of rigid links: radii [m]. */
export interface Plates {
  /** Of the round ends of inner and outer plates. */
  inner: number;
  outer: number;
  /** Of bushes outside, and of pins. */
  bush: number;
  pin: number;
  /** (N): how far the pin of joint i can move from the middle of its bush. */
  clearance: ArrayRef;
}

/** Where a wheel stands in space, and the width of its teeth. */
export interface SpaceWheel {
  /** Of the middle plane of its teeth in front of the drawing. */
  offset: number;
  /** About x, and about its own y then [rad]. */
  tilt: Point;
  half_width: number;
  /** So much less wide is a tooth at its tip, on either side. */
  relief: number;
}

/** What a drawing in space needs besides; lengths [m]. */
export interface Space {
  /** Depth and thickness of the plates. */
  inner: { depth: number; thickness: number };
  outer: { depth: number; thickness: number };
  /** Between an inner and an outer plate. */
  gap: number;
  /** Between the inner plates. */
  width: number;
  /** Radius of the pins. */
  pin: number;
  wheels: SpaceWheel[];
}

/** Both pairs of sheaves of a variator, in the order of the wheels. */
export interface Variator {
  half_angle: number;
  pin_length: number;
  /** Radii of the groove, and the one at which a pin touches sheaves that have not closed since they were drawn. */
  pairs: { inner: number; outer: number; radius: number }[];
}

export interface Drive {
  name: string;
  pitch: number;
  roller_diameter: number;
  /** Null where the formulation has no rigid links. */
  plates: Plates | null;
  /** Null where the chain runs on wheels. */
  sheaves: Variator | null;
  /** Null where the links stay in the plane. */
  space: Space | null;
  /** Rows of what there is of every link; of an open chain as many as joints, and the last one is none. */
  links: number;
  /** Whether the last link leads back to the first. */
  closed: boolean;
  /** Of an open chain, none of a closed one: which joint it is, and what is there; mass of what hangs on a free one [kg]. */
  ends: { joint: number; anchored: boolean; mass: number }[];
  sense: 1 | -1;
  gravity: Point;
  wheels: Wheel[];
  guides: Guide[];
  bodies: Body[];
  tensioners: Tensioner[];
  spans: { name: string }[];
  /** Left, right, bottom, top over the run. */
  extent: [number, number, number, number];
}

/** F instants of the animation, which are instants of the results. */
export interface Frames {
  time: ArrayRef;
  /** Row in the results file. */
  row: ArrayRef;
  /** Pitches the chain has advanced: the middle of link i is at (i + 0.5 + advance) mod N along the loop. */
  advance: ArrayRef;
  /** (F, N, 2) */
  roller: ArrayRef;
  /** (F, N): link i joins roller i and roller i + 1. */
  link_tension: ArrayRef;
  /** (F, N): least and largest since the frame before; null when every row is a frame. */
  tension_low: ArrayRef | null;
  tension_high: ArrayRef | null;
  contact_force: ArrayRef | null;
  /** Wheels, then guides; -1: none. */
  contact_surface: ArrayRef | null;
  /** Direction of the normal force on the roller; 256 is one turn, counter-clockwise from +x. */
  contact_direction: ArrayRef | null;
  /** Positive along the normal turned by +90 degrees. */
  friction_force: ArrayRef | null;
  wheel_angle: ArrayRef;
  wheel_position: ArrayRef | null;
  body_position: ArrayRef | null;
  body_angle: ArrayRef | null;
  /** (F, B, 2): force of a body on what supports it, through its joint. */
  joint_force: ArrayRef | null;
  tensioner_force: ArrayRef | null;
  guide_force: ArrayRef | null;
  /** Force of the wheel on its bearing. */
  bearing_force: ArrayRef | null;
  wheel_speed: ArrayRef | null;
  wheel_torque: ArrayRef | null;
  span_tension: ArrayRef | null;
  span_displacement: ArrayRef | null;
  /** Of rigid links, (F, N): direction from bush to pin, -pi to pi. */
  link_angle: ArrayRef | null;
  /** Of joint i, the pin of link i - 1 in the bush of link i at roller i: size of the force, moment, gap (F, N). */
  pin_force: ArrayRef | null;
  pin_moment: ArrayRef | null;
  pin_gap: ArrayRef | null;
  /** Where the pin lies from the middle of its bush, in 256ths of a turn from +x. */
  pin_direction: ArrayRef | null;
  /** In space, (F, N): of bushes, how far in front of the drawing; turn of links about their length; force on plates. */
  roller_offset: ArrayRef | null;
  link_roll: ArrayRef | null;
  side_force: ArrayRef | null;
  /** In space, (F, W) and (F, W, 2): how far the teeth of a wheel are in front of the drawing, and how it is tilted. */
  wheel_offset: ArrayRef | null;
  wheel_tilt: ArrayRef | null;
  /** Between sheaves, (F, N): forces on one end of a pin, and how fast it slides around the axis and along the cone. */
  pin_normal_force: ArrayRef | null;
  pin_circumferential_friction: ArrayRef | null;
  pin_radial_friction: ArrayRef | null;
  pin_slip: ArrayRef | null;
  pin_drift: ArrayRef | null;
  /** (F, W): by how much a pair has closed since it was drawn; radius at which its pins run; thrust. */
  sheave_closure: ArrayRef | null;
  running_radius: ArrayRef | null;
  sheave_thrust: ArrayRef | null;
  stored: number;
  kept: number;
}

export type SeriesKind = "span" | "wheel" | "guide" | "body" | "tensioner" | "loss" | "energy" | "other";

export interface CurveGroup {
  key: string;
  title: string;
  unit: string;
  /** offset: what was taken off the channel. */
  series: { name: string; kind: SeriesKind; index: number; offset?: number }[];
  time: ArrayRef;
  /** (S, M) */
  values: ArrayRef;
  stored: number;
  kept: number;
  remark: string;
  /** What must be known to read it. */
  note?: string;
}

/** Curves at common instants, to be drawn over each other; all frames of the animation are among these. */
export interface Free {
  time: ArrayRef;
  /** Pitches the chain has come. */
  advance: ArrayRef;
  /** (W, R): what every wheel has turned in its running sense since the first stored instant [rad]. */
  turned: ArrayRef;
  /** Pitches after which motions and loads repeat together. */
  period: number;
  /** Of the headline numbers. */
  window: { name: string; start: number; stop: number };
  /** One array (R) for every series. */
  groups: { key: string; title: string; unit: string; remark: string; series: CurveGroup["series"]; values: ArrayRef[] }[];
  stored: number;
  kept: number;
}

export interface Zone {
  start: number;
  end: number;
  kind: "wheel" | "span" | "guide";
  index: number;
  name: string;
}

/** Least, mean and largest of a channel along the loop, and of every link or joint. */
export interface LoopCurve {
  key: "link_tension" | "pin_force" | "pin_gap" | "pin_normal_force" | "pin_circumferential_friction" | "pin_radial_friction" | "pin_slip" | "pin_drift";
  places: ArrayRef;
  low: ArrayRef;
  mean: ArrayRef;
  high: ArrayRef;
  link_low: ArrayRef;
  link_mean: ArrayRef;
  link_high: ArrayRef;
}

export interface Loop {
  /** The tension first. */
  curves: [LoopCurve, ...LoopCurve[]];
  zones: Zone[];
  start: number;
  stop: number;
  /** What the tension is limited by [N]; not in reports of earlier versions. */
  limits?: { name: string; value: number }[];
}

export type MarkKind = "tooth" | "order" | "string" | "system" | "driver" | "folded";

export interface Spectrum {
  key: string;
  title: string;
  unit: string;
  kind: string;
  index: number;
  frequency: ArrayRef;
  amplitude: ArrayRef;
  marks: { label: string; frequency: number; kind: MarkKind }[];
  peaks: [number, number][];
  start: number;
  stop: number;
  resolution: number;
}

export interface OrderSpectrum {
  key: string;
  title: string;
  unit: string;
  wheel: string;
  order: ArrayRef;
  amplitude: ArrayRef;
  marks: { label: string; order: number }[];
  resolution: number;
}

export interface Campbell {
  title: string;
  unit: string;
  x: string;
  columns: ArrayRef;
  frequency: ArrayRef;
  /** (C, R): log10 of the amplitude. */
  amplitude: ArrayRef;
  /** Frequencies over the columns (C), and the amplitude along them. */
  lines: { label: string; kind: MarkKind; frequency: ArrayRef; cut: ArrayRef }[];
  /** Width of a bin before neighbours were put together [Hz]. */
  resolution: number;
  /** In the unit of x. */
  operating: number | null;
  /** x, frequency, and what meets there; the most important first. */
  crossings: [number, number, string][];
}

/** A map of a study, whose columns are runs. */
export interface SpeedMap extends Campbell {
  /** Curve of the study; empty where there is one only. */
  group: string;
  /** Of the columns: what a run is called, and its report, if it was kept. */
  runs: { name: string; href: string | null }[];
}

/** What the live view answers to "./feed?after=...&generation=...": how many frames of which numbering the page has. */
export interface Feed {
  state: "starting" | "running" | "paused" | "finished" | "failed" | "interrupted";
  message: string;
  time: number;
  until: number;
  remaining: number | null;
  frames: Frames | null;
  curves: CurveGroup[] | null;
  data: string;
  report: string | null;
  /** Frames are numbered anew with every generation, when some were dropped to make room. */
  generation?: number;
  /** True: what the page has is to be forgotten. */
  anew?: boolean;
}

/** Windows of time between edges, and what the tables say of each. */
export interface Windows {
  /** Stored instants [s], and how they are written. */
  edges: number[];
  labels: string[];
  /** Windows with a name: positions of their first and last edge. The first is the one that the page is written for. */
  named: { name: string; first: number; last: number }[];
  /** Base64 of compressed JSON: WindowTexts. */
  texts: string;
}

/** A text; a text with a note below it, which may lead to a moment (time, kind, number); or a tile of the verdict. */
export type WindowText = string | [string, string, ...([number, string, number] | [])] | WindowTile;

export interface WindowTile {
  headline: string;
  /** Its class, its sign and its word. */
  sign: string;
  mark: string;
  word: string;
  lines: string[];
  /** Where the headline leads to; nowhere if null. */
  time: number | null;
  kind: string;
  number: number;
}

/** By "first-last", then by data-follows. */
export type WindowTexts = Record<string, Record<string, WindowText>>;
