/** Where everything is at an instant: a frame, or in between while the animation plays. */
import type { LoadedFrames, LoadedResult } from "../data";
import type { Drive, Point } from "../types";

/** All that the drawing needs of one result at one instant; made once, filled again and again. */
export class Moment {
  /** The frame at or nearest to the instant, whose numbers are shown. */
  frame = 0;
  time = 0;
  /** Pitches the chain has advanced. */
  advance = 0;
  readonly rollers: Float64Array;
  readonly tension: Float64Array;
  readonly wheelCentre: Float64Array;
  readonly wheelAngle: Float64Array;
  /** Of body b at 6 b: a, b, c, d, e, f of the transform from the reference configuration, as a canvas takes them. */
  readonly pose: Float64Array;
  /** x, y of the pin of joint i from the middle of its bush at 2 i; null where that is not known. */
  pins: Float64Array | null = null;

  /** How far every bush is in front of the drawing [m], and the turn of every link about its length [rad]; 0 where not known. */
  readonly offset: Float64Array;
  readonly roll: Float64Array;
  /** How far every wheel is in front of the drawing [m], and its tilt about x, about its own y [rad]. */
  readonly wheelOffset: Float64Array;
  readonly wheelTilt: Float64Array;

  /** clearance: of the joints of rigid links, null without them. */
  constructor(
    readonly drive: Drive,
    private readonly clearance: ArrayLike<number> | null = null,
  ) {
    this.rollers = new Float64Array(2 * drive.links);
    this.tension = new Float64Array(drive.links);
    this.offset = new Float64Array(drive.links);
    this.roll = new Float64Array(drive.links);
    this.wheelOffset = Float64Array.from(drive.wheels, (_, w) => drive.space?.wheels[w]?.offset ?? 0);
    this.wheelTilt = Float64Array.from(drive.wheels.flatMap((_, w) => drive.space?.wheels[w]?.tilt ?? [0, 0]));
    this.wheelCentre = new Float64Array(2 * drive.wheels.length);
    this.wheelAngle = new Float64Array(drive.wheels.length);
    this.pose = new Float64Array(6 * drive.bodies.length);
  }

  /** Stand exactly on the frame nearest to a time. */
  stand(frames: LoadedFrames, time: number): void {
    if (frames.count) this.between(frames, frames.nearest(time), 0);
  }

  /** Stand at a time, between two frames where it falls between them. */
  glide(frames: LoadedFrames, time: number): void {
    if (!frames.count) return;
    const f = frames.before(time);
    const next = Math.min(f + 1, frames.count - 1);
    const length = frames.time[next]! - frames.time[f]!;
    const part = length > 0 ? Math.min(1, Math.max(0, (time - frames.time[f]!) / length)) : 0;
    this.between(frames, f, part);
  }

  private between(frames: LoadedFrames, f: number, part: number): void {
    const g = part > 0 ? f + 1 : f;
    const { time, advance, wheelAngle, wheelPosition } = frames;
    this.frame = part > 0.5 ? g : f;
    this.time = mix(time[f]!, time[g]!, part);
    this.advance = mix(advance[f]!, advance[g]!, part);
    this.chain(frames, f, g, part);
    this.aside(frames, f, g, part);
    const wheels = this.drive.wheels;
    for (let w = 0; w < wheels.length; w++) {
      this.wheelAngle[w] = mix(wheelAngle[f * wheels.length + w]!, wheelAngle[g * wheels.length + w]!, part);
      for (let axis = 0; axis < 2; axis++) {
        const k = 2 * w + axis;
        this.wheelCentre[k] = wheelPosition ? mix(wheelPosition[2 * f * wheels.length + k]!, wheelPosition[2 * g * wheels.length + k]!, part) : wheels[w]!.centre[axis]!;
      }
    }
    this.bodies(frames, f, g, part);
    this.joints(frames, f, g, part);
  }

  /**
   * Rollers and tensions between two frames f and g. The chain runs along its loop, by d pitches from f to g, and the
   * loop changes its shape slowly: a roller is where the loop, mixed from both frames at the same place along it, is
   * after part * d pitches. A straight line between both places would cut the corner of every wheel.
   */
  private chain(frames: LoadedFrames, f: number, g: number, part: number): void {
    const n = this.drive.links;
    const { roller, tension, advance } = frames;
    const first = 2 * f * n;
    if (part === 0) {
      for (let k = 0; k < 2 * n; k++) this.rollers[k] = roller[first + k]!;
      for (let i = 0; i < n; i++) this.tension[i] = tension[f * n + i]!;
      return;
    }
    if (!this.drive.closed) {
      // joints of an open chain keep their places along it
      for (let k = 0; k < 2 * n; k++) this.rollers[k] = mix(roller[first + k]!, roller[2 * g * n + k]!, part);
      for (let i = 0; i < n; i++) this.tension[i] = mix(tension[f * n + i]!, tension[g * n + i]!, part);
      return;
    }
    const ahead = part * (advance[g]! - advance[f]!);
    const behind = ahead - (advance[g]! - advance[f]!);
    along(roller, first, n, ahead, 1 - part, this.rollers, true);
    along(roller, 2 * g * n, n, behind, part, this.rollers, false);
    for (let i = 0; i < n; i++)
      this.tension[i] = (1 - part) * tension[f * n + wrap(i + Math.round(ahead), n)]! + part * tension[g * n + wrap(i + Math.round(behind), n)]!;
  }

