import assert from "node:assert/strict";
import { test } from "node:test";
import { along, gapOf, Moment, spanLinks, wrap } from "../src/stage/moment";
import type { Body } from "../src/types";
import { LINKS, makeResult, PITCH, pointAt, RADIUS } from "./drive";

function worst(moment: Moment, advance: number): number {
  let most = 0;
  for (let i = 0; i < LINKS; i++) {
    const [x, y] = pointAt(i + advance);
    most = Math.max(most, Math.hypot(moment.rollers[2 * i]! - x, moment.rollers[2 * i + 1]! - y));
  }
  return most;
}

test("standing, it is a frame, to the bit", () => {
  const result = makeResult([0, 1.3, 2.1]);
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0.14);
  assert.equal(moment.frame, 1);
  assert.equal(moment.time, result.frames.time[1]);
  assert.deepEqual([...moment.rollers], [...result.frames.roller.subarray(2 * LINKS, 4 * LINKS)]);
  assert.deepEqual([...moment.tension], [...result.frames.tension.subarray(LINKS, 2 * LINKS)]);
  moment.stand(result.frames, 0.16);
  assert.equal(moment.frame, 2);
});

test("gliding, the chain runs along its path and does not cut the corners of the wheels", () => {
  const result = makeResult([0, 1.3]);
  const moment = new Moment(result.header.drive);
  moment.glide(result.frames, 0.05);
  assert.ok(Math.abs(moment.advance - 0.65) < 1e-12);
  // straight lines between both frames would be off by the sagitta of 1.3 pitches: (1.3 p)^2 / (8 R)
  const sagitta = (1.3 * PITCH) ** 2 / (8 * RADIUS);
  // on the wheels, away from the ends of the spans, the path is a circle
  let onWheel = 0;
  for (let i = 3; i <= 6; i++) onWheel = Math.max(onWheel, Math.abs(Math.hypot(moment.rollers[2 * i]!, moment.rollers[2 * i + 1]!) - RADIUS));
  assert.ok(onWheel < 0.02 * sagitta, `${onWheel} of ${sagitta}`);
  assert.ok(worst(moment, 0.65) < 0.25 * sagitta, `${worst(moment, 0.65)} of ${sagitta}`);
  assert.ok(Math.abs(moment.wheelAngle[0]! - (0.65 * PITCH) / RADIUS) < 1e-12);
});

test("gliding starts and ends at the frames and stops at the last", () => {
  const result = makeResult([0, 0.4, 0.9]);
  const moment = new Moment(result.header.drive);
  for (const [time, advance] of [[0, 0], [0.1, 0.4], [0.2, 0.9], [7, 0.9]] as const) {
    moment.glide(result.frames, time);
    assert.ok(worst(moment, advance) < 1e-7, `at ${time}`);
  } // prettier-ignore
  moment.glide(result.frames, 7);
  assert.equal(moment.frame, 2);
});

test("a pin lies in its bush as far from its middle as clearance and gap say, and goes with its place in between", () => {
  const result = makeResult([0, 2]);
  const n = 2 * LINKS;
  result.frames.pinGap = Float32Array.from({ length: n }, (_, k) => (k < LINKS ? 5e-6 : -1e-6));
  result.frames.pinDirection = new Uint8Array(n).fill(64); // upwards
  result.frames.pinDirection[7] = 128; // to the left
  const moment = new Moment(result.header.drive, new Float64Array(LINKS).fill(20e-6));
  const at = (i: number): [number, number] => [moment.pins![2 * i]!, moment.pins![2 * i + 1]!];
  const near = (found: readonly number[], wanted: readonly number[]): void => found.forEach((x, k) => assert.ok(Math.abs(x - wanted[k]!) < 1e-11, `${found} for ${wanted}`));
  moment.stand(result.frames, 0);
  near(at(3), [0, 15e-6]);
  near(at(7), [-15e-6, 0]);
  moment.stand(result.frames, 0.1);
  near(at(7), [0, 21e-6]);
  // half way the chain has come by one pitch: roller 6 is where roller 7 was, roller 8 where it was then
  moment.glide(result.frames, 0.05);
  near(at(6), [-7.5e-6, 10.5e-6]);
  near(at(7), [0, 18e-6]);
  assert.equal(new Moment(result.header.drive).pins, null);
  result.frames.pinGap = null;
  moment.stand(result.frames, 0);
  assert.equal(moment.pins, null);
});

