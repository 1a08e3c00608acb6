/** Where things are in space at the moment, with distances from the plane of the drawing stretched. [m] */
import type { LoadedResult } from "../data";
import { type Moment, wrap } from "../stage/moment";
import { placeOf } from "../stage/parts";
import type { PickKind } from "../store";
import type { Room, Vector } from "./camera";

export class Places {
  stretch = 1;
  /** Of the bushes seen so far: least and largest distance, and how many numbers that were. */
  private reached: [number, number] = [0, 0];
  private scanned = 0;

  constructor(
    readonly result: LoadedResult,
    readonly moment: Moment,
  ) {}

  bush(i: number): Vector {
    const { rollers, offset } = this.moment;
    return [rollers[2 * i]!, rollers[2 * i + 1]!, this.stretch * offset[i]!];
  }

  /** Direction of the pins of link i, not stretched: square to its length, turned about it. */
  pin(i: number): Vector {
    const { rollers, offset, roll } = this.moment;
    const j = (i + 1) % offset.length;
    const [x, y, z] = unit([rollers[2 * j]! - rollers[2 * i]!, rollers[2 * j + 1]! - rollers[2 * i + 1]!, offset[j]! - offset[i]!]);
    const [c, s] = [Math.cos(roll[i]!), Math.sin(roll[i]!)];
    const flat = Math.hypot(x, y) || 1;
    // z less what of it is along the link; across: from the link to its left
    const [ux, uy, uz] = [(-z * x) / flat, (-z * y) / flat, flat];
    return [c * ux + (s * y) / flat, c * uy - (s * x) / flat, c * uz];
  }

  /** The point of a wheel at (x, y, z) of its own frame, gap 0 in the direction of x: columns of a matrix, and the centre. */
  wheel(w: number): { x: Vector; y: Vector; z: Vector; centre: Vector } {
    const { wheelAngle, wheelOffset, wheelTilt, wheelCentre } = this.moment;
    const [a, b, axis] = wheelAxes(wheelTilt[2 * w]!, wheelTilt[2 * w + 1]!);
    const [c, s, k] = [Math.cos(wheelAngle[w]!), Math.sin(wheelAngle[w]!), this.stretch];
    return {
      x: [c * a[0] + s * b[0], c * a[1] + s * b[1], k * (c * a[2] + s * b[2])],
      y: [c * b[0] - s * a[0], c * b[1] - s * a[1], k * (c * b[2] - s * a[2])],
      z: unit([k * axis[0], k * axis[1], axis[2]]),
      centre: [wheelCentre[2 * w]!, wheelCentre[2 * w + 1]!, k * wheelOffset[w]!],
    };
  }

  /** The middle, out of the plane, of the wheels that a body carries; of all wheels where it carries none. */
  depthOf(body: number): number {
    const { wheels, bodies } = this.result.header.drive;
    const all = [...this.moment.wheelOffset];
    const carried = all.filter((_, w) => {
      for (let b = wheels[w]!.body; b >= 0; b = bodies[b]!.parent) if (b === body) return true;
      return false;
    });
    const offsets = carried.length ? carried : all;
    return this.stretch * (offsets.reduce((sum, z) => sum + z, 0) / Math.max(1, offsets.length));
  }

  /** Where a part is that can be picked. */
  of(kind: PickKind, index: number): Vector | null {
    const n = this.moment.offset.length;
    const flat = placeOf(this.result, this.moment, { result: 0, kind, index });
    if (!flat) return null;
    const nearest = (): number => {
      let [best, least] = [0, Infinity];
      for (let i = 0; i < n; i++) {
        const far = Math.hypot(this.moment.rollers[2 * i]! - flat[0], this.moment.rollers[2 * i + 1]! - flat[1]);
        if (far < least) [best, least] = [i, far];
      }
      return best;
    };
    switch (kind) {
      case "roller":
        return this.bush(index);
      case "link":
        return [flat[0], flat[1], (this.bush(index)[2] + this.bush(wrap(index + 1, n))[2]) / 2];
      case "wheel":
        return this.wheel(index).centre;
      case "span":
        return [flat[0], flat[1], this.bush(nearest())[2]];
      case "body":
        return [flat[0], flat[1], this.depthOf(index)];
      default:
        return [flat[0], flat[1], this.depthOf(-1)];
    }
  }

  /** The box around everything over the run. half: half the width of the chain. */
  room(half: number): Room {
    const { drive } = this.result.header;
    const [left, right, bottom, top] = drive.extent;
    const [low, high] = this.depth();
    return { low: [left, bottom, this.stretch * low - half], high: [right, top, this.stretch * high + half] };
  }

  /** Points that the drive lies within at the moment: at its bushes, rims, bodies. half: half the width of the chain. */
  hull(half: number): Vector[] {
    const { drive } = this.result.header;
    const points: Vector[] = [];
    const both = ([x, y, z]: Vector): void => void points.push([x, y, z - half], [x, y, z + half]);
    for (let i = 0; i < drive.links; i++) both(this.bush(i));
    drive.wheels.forEach((wheel, w) => {
      const at = this.wheel(w);
      for (let k = 0; k < 12; k++) {
        const [c, s] = [1.1 * wheel.radius * Math.cos((k * Math.PI) / 6), 1.1 * wheel.radius * Math.sin((k * Math.PI) / 6)];
        both(at.centre.map((v, axis) => v + c * at.x[axis]! + s * at.y[axis]!) as Vector);
      }
    });
    drive.bodies.forEach((body, b) => {
      for (const end of body.bars.flat()) both([...this.moment.at(b, end), this.depthOf(b)]);
    });
    return points.filter((point) => point.every(Number.isFinite));
  }

  /** Least and largest distance of a bush or a rim in front of the drawing, not stretched. */
  private depth(): [number, number] {
    const { rollerOffset } = this.result.frames;
    if (this.scanned > (rollerOffset?.length ?? 0)) [this.scanned, this.reached] = [0, [0, 0]];
    let [low, high] = this.reached;
    for (; rollerOffset && this.scanned < rollerOffset.length; this.scanned++) {
      const z = rollerOffset[this.scanned]!;
      if (z < low) low = z;
      if (z > high) high = z;
    }
    this.reached = [low, high];
    this.result.header.drive.space!.wheels.forEach(({ offset, tilt }, w) => {
      const reach = this.result.header.drive.wheels[w]!.radius * Math.hypot(...tilt);
      low = Math.min(low, offset - reach);
      high = Math.max(high, offset + reach);
    });
    return [low, high];
  }
}

export function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

/** Unit vectors of the frame of a wheel that is tilted about x, and about its own y then [rad]; the last along its axis. */
export function wheelAxes(a: number, b: number): [Vector, Vector, Vector] {
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return [[cb, sa * sb, -ca * sb], [0, ca, sa], [sb, -sa * cb, ca * cb]]; // prettier-ignore
}
