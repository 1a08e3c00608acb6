import assert from "node:assert/strict";
import { test } from "node:test";
import { highestCuts } from "../src/charts/cuts";
import { edges, ramp, rgb } from "../src/charts/ramp";
import { placeLabels } from "../src/charts/labels";
import { linkAt, pieces, placeOfLink, zoneAt } from "../src/charts/loop";
import { lightened, powerText } from "../src/charts/look";
import { axisScale, decimalsOf, extremesOf, gaps, largestOf, nearest, tick, withBrackets, withUnit } from "../src/charts/numbers";
import { columnOf, unwrapped } from "../src/charts/picked";
import { zoomRange } from "../src/charts/plot";
import { decades, largestPeaks, usefulRange } from "../src/charts/spectra";
import { followed, padded } from "../src/charts/timechart";

test("an axis gets the prefix with which its largest value reads between 1 and 1000", () => {
  assert.deepEqual(axisScale(28_900, "N"), { factor: 1e-3, unit: "kN" });
  assert.deepEqual(axisScale(999, "N"), { factor: 1, unit: "N" });
  assert.equal(axisScale(1e-5, "m").unit, "µm");
  assert.equal(axisScale(12_000, "rad/s").unit, "rad/s");
  assert.equal(axisScale(4000, "rad").unit, "rad");
  assert.equal(axisScale(0.004, "rad").unit, "mrad");
  assert.equal(axisScale(5000, "1").unit, "");
  assert.equal(axisScale(0, "N").factor, 1);
});

test("texts of values and titles", () => {
  assert.equal(withUnit(-28_912, axisScale(3e4, "N")), "−28.91 kN");
  assert.equal(withUnit(NaN, axisScale(3e4, "N")), "–");
  assert.equal(withBrackets("Tension", "kN"), "Tension [kN]");
  assert.equal(withBrackets("Ratio", ""), "Ratio");
  assert.equal(powerText(-12), "10⁻¹²");
});

test("ticks have just the decimals that their step needs", () => {
  assert.equal(tick(0.3, 0.1), "0.3");
  assert.equal(tick(0.25, 0.25), "0.25");
  assert.equal(tick(-200, 100), "−200");
  assert.equal(tick(1.2345, 0.0005), "1.2345");
  assert.equal(tick(0, 0.1), "0");
});

test("nearest entry of ascending numbers", () => {
  const times = [0, 1, 2, 4];
  assert.equal(nearest(times, 2.9), 2);
  assert.equal(nearest(times, 3.1), 3);
  assert.equal(nearest(times, -5), 0);
  assert.equal(nearest(times, 50), 3);
  assert.equal(nearest([], 1), -1);
  assert.equal(nearest([7], 1), 0);
});

test("missing values do not count and become gaps", () => {
  const values = new Float32Array([1, NaN, -3, Infinity]);
  assert.equal(largestOf(values), 3);
  assert.deepEqual(extremesOf(values), [-3, 1]);
  assert.equal(extremesOf([NaN]), null);
  assert.deepEqual(gaps(values), [1, null, -3, null]);
  const whole = new Float32Array([1, 2]);
  assert.equal(gaps(whole), whole);
});

test("labels of lines do not overlap and stay inside; the important ones find their place first", () => {
  const wishes = Array.from({ length: 40 }, (_, i) => ({ at: 10 + 9 * i, width: 50, weight: i === 20 ? 5 : 1 }));
  const places = placeLabels(wishes, 0, 400, 3, 6);
  assert.deepEqual(places[20], { left: 190 - 25, row: 0 });
  assert.ok(places.filter(Boolean).length >= 15);
  for (const [i, place] of places.entries()) {
    if (!place) continue;
    assert.ok(place.left >= 0 && place.left + 50 <= 400);
    for (const [j, other] of places.entries()) {
      if (i !== j && other && other.row === place.row) assert.ok(Math.abs(other.left - place.left) >= 56);
    }
  }
});

test("a label outside or wider than the room is left out", () => {
  assert.deepEqual(placeLabels([{ at: -3, width: 5, weight: 1 }, { at: 50, width: 500, weight: 1 }], 0, 100, 1), [null, null]);
});

test("links and places along the loop", () => {
  assert.equal(placeOfLink(3, 1.25, 10), 4.75);
  assert.equal(placeOfLink(9, 2, 10), 1.5);
  assert.equal(placeOfLink(0, -1, 10), 9.5);
  for (const advance of [0, 0.3, 7.9, -3.4, 1234.5]) {
    for (let link = 0; link < 10; link++) assert.equal(linkAt(placeOfLink(link, advance, 10), advance, 10), link);
  }
});

test("a joint is along the loop where its roller is", () => {
  assert.equal(placeOfLink(3, 1.25, 10, 0), 4.25);
  for (let joint = 0; joint < 10; joint++) assert.equal(linkAt(placeOfLink(joint, 7.9, 10, 0), 7.9, 10, 0), joint);
});

test("angles go on over a turn", () => {
  const angles = Float32Array.from({ length: 100 }, (_, k) => ((0.3 * k + Math.PI) % (2 * Math.PI)) - Math.PI);
  unwrapped(angles).forEach((angle, k) => assert.ok(Math.abs(angle - 0.3 * k) < 1e-5));
  const back = angles.map((angle) => -angle);
  unwrapped(back).forEach((angle, k) => assert.ok(Math.abs(angle + 0.3 * k) < 1e-5));
});

