/** The shape of a wheel: teeth of finite width that narrow towards their tips, rim, web with holes, hub and shaft. [m] */
import type { SpaceWheel } from "../types";
import { simplified } from "../stage/paths";
import { circle, type Colour, Shape } from "./shapes";

type Point3 = readonly [number, number, number];

/** The outline of a wheel as a ring of points, first point not repeated, true to a tolerance. */
function ringOf(outline: ArrayLike<number>, tolerance: number): [number, number][] {
  const flat = simplified(outline, tolerance);
  const ring: [number, number][] = [];
  for (let k = 0; k + 3 < flat.length; k += 2) ring.push([flat[k]!, flat[k + 1]!]);
  return ring;
}

/**
 * A wheel about the origin, its axis along z, gap 0 in the direction of x. outline: closed, (x, y) of its points; radius:
 * of the pitch circle; mark: colour of the spot at gap 0; fine: for a look from near.
 */
export function wheelShape(outline: ArrayLike<number>, radius: number, wheel: SpaceWheel, fine: boolean, colours: { body: Colour; shaft: Colour; mark: Colour }): Shape {
  const shape = new Shape();
  shape.colour = colours.body;
  const ring = ringOf(outline, (fine ? 0.0007 : 0.005) * radius);
  const sizes = ring.map(([x, y]) => Math.hypot(x, y));
  const [root, tip] = [Math.min(...sizes), Math.max(...sizes)];
  const half = wheel.half_width;
  // narrower from the pitch circle to the tip (ISO 606); that is where the side of the tooth bends
  const slope = wheel.relief / Math.max(1e-9, tip - radius);
  const halfAt = (r: number): number => Math.max(0.2 * half, half - slope * Math.max(0, r - radius));
  const rim = Math.max(0.45 * root, root - Math.max(0.13 * root, 0.5 * (tip - root)));
  const outward = wallNormals(ring);
  const scaled = (k: number, r: number, z: number): Point3 => [(ring[k]![0] * r) / sizes[k]!, (ring[k]![1] * r) / sizes[k]!, z];
  const rows = (r: (k: number) => number, z: (k: number) => number): Point3[] => ring.map((_, k) => scaled(k, r(k), z(k)));
  const bend = (k: number): number => Math.min(sizes[k]!, radius);
  for (const side of [1, -1]) {
    const [inside, fold, edge] = [rows(() => rim, () => side * half), rows(bend, () => side * half), rows((k) => sizes[k]!, (k) => side * halfAt(sizes[k]!))]; // prettier-ignore
    const lean = Math.hypot(1, slope);
    shape.band(...ordered(inside, fold, side), () => [0, 0, side]);
    shape.band(...ordered(fold, edge, side), (k) => [(slope * ring[k]![0]) / sizes[k]! / lean, (slope * ring[k]![1]) / sizes[k]! / lean, side / lean]);
    shape.line([...edge, edge[0]!]);
  }
  const edge = (side: number): Point3[] => rows((k) => sizes[k]!, (k) => side * halfAt(sizes[k]!)); // prettier-ignore
  shape.band(edge(-1), edge(1), (k) => [...outward[k]!, 0]);
  body(shape, rim, half, fine, colours.body);
  hub(shape, rim, half, fine, colours);
  shape.colour = colours.mark;
  // a spot beside gap 0, on both faces, flush with them
  const spot = circle(0.28 * (root - rim), 14, 0.5 * (root + rim), 0);
  for (const side of [1, -1]) shape.prism(spot, side > 0 ? half : -1.02 * half, side > 0 ? 1.02 * half : -half, { edges: [] });
  return shape;
}

/** The two rows in the order in which their triangles face to one side. */
function ordered(inside: Point3[], outside: Point3[], side: number): [Point3[], Point3[]] {
  return side > 0 ? [outside, inside] : [inside, outside];
}

/** Normals of the wall along a ring, outwards. */
function wallNormals(ring: [number, number][]): [number, number][] {
  const n = ring.length;
  return ring.map((_, k) => {
    const [a, b] = [ring[(k + n - 1) % n]!, ring[(k + 1) % n]!];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return [(b[1] - a[1]) / length, (a[0] - b[0]) / length];
  });
}

/** Inside of the rim and web: thinner, with round holes where there is room for them. */
function body(shape: Shape, rim: number, half: number, fine: boolean, colour: Colour): void {
  shape.colour = colour;
  const sides = fine ? 72 : 36;
  const ring = circle(rim, sides);
  const web = 0.45 * half;
  const wall = (low: number, high: number): void =>
    shape.band(ring.map(([x, y]) => [x, y, high] as const), ring.map(([x, y]) => [x, y, low] as const), (k) => [-ring[k]![0] / rim, -ring[k]![1] / rim, 0]); // prettier-ignore
  wall(web, half);
  wall(-half, -web);
  for (const z of [half, -half]) shape.line([...ring, ring[0]!].map(([x, y]) => [x, y, z] as const));
  const count = rim > 6 * half ? 6 : 5;
  const between = 0.62 * rim;
  const holes = Array.from({ length: count }, (_, k) => circle(0.2 * rim, fine ? 32 : 14, between * Math.cos((2 * Math.PI * (k + 0.5)) / count), between * Math.sin((2 * Math.PI * (k + 0.5)) / count)));
  shape.prism(ring, -web, web, { holes, edges: [] });
  for (const hole of holes) for (const z of [web, -web]) shape.line([...hole, hole[0]!].map(([x, y]) => [x, y, z] as const)); // prettier-ignore
}

/** Hub, and the shaft that it sits on. */
function hub(shape: Shape, rim: number, half: number, fine: boolean, colours: { body: Colour; shaft: Colour }): void {
  shape.colour = colours.body;
  shape.cylinder(0.34 * rim, -1.35 * half, 1.35 * half, fine ? 48 : 20);
  shape.colour = colours.shaft;
  const long = Math.max(3 * half, 0.34 * rim);
  shape.cylinder(0.2 * rim, -long, long, fine ? 36 : 16);
}
