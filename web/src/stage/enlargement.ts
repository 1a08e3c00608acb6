/** The motion of the spans across, enlarged about the mean course of the chain, which is drawn as a thin line. */
import type { LoadedResult } from "../data";
import type { Point, Zone } from "../types";
import { type Brush, inPixels } from "./brush";
import { GHOST, HALO, INK, MARK } from "./colours";
import { type Moment, wrap } from "./moment";

export const FACTORS = [1, 10, 50];

/** The mean course of the chain of one result, by places along its loop [pitches]. */
export class Course {
  private readonly points: ArrayLike<number> | null;
  private readonly links: number;
  private readonly perPitch: number;
  readonly spans: Zone[];

  constructor(result: LoadedResult) {
    const { header } = result;
    this.links = header.drive.links;
    const ref = header.view?.course;
    this.points = ref ? result.array(ref) : null;
    this.perPitch = this.points ? this.points.length / 2 / this.links : 0;
    this.spans = (header.loop?.zones ?? []).filter((zone) => zone.kind === "span");
  }

  /** Whether there is a course, and it is known where the spans are. */
  get known(): boolean {
    return this.points !== null && this.spans.length > 0;
  }

  /** The point at a place. */
  at(place: number): Point {
    const points = this.points!;
    const k = place * this.perPitch;
    const [before, part] = [Math.floor(k), k - Math.floor(k)];
    const n = points.length / 2;
    const [a, b] = [2 * wrap(before, n), 2 * wrap(before + 1, n)];
    return [points[a]! + part * (points[b]! - points[a]!), points[a + 1]! + part * (points[b + 1]! - points[a + 1]!)];
  }

  /** Unit vector across the course at a place, to the left of it. */
  across(place: number): Point {
    const [[x0, y0], [x1, y1]] = [this.at(place - 0.5), this.at(place + 0.5)];
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    return [-(y1 - y0) / length, (x1 - x0) / length];
  }

  /** Move the rollers of the spans across, so that they are so many times as far from the course as they are. */
  enlarge(moment: Moment, factor: number): void {
    if (factor === 1 || !this.known) return;
    const p = moment.rollers;
    for (const { start, end } of this.spans)
      for (let i = Math.ceil(start - moment.advance); i + moment.advance <= end; i++) {
        const k = 2 * wrap(i, this.links);
        const place = i + moment.advance;
        const [[x, y], [nx, ny]] = [this.at(place), this.across(place)];
        const more = (factor - 1) * ((p[k]! - x) * nx + (p[k + 1]! - y) * ny);
        p[k] = p[k]! + more * nx;
        p[k + 1] = p[k + 1]! + more * ny;
      }
  }

  /** The course in the spans. */
  draw(brush: Brush): void {
    const { context, camera } = brush;
    inPixels(brush);
    context.beginPath();
    for (const { start, end } of this.spans)
      for (let k = 0, n = Math.max(1, Math.ceil(2 * (end - start))); k <= n; k++) {
        const [x, y] = this.at(start + ((end - start) * k) / n);
        if (k === 0) context.moveTo(camera.x(x), camera.y(y));
        else context.lineTo(camera.x(x), camera.y(y));
      }
    context.lineJoin = "round";
    context.lineWidth = 1.4;
    context.strokeStyle = GHOST;
    context.stroke();
  }
}

/** Says in the drawing itself that it is not as it is. */
export function drawEnlarged(brush: Brush, factor: number): void {
  const { context } = brush;
  inPixels(brush);
  context.textAlign = "left";
  context.textBaseline = "top";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = HALO;
  ["600 14px", "12px"].forEach((font, k) => {
    const text = k === 0 ? `Motion of the spans × ${factor}` : "thin line: its mean";
    context.font = `${font} system-ui, sans-serif`;
    context.fillStyle = k === 0 ? MARK : INK;
    context.strokeText(text, 12, 10 + 19 * k);
    context.fillText(text, 12, 10 + 19 * k);
  });
}
