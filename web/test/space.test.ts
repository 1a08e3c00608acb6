import assert from "node:assert/strict";
import { test } from "node:test";
import { Eye, type Vector, VIEW_ANGLE } from "../src/space/camera";
import { partSeen } from "../src/space/picking";
import { Places, wheelAxes } from "../src/space/places";
import { barShape, circle, linkShapes, Shape } from "../src/space/shapes";
import { wheelShape } from "../src/space/wheelshape";
import { Moment } from "../src/stage/moment";
import type { Space, SpaceWheel } from "../src/types";
import { LINKS, makeResult, PITCH, RADIUS } from "./drive";

const near = (a: number, b: number, tolerance: number, what = ""): void => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a}, not ${b}`);

function wheelAt(offset: number, tilt: number): SpaceWheel {
  return { offset, tilt: [0, tilt], half_width: 0.0025, relief: 0.0008 };
}

const SPACE: Space = {
  inner: { depth: 0.009, thickness: 0.0012 },
  outer: { depth: 0.008, thickness: 0.001 },
  gap: 0.0001,
  width: 0.0055,
  pin: 0.0016,
  wheels: [wheelAt(0, 0), wheelAt(0.002, 0.01)],
};

/** Two frames; bush i of the first is 1e-5 i in front, of the second 1e-5 i + 1e-3; link i is turned by 1e-3 i. */
function made(advances = [0, 0.4]): { places: Places; moment: Moment; result: ReturnType<typeof makeResult> } {
  const result = makeResult(advances);
  result.header.drive.space = SPACE;
  const row = (f: number, i: number): number => 1e-5 * i + 1e-3 * f;
  result.frames.rollerOffset = Float32Array.from({ length: 2 * LINKS }, (_, k) => row(Math.floor(k / LINKS), k % LINKS));
  result.frames.linkRoll = Float32Array.from({ length: 2 * LINKS }, (_, k) => 1e-3 * (k % LINKS));
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  return { places: new Places(result, moment), moment, result };
}

/** Signed volume within triangles that face outwards (divergence theorem); the front end is a pitch ahead. */
function volume(shape: Shape, ahead = 0): number {
  const at = (v: number): Vector => [shape.position[3 * v]! + ahead * shape.end[v]!, shape.position[3 * v + 1]!, shape.position[3 * v + 2]!];
  let six = 0;
  for (let k = 0; k < shape.index.length; k += 3) {
    const [a, b, c] = [at(shape.index[k]!), at(shape.index[k + 1]!), at(shape.index[k + 2]!)];
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

test("from the side the picture is the drawing: x to the right, y up, what is in front is nearer", () => {
  const eye = new Eye();
  Object.assign(eye, { width: 800, height: 400, parallel: true });
  eye.sight = { yaw: 0, pitch: 0, height: 0.2, shift: [0, 0, 0] };
  const [x, y, nearer] = eye.project([0.05, 0.02, 0.01]);
  near(x, 400 + 0.05 * 2000, 1e-9);
  near(y, 200 - 0.02 * 2000, 1e-9);
  near(nearer, 0.01, 1e-12);
});

test("from above what is in front of the drawing is below, and x stays", () => {
  const eye = new Eye();
  Object.assign(eye, { width: 800, height: 400, parallel: true });
  eye.sight = { yaw: 0, pitch: Math.PI / 2, height: 0.2, shift: [0, 0, 0] };
  const [x, y] = eye.project([0.05, 0.7, 0.002]);
  near(x, 500, 1e-9);
  near(y, 204, 1e-9);
});

test("with perspective sizes go with one over the distance", () => {
  const eye = new Eye();
  Object.assign(eye, { width: 800, height: 400 });
  eye.sight = { yaw: 0.4, pitch: 0.3, height: 0.2, shift: [0, 0, 0] };
  near(eye.distance, 0.1 / Math.tan(VIEW_ANGLE / 2), 1e-12);
  near(eye.scaleAt(0), 2000, 1e-9);
  near(eye.scaleAt(eye.distance / 2), 4000, 1e-9);
  for (const parallel of [true, false]) {
    eye.parallel = parallel;
    const point: Vector = [0.03, -0.02, 0.015];
    const [x, y] = eye.project(point);
    const [start, along] = eye.ray(x, y);
    // the ray through the pixel of a point goes through the point
    const t = along.reduce((sum, v, k) => sum + v * (point[k]! - start[k]!), 0) / along.reduce((sum, v) => sum + v * v, 0);
    point.forEach((v, k) => near(start[k]! + t * along[k]!, v, 1e-12, `${parallel}`));
  }
});

test("what is to fit touches the margin and no point is beyond it", () => {
  const points: Vector[] = [[-0.3, 0.1, 0.02], [0.4, -0.1, -0.05], [0.1, 0.2, 0.1]]; // prettier-ignore
  for (const parallel of [true, false])
    for (const [yaw, pitch] of [[0, 0], [0.7, 0.4], [-1.2, Math.PI / 2], [3, -0.6]] as const) { // prettier-ignore
      const eye = new Eye();
      Object.assign(eye, { width: 660, height: 400, parallel });
      const height = eye.heightFor(points, [0, 0, 0], yaw, pitch, 30);
      eye.sight = { yaw, pitch, height, shift: [0, 0, 0] };
      const room = Math.min(...points.map((point) => eye.project(point)).map(([x, y]) => Math.min(x - 30, 630 - x, y - 30, 370 - y)));
      near(room, 0, 1e-6, `${parallel} ${yaw}`);
    }
});

test("the eye travels to a view and then is there, the shorter way round", () => {
  const eye = new Eye();
  eye.sight = { yaw: 6.2, pitch: 0, height: 1, shift: [0, 0, 0] };
  eye.go({ yaw: 0, pitch: 1, height: 4, shift: [0, 1, 0] }, 1000, false);
  assert.ok(eye.moving);
  near(eye.sight.yaw, 6.2 - 2 * Math.PI, 1e-12);
  eye.tick(1225);
  near(eye.sight.height, 2, 1e-9);
  eye.tick(1450);
  assert.deepEqual(eye.sight, { yaw: 0, pitch: 1, height: 4, shift: [0, 1, 0] });
  assert.ok(!eye.moving);
});

test("plates, rollers and pins have the volume that they have, their faces outwards", () => {
  const [radius, pin] = [0.003, SPACE.pin];
  const { inner, outer } = linkShapes(SPACE, radius, true);
  const stadium = ({ depth, thickness }: { depth: number; thickness: number }): number => thickness * (depth * PITCH + (Math.PI * depth ** 2) / 4);
  const half = SPACE.width / 2 + SPACE.inner.thickness + SPACE.gap + 1.35 * SPACE.outer.thickness;
  const pins = 2 * Math.PI * pin ** 2 * 2 * half;
  const wanted = 2 * stadium(SPACE.outer) + pins;
  near(volume(outer, PITCH) / wanted, 1, 0.02); // polygons for circles
  // rollers are open at their ends, between the plates: only their walls count, two thirds of their volume
  const rollers = (2 / 3) * 2 * Math.PI * radius ** 2 * 0.97 * SPACE.width;
  assert.ok(volume(inner, PITCH) > 2 * stadium(SPACE.inner));
  near(volume(inner, PITCH) / (2 * stadium(SPACE.inner) + rollers), 1, 0.05);
  const bar = barShape(0.006, 0.002, [1, 1, 1]);
  near(volume(bar, 0.1) / (0.002 * (0.006 * 0.1 + (Math.PI * 0.006 ** 2) / 4)), 1, 0.02);
});

test("a prism with a hole is less by the hole", () => {
  const shape = new Shape();
  shape.prism(circle(0.05, 200), -0.01, 0.02, { holes: [circle(0.01, 100, 0.02, 0)] });
  const polygon = (n: number, r: number): number => (n / 2) * Math.sin((2 * Math.PI) / n) * r ** 2;
  near(volume(shape), 0.03 * (polygon(200, 0.05) - polygon(100, 0.01)), 1e-15);
});

test("a shape that is added keeps its volume beside the first, and lies where it was moved to", () => {
  const shape = new Shape();
  const other = new Shape();
  shape.prism(circle(0.05, 20), -0.01, 0.01);
  other.prism(circle(0.02, 30), -0.002, 0.003);
  const together = volume(shape) + volume(other);
  const [count, lines] = [shape.end.length, shape.lineEnd.length];
  shape.add(other, 0.1);
  near(volume(shape), together, 1e-15);
  const heights = shape.position.filter((_, k) => k % 3 === 2);
  near(Math.min(...heights.slice(count)), 0.098, 1e-15);
  near(Math.max(...heights.slice(0, count)), 0.01, 0);
  near(Math.max(...shape.linePosition.slice(3 * lines).filter((_, k) => k % 3 === 2)), 0.103, 1e-15);
  assert.equal(shape.lineEnd.length, lines + other.lineEnd.length);
});

test("a wheel faces outwards, its teeth narrow towards their tips and it lies within its width", () => {
  const teeth = 12;
  const ring: number[] = [];
  for (let k = 0; k <= 40 * teeth; k++) {
    const angle = (2 * Math.PI * k) / (40 * teeth);
    const r = RADIUS * (1 + 0.08 * Math.cos(teeth * angle));
    ring.push(r * Math.cos(angle), r * Math.sin(angle));
  }
  for (const fine of [true, false]) {
    const shape = wheelShape(ring, RADIUS, SPACE.wheels[0]!, fine, { body: [1, 1, 1], shaft: [0, 0, 0], mark: [1, 0, 0] });
    assert.ok(volume(shape) > 0);
    let tip = 0;
    for (let v = 0; v < shape.end.length; v++) {
      const [x, y, z] = [shape.position[3 * v]!, shape.position[3 * v + 1]!, Math.abs(shape.position[3 * v + 2]!)];
      near(Math.hypot(shape.normal[3 * v]!, shape.normal[3 * v + 1]!, shape.normal[3 * v + 2]!), 1, 1e-9);
      const r = Math.hypot(x, y);
      if (r > 1.079 * RADIUS) tip = Math.max(tip, z);
      if (r > 1.01 * RADIUS) assert.ok(z < SPACE.wheels[0]!.half_width);
    }
    near(tip, 0.0025 - 0.0008, 2e-5);
  }
});

test("pins are square to their link, and turned about it by its roll", () => {
  const { places, moment } = made();
  for (const i of [0, 7, 25, 59]) {
    const pin = places.pin(i);
    const j = (i + 1) % LINKS;
    const along: Vector = [moment.rollers[2 * j]! - moment.rollers[2 * i]!, moment.rollers[2 * j + 1]! - moment.rollers[2 * i + 1]!, moment.offset[j]! - moment.offset[i]!];
    const length = Math.hypot(...along);
    near(Math.hypot(...pin), 1, 1e-12);
    near(pin.reduce((sum, v, k) => sum + v * along[k]!, 0) / length, 0, 1e-12);
    // roll = atan2(across . z, pin . z), with across = pin x along
    const across = (pin[0] * along[1] - pin[1] * along[0]) / length;
    near(Math.atan2(across, pin[2]), 1e-3 * i, 1e-7, `link ${i}`);
  }
});

test("a wheel's points are stretched as the bushes on it are, its axis square to them", () => {
  const { places } = made();
  for (const stretch of [1, 20]) {
    places.stretch = stretch;
    const at = places.wheel(1);
    near(at.centre[2], 0.002 * stretch, 1e-12);
    near(at.x[2] * Math.cos(0) - stretch * -Math.sin(0.01), 0, 1e-12);
    for (const axis of [at.x, at.y]) near(axis.reduce((sum, v, k) => sum + v * at.z[k]!, 0), 0, 1e-12);
    near(Math.hypot(...at.z), 1, 1e-12);
    near(places.bush(10)[2], 1e-4 * stretch, 1e-8);
  }
});

test("a wheel tilted about x, and about its own y, as the formulation turns it", () => {
  const [a, b] = [0.07, -0.05];
  const turn = (axis: 0 | 1, angle: number, v: Vector): Vector => {
    const [i, j] = axis === 0 ? [1, 2] : [2, 0];
    const to: Vector = [...v];
    to[i!] = Math.cos(angle) * v[i!]! - Math.sin(angle) * v[j!]!;
    to[j!] = Math.sin(angle) * v[i!]! + Math.cos(angle) * v[j!]!;
    return to;
  };
  const unit: Vector[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; // prettier-ignore
  wheelAxes(a, b).forEach((axis, k) => turn(0, a, turn(1, b, unit[k]!)).forEach((v, m) => near(axis[m]!, v, 1e-15)));
});

test("wheels that move aside are where the frames have them, the others where the drive has them", () => {
  const { moment, result, places } = made();
  near(places.wheel(1).centre[2], 0.002, 1e-12);
  result.frames.wheelOffset = Float32Array.from([0, 0.003, 0, 0.005]);
  result.frames.wheelTilt = Float32Array.from([0, 0, 0.01, 0.02, 0, 0, 0.03, 0.04]);
  moment.glide(result.frames, 0.05);
  near(places.wheel(1).centre[2], 0.004, 1e-9);
  wheelAxes(0.02, 0.03)[2].forEach((v, k) => near(places.wheel(1).z[k]!, v, 1e-8));
});

test("between two frames a bush is where the loop is at its place", () => {
  const { moment, result } = made([0, 0.4]);
  moment.glide(result.frames, 0.05);
  // halfway: after 0.2 pitches of the first frame, 0.2 pitches before the second
  near(moment.offset[10]!, (1e-5 * 10.2 + 1e-5 * 9.8 + 1e-3) / 2, 1e-8);
  near(moment.roll[10]!, 1e-2, 1e-7);
  moment.stand(result.frames, 0.1);
  near(moment.offset[10]!, 1e-4 + 1e-3, 1e-8);
});

test("what is picked is what is nearest to the eye", () => {
  const { places } = made();
  const eye = new Eye();
  Object.assign(eye, { width: 800, height: 400, parallel: true, origin: [0.1, 0, 0] });
  eye.sight = { yaw: 0, pitch: 0, height: 0.15, shift: [0, 0, 0] };
  const at = (point: Vector): ReturnType<typeof partSeen> => partSeen(places, eye, eye.project(point)[0], eye.project(point)[1], 5, 0.004);
  assert.deepEqual(at(places.wheel(1).centre), { kind: "wheel", index: 1 });
  const [a, b] = [places.bush(12), places.bush(13)];
  assert.deepEqual(at(a.map((v, k) => (v + b[k]!) / 2) as Vector), { kind: "link", index: 12 });
  assert.deepEqual(at(a), { kind: "roller", index: 12 });
  assert.equal(at([0.1, 0, 0]), null);
  // a little off the line of sight along the loop, from above, the upper span hides the lower one
  eye.sight = { yaw: 0, pitch: Math.PI / 2, height: 0.15, shift: [0, 0, 0] };
  const found = at([0.1, 0, 0.0001]);
  assert.ok(found?.kind === "link" && places.bush(found.index)[1] > 0, JSON.stringify(found));
});
