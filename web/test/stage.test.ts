import assert from "node:assert/strict";
import { test } from "node:test";
import { jumpOf } from "../src/controls/jump";
import { rowsFor } from "../src/details/numbers";
import { duration, statusText } from "../src/live";
import { ArrowScale } from "../src/stage/arrows";
import { Camera } from "../src/stage/camera";
import { TensionScale } from "../src/stage/colours";
import { FrameRate } from "../src/stage/framerate";
import { Moment } from "../src/stage/moment";
import { plateEnds, zonesAt } from "../src/stage/parts";
import { simplified } from "../src/stage/paths";
import { distanceToSegment, inside, partAt } from "../src/stage/picking";
import { nearestInstant, Player, speeds, timeline } from "../src/stage/player";
import { store } from "../src/store";
import type { Report } from "../src/data";
import type { Feed } from "../src/types";
import { makeResult, PITCH, RADIUS, SPAN } from "./drive";

function reportOf(...results: ReturnType<typeof makeResult>[]): Report {
  return { header: { live: false } as never, results };
}

test("what is under the pointer", () => {
  const result = makeResult([0]);
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  const small = 500; // pixels per metre: rollers of 3 px cannot be told from links
  const large = 5000;
  const middle = 20.5 * PITCH - Math.PI * RADIUS; // of link 20, on the lower span
  assert.deepEqual(partAt(result, moment, middle, -RADIUS, small, 7), { kind: "link", index: 20 });
  assert.deepEqual(partAt(result, moment, 20 * PITCH - Math.PI * RADIUS, -RADIUS, large, 7), { kind: "roller", index: 20 });
  assert.deepEqual(partAt(result, moment, middle, -RADIUS, large, 7), { kind: "link", index: 20 });
  assert.deepEqual(partAt(result, moment, SPAN + 0.3 * RADIUS, 0, small, 7), { kind: "wheel", index: 1 });
  assert.deepEqual(partAt(result, moment, SPAN / 2, RADIUS - 1.3 * PITCH, small, 7), { kind: "span", index: 1 });
  assert.deepEqual(partAt(result, moment, SPAN / 2, -RADIUS - 1.3 * PITCH, small, 7), { kind: "span", index: 0 });
  assert.equal(partAt(result, moment, SPAN / 2, 5 * RADIUS, small, 7), null);
});

test("of two wheels of one centre the smaller lies on top", () => {
  const result = makeResult([0]);
  const [left, right] = result.header.drive.wheels;
  Object.assign(left!, { centre: right!.centre, radius: 0.5 * RADIUS });
  for (const wheels of [[left!, right!], [right!, left!]]) {
    result.header.drive.wheels = wheels;
    const moment = new Moment(result.header.drive);
    moment.stand(result.frames, 0);
    const at = (along: number): unknown => partAt(result, moment, SPAN + along * RADIUS, 0, 500, 7);
    assert.deepEqual(at(0.3), { kind: "wheel", index: wheels.indexOf(left!) });
    assert.deepEqual(at(0.6), { kind: "wheel", index: wheels.indexOf(right!) });
  }
});

test("distances and polygons", () => {
  assert.equal(distanceToSegment(0, 2, -1, 0, 1, 0), 2);
  assert.equal(distanceToSegment(4, 4, -1, 0, 1, 0), 5);
  assert.equal(distanceToSegment(3, 4, 0, 0, 0, 0), 5);
  const corner = [0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2];
  assert.equal(inside(corner, 0.5, 1.5), true);
  assert.equal(inside(corner, 1.5, 1.5), false);
});

test("outlines lose only what cannot be seen", () => {
  const points: number[] = [];
  for (let k = 0; k <= 400; k++) points.push(Math.cos((2 * Math.PI * k) / 400), Math.sin((2 * Math.PI * k) / 400));
  points[800] = points[0]!;
  points[801] = points[1]!;
  const kept = simplified(points, 0.01);
  assert.ok(kept.length / 2 < 40 && kept.length / 2 > 10, String(kept.length / 2));
  let worst = 0;
  for (let k = 0; k < points.length; k += 2) {
    let near = Infinity;
    for (let j = 0; j + 3 < kept.length; j += 2) near = Math.min(near, distanceToSegment(points[k]!, points[k + 1]!, kept[j]!, kept[j + 1]!, kept[j + 2]!, kept[j + 3]!));
    worst = Math.max(worst, near);
  }
  assert.ok(worst <= 0.01, String(worst));
  assert.equal(simplified([0, 0, 1, 1, 2, 2, 3, 0], 0.1).length, 6);
});

