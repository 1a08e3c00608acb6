/** From the text in the page to typed arrays. */
import type { ArrayRef, CurveGroup, Feed, Frames, Header, Result } from "./types";

export type Numbers = Float64Array | Float32Array | Int32Array | Int16Array | Uint8Array;

export interface Report {
  header: Header;
  results: LoadedResult[];
}

/** Bytes of a base64 text, which may contain white space. */
export function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The data of a result: base64 of zlib-compressed bytes. */
export async function inflate(base64: string): Promise<ArrayBuffer> {
  const bytes = bytesOf(base64);
  if (bytes.length === 0) return new ArrayBuffer(0);
  if (typeof DecompressionStream === "undefined") throw new Error("this browser cannot decompress the data (DecompressionStream is missing)");
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Number of values of an array. */
export function sizeOf(ref: ArrayRef): number {
  return ref.shape.reduce((product, n) => product * n, 1);
}

/** Two-byte numbers, of which all low bytes come first; differences along axis 0 are summed up. */
function unshuffled(bytes: Uint8Array, n: number, row: number, delta: boolean): Uint16Array {
  const numbers = new Uint16Array(n);
  for (let i = 0; i < n; i++) numbers[i] = bytes[i]! | (bytes[n + i]! << 8);
  if (delta) for (let i = row; i < n; i++) numbers[i] = numbers[i]! + numbers[i - row]!; // modulo 2^16 by the type
  return numbers;
}

/** One array out of the data. q2 becomes Float32Array with NaN for what is missing. */
export function decode(buffer: ArrayBuffer, ref: ArrayRef): Numbers {
  const n = sizeOf(ref);
  const row = ref.shape.length > 1 ? n / Math.max(1, ref.shape[0]!) : 1;
  const bytes = { f8: 8, f4: 4, q2: 2, i4: 4, i2: 2, u1: 1 }[ref.kind] * n;
  if (ref.at + bytes > buffer.byteLength) throw new Error(`the data of this report are truncated (${buffer.byteLength} bytes)`);
  const part = buffer.slice(ref.at, ref.at + bytes);
  switch (ref.kind) {
    case "f8":
      return new Float64Array(part);
    case "f4":
      return new Float32Array(part);
    case "i4":
      return new Int32Array(part);
    case "i2":
      return new Int16Array(unshuffled(new Uint8Array(part), n, row, ref.delta ?? false).buffer);
    case "u1": {
      const numbers = new Uint8Array(part);
      if (ref.delta) for (let i = row; i < n; i++) numbers[i] = numbers[i]! + numbers[i - row]!;
      return numbers;
    }
    case "q2": {
      const steps = unshuffled(new Uint8Array(part), n, row, ref.delta ?? false);
      const values = new Float32Array(n);
      const scale = ref.scale ?? 1;
      const offset = ref.offset ?? 0;
      for (let i = 0; i < n; i++) values[i] = steps[i] === 65535 ? NaN : offset + scale * steps[i]!;
      return values;
    }
  }
}

/** The array with others at its end; the memory grows in steps of one half, so that appending stays cheap. */
function appended<T extends Numbers>(old: T, more: T): T {
  const make = old.constructor as unknown as { new (n: number): T; new (b: ArrayBufferLike, at: number, n: number): T };
  const n = old.length + more.length;
  const room = (old.buffer.byteLength - old.byteOffset) / old.BYTES_PER_ELEMENT;
  let next: T;
  if (room >= n) next = new make(old.buffer, old.byteOffset, n);
  else {
    const wider = new make(Math.max(n, Math.ceil(1.5 * n)));
    wider.set(old);
    next = new make(wider.buffer, 0, n);
  }
  next.set(more, old.length);
  return next;
}

const OPTIONAL = [
  ["tensionLow", "tension_low"],
  ["tensionHigh", "tension_high"],
  ["contactForce", "contact_force"],
  ["contactSurface", "contact_surface"],
  ["contactDirection", "contact_direction"],
  ["frictionForce", "friction_force"],
  ["wheelPosition", "wheel_position"],
  ["bodyPosition", "body_position"],
  ["bodyAngle", "body_angle"],
  ["jointForce", "joint_force"],
  ["tensionerForce", "tensioner_force"],
  ["guideForce", "guide_force"],
  ["bearingForce", "bearing_force"],
  ["wheelSpeed", "wheel_speed"],
  ["wheelTorque", "wheel_torque"],
  ["spanTension", "span_tension"],
  ["spanDisplacement", "span_displacement"],
  ["linkAngle", "link_angle"],
  ["pinForce", "pin_force"],
  ["pinMoment", "pin_moment"],
  ["pinGap", "pin_gap"],
  ["pinDirection", "pin_direction"],
  ["rollerOffset", "roller_offset"],
  ["linkRoll", "link_roll"],
  ["sideForce", "side_force"],
  ["wheelOffset", "wheel_offset"],
  ["wheelTilt", "wheel_tilt"],
  ["pinNormalForce", "pin_normal_force"],
  ["pinCircumferentialFriction", "pin_circumferential_friction"],
  ["pinRadialFriction", "pin_radial_friction"],
  ["pinSlip", "pin_slip"],
  ["pinDrift", "pin_drift"],
  ["sheaveClosure", "sheave_closure"],
  ["runningRadius", "running_radius"],
  ["sheaveThrust", "sheave_thrust"],
] as const;

/** The frames of one result as plain arrays, frame by frame. A channel that was not kept is null. */
export class LoadedFrames {
  count = 0;
  time: Float64Array = new Float64Array(0);
  row: Int32Array = new Int32Array(0);
  advance: Float64Array = new Float64Array(0);
  /** x, y of roller i of frame f at 2 (f N + i). */
  roller: Float32Array = new Float32Array(0);
  tension: Float32Array = new Float32Array(0);
  tensionLow: Float32Array | null = null;
  tensionHigh: Float32Array | null = null;
  contactForce: Float32Array | null = null;
  contactSurface: Int16Array | null = null;
  contactDirection: Uint8Array | null = null;
  frictionForce: Float32Array | null = null;
  wheelAngle: Float64Array = new Float64Array(0);
  wheelPosition: Float32Array | null = null;
  bodyPosition: Float32Array | null = null;
  bodyAngle: Float32Array | null = null;
  jointForce: Float32Array | null = null;
  tensionerForce: Float32Array | null = null;
  guideForce: Float32Array | null = null;
  bearingForce: Float32Array | null = null;
  wheelSpeed: Float32Array | null = null;
  wheelTorque: Float32Array | null = null;
  spanTension: Float32Array | null = null;
  spanDisplacement: Float32Array | null = null;
  linkAngle: Float32Array | null = null;
  pinForce: Float32Array | null = null;
  pinMoment: Float32Array | null = null;
  pinGap: Float32Array | null = null;
  pinDirection: Uint8Array | null = null;
  rollerOffset: Float32Array | null = null;
  linkRoll: Float32Array | null = null;
  sideForce: Float32Array | null = null;
  wheelOffset: Float32Array | null = null;
  wheelTilt: Float32Array | null = null;
  pinNormalForce: Float32Array | null = null;
  pinCircumferentialFriction: Float32Array | null = null;
  pinRadialFriction: Float32Array | null = null;
  pinSlip: Float32Array | null = null;
  pinDrift: Float32Array | null = null;
  sheaveClosure: Float32Array | null = null;
  runningRadius: Float32Array | null = null;
  sheaveThrust: Float32Array | null = null;
  /** Rows of the results file in the window. */
  stored = 0;

  constructor(
    readonly links: number,
    readonly wheels: number,
  ) {}

  /** Forget all frames. */
  clear(): void {
    Object.assign(this, new LoadedFrames(this.links, this.wheels));
  }

  /** Append frames; what an earlier piece did not have stays missing. */
  append(buffer: ArrayBuffer, ref: Frames): void {
    const first = this.count === 0;
    this.time = appended(this.time, decode(buffer, ref.time) as Float64Array);
    this.row = appended(this.row, decode(buffer, ref.row) as Int32Array);
    this.advance = appended(this.advance, decode(buffer, ref.advance) as Float64Array);
    this.roller = appended(this.roller, asFloat32(decode(buffer, ref.roller)));
    this.tension = appended(this.tension, asFloat32(decode(buffer, ref.link_tension)));
    this.wheelAngle = appended(this.wheelAngle, asFloat64(decode(buffer, ref.wheel_angle)));
    for (const [name, key] of OPTIONAL) {
      const given = ref[key];
      const old = this[name];
      if (!given || (!first && !old)) {
        if (first || !given) (this as Record<string, unknown>)[name] = null;
        continue;
      }
      const whole = name === "contactSurface" || name === "contactDirection" || name === "pinDirection";
      const values = whole ? decode(buffer, given) : asFloat32(decode(buffer, given));
      (this as Record<string, unknown>)[name] = old ? appended(old as Numbers, values) : values;
    }
    this.count = this.time.length;
    this.stored = Math.max(this.stored, ref.stored);
  }

  /** Index of the last frame at or before a time; 0 before the first. */
  before(time: number): number {
    return lastAtOrBefore(this.time, this.count, time);
  }

  /** Index of the frame nearest to a time. */
  nearest(time: number): number {
    const f = this.before(time);
    return f + 1 < this.count && this.time[f + 1]! - time < time - this.time[f]! ? f + 1 : f;
  }
}

function asFloat32(values: Numbers): Float32Array {
  return values instanceof Float32Array ? values : Float32Array.from(values);
}

function asFloat64(values: Numbers): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values);
}

