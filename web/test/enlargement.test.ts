import assert from "node:assert/strict";
import { test } from "node:test";
import { Badges, rpm } from "../src/stage/badges";
import { Course } from "../src/stage/enlargement";
import { Moment, wrap } from "../src/stage/moment";
import { openingTime } from "../src/stage/opening";
import type { Report } from "../src/data";
import { LINKS, makeResult, pointAt, PITCH, RADIUS } from "./drive";

const HALF = (Math.PI * RADIUS) / PITCH;

/** Rollers of the lower span lifted by 0.2 mm, in the second frame; the course is where the chain is without that. */
function lifted(lift: number): ReturnType<typeof makeResult> {
  const result = makeResult([0, 0.4]);
  const course = Float32Array.from({ length: 4 * LINKS }, (_, k) => pointAt((k >> 1) / 2)[k % 2]!);
  const ref = { at: 0, shape: [2 * LINKS, 2], kind: "f4" as const };
  Object.assign(result.header, {
    view: { opening: { time: 0.1, why: "" }, start: 0, stop: 1, steady: true, span_tension: [900, null], course: ref },
    loop: { curves: [], zones: [{ kind: "span", index: 0, name: "", start: HALF + 1, end: HALF + 19 }, { kind: "wheel", index: 0, name: "", start: 0, end: HALF }], start: 0, stop: 1 },
  }); // prettier-ignore
  (result as { array: unknown }).array = (of: unknown) => (of === ref ? course : new Float32Array(0));
  for (let i = 0; i < LINKS; i++) {
    const place = wrap(i + 0.4, LINKS);
    if (place > HALF + 1 && place < HALF + 19) result.frames.roller[2 * (LINKS + i) + 1]! += lift;
  }
  return result;
}

test("rollers of the spans are so many times as far from the course, across it; all others stay", () => {
  const lift = 2e-4;
  const result = lifted(lift);
  const course = new Course(result);
  assert.ok(course.known);
  for (const factor of [1, 10, 50]) {
    const moment = new Moment(result.header.drive);
    moment.stand(result.frames, 0.1);
    course.enlarge(moment, factor);
    let moved = 0;
    for (let i = 0; i < LINKS; i++) {
      const place = wrap(i + 0.4, LINKS);
      const [x, y] = pointAt(place);
      const free = place > HALF + 1 && place < HALF + 19;
      assert.ok(Math.abs(moment.rollers[2 * i]! - x) < 2e-7);
      assert.ok(Math.abs(moment.rollers[2 * i + 1]! - y - (free ? factor * lift : 0)) < 1e-6, `${factor} ${i}`);
      if (free) moved++;
    }
    assert.equal(moved, 18);
  }
});

test("without a course, or without spans, nothing is enlarged", () => {
  const result = makeResult([0]);
  const course = new Course(result);
  assert.equal(course.known, false);
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  const before = [...moment.rollers];
  course.enlarge(moment, 50);
  assert.deepEqual([...moment.rollers], before);
});

test("badges say mean and momentary tension with decimals that stay, and speeds as the wheel turns", () => {
  const result = lifted(0);
  result.frames.spanTension = Float32Array.from([912.34, 12, 1234.5, NaN]);
  result.frames.wheelSpeed = Float32Array.from([-10 * Math.PI, 0, -100 * Math.PI, 0]);
  const badges = new Badges(result);
  badges.refresh();
  const moment = new Moment(result.header.drive);
  moment.stand(result.frames, 0);
  assert.deepEqual(badges.span(moment, 0), ["mean 0.900 kN", "now 0.912 kN"]);
  assert.deepEqual(badges.span(moment, 1), ["now 0.012 kN"]); // its mean is not known
  assert.deepEqual(badges.wheel(moment, 0), ["−300 rpm"]);
  result.header.drive.sense = -1;
  moment.stand(result.frames, 0.1);
  assert.deepEqual(badges.span(moment, 1), []);
  assert.deepEqual(badges.wheel(moment, 0), ["3000 rpm"]);
  assert.equal(rpm(Math.PI), "30.0 rpm");
});

test("the drawing opens at the moment that is named, else at its beginning", () => {
  assert.equal(openingTime({ results: [makeResult([0]), lifted(0)] } as unknown as Report), 0.1);
  assert.equal(openingTime({ results: [makeResult([0])] } as unknown as Report), 0);
});