test("the camera: fit, there and back", () => {
  const camera = new Camera();
  camera.width = 400;
  camera.height = 300;
  camera.fit([-1, 3, 0, 1], 20);
  assert.equal(camera.scale, 90);
  assert.deepEqual([camera.x(1), camera.y(0.5)], [200, 150]);
  assert.ok(camera.y(1) < camera.y(0));
  camera.zoom = { k: 3, x: -111, y: 27 };
  const [x, y] = camera.world(camera.x(0.3), camera.y(0.7));
  assert.ok(Math.abs(x - 0.3) < 1e-12 && Math.abs(y - 0.7) < 1e-12);
});

test("colours of tensions", () => {
  const scale = new TensionScale(Array.from({ length: 64 }, (_, k) => `c${k}`));
  scale.set(100, 164);
  assert.deepEqual([99, 100, 101.5, 163.9, 164, 1e9, NaN].map((t) => scale.bin(t)), [0, 0, 1, 63, 63, 63, -1]);
  scale.set(5, 5);
  assert.equal(scale.bin(5), 0);
});

test("arrows: a round force in the legend, its length as drawn", () => {
  const scale = new ArrowScale(50);
  scale.scan(Float32Array.from({ length: 1000 }, (_, k) => k), false);
  const [force, pixels] = scale.reference(1);
  assert.ok([500, 1000].includes(force));
  assert.ok(Math.abs(pixels - force * scale.perNewton(1)) < 1e-12);
  assert.ok(Math.abs(scale.perNewton(2) * 979 - 100) < 1);
  const pairs = new ArrowScale(50);
  pairs.scan(Float32Array.from([3, 4]), true);
  assert.equal(pairs.perNewton(1), 10);
  assert.deepEqual(new ArrowScale(50).reference(1), [0, 0]);
});

test("instants of two results with different frames, each once", () => {
  const [a, b] = [makeResult([0, 1, 2]), makeResult([0, 1, 2, 3])];
  b.frames.time = Float64Array.from([0, 0.1, 0.15, 0.3]);
  assert.deepEqual([...timeline(reportOf(a, b))], [0, 0.1, 0.15, 0.2, 0.3]);
  assert.equal(nearestInstant(Float64Array.from([0, 1, 2]), 1.4), 1);
  assert.equal(nearestInstant(Float64Array.from([0, 1, 2]), 1.6), 2);
});

test("stepping, stopping on an instant, running on at the end", () => {
  const player = new Player(reportOf(makeResult([0, 1, 2, 3])));
  store.time.value = 0;
  player.step(2);
  assert.equal(player.index, 2);
  player.step(5);
  assert.equal(player.index, 3);
  player.step(-10);
  assert.equal(player.index, 0);
  store.speed.value = 0.5;
  player.play();
  player.tick(1000);
  player.tick(1050); // 0.025 s of the run
  player.tick(1100);
  assert.ok(Math.abs(store.time.value - 0.05) < 1e-12);
  player.tick(1120);
  player.stop();
  assert.equal(store.time.value, 0.1);
  store.repeat.value = false;
  player.play();
  for (let now = 2000; now < 4000; now += 20) if (store.playing.value) player.tick(now);
  assert.equal(store.playing.value, false);
  assert.ok(Math.abs(store.time.value - 0.3) < 1e-12);
});