/** Index of the last of n growing values that is at or before a value; 0 if there is none. */
export function lastAtOrBefore(values: ArrayLike<number>, n: number, value: number): number {
  let low = 0;
  let high = n - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** A group of curves: values[s] belongs to series s, at the same times. */
export class LoadedCurveGroup {
  time: Float64Array = new Float64Array(0);
  values: Float32Array[];

  constructor(readonly info: CurveGroup) {
    this.values = info.series.map(() => new Float32Array(0));
  }

  /** Forget all points. */
  clear(): void {
    this.time = new Float64Array(0);
    this.values = this.info.series.map(() => new Float32Array(0));
  }

  append(buffer: ArrayBuffer, ref: CurveGroup): void {
    this.time = appended(this.time, asFloat64(decode(buffer, ref.time)));
    const all = asFloat32(decode(buffer, ref.values));
    const m = ref.values.shape[1] ?? 0;
    this.values = this.values.map((old, s) => appended(old, all.subarray(s * m, (s + 1) * m)));
    this.info.stored = Math.max(this.info.stored, ref.stored);
    this.info.kept = this.time.length;
  }
}

/** A result with its arrays. */
export class LoadedResult {
  readonly frames: LoadedFrames;
  curves: LoadedCurveGroup[] = [];
  private readonly arrays = new Map<ArrayRef, Numbers>();
  private readonly seen: [number, number] = [Infinity, -Infinity];
  private scanned = 0;

  constructor(
    readonly index: number,
    readonly header: Result,
    private readonly buffer: ArrayBuffer,
  ) {
    this.frames = new LoadedFrames(header.drive.links, header.drive.wheels.length);
    if (header.frames && header.frames.time && sizeOf(header.frames.time) > 0) this.frames.append(buffer, header.frames);
    this.curves = header.curves.map((info) => {
      const group = new LoadedCurveGroup(info);
      group.append(buffer, info);
      return group;
    });
  }

  /** Any other array of the header, decoded once. */
  array(ref: ArrayRef): Numbers {
    let values = this.arrays.get(ref);
    if (!values) this.arrays.set(ref, (values = decode(this.buffer, ref)));
    return values;
  }

  /** Take what a running computation has computed since. */
  async take(feed: Feed): Promise<boolean> {
    const forget = Boolean(feed.anew) && this.frames.count > 0;
    if (!feed.frames && !feed.curves && !forget) return false;
    const buffer = await inflate(feed.data);
    if (feed.anew) {
      this.frames.clear();
      for (const group of this.curves) group.clear();
      this.scanned = 0;
    }
    if (feed.frames) this.frames.append(buffer, feed.frames);
    if (feed.curves) {
      const fresh = this.curves.length === 0;
      if (fresh) this.curves = feed.curves.map((info) => new LoadedCurveGroup(info));
      feed.curves.forEach((ref, k) => this.curves[k]?.append(buffer, ref));
    }
    return true;
  }

  /** Least and largest tension of all links [N]; of the frames while a run goes on. */
  get tensionRange(): [number, number] {
    const [low, high] = this.header.tension_range ?? [0, 0];
    if (high > low) return [low, high];
    const { tension } = this.frames;
    for (; this.scanned < tension.length; this.scanned++) {
      const value = tension[this.scanned]!;
      if (value < this.seen[0]) this.seen[0] = value;
      if (value > this.seen[1]) this.seen[1] = value;
    }
    return this.seen[1] >= this.seen[0] ? [this.seen[0], this.seen[1]] : [0, 1];
  }

  /** First and last time of the frames [s]. */
  get timeRange(): [number, number] {
    const { time, count } = this.frames;
    return count ? [time[0]!, time[count - 1]!] : this.header.time_range;
  }
}

function headerOf(page: Document): Header {
  const text = page.getElementById("report-header")?.textContent;
  if (!text) throw new Error("the page has no data");
  return JSON.parse(text) as Header;
}

/** The page of a study: its header, and how its arrays are read. */
export async function loadMaps(page: Document): Promise<{ header: Header; array: (ref: ArrayRef) => Numbers }> {
  const buffer = await inflate(page.getElementById("report-data-0")?.textContent ?? "");
  return { header: headerOf(page), array: (ref) => decode(buffer, ref) };
}

/** Read everything that is in the page. */
export async function loadReport(page: Document): Promise<Report> {
  const header = headerOf(page);
  const results: LoadedResult[] = [];
  for (const [k, result] of header.results.entries()) {
    const holder = page.getElementById(`report-data-${k}`);
    const buffer = await inflate(holder?.textContent ?? "");
    if (holder) holder.textContent = ""; // the text is large and not needed again
    results.push(new LoadedResult(k, result, buffer));
  }
  return { header, results };
}