test("zones run over the end of the loop", () => {
  const zone = { start: 8, end: 12, kind: "wheel" as const, index: 0, name: "crankshaft" };
  assert.deepEqual(pieces(zone, 10), [[8, 10], [0, 2]]);
  assert.deepEqual(pieces({ ...zone, start: 2, end: 5 }, 10), [[2, 5]]);
  assert.equal(zoneAt([zone], 1.5, 10)?.name, "crankshaft");
  assert.equal(zoneAt([zone], 9, 10)?.name, "crankshaft");
  assert.equal(zoneAt([zone], 5, 10), null);
});

test("zoom keeps the place under the moment and stays within the run", () => {
  assert.deepEqual(zoomRange(null, [0, 10], 0.5, 2), [1, 6]);
  assert.deepEqual(zoomRange([0, 2], [0, 10], 2, 0), [0, 4]);
  assert.deepEqual(zoomRange([8, 10], [0, 10], 2, 9), [6, 10]);
  assert.equal(zoomRange([2, 8], [0, 10], 2), null);
});

test("axes end a little beyond the values, at zero where they come near it", () => {
  assert.deepEqual(padded(0, 100), [0, 105]);
  assert.deepEqual(padded(100, 200), [95, 205]);
  assert.deepEqual(padded(-100, -1), [-104.95, 0]);
  assert.deepEqual(padded(0, 0), [-1, 1]);
  const [low, high] = padded(5, 5);
  assert.ok(low < 5 && high > 5);
  assert.deepEqual(padded(null, null), [0, 1]);
});

test("a logarithmic axis shows at most six decades", () => {
  assert.deepEqual(decades(1e-12, 5, 5), [1e-5, 10]);
  assert.deepEqual(decades(0.02, 5, 5), [0.01, 10]);
});

test("the largest peaks of a spectrum", () => {
  const y = [9, 1, 5, 1, 2, 1, 7, 7, 1];
  const x = y.map((_, i) => 10 * i);
  assert.deepEqual(largestPeaks(x, y, 2), [[60, 7], [20, 5]]);
});

test("columns of a map lie between halfway edges", () => {
  assert.deepEqual([...edges([1, 2, 4])], [0.5, 1.5, 3, 5]);
  assert.deepEqual([...edges([3])], [2.5, 3.5]);
});

test("colours of the map go from white to the darkest", () => {
  assert.deepEqual(rgb("#0b4f6c"), [11, 79, 108]);
  assert.deepEqual(rgb("rgb(1, 2, 3)"), [1, 2, 3]);
  const colours = ramp(["#000080", "#800080", "#ffa000"]);
  assert.deepEqual(colours[0], [255, 255, 255]);
  assert.deepEqual(colours[colours.length - 1], [0, 0, 128]);
});

test("colours of the map rise from a dark page to the brightest", () => {
  const colours = ramp(["#000080", "#800080", "#ffa000"], "#151b21", true);
  assert.deepEqual(colours[0], [21, 27, 33]);
  assert.deepEqual(colours[colours.length - 1], [255, 160, 0]);
});

test("colours are made paler until they have their contrast with a dark page, and no paler", () => {
  // #808080 on black: luminance 0.2159, contrast (0.2159 + 0.05) / 0.05 = 5.32
  assert.equal(lightened("#808080", "#000000", 5.3), "#808080");
  assert.notEqual(lightened("#808080", "#000000", 5.4), "#808080");
  assert.equal(lightened("#000000", "#000000", 21), "#ffffff");
  assert.equal(lightened("not a colour", "#000000", 21), "not a colour");
});

test("one link out of frame-by-frame values", () => {
  assert.deepEqual([...columnOf([1, 2, 3, 4, 5, 6], 2, 3, 1)], [2, 5]);
});

test("values in a legend keep their decimals", () => {
  assert.equal(decimalsOf(28_900, axisScale(28_900, "N")), 2);
  assert.equal(decimalsOf(314.2, axisScale(314.2, "rad/s")), 1);
  assert.equal(decimalsOf(0, axisScale(0, "N")), 0);
});

test("a spectrum opens with what has a size, and with all of it where that is nearly everything", () => {
  const x = Array.from({ length: 101 }, (_, i) => i);
  const small = x.map((f) => (f === 20 ? 10 : f === 40 ? 0.2 : 0.01));
  assert.deepEqual(usefulRange([{ x, amplitude: small }], [0, 100]), [0, 50]);
  assert.equal(usefulRange([{ x, amplitude: x }], [0, 100]), null);
  assert.equal(usefulRange([{ x, amplitude: x.map(() => 0) }], [0, 100]), null);
});

test("charts that are zoomed in follow the moment", () => {
  const full: [number, number] = [0, 10];
  assert.deepEqual(followed([2, 4], 3, 3.5, true, full), [2, 4]); // still inside
  assert.deepEqual(followed([2, 4], 3.9, 4.1, true, full), [4.1, 6.1]); // the next page
  assert.deepEqual(followed([2, 4], 6, 6.1, true, full), [2, 4]); // looked at elsewhere on purpose
  assert.deepEqual(followed([2, 4], 3, 7, false, full), [6, 8]); // a jump
  assert.deepEqual(followed([2, 4], 3, 9.9, false, full), [8, 10]);
});

test("of the cuts those along orders with the largest amplitudes are shown at first", () => {
  const cut = (label: string, top: number, order = true) => ({ label, amplitude: [0, top, NaN], order });
  const cuts = [cut("a", 3), cut("string", 9, false), cut("b", 5), cut("none", 0), cut("c", 0.004), cut("d", 4)];
  assert.deepEqual([...highestCuts(cuts)], ["b", "d", "a"]);
  assert.deepEqual([...highestCuts(cuts, 9)], ["b", "d", "a"]);
  assert.deepEqual([...highestCuts([cut("none", NaN)])], []);
});
