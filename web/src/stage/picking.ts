/** What is under the pointer. */
import type { LoadedResult } from "../data";
import type { PickKind } from "../store";
import type { Point } from "../types";
import { linksOf, type Moment, spanLinks } from "./moment";
import { plateEnds } from "./parts";

/** Distance of a point from the stretch between two others. */
export function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const t = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** True when a point is inside a closed polygon (even-odd rule). */
export function inside(points: ArrayLike<number>, x: number, y: number): boolean {
  let is = false;
  for (let k = 0, j = points.length - 2; k < points.length; j = k, k += 2) {
    const yk = points[k + 1]!;
    const yj = points[j + 1]!;
    if (yk > y !== yj > y && x < ((points[j]! - points[k]!) * (y - yk)) / (yj - yk) + points[k]!) is = !is;
  }
  return is;
}

function distanceToLine(points: ArrayLike<number>, x: number, y: number): number {
  let least = Infinity;
  for (let k = 0; k + 3 < points.length; k += 2) least = Math.min(least, distanceToSegment(x, y, points[k]!, points[k + 1]!, points[k + 2]!, points[k + 3]!));
  return least;
}

/** The point in the reference configuration of a body that is now at (x, y). */
function drawn(moment: Moment, body: number, x: number, y: number): Point {
  if (body < 0) return [x, y];
  const p = moment.pose;
  const k = 6 * body;
  const dx = x - p[k + 4]!;
  const dy = y - p[k + 5]!;
  return [p[k]! * dx + p[k + 1]! * dy, p[k + 2]! * dx + p[k + 3]! * dy]; // the inverse of a rotation is its transpose
}

/**
 * The part at a point of the drawing, the smallest and topmost first; scale: pixels per metre; reach: how near in pixels
 * a thin part must be (larger for fingers). Null where there is nothing.
 */
export function partAt(result: LoadedResult, moment: Moment, x: number, y: number, scale: number, reach: number): { kind: PickKind; index: number } | null {
  const drive = result.header.drive;
  const near = reach / scale;
  const n = drive.links;
  const p = moment.rollers;
  const rollerRadius = drive.roller_diameter / 2;

  let link = -1;
  let linkDistance = Infinity;
  for (let i = 0; i < n; i++) {
    const j = i + 1 < n ? 2 * i + 2 : 0;
    if (rollerRadius * scale > 5 && Math.hypot(x - p[2 * i]!, y - p[2 * i + 1]!) < 0.7 * rollerRadius) return { kind: "roller", index: i };
    const distance = i < linksOf(drive) ? distanceToSegment(x, y, p[2 * i]!, p[2 * i + 1]!, p[j]!, p[j + 1]!) : Infinity;
    if (distance < linkDistance) [link, linkDistance] = [i, distance];
  }

  for (let k = 0; k < drive.tensioners.length; k++) {
    const t = drive.tensioners[k]!;
    const a = moment.at(t.bodies[0], t.ends[0]);
    const b = moment.at(t.bodies[1], t.ends[1]);
    if (distanceToSegment(x, y, a[0], a[1], b[0], b[1]) < Math.max(near, 8 / scale)) return { kind: "tensioner", index: k };
  }
  const plate = moment.pins ? Math.max(...plateEnds(drive.plates!, link, n)) : (link % 2 === 0 ? 0.25 : 0.19) * drive.pitch; // half its width, as drawn
  if (linkDistance < Math.max(plate, 0.75 * near)) return { kind: "link", index: link };
  for (let b = 0; b < drive.bodies.length; b++) {
    const body = drive.bodies[b]!;
    const c = moment.at(b, body.centre);
    const place = moment.at(b, body.place);
    if (Math.min(Math.hypot(x - c[0], y - c[1]), Math.hypot(x - place[0], y - place[1])) < Math.max(near, 9 / scale)) return { kind: "body", index: b };
    const [u, v] = drawn(moment, b, x, y);
    for (const [from, to] of body.bars) if (distanceToSegment(u, v, from[0], from[1], to[0], to[1]) < near) return { kind: "body", index: b };
  }
  for (let g = 0; g < drive.guides.length; g++) {
    const guide = drive.guides[g]!;
    const [u, v] = drawn(moment, guide.body, x, y);
    if (inside(result.array(guide.strip), u, v) || distanceToLine(result.array(guide.surface), u, v) < near) return { kind: "guide", index: g };
  }
  let wheel = -1;
  for (let w = 0; w < drive.wheels.length; w++) {
    const dx = x - moment.wheelCentre[2 * w]!;
    const dy = y - moment.wheelCentre[2 * w + 1]!;
    const { radius } = drive.wheels[w]!;
    if (Math.hypot(dx, dy) < radius && (wheel < 0 || radius < drive.wheels[wheel]!.radius)) wheel = w;
  }
  if (wheel >= 0) return { kind: "wheel", index: wheel };
  return spanAt(result, moment, x, y, Math.max(3 * near, 1.5 * drive.pitch));
}

/** The span whose links pass near a point. */
function spanAt(result: LoadedResult, moment: Moment, x: number, y: number, near: number): { kind: PickKind; index: number } | null {
  const { spans, links } = result.header.drive;
  const p = moment.rollers;
  let best = -1;
  let least = near;
  for (let k = 0; k < spans.length; k++) {
    const stretch = spanLinks(result, moment, k);
    if (!stretch) continue;
    for (let m = 0; m < stretch.count; m++) {
      const i = 2 * ((stretch.first + m) % links);
      const j = 2 * ((stretch.first + m + 1) % links);
      const distance = distanceToSegment(x, y, p[i]!, p[i + 1]!, p[j]!, p[j + 1]!);
      if (distance < least) [best, least] = [k, distance];
    }
  }
  return best >= 0 ? { kind: "span", index: best } : null;
}
