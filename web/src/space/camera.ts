/** The eye: where it is, where it looks, and where a point then is on the canvas. Numbers only. */
import type { Sight } from "./contract";

export type Vector = [number, number, number];

/** Angle of view from the top to the bottom of the canvas [rad], with perspective. */
export const VIEW_ANGLE = (26 * Math.PI) / 180;
export const MOST_ZOOM = 400;
/** Long enough to see where one view goes over into the other [ms]. */
const JOURNEY = 450;

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** A box around everything that is drawn: least and largest x, y, z. */
export interface Room {
  low: Vector;
  high: Vector;
}

export class Eye {
  width = 300;
  height = 300;
  parallel = false;
  sight: Sight = { yaw: 0, pitch: 0, height: 1, shift: [0, 0, 0] };
  /** The middle of the drive, or what is followed. */
  origin: Vector = [0, 0, 0];
  private from: Sight | null = null;
  private to: Sight | null = null;
  private begun = 0;

  get right(): Vector {
    const { yaw } = this.sight;
    return [Math.cos(yaw), 0, -Math.sin(yaw)];
  }
  get up(): Vector {
    const { yaw, pitch } = this.sight;
    return [-Math.sin(yaw) * Math.sin(pitch), Math.cos(pitch), -Math.cos(yaw) * Math.sin(pitch)];
  }
  /** From what is seen to the eye. */
  get back(): Vector {
    const { yaw, pitch } = this.sight;
    return [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  }
  get target(): Vector {
    const { shift } = this.sight;
    return [this.origin[0] + shift[0], this.origin[1] + shift[1], this.origin[2] + shift[2]];
  }
  get distance(): number {
    return this.sight.height / 2 / Math.tan(VIEW_ANGLE / 2);
  }

  /** Pixels per metre at a distance in front of the middle (towards the eye). */
  scaleAt(nearer: number): number {
    const scale = this.height / this.sight.height;
    return this.parallel ? scale : (scale * this.distance) / Math.max(1e-3 * this.distance, this.distance - nearer);
  }

  /** Canvas x, y of a point, and how far it is in front of the middle. */
  project(point: Vector): Vector {
    const t = this.target;
    const d: Vector = [point[0] - t[0], point[1] - t[1], point[2] - t[2]];
    const nearer = dot(d, this.back);
    const scale = this.scaleAt(nearer);
    return [this.width / 2 + dot(d, this.right) * scale, this.height / 2 - dot(d, this.up) * scale, nearer];
  }

  /** The ray of sight through a pixel: a point on it, and its direction away from the eye. */
  ray(px: number, py: number): [Vector, Vector] {
    const scale = this.height / this.sight.height;
    const [x, y] = [(px - this.width / 2) / scale, (this.height / 2 - py) / scale];
    const [r, u, b, t] = [this.right, this.up, this.back, this.target];
    const through = t.map((v, k) => v + x * r[k]! + y * u[k]!) as Vector;
    if (this.parallel) return [through, b.map((v) => -v) as Vector];
    const eye = t.map((v, k) => v + this.distance * b[k]!) as Vector;
    return [eye, through.map((v, k) => v - eye[k]!) as Vector];
  }

  /** The height of what must be seen from a direction so that points about a middle fit, with a margin in pixels. */
  heightFor(points: Vector[], middle: Vector, yaw: number, pitch: number, margin: number): number {
    const before = this.sight;
    this.sight = { ...before, yaw, pitch };
    const [r, u, b] = [this.right, this.up, this.back];
    this.sight = before;
    const free = (size: number): number => Math.max(0.3 * size, size - 2 * margin);
    const [across, upright] = [(2 * this.height) / free(this.width), (2 * this.height) / free(this.height)];
    // what is nearer is seen larger: |x| H/h D/(D - d) must be half of the canvas at most, the distance D being h/(2 tan)
    const nearer = this.parallel ? 0 : 2 * Math.tan(VIEW_ANGLE / 2);
    let height = 0;
    for (const point of points) {
      const at = point.map((v, k) => v - middle[k]!) as Vector;
      height = Math.max(height, Math.max(Math.abs(dot(at, r)) * across, Math.abs(dot(at, u)) * upright) + nearer * dot(at, b));
    }
    return height > 0 ? height : 1;
  }

  /** Go to another view: over some time, or at once. */
  go(to: Sight, now: number, atOnce: boolean): void {
    this.from = this.to = null;
    // the shorter way round
    const turn = Math.round((this.sight.yaw - to.yaw) / (2 * Math.PI)) * 2 * Math.PI;
    if (atOnce) this.sight = to;
    else {
      this.from = { ...this.sight, yaw: this.sight.yaw - turn };
      this.sight = this.from;
      this.to = to;
      this.begun = now;
    }
  }

  /** Stop where the eye is. */
  halt(): void {
    this.from = this.to = null;
  }

  get moving(): boolean {
    return this.to !== null;
  }

  /** The view that the eye is at, or on the way to. */
  get goal(): Sight {
    return this.to ?? this.sight;
  }

  tick(now: number): void {
    if (!this.from || !this.to) return;
    const part = Math.min(1, (now - this.begun) / JOURNEY);
    const s = part * part * (3 - 2 * part);
    const [a, b] = [this.from, this.to];
    const mix = (x: number, y: number): number => x + s * (y - x);
    this.sight = {
      yaw: mix(a.yaw, b.yaw),
      pitch: mix(a.pitch, b.pitch),
      height: Math.exp(mix(Math.log(a.height), Math.log(b.height))),
      shift: [mix(a.shift[0], b.shift[0]), mix(a.shift[1], b.shift[1]), mix(a.shift[2], b.shift[2])],
    };
    if (part === 1) {
      this.sight = b;
      this.from = this.to = null;
    }
  }
}