test("points along a closed polygon: corners exactly, and around the end of the list", () => {
  const square = [0, 0, 1, 0, 1, 1, 0, 1];
  const into = new Float64Array(8);
  along(square, 0, 4, -1, 1, into, true);
  assert.deepEqual([...into], [0, 1, 0, 0, 1, 0, 1, 1]);
  along(square, 0, 4, 5, 0.5, into, false);
  assert.deepEqual([...into], [0.5, 1, 0.5, 0.5, 1, 0.5, 0.5, 1].map((_, k) => [0, 1, 0, 0, 1, 0, 1, 1][k]! + 0.5 * [1, 0, 1, 1, 0, 1, 0, 0][k]!));
});

test("a body moves its points: turned about its centre, then moved", () => {
  const body: Body = { name: "b", joint: "revolute", on_ground: true, parent: -1, centre: [2, 0], place: [0, 0], direction: [1, 0], support: [0, -1], bars: [] };
  const result = makeResult([0], [body]);
  result.frames.bodyPosition = Float32Array.from([0, 2]);
  result.frames.bodyAngle = Float32Array.from([Math.PI / 2]);
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  const close = (a: readonly number[], b: readonly number[]): void => a.forEach((v, k) => assert.ok(Math.abs(v - b[k]!) < 1e-6, `${a} is not ${b}`));
  close(moment.at(0, [0, 0]), [0, 0]); // turned about the origin by a quarter
  close(moment.at(0, [3, 0]), [0, 3]);
  close(moment.at(0, [0, 1]), [-1, 0]);
  close(moment.turned(0, [1, 0]), [0, 1]);
  assert.deepEqual(moment.at(-1, [3, 4]), [3, 4]);
});

test("tooth gaps are counted counter-clockwise from the one along +x at angle 0", () => {
  assert.equal(gapOf(1, 0, 0, 0, 0, 20), 0);
  assert.equal(gapOf(Math.cos(0.7), Math.sin(0.7), 0, 0, 0.7, 20), 0);
  assert.equal(gapOf(2, 6, 2, 5, 0, 20), 5);
  assert.equal(gapOf(0, -1, 0, 0, 0, 20), 15);
  assert.equal(gapOf(1, 0, 0, 0, Math.PI / 2, 20), 15);
});

test("links of a span, from what the rollers touch, around the end of the list", () => {
  const result = makeResult([0, 15]);
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  // wheel 0 holds rollers 0 to 10, wheel 1 rollers 30 to 40
  assert.deepEqual(spanLinks(result, moment, 0), { first: 10, count: 20 });
  assert.deepEqual(spanLinks(result, moment, 1), { first: 40, count: 20 });
  moment.stand(result.frames, 0.1);
  assert.deepEqual(spanLinks(result, moment, 1), { first: 25, count: 20 });
  assert.deepEqual(spanLinks(result, moment, 0), { first: 55, count: 20 });
});

test("links of a span, from the zones of the loop", () => {
  const result = makeResult([0, 15]);
  result.header.loop = { zones: [{ start: 40.2, end: 60.2, kind: "span", index: 1, name: "" }] } as never;
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  // middles at i + 0.5 within 40.2 .. 60.2: links 40 to 59
  assert.deepEqual(spanLinks(result, moment, 1), { first: 40, count: 20 });
  moment.stand(result.frames, 0.1);
  assert.deepEqual(spanLinks(result, moment, 1), { first: 25, count: 20 });
});

test("wrap is never negative", () => {
  assert.deepEqual([-1, 0, 7, -15].map((i) => wrap(i, 7)), [6, 0, 0, 6]);
});