  /** Bushes out of the plane and turns of links between two frames, each at the place along the loop where the link then is. */
  private aside(frames: LoadedFrames, f: number, g: number, part: number): void {
    const n = this.drive.links;
    const { advance, rollerOffset, linkRoll, wheelOffset, wheelTilt } = frames;
    for (const [now, kept] of [[this.wheelOffset, wheelOffset], [this.wheelTilt, wheelTilt]] as const) // prettier-ignore
      if (kept && this.drive.space) for (let k = 0; k < now.length; k++) now[k] = mix(kept[f * now.length + k]!, kept[g * now.length + k]!, part);
    const ahead = part * (advance[g]! - advance[f]!);
    const behind = ahead - (advance[g]! - advance[f]!);
    if (rollerOffset)
      for (let i = 0; i < n; i++) this.offset[i] = (1 - part) * atPlace(rollerOffset, f * n, n, i + ahead) + (part ? part * atPlace(rollerOffset, g * n, n, i + behind) : 0);
    // inner and outer links turn differently: of the same kind, the nearest
    const [rear, front] = [2 * Math.round(ahead / 2), 2 * Math.round(behind / 2)];
    if (linkRoll) for (let i = 0; i < n; i++) this.roll[i] = mix(linkRoll[f * n + wrap(i + rear, n)]!, linkRoll[g * n + wrap(i + front, n)]!, part);
  }

  /** Pins in their bushes; between two frames those of the joints that are nearest in both. */
  private joints(frames: LoadedFrames, f: number, g: number, part: number): void {
    const n = this.drive.links;
    const { clearance } = this;
    const { advance, pinGap, pinDirection } = frames;
    this.pins = clearance && pinGap && pinDirection ? (this.pins ?? new Float64Array(2 * n)) : null;
    if (!this.pins || !clearance || !pinGap || !pinDirection) return;
    const far = this.drive.closed ? advance[g]! - advance[f]! : 0; // joints of an open chain keep their places along it
    const ahead = Math.round(part * far);
    const behind = Math.round((part - 1) * far);
    this.pins.fill(0);
    for (const [frame, shift, weight] of [[f, ahead, 1 - part], [g, behind, part]] as const) {
      if (weight === 0) continue;
      for (let i = 0; i < n; i++) {
        const k = wrap(i + shift, n);
        const size = weight * (clearance[k]! - pinGap[frame * n + k]!);
        const angle = (pinDirection[frame * n + k]! * Math.PI) / 128;
        this.pins[2 * i]! += size * Math.cos(angle);
        this.pins[2 * i + 1]! += size * Math.sin(angle);
      }
    }
  }

  private bodies(frames: LoadedFrames, f: number, g: number, part: number): void {
    const bodies = this.drive.bodies;
    const { bodyPosition, bodyAngle } = frames;
    const n = bodies.length;
    for (let b = 0; b < n; b++) {
      const [x0, y0] = bodies[b]!.centre;
      const angle = bodyAngle ? mix(bodyAngle[f * n + b]!, bodyAngle[g * n + b]!, part) : 0;
      const x = bodyPosition ? mix(bodyPosition[2 * (f * n + b)]!, bodyPosition[2 * (g * n + b)]!, part) : x0;
      const y = bodyPosition ? mix(bodyPosition[2 * (f * n + b) + 1]!, bodyPosition[2 * (g * n + b) + 1]!, part) : y0;
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      this.pose.set([c, s, -s, c, x - c * x0 + s * y0, y - s * x0 - c * y0], 6 * b);
    }
  }

  /** Where a point of a body is now, given in the reference configuration; body -1 is the ground. */
  at(body: number, [x, y]: Point): Point {
    if (body < 0) return [x, y];
    const p = this.pose;
    const k = 6 * body;
    return [p[k]! * x + p[k + 2]! * y + p[k + 4]!, p[k + 1]! * x + p[k + 3]! * y + p[k + 5]!];
  }

