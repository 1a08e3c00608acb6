/** Where names and numbers stand: by what they belong to, where they cover least, never over each other; with a line to it where they stand apart. */
import type { Point } from "../types";

/** Left, right, top, bottom [px]. */
export type Box = readonly [left: number, right: number, top: number, bottom: number];

export interface Wish {
  /** The disc that it belongs to; a point has the radius 0 [px]. */
  x: number;
  y: number;
  radius: number;
  width: number;
  height: number;
  /** Where it stands best, from the middle of the disc to its own, if nothing is covered there. */
  inside?: Point | null;
  /** Rather left out than where what it covers costs so much. */
  most?: number;
}

export interface Placed {
  /** From the middle of the disc to that of the box. */
  offset: Point;
  /** A line must show what it belongs to. */
  leader: boolean;
}

const CELL = 4;
/** Between two boxes, and between a box and the edge. */
const ROOM = 3;
/** A box that is nearer to its disc than this needs no line, if no other disc is as near. */
export const NEAR = 12;
const GAPS = [5, 14, 26, 42, 62, 88, 120, 160];
const DIRECTIONS = 24;
/** What it costs to be ambiguous, to cross the line of another, for every pixel of distance. */
const AMBIGUOUS = 30;
const CROSSING = 250;
const DISTANCE = 0.7;
/** Of a cell under a line, at most. */
const UNDER = 10;

/** What is drawn, on a coarse grid: how much it costs to cover it. */
export class Field {
  private readonly columns: number;
  private readonly rows: number;
  private readonly cells: Float32Array;
  /** Sums over everything to the left and above; made when first asked for. */
  private sums: Float64Array | null = null;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    this.cells = new Float32Array(this.columns * this.rows);
  }

  point(x: number, y: number, weight: number): void {
    const [c, r] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    if (!(c >= 0 && r >= 0 && c < this.columns && r < this.rows)) return;
    const k = r * this.columns + c;
    if (this.cells[k]! < weight) this.cells[k] = weight;
    this.sums = null;
  }

  /** A line of a width [px]. */
  line(x0: number, y0: number, x1: number, y1: number, width: number, weight: number): void {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (!Number.isFinite(length)) return;
    const steps = Math.min(4000, Math.ceil(length / (0.7 * CELL)));
    const half = Math.max(0, width / 2);
    const [nx, ny] = length > 0 ? [-(y1 - y0) / length, (x1 - x0) / length] : [0, 0];
    for (let s = 0; s <= steps; s++) {
      const part = steps ? s / steps : 0;
      for (let off = -half; off <= half; off += CELL) this.point(x0 + part * (x1 - x0) + off * nx, y0 + part * (y1 - y0) + off * ny, weight);
      if (half > 0) this.point(x0 + part * (x1 - x0) + half * nx, y0 + part * (y1 - y0) + half * ny, weight);
    }
  }

  disc(x: number, y: number, radius: number, weight: number): void {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(this.height, y + radius)];
    for (let py = top; py <= bottom; py += CELL) {
      const half = Math.sqrt(Math.max(0, radius * radius - (py - y) ** 2));
      for (let px = Math.max(0, x - half); px <= Math.min(this.width, x + half); px += CELL) this.point(px, py, weight);
    }
  }

  box([left, right, top, bottom]: Box, weight: number): void {
    for (let y = top; y <= bottom; y += CELL) for (let x = left; x <= right; x += CELL) this.point(x, y, weight);
  }

  /** The cost of a line over what is there: of every cell at most so much, for a line hides little; not near its end. */
  under([[x0, y0], [x1, y1]]: [Point, Point], most: number): number {
    const steps = Math.floor(Math.hypot(x1 - x0, y1 - y0) / CELL) - 3;
    let total = 0;
    for (let s = 0; s < steps; s++) {
      const part = s / (steps + 3);
      const [c, r] = [Math.floor((x0 + part * (x1 - x0)) / CELL), Math.floor((y0 + part * (y1 - y0)) / CELL)];
      if (c >= 0 && r >= 0 && c < this.columns && r < this.rows) total += Math.min(most, this.cells[r * this.columns + c]!);
    }
    return total;
  }

  /** The cost of covering a box. */
  cost([left, right, top, bottom]: Box): number {
    const sums = (this.sums ??= this.summed());
    const clip = (value: number, most: number): number => Math.min(most, Math.max(0, value));
    const [c0, c1] = [clip(Math.floor(left / CELL), this.columns), clip(Math.floor(right / CELL) + 1, this.columns)];
    const [r0, r1] = [clip(Math.floor(top / CELL), this.rows), clip(Math.floor(bottom / CELL) + 1, this.rows)];
    const w = this.columns + 1;
    return sums[r1 * w + c1]! - sums[r0 * w + c1]! - sums[r1 * w + c0]! + sums[r0 * w + c0]!;
  }

  private summed(): Float64Array {
    const w = this.columns + 1;
    const sums = new Float64Array(w * (this.rows + 1));
    for (let r = 0; r < this.rows; r++)
      for (let c = 0, row = 0; c < this.columns; c++) {
        row += this.cells[r * this.columns + c]!;
        sums[(r + 1) * w + c + 1] = sums[r * w + c + 1]! + row;
      }
    return sums;
  }
}

