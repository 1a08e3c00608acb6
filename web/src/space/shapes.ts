/** Shapes of the parts, as triangles and as lines along their edges. [m] */
import { ShapeUtils, Vector2 } from "three";
import type { Space } from "../types";

type Point = readonly [number, number];
export type Colour = readonly [number, number, number];

/** "#22303C" as three numbers from 0 to 1, as they are (sRGB). */
export function rgb(css: string): Colour {
  const value = Number.parseInt(css.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

export interface PrismOptions {
  holes?: readonly (readonly Point[])[];
  /** To which end of a link each point of the outline belongs. */
  ends?: readonly number[];
  /** Round corners look round. */
  smooth?: boolean;
  /** At which heights the outline is drawn as a line. */
  edges?: readonly number[];
  /** Closed at its ends. */
  caps?: boolean;
}

/**
 * Triangles and lines that grow. Of a vertex: its place, seen from the end of a link that it belongs to (0 rear, 1 front)
 * where it is part of one; its normal; its own colour, and how much the colour of the instance takes its place.
 */
export class Shape {
  readonly position: number[] = [];
  readonly normal: number[] = [];
  readonly look: number[] = [];
  readonly end: number[] = [];
  readonly index: number[] = [];
  readonly linePosition: number[] = [];
  readonly lineLook: number[] = [];
  readonly lineEnd: number[] = [];
  colour: Colour = [1, 1, 1];
  /** 1: in the colour of the instance. */
  tinted = 0;
  at = 0;

  private vertex(x: number, y: number, z: number, nx: number, ny: number, nz: number, end = this.at): number {
    this.position.push(x, y, z);
    this.normal.push(nx, ny, nz);
    this.look.push(...this.colour, this.tinted);
    this.end.push(end);
    return this.end.length - 1;
  }

  line(points: readonly (readonly [number, number, number])[], ends?: readonly number[]): void {
    for (let k = 0; k + 1 < points.length; k++)
      for (const j of [k, k + 1]) {
        this.linePosition.push(...points[j]!);
        this.lineLook.push(...this.colour, this.tinted);
        this.lineEnd.push(ends ? ends[j]! : this.at);
      }
  }

  /** A closed outline (counter-clockwise, first point not repeated) with holes, from z = low to high. */
  prism(outline: readonly Point[], low: number, high: number, options: PrismOptions = {}): void {
    const { holes = [], ends, smooth = true, edges = [low, high], caps = true } = options;
    const all = [...outline, ...holes.flat()];
    const faces = ShapeUtils.triangulateShape(
      outline.map(([x, y]) => new Vector2(x, y)),
      holes.map((hole) => hole.map(([x, y]) => new Vector2(x, y))),
    );
    const endOf = (k: number): number => (ends ? ends[k]! : this.at);
    for (const side of caps ? [1, -1] : []) {
      const z = side > 0 ? high : low;
      const first = this.end.length;
      all.forEach(([x, y], k) => this.vertex(x, y, z, 0, 0, side, endOf(k)));
      for (const [a, b, c] of faces) this.index.push(first + a!, first + (side > 0 ? b! : c!), first + (side > 0 ? c! : b!));
    }
    let offset = 0;
    for (const [order, ring] of [outline, ...holes].entries()) {
      this.wall(ring, low, high, order === 0 ? 1 : -1, (k) => endOf(offset + k), smooth);
      for (const z of edges) {
        const loop = [...ring.keys(), 0];
        this.line(loop.map((k) => [...ring[k]!, z] as const), loop.map((k) => endOf(offset + k))); // prettier-ignore
      }
      offset += ring.length;
    }
  }

  /** The wall over a closed ring; outwards: 1 where its material is inside the ring (counter-clockwise), -1 of a hole. */
  private wall(ring: readonly Point[], low: number, high: number, outwards: number, endOf: (k: number) => number, smooth: boolean): void {
    const n = ring.length;
    // a hole is given counter-clockwise as well, and its wall looks inwards
    const edge = (k: number): Point => {
      const [a, b] = [ring[k % n]!, ring[(k + 1) % n]!];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return [(outwards * (b[1] - a[1])) / length, (-outwards * (b[0] - a[0])) / length];
    };
    // a smooth corner is one pair of points with one normal, a sharp one two pairs
    const pair = (k: number, [nx, ny]: Point): number => {
      const [x, y] = ring[k]!;
      this.vertex(x, y, low, nx, ny, 0, endOf(k));
      return this.vertex(x, y, high, nx, ny, 0, endOf(k)) - 1;
    };
    const leaving: number[] = [];
    const arriving: number[] = [];
    for (let k = 0; k < n; k++) {
      const [before, after] = [edge(k + n - 1), edge(k)];
      const round = smooth && before[0] * after[0] + before[1] * after[1] > 0.6;
      leaving.push(pair(k, round ? normed(before[0] + after[0], before[1] + after[1]) : after));
      arriving.push(round ? leaving[k]! : pair(k, before));
    }
    for (let k = 0; k < n; k++) {
      const [a, b] = [leaving[k]!, arriving[(k + 1) % n]!];
      this.index.push(...(outwards > 0 ? [a, b, b + 1, a, b + 1, a + 1] : [a, b + 1, b, a, a + 1, b + 1]));
    }
  }

  /** Another shape, moved along z. */
  add(other: Shape, z: number): void {
    const first = this.end.length;
    const append = (to: number[], from: number[], change = (value: number, _k: number) => value): void => from.forEach((value, k) => to.push(change(value, k)));
    const moved = (value: number, k: number): number => (k % 3 === 2 ? value + z : value);
    append(this.position, other.position, moved);
    append(this.normal, other.normal);
    append(this.look, other.look);
    append(this.end, other.end);
    append(this.index, other.index, (k) => first + k);
    append(this.linePosition, other.linePosition, moved);
    append(this.lineLook, other.lineLook);
    append(this.lineEnd, other.lineEnd);
  }

  /** A cylinder along z. */
  cylinder(radius: number, low: number, high: number, sides: number, options: PrismOptions = {}): void {
    this.prism(circle(radius, sides), low, high, options);
  }

  /** A surface of revolution about x, of points (x, radius) at the ends of a link; flat shading from one to the next. */
  turned(points: readonly Point[], sides: number, ends: readonly number[] = points.map(() => this.at)): void {
    for (let k = 0; k + 1 < points.length; k++) {
      const [[x0, r0], [x1, r1]] = [points[k]!, points[k + 1]!];
      const [nx, nr] = ends[k] === ends[k + 1] ? normed(r0 - r1, x1 - x0) : [0, 1];
      for (let s = 0; s < sides; s++) {
        const [a, b] = [(2 * Math.PI * s) / sides, (2 * Math.PI * (s + 1)) / sides];
        const v = ([[x0, r0, a, k], [x0, r0, b, k], [x1, r1, b, k + 1], [x1, r1, a, k + 1]] as const).map(([x, r, t, p]) => this.vertex(x, r * Math.cos(t), r * Math.sin(t), nx, nr * Math.cos(t), nr * Math.sin(t), ends[p])); // prettier-ignore
        this.index.push(v[0]!, v[2]!, v[1]!, v[0]!, v[3]!, v[2]!);
      }
    }
  }

  /** Triangles between two rows of points of the same number, closed to rings, with the normals of their places. */
  band(first: readonly (readonly [number, number, number])[], last: readonly (readonly [number, number, number])[], normals: (k: number) => readonly [number, number, number]): void {
    const n = first.length;
    const begin = this.end.length;
    for (const row of [first, last]) row.forEach((point, k) => this.vertex(...point, ...normals(k)));
    for (let k = 0; k < n; k++) {
      const [a, b] = [begin + k, begin + ((k + 1) % n)];
      this.index.push(a, b, b + n, a, b + n, a + n);
    }
  }
}

function normed(x: number, y: number): Point {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

export function circle(radius: number, sides: number, x = 0, y = 0, phase = 0): Point[] {
  return Array.from({ length: sides }, (_, k) => {
    const angle = phase + (2 * Math.PI * k) / sides;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

/** Half of a stadium's points about the rear end, half about the front end, and to which end each belongs. */
function stadium(radius: number, perEnd: number): { outline: Point[]; ends: number[] } {
  const outline: Point[] = [];
  const ends: number[] = [];
  for (const end of [0, 1])
    for (let k = 0; k <= perEnd; k++) {
      const angle = Math.PI * (0.5 + end + k / perEnd);
      outline.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
      ends.push(end);
    }
  return { outline, ends };
}

/** Steel of rollers, pins and wheels. */
export const STEEL: Colour = rgb("#D3DAE0");
export const PIN: Colour = rgb("#9AA6AF");

/** A plate of a link between z = low and high; points at both ends, so that it is as long as the link is drawn. */
function plate(shape: Shape, depth: number, low: number, high: number, perEnd: number, edges: readonly number[]): void {
  const { outline, ends } = stadium(0.5 * depth, perEnd);
  // to be cut into triangles its ends must be apart: the front end is moved ahead for it, and back afterwards
  const begin = shape.end.length;
  const beginLine = shape.lineEnd.length;
  const ahead = 10 * depth;
  shape.prism(outline.map(([x, y], k) => [x + ahead * ends[k]!, y] as const), low, high, { ends, edges }); // prettier-ignore
  for (let v = begin; v < shape.end.length; v++) shape.position[3 * v]! -= ahead * shape.end[v]!;
  for (let v = beginLine; v < shape.lineEnd.length; v++) shape.linePosition[3 * v]! -= ahead * shape.lineEnd[v]!;
}

export interface LinkShapes {
  inner: Shape;
  outer: Shape;
  /** An inner link with what its neighbours' pins show in it: for a picture of it alone. */
  alone: Shape;
  /** Half the width over the pins. */
  half: number;
}

/** An inner link with its rollers, an outer link with its pins. fine: for a look from near. */
export function linkShapes(space: Space, rollerRadius: number, fine: boolean): LinkShapes {
  const room = 0.5 * space.width;
  const perEnd = fine ? 14 : 5;
  const both = (shape: Shape, depth: number, inside: number, thickness: number): void => {
    shape.tinted = 1;
    for (const side of [1, -1]) {
      const [near, far] = [side * inside, side * (inside + thickness)];
      plate(shape, depth, Math.min(near, far), Math.max(near, far), perEnd, fine ? [near, far] : [far]);
    }
    shape.tinted = 0;
  };
  const [inner, alone] = [new Shape(), new Shape()];
  for (const each of [inner, alone]) {
    both(each, space.inner.depth, room, space.inner.thickness);
    each.colour = STEEL;
    for (const end of [0, 1]) {
      each.at = end;
      each.cylinder(rollerRadius, -0.97 * room, 0.97 * room, fine ? 24 : 10, { caps: false, edges: fine ? [-0.97 * room, 0.97 * room] : [] });
    }
  }
  const outer = new Shape();
  const begin = room + space.inner.thickness + space.gap;
  both(outer, space.outer.depth, begin, space.outer.thickness);
  outer.colour = PIN;
  const half = begin + 1.35 * space.outer.thickness;
  for (const end of [0, 1]) {
    outer.at = end;
    outer.cylinder(space.pin, -half, half, fine ? 18 : 8, { edges: fine ? [-half, half] : [] });
  }
  alone.colour = PIN;
  for (const end of [0, 1]) {
    alone.at = end;
    alone.cylinder(space.pin, -begin, begin, 18, { edges: [-begin, begin] });
  }
  return { inner, outer, alone, half };
}

/** An arrow from its rear to its front end. */
export function arrowShape(thickness: number, colour: Colour): Shape {
  const shape = new Shape();
  shape.colour = colour;
  const neck = -6 * thickness;
  shape.turned([[0, 0], [0, thickness], [neck, thickness], [neck, 2.8 * thickness], [0, 0]], 10, [0, 0, 1, 1, 1]); // prettier-ignore
  return shape;
}

/** A bar of a body, from its rear to its front end. */
export function barShape(depth: number, thickness: number, colour: Colour): Shape {
  const shape = new Shape();
  shape.colour = colour;
  shape.tinted = 1;
  plate(shape, depth, -0.5 * thickness, 0.5 * thickness, 8, [-0.5 * thickness, 0.5 * thickness]);
  return shape;
}

/** A rod between its ends. */
export function rodShape(radius: number, colour: Colour): Shape {
  const shape = new Shape();
  shape.colour = colour;
  shape.tinted = 1;
  shape.turned([[0, radius], [0, radius]], 10, [0, 1]); // prettier-ignore
  return shape;
}

/** A strip on the ground under a link, so wide. */
export function stripShape(width: number, colour: Colour): Shape {
  const shape = new Shape();
  shape.colour = colour;
  const corners = [[-0.5, 0], [-0.5, 1], [0.5, 1], [0.5, 0]] as const; // prettier-ignore
  for (const [y, end] of corners) {
    shape.position.push(0, y * width, 0);
    shape.normal.push(0, 0, 1);
    shape.look.push(...colour, 0);
    shape.end.push(end);
  }
  shape.index.push(0, 1, 2, 0, 2, 3);
  return shape;
}