test("playing waits at the end of a running computation and goes on when there is more", () => {
  const result = makeResult([0, 1, 2]);
  const report = { header: { live: true }, results: [result] } as unknown as Report;
  const player = new Player(report);
  store.time.value = 0.19;
  store.speed.value = 1;
  player.play();
  for (const now of [0, 1000, 1050, 1100]) player.tick(now);
  assert.equal(store.time.value, 0.2);
  assert.equal(store.playing.value, true);
  result.frames.time = Float64Array.from([0, 0.1, 0.2, 0.3]);
  result.frames.count = 4;
  player.refresh();
  player.tick(1150);
  assert.ok(Math.abs(store.time.value - 0.25) < 1e-9);
  player.stop();
  player.go(3);
  result.frames.time = Float64Array.from([0, 0.1, 0.2, 0.3, 0.4]);
  result.frames.count = 5;
  player.refresh();
  assert.equal(store.time.value, 0.4); // the last instant follows the computation
  player.go(1);
  player.refresh();
  assert.equal(store.time.value, 0.1);
});

test("the usual speed turns the driver once in five seconds", () => {
  const result = makeResult([0, 10, 20]); // 20 pitches are a turn of 20 teeth, in 0.2 s
  const { standard, choices } = speeds(reportOf(result));
  assert.ok(Math.abs(standard - 0.2 / 5) < 1e-12);
  assert.ok(choices.some((choice) => choice.value === standard && choice.label.includes("left")));
  assert.ok(choices.every((choice, k) => k === 0 || choice.value <= choices[k - 1]!.value));
});

test("of a machine that has hardly begun to turn the run is not over at once", () => {
  const result = makeResult([0, 0.01, 0.04]); // a five-hundredth of a turn in 0.2 s: a turn in five seconds is twenty times the clock
  const { standard, choices, turns } = speeds(reportOf(result));
  assert.ok(turns);
  assert.ok(0.2 / standard > 0.5);
  assert.ok(choices.some((choice) => choice.value === standard));
});

test("frames per second", () => {
  const rate = new FrameRate();
  for (let k = 0; k < 1000; k++) rate.mark(25 * k);
  assert.ok(Math.abs(rate.perSecond - 40) < 1e-9);
  rate.pause();
  rate.mark(99999);
  assert.equal(rate.perSecond, 0);
});

test("zones of the loop, one of which goes over its end", () => {
  const zones = [
    { start: 50, end: 70, kind: "span", index: 1, name: "b" },
    { start: 10, end: 50, kind: "wheel", index: 0, name: "a" },
    { start: 58, end: 63, kind: "guide", index: 0, name: "g" },
  ] as const;
  const names = (place: number): string[] => zonesAt([...zones], place, 60).map((zone) => zone.name);
  assert.deepEqual(names(5), ["b"]);
  assert.deepEqual(names(55), ["b"]);
  assert.deepEqual(names(2), ["b", "g"]);
  assert.deepEqual(names(10), ["a"]);
});

test("where a button in a table leads", () => {
  assert.deepEqual(jumpOf({ jumpResult: "1", jumpTime: "0.25", jumpLink: "12" }), { result: 1, time: 0.25, pick: { result: 1, kind: "link", index: 12 } });
  assert.deepEqual(jumpOf({ jumpTime: "-3e-2" }), { result: 0, time: -0.03, pick: null });
  assert.deepEqual(jumpOf({ jumpTime: "1", jumpWheel: "" })?.pick, null);
  assert.equal(jumpOf({ jumpTime: "soon" }), null);
  assert.equal(jumpOf({}), null);
});

test("numbers of a link, a roller and a span", () => {
  const result = makeResult([0, 15]);
  result.frames.contactForce = new Float32Array(120);
  result.frames.contactForce[60 + 51] = 2500;
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0.1);
  const of = (kind: "link" | "roller" | "span" | "wheel", index: number): Record<string, string> => Object.fromEntries(rowsFor(result, moment, { result: 0, kind, index }).map((row) => [row.label, row.value]));
  const link = of("link", 50);
  assert.equal(link["Tension"], "1.05 kN");
  assert.equal(link["Position along the loop"], "5.50 of 60 pitches");
  // roller 51 is at place 66 = 6, six gaps past the top (gap 5 of a wheel that has not turned): 11 - 15 = 16 of 20
  assert.equal(link["Its second roller (51) is in contact with"], "left, tooth gap 16 of 20: 2.50 kN");
  assert.equal(of("roller", 51)["Normal force"], "2.50 kN");
  // roller 20 is at place 35, to the right of the right wheel, which has turned by 270 degrees: 0 - 15 = 5 of 20
  assert.equal(of("roller", 20)["In contact with"], "right, tooth gap 5 of 20");
  assert.equal(of("roller", 5)["In contact with"], "nothing");
  assert.equal(of("span", 0)["Mean tension"], "not kept in this run");
  assert.equal(of("wheel", 0)["Rollers in contact"], "1");
});