export function boxAt(x: number, y: number, width: number, height: number): Box {
  return [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
}

export function overlap(a: Box, b: Box, room = 0): boolean {
  return a[0] < b[1] + room && b[0] < a[1] + room && a[2] < b[3] + room && b[2] < a[3] + room;
}

/** How far a box is from a disc [px]; 0 when they touch. */
export function gapTo([left, right, top, bottom]: Box, disc: { x: number; y: number; radius: number }): number {
  const dx = Math.max(left - disc.x, 0, disc.x - right);
  const dy = Math.max(top - disc.y, 0, disc.y - bottom);
  return Math.max(0, Math.hypot(dx, dy) - disc.radius);
}

/** The line from the edge of a box to its disc, or to its point. */
export function leaderOf([left, right, top, bottom]: Box, disc: { x: number; y: number; radius: number }): [Point, Point] {
  const from: Point = [Math.min(right, Math.max(left, disc.x)), Math.min(bottom, Math.max(top, disc.y))];
  const length = Math.hypot(from[0] - disc.x, from[1] - disc.y) || 1;
  const part = Math.min(1, disc.radius / length);
  return [from, [disc.x + part * (from[0] - disc.x), disc.y + part * (from[1] - disc.y)]];
}

function crosses([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean {
  const side = (p: Point, q: Point, r: Point): number => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** Whether a line runs through a box. */
export function through(line: [Point, Point], [left, right, top, bottom]: Box): boolean {
  if (line.some(([x, y]) => x > left && x < right && y > top && y < bottom)) return true;
  const diagonals: [Point, Point][] = [[[left, top], [right, bottom]], [[left, bottom], [right, top]]]; // prettier-ignore
  return diagonals.some((diagonal) => crosses(line, diagonal));
}

/**
 * Places for wishes, in their order; null for what has none. discs: with what a wish could be mistaken to belong to,
 * the first of them those of the wishes that have a radius.
 */
export function place(wishes: readonly Wish[], field: Field, discs: readonly { x: number; y: number; radius: number }[]): (Placed | null)[] {
  const boxes: Box[] = [];
  const lines: [Point, Point][] = [];
  return wishes.map((wish) => {
    let best: { cost: number; box: Box; placed: Placed; line: [Point, Point] | null } | null = null;
    for (const [dx, dy] of choices(wish)) {
      const box = boxAt(wish.x + dx, wish.y + dy, wish.width, wish.height);
      const isInside = wish.inside?.[0] === dx && wish.inside[1] === dy;
      if (box[0] < ROOM || box[1] > field.width - ROOM || box[2] < ROOM || box[3] > field.height - ROOM) continue;
      if (boxes.some((other) => overlap(other, box, ROOM)) || lines.some((line) => through(line, box))) continue;
      const gap = gapTo(box, wish);
      const mistaken = !isInside && discs.some((disc) => (disc.x !== wish.x || disc.y !== wish.y) && gapTo(box, disc) < gap + NEAR);
      const leader = !isInside && (gap > NEAR || mistaken);
      const line = leader ? leaderOf(box, wish) : null;
      if (line && boxes.some((other) => through(line, other))) continue;
      const covered = isInside ? 0 : field.cost(box);
      if (covered >= (wish.most ?? Infinity)) continue;
      const cost = covered + DISTANCE * gap + (mistaken ? AMBIGUOUS : 0) + (line ? field.under(line, UNDER) : 0) + (line && lines.some((other) => crosses(line, other)) ? CROSSING : 0);
      if (!best || cost < best.cost) best = { cost, box, placed: { offset: [dx, dy], leader }, line };
      if (isInside) break;
    }
    if (!best) return null;
    boxes.push(best.box);
    if (best.line) lines.push(best.line);
    return best.placed;
  });
}

function choices({ radius, width, height, inside }: Wish): Point[] {
  const found: Point[] = inside ? [inside] : [];
  for (const gap of GAPS)
    for (let k = 0; k < DIRECTIONS; k++) {
      const angle = (2 * Math.PI * k) / DIRECTIONS;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      // so far that the disc and the box, grown by the gap, touch in this direction
      const reach = radius + gap;
      found.push([c * reach + Math.sign(Math.round(c * 1e6)) * Math.min(1, 1.4 * Math.abs(c)) * (width / 2), s * reach + Math.sign(Math.round(s * 1e6)) * Math.min(1, 1.4 * Math.abs(s)) * (height / 2)]);
    }
  return found;
}
