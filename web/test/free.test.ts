import assert from "node:assert/strict";
import { test } from "node:test";
import { intoPeriod, ascending, between, folded, meanOf, modulo } from "../src/charts/fold";
import { short } from "../src/charts/freecontrols";
import { lightness } from "../src/charts/freedraw";
import { inverse, readout } from "../src/charts/readout";
import { extentOf, momentIn, nearestPoint, orbitOf, traceOf } from "../src/charts/traces";
import { makeResult } from "./drive";

const DEGREES = Float64Array.from({ length: 2001 }, (_, k) => 0.9 * k); // five revolutions
const sine = (at: number) => 3 + Math.sin((at * Math.PI) / 180);

test("what is left without whole periods", () => {
  assert.equal(modulo(370, 360), 10);
  assert.equal(modulo(-10, 360), 350);
  assert.equal(modulo(720, 360), 0);
  assert.equal(modulo(-1e-20, 360), 0); // never the period itself
});

test("numbers that only grow", () => {
  assert.ok(ascending([0, 1, 2]));
  assert.ok(!ascending([0, 1, 1]));
  assert.ok(!ascending([0, NaN, 2]));
  assert.ok(!ascending([NaN]));
});

test("between two points lies the straight line, beyond the ends nothing", () => {
  assert.equal(between([0, 2, 4], [1, 5, 5], 1), 3);
  assert.equal(between([0, 2, 4], [1, 5, 7], 4), 7);
  assert.equal(between([0, 2], [NaN, 5], 2), 5); // a point is itself, whatever is beside it
  assert.ok(Number.isNaN(between([0, 2], [1, 5], 2.1)));
  assert.ok(Number.isNaN(between([], [], 0)));
});

test("a curve is cut where a revolution ends, and meets both borders", () => {
  const strands = folded([100, 300, 500, 700, 900], [1, 3, 5, 7, 9], 360);
  assert.deepEqual(strands.map(({ x }) => [...x]), [[100, 300, 360], [0, 140, 340, 360], [0, 180]]);
  assert.deepEqual([...strands[1]!.y].map((y) => Math.round(100 * y) / 100), [3.6, 5, 7, 7.2]);
});

test("a wheel that turns back is cut at the other border; gaps stay gaps", () => {
  assert.deepEqual(folded([30, 10, -10], [3, 1, -1], 360).map(({ x }) => [...x]), [[30, 10, 0], [360, 350]]);
  assert.deepEqual(folded([1, NaN, 3], [1, 2, 3], 360).map(({ x }) => [...x]), [[1], [3]]);
});

test("the mean of whole revolutions is that of the curve, and what changes from turn to turn goes out of it", () => {
  const drifting = DEGREES.map((at) => sine(at) + (at < 360 ? 100 : 0) + Math.floor(at / 360 + 1e-9));
  const mean = meanOf(DEGREES.subarray(2), drifting.subarray(2), 360)!; // the first revolution is no whole one
  assert.equal(mean.periods, 4);
  mean.x.forEach((at, k) => {
    if (at > 1 && at < 359) assert.ok(Math.abs(mean.y[k]! - sine(at) - 2.5) < 1e-3, `${at}: ${mean.y[k]}`);
  });
});

test("a mean of a chain that runs the other way is the same", () => {
  const back = DEGREES.map((at) => -at);
  const mean = meanOf(back, back.map(sine), 360)!;
  assert.equal(mean.periods, 5);
  mean.x.forEach((at, k) => assert.ok(Math.abs(mean.y[k]! - sine(at)) < 1e-3));
});

test("whole periods may begin anywhere", () => {
  const mean = meanOf(DEGREES.subarray(77, 77 + 801), DEGREES.subarray(77, 77 + 801).map(sine), 360)!;
  assert.equal(mean.periods, 2);
  mean.x.forEach((at, k) => assert.ok(Math.abs(mean.y[k]! - sine(at)) < 1e-3));
  assert.equal(meanOf(DEGREES.subarray(77, 77 + 800), DEGREES, 360)!.periods, 1);
});

test("no mean without a whole period, of too few instants, or where x turns back", () => {
  assert.equal(meanOf(DEGREES.subarray(0, 300), DEGREES.subarray(0, 300), 360), null);
  assert.equal(meanOf(DEGREES, DEGREES, 3), null);
  assert.equal(meanOf([0, 200, 100, 400, 500, 600, 700, 800], [0, 1, 2, 3, 4, 5, 6, 7], 360), null);
});