  /** Where a direction fixed to a body points now. */
  turned(body: number, [x, y]: Point): Point {
    if (body < 0) return [x, y];
    const k = 6 * body;
    return [this.pose[k]! * x + this.pose[k + 2]! * y, this.pose[k + 1]! * x + this.pose[k + 3]! * y];
  }
}

function mix(a: number, b: number, part: number): number {
  return part === 0 ? a : a + part * (b - a);
}

/** One of n values of a closed row, between two of them where the place is. */
function atPlace(values: ArrayLike<number>, first: number, n: number, place: number): number {
  const k = Math.floor(place);
  const t = place - k;
  const value = values[first + wrap(k, n)]!;
  return t === 0 ? value : (1 - t) * value + t * values[first + wrap(k + 1, n)]!;
}

/** A number modulo n, never negative. */
export function wrap(i: number, n: number): number {
  return ((i % n) + n) % n;
}

/**
 * Add (or set) weight * the point of a closed polygon that lies `shift` corners after every corner, on the Catmull-Rom
 * curve through the corners: exact at corners, and on circles to 0.1 % of the sagitta for the pitches of chains.
 */
export function along(points: ArrayLike<number>, first: number, n: number, shift: number, weight: number, into: Float64Array, set: boolean): void {
  const whole = Math.floor(shift);
  const t = shift - whole;
  const a = weight * 0.5 * t * (-1 + t * (2 - t));
  const b = weight * (1 + 0.5 * t * t * (3 * t - 5));
  const c = weight * 0.5 * t * (1 + t * (4 - 3 * t));
  const d = weight * 0.5 * t * t * (t - 1);
  let k = wrap(whole - 1, n);
  for (let i = 0; i < n; i++) {
    const k0 = first + 2 * k;
    const k1 = first + 2 * (k + 1 < n ? k + 1 : k + 1 - n);
    const k2 = first + 2 * (k + 2 < n ? k + 2 : k + 2 - n);
    const k3 = first + 2 * (k + 3 < n ? k + 3 : k + 3 - n);
    const x = a * points[k0]! + b * points[k1]! + c * points[k2]! + d * points[k3]!;
    const y = a * points[k0 + 1]! + b * points[k1 + 1]! + c * points[k2 + 1]! + d * points[k3 + 1]!;
    into[2 * i] = set ? x : into[2 * i]! + x;
    into[2 * i + 1] = set ? y : into[2 * i + 1]! + y;
    if (++k === n) k = 0;
  }
}

/** Number of the tooth gap in which a roller is: gap 0 points along +x at wheel angle 0, counted counter-clockwise. */
export function gapOf(x: number, y: number, centreX: number, centreY: number, angle: number, teeth: number): number {
  return wrap(Math.round(((Math.atan2(y - centreY, x - centreX) - angle) * teeth) / (2 * Math.PI)), teeth);
}

/** How many links there are: of an open chain one less than joints. */
export function linksOf(drive: Drive): number {
  return drive.closed ? drive.links : drive.links - 1;
}

/** Rollers or links of a chain along which something is; used for spans. */
export interface Stretch {
  first: number;
  count: number;
}

/**
 * The free links of the span after wheel k: between the last roller that touches wheel k and the first that touches the
 * next wheel of the route, null when not known. From the zones of the loop where the report has them.
 */
export function spanLinks(result: LoadedResult, moment: Moment, k: number): Stretch | null {
  const n = result.header.drive.links;
  const zone = result.header.loop?.zones.find((z) => z.kind === "span" && z.index === k);
  if (zone) {
    const first = Math.ceil(zone.start - moment.advance - 0.5);
    const last = Math.floor(zone.end - moment.advance - 0.5);
    if (!result.header.drive.closed) {
      const [from, to] = [Math.max(first, 0), Math.min(last, n - 2)];
      return to >= from ? { first: from, count: to - from + 1 } : null;
    }
    return last >= first ? { first: wrap(first, n), count: Math.min(n, last - first + 1) } : null;
  }
  const bodies = result.frames.contactSurface;
  const wheels = result.header.drive.wheels.length;
  if (!bodies || wheels < 2 || !result.header.drive.closed) return null;
  const row = moment.frame * n;
  const next = (k + 1) % wheels;
  for (let i = 0; i < n; i++) {
    if (bodies[row + i] !== k) continue;
    // the last roller on wheel k: what follows is free, or on a guide, up to the next wheel
    let count = 1;
    while (count < n) {
      const body = bodies[row + wrap(i + count, n)]!;
      if (body >= 0 && body < wheels) {
        if (body === next) return { first: i, count };
        break;
      }
      count++;
    }
  }
  return null;
}
