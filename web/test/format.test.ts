import assert from "node:assert/strict";
import { test } from "node:test";
import { decimalsFor, fixed, niceStep, number, scaleFor, text } from "../src/format";

test("prefixes", () => {
  assert.equal(text(28912, "N"), "28.9 kN");
  assert.equal(text(-0.00123, "N"), "−1.23 mN");
  assert.equal(text(2500, "m", 4), "2500 m");
  assert.equal(text(0.0889, "m"), "88.9 mm");
  assert.equal(text(999.4, "N"), "999 N");
  assert.equal(text(0, "N"), "0 N");
  assert.equal(text(-4.09e-23, "N m"), "0 N m");
  assert.equal(text(2e-12, "N m"), "0.00200 nN m");
  assert.equal(text(NaN, "N"), "–");
  assert.equal(text(null, "N"), "–");
  assert.equal(text(0.25, "1"), "0.250");
  assert.deepEqual(scaleFor(1e6, "N"), { factor: 1e-6, unit: "MN" });
});

test("digits", () => {
  assert.equal(number(0.000123456, 3), "0.000123");
  assert.equal(number(1.5e-9, 2), "1.5e−9");
  assert.equal(number(123456, 3), "123456");
  assert.equal(number(1000, 3), "1000");
  assert.equal(fixed(-0.0001, { factor: 1, unit: "N" }, 2), "0.00");
  assert.equal(fixed(-1250, { factor: 1e-3, unit: "kN" }, 1), "−1.3");
});

test("steps of a scale", () => {
  assert.equal(niceStep(10, 5), 2);
  assert.equal(niceStep(0.7, 1), 0.5);
  assert.ok(Math.abs(niceStep(860, 4) - 200) < 1e-9);
  assert.equal(decimalsFor(0.001), 3);
  assert.equal(decimalsFor(20), 0);
  assert.equal(decimalsFor(0.5), 1);
});