const result = makeResult([0, 1, 2, 3]);
const seconds = DEGREES.map((at) => at / 3600); // ten revolutions a second
const points = { result, id: "a|b", side: "y" as const, time: seconds, x: DEGREES, y: DEGREES.map(sine) };

test("a trace has one value at every x, an orbit has not", () => {
  assert.equal(traceOf(points, 0).line!.x, DEGREES);
  const orbit = orbitOf({ ...points, x: DEGREES.map((at) => Math.cos((at * Math.PI) / 180)) }, DEGREES, 360);
  assert.equal(orbit.line, null);
  assert.equal(orbit.mean!.periods, 5);
  orbit.mean!.x.forEach((x, k) => assert.ok(Math.abs(x * x + (orbit.mean!.y[k]! - 3) ** 2 - 1) < 2e-3));
  assert.deepEqual(extentOf([orbit], "y")!.map((y) => Math.round(y)), [2, 4]);
  const found = nearestPoint(orbit, 0, 400, (x) => 100 * x, (y) => 100 * y); // the top, at a quarter of a turn
  assert.equal(orbit.time[found.index]! % 0.1, seconds[100]! % 0.1);
});

test("the moment is marked in the part that is drawn only", () => {
  const time = Float64Array.from([1, 1.1, 1.2]);
  assert.equal(momentIn(time, 1.12), 1);
  assert.equal(momentIn(time, 0.5), -1);
  assert.equal(momentIn(new Float64Array(0), 0), -1);
});

test("two cursors: values, differences, frequency and order", () => {
  const scale = { factor: 1, unit: "N" };
  const axis = { id: "angle|left", title: "Angle of left", scale: { factor: 1, unit: "°" } };
  const rows = readout([traceOf(points, 0)], false, [90, 270], axis, [{ name: "Tension", scale }], 0);
  const row = (name: string) => rows.find((each) => each.name.startsWith(name))!;
  assert.deepEqual(row("Angle"), { name: "Angle of left", a: "90.000 °", b: "270.00 °", difference: "180.00 °" });
  assert.deepEqual([row("Tension").a, row("Tension").b, row("Tension").difference], ["4.0000 N", "2.0000 N", "−2.0000 N"]);
  assert.equal(row("Time").difference, "0.050000 s");
  assert.equal(row("1 / difference in time").difference, "20.000 Hz");
  assert.equal(row("Revolution / difference").difference, "2.0000");
});

test("on a mean there is no time", () => {
  const rows = readout([traceOf(points, 360)], false, [90, 270], { id: "angle|left", title: "Angle", scale: { factor: 1, unit: "°" } }, [{ name: "Tension", scale: { factor: 1, unit: "N" } }], 0);
  assert.ok(rows.every((row) => row.name !== "Time"));
  assert.equal(rows[rows.length - 1]!.a, "4.0000 N");
});

test("what fits into a loop; nothing between cursors at one place", () => {
  assert.deepEqual(inverse("place", -30, 120), ["Loop / difference", "4.0000 per loop"]);
  assert.deepEqual(inverse("turns|left", 0.25, 120), ["1 / difference (order)", "4.0000"]);
  assert.equal(inverse("time", 0, 120), null);
  assert.equal(inverse("span_tension|left", 5, 120), null);
});

test("titles are short where the name of what they are of stands behind them", () => {
  assert.equal(short("Span tension"), "Tension");
  assert.equal(short("Bearing force of the wheels, upwards"), "Bearing force, upwards");
  assert.equal(short("Largest tension of all links"), "Largest tension of all links");
});

test("many revolutions are drawn lighter than few", () => {
  assert.ok(lightness(100) < lightness(10) && lightness(1) <= 0.4);
});

test("a curve from elsewhere is put into a period", () => {
  const own = intoPeriod([0, 90, 180], [1, 2, 3], 360);
  assert.deepEqual([[...own.x], [...own.y], own.periods], [[0, 90, 180], [1, 2, 3], 0]);
  // over the border: turned round, with a gap between its end and its begin
  const turned = intoPeriod([270, 330, 390], [1, 2, 3], 360);
  assert.deepEqual([...turned.x], [30, 150, 270, 330]);
  assert.deepEqual([...turned.y], [3, NaN, 1, 2]);
  // a whole period has no gap; both ends are one place
  assert.deepEqual([...intoPeriod([100, 190, 280, 370, 460], [1, 2, 3, 4, 1], 360).x], [10, 100, 190, 280]);
  const x = Array.from({ length: 73 }, (_, k) => 10 * k);
  const mean = intoPeriod(x, x.map((at) => (at < 360 ? 1 : 3)), 360);
  assert.equal(mean.periods, 2);
  assert.equal(mean.y[18], 2);
});