/** Plates of rigid links, and pins in their bushes: joint i has a gap of i um and its pin at i 64ths of a turn. */
function rigid(result: ReturnType<typeof makeResult>): ReturnType<typeof makeResult> {
  const { drive } = result.header;
  drive.plates = { inner: 0.4 * PITCH, outer: 0.35 * PITCH, bush: 0.2 * PITCH, pin: 0.15 * PITCH, clearance: { at: 0, shape: [drive.links], kind: "f4" } };
  const count = result.frames.count * drive.links;
  result.frames.pinGap = Float32Array.from({ length: count }, (_, k) => 1e-6 * (k % drive.links));
  result.frames.pinDirection = Uint8Array.from({ length: count }, (_, k) => 4 * (k % 64));
  result.frames.pinForce = Float32Array.from({ length: count }, (_, k) => 100 + k);
  result.frames.linkAngle = new Float32Array(count).fill(Math.PI / 6);
  return result;
}

test("numbers of a rigid link and of its joints", () => {
  const result = rigid(makeResult([0, 15]));
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0.1);
  const of = (kind: "link" | "roller", index: number): Record<string, string> => Object.fromEntries(rowsFor(result, moment, { result: 0, kind, index }).map((row) => [row.label, row.value]));
  const link = of("link", 59);
  assert.equal(link["Pin force in its bush (joint 59), on its pin (joint 0)"], "219 N, 160 N");
  assert.equal(link["Pin gap at both joints"], "59.0 µm, 0 m");
  assert.equal(link["Friction moment at both joints"], "not kept in this run");
  assert.equal(link["Angle, counter-clockwise from the x axis"], "30.00°");
  assert.equal(of("roller", 3)["Pin force"], "163 N");
  assert.equal(of("roller", 3)["Gap between pin and bush"], "3.00 µm");
  result.header.drive.plates = null;
  assert.equal(of("roller", 3)["Pin force"], undefined);
});

test("plates of inner and outer links alternate, the last of an odd number is cranked", () => {
  const plates = { inner: 4, outer: 3, bush: 2, pin: 1, clearance: { at: 0, shape: [5], kind: "f4" as const } };
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => plateEnds(plates, i, 5)), [[4, 4], [3, 3], [4, 4], [3, 3], [4, 3]]); // prettier-ignore
  assert.deepEqual(plateEnds(plates, 5, 6), [3, 3]);
});

test("a link is picked as far as its plates reach", () => {
  const result = rigid(makeResult([0]));
  const moment = new Moment(result.header.drive, new Float64Array(60).fill(2e-5));
  moment.stand(result.frames, 0);
  const [x, y] = [20.5 * PITCH - Math.PI * RADIUS, -RADIUS - 0.37 * PITCH]; // inner plates of link 20 are 0.4 pitches deep
  assert.deepEqual(partAt(result, moment, x, y, 5000, 7), { kind: "link", index: 20 });
  assert.notDeepEqual(partAt(result, moment, x + PITCH, y, 5000, 7), { kind: "link", index: 21 }); // outer ones 0.35
});

test("what a running computation says", () => {
  const feed = { state: "running", message: "", time: 0.25, until: 1, remaining: 200, frames: null, curves: null, data: "", report: null } as Feed;
  assert.equal(statusText(feed), "Running: 0.2500 of 1.000 s (25 %), about 3 min left");
  assert.equal(statusText({ ...feed, state: "failed", message: "<b>" }), "Stopped at 0.2500 s: <b>");
  assert.equal(duration(0.2), "less than a second");
  assert.equal(duration(7200), "about 2.0 h");
});
