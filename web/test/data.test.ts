import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { decode, inflate, lastAtOrBefore, LoadedCurveGroup, LoadedFrames } from "../src/data";
import type { ArrayRef, CurveGroup, Frames } from "../src/types";

/** Writes arrays one after the other, as Python does, but written independently of the decoder. */
class Writer {
  private readonly parts: Buffer[] = [];
  private at = 0;

  private put(bytes: Buffer): number {
    const place = this.at;
    this.parts.push(bytes);
    this.at += bytes.length;
    return place;
  }

  f8(values: number[], shape = [values.length]): ArrayRef {
    const bytes = Buffer.alloc(8 * values.length);
    values.forEach((v, i) => bytes.writeDoubleLE(v, 8 * i));
    return { at: this.put(bytes), shape, kind: "f8" };
  }

  f4(values: number[], shape = [values.length]): ArrayRef {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((v, i) => bytes.writeFloatLE(v, 4 * i));
    return { at: this.put(bytes), shape, kind: "f4" };
  }

  i4(values: number[]): ArrayRef {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((v, i) => bytes.writeInt32LE(v, 4 * i));
    return { at: this.put(bytes), shape: [values.length], kind: "i4" };
  }

  two(numbers: number[], shape: number[], kind: "q2" | "i2", delta: boolean, scale?: number, offset?: number): ArrayRef {
    const row = shape.slice(1).reduce((a, b) => a * b, 1);
    const stored = numbers.map((u, i) => (delta && i >= row ? u - numbers[i - row]! : u) & 0xffff);
    const bytes = Buffer.from([...stored.map((u) => u & 0xff), ...stored.map((u) => u >> 8)]);
    return { at: this.put(bytes), shape, kind, delta, scale, offset };
  }

  u1(numbers: number[], shape: number[], delta: boolean): ArrayRef {
    const row = shape.slice(1).reduce((a, b) => a * b, 1);
    const stored = numbers.map((u, i) => (delta && i >= row ? u - numbers[i - row]! : u) & 0xff);
    return { at: this.put(Buffer.from(stored)), shape, kind: "u1", delta };
  }

  get base64(): string {
    return deflateSync(Buffer.concat(this.parts)).toString("base64");
  }
}

test("every kind of array comes back, at places that are not multiples of its size", async () => {
  const w = new Writer();
  const odd = w.u1([7], [1], false);
  const f8 = w.f8([1.5, -2e300, NaN]);
  const f4 = w.f4([0.25, -8]);
  const i4 = w.i4([-70000, 5]);
  const i2 = w.two([-1, 5, -1, 300, 12, -300], [3, 2], "i2", true);
  const u1 = w.u1([250, 3, 4, 255, 0, 9], [3, 2], true);
  const buffer = await inflate(`\n ${w.base64} \n`);
  assert.deepEqual([...decode(buffer, odd)], [7]);
  assert.deepEqual([...decode(buffer, f8)], [1.5, -2e300, NaN]);
  assert.deepEqual([...decode(buffer, f4)], [0.25, -8]);
  assert.deepEqual([...decode(buffer, i4)], [-70000, 5]);
  assert.deepEqual([...decode(buffer, i2)], [-1, 5, -1, 300, 12, -300]);
  assert.deepEqual([...decode(buffer, u1)], [250, 3, 4, 255, 0, 9]);
});

for (const delta of [false, true])
  test(`quantised numbers, ${delta ? "differences" : "as they are"}, with what is missing`, async () => {
    const w = new Writer();
    const steps = [0, 65534, 12345, 65535, 65535, 1, 300, 256];
    const ref = w.two(steps, [4, 2], "q2", delta, 0.5, -10);
    const values = decode(await inflate(w.base64), ref);
    assert.deepEqual([...values], [-10, 32757, 6162.5, NaN, NaN, -9.5, 140, 118]);
  });

test("cut-off data are an error, not silent zeros", async () => {
  const w = new Writer();
  const ref = w.f8([1, 2]);
  const buffer = await inflate(w.base64);
  assert.throws(() => decode(buffer, { ...ref, shape: [3] }), /truncated/);
});

function frames(w: Writer, times: number[], extra: Partial<Frames> = {}): Frames {
  const nothing = Object.fromEntries(
    ["tension_low", "tension_high", "contact_force", "contact_surface", "contact_direction", "friction_force", "wheel_position",
     "body_position", "body_angle", "tensioner_force", "guide_force", "bearing_force", "wheel_speed", "wheel_torque",
     "span_tension", "span_displacement"].map((key) => [key, null]),
  ); // prettier-ignore
  const n = times.length;
  return {
    ...nothing,
    time: w.f8(times),
    row: w.i4(times.map((_, f) => f)),
    advance: w.f8(times),
    roller: w.f4(Array.from({ length: n * 4 }, (_, i) => i + 100 * times[0]!), [n, 2, 2]),
    link_tension: w.f4(times.flatMap((t) => [t, -t]), [n, 2]),
    wheel_angle: w.f8(times, [n, 1]),
    stored: n,
    kept: n,
    ...extra,
  } as Frames;
}

test("frames of a running computation are appended in order, many times", async () => {
  const all = new LoadedFrames(2, 1);
  for (let piece = 0; piece < 20; piece++) {
    const w = new Writer();
    const ref = frames(w, [piece, piece + 0.5], { contact_surface: w.two([piece, -1, 3, 4], [2, 2], "i2", true) });
    all.append(await inflate(w.base64), ref);
  }
  assert.equal(all.count, 40);
  assert.deepEqual([...all.time], Array.from({ length: 40 }, (_, k) => k / 2));
  assert.equal(all.tension.length, 80);
  assert.equal(all.tension[2 * 31 + 1], -15.5);
  assert.equal(all.roller[4 * 31], 4 + 1500);
  assert.deepEqual([...all.contactSurface!.subarray(4 * 7, 4 * 7 + 4)], [7, -1, 3, 4]);
  assert.equal(all.frictionForce, null);
});

test("frame before and nearest to a time", async () => {
  const w = new Writer();
  const ref = frames(w, [0, 1, 2, 4]);
  const all = new LoadedFrames(2, 1);
  all.append(await inflate(w.base64), ref);
  assert.deepEqual([-1, 0, 0.9, 1, 3.5, 9].map((t) => all.before(t)), [0, 0, 0, 1, 2, 3]);
  assert.deepEqual([-1, 0.4, 0.6, 2.9, 3.1, 9].map((t) => all.nearest(t)), [0, 0, 1, 2, 3, 3]);
  assert.equal(lastAtOrBefore([], 0, 1), 0);
});

test("curves of a running computation are appended series by series", async () => {
  const group = (w: Writer, times: number[]): CurveGroup => ({
    key: "span_tension", title: "", unit: "N", remark: "", stored: 9, kept: 2,
    series: [{ name: "a", kind: "span", index: 0 }, { name: "b", kind: "span", index: 1 }],
    time: w.f8(times), values: w.f4([...times, ...times.map((t) => -t)], [2, times.length]),
  }); // prettier-ignore
  const w1 = new Writer();
  const first = group(w1, [1, 2]);
  const curves = new LoadedCurveGroup(first);
  curves.append(await inflate(w1.base64), first);
  const w2 = new Writer();
  const second = group(w2, [3]);
  curves.append(await inflate(w2.base64), second);
  assert.deepEqual([...curves.time], [1, 2, 3]);
  assert.deepEqual(curves.values.map((v) => [...v]), [[1, 2, 3], [-1, -2, -3]]);
});

test("a running computation that has dropped frames begins anew", async () => {
  const { LoadedResult } = await import("../src/data");
  const drive = { links: 2, closed: true, wheels: [{}] };
  const empty = new Writer();
  const none = frames(empty, []);
  const result = new LoadedResult(0, { drive, frames: { ...none, roller: { ...none.roller, shape: [0, 2, 2] } }, curves: [], tension_range: [0, 0] } as never, new ArrayBuffer(0));
  const answer = async (times: number[], anew: boolean): Promise<boolean> => {
    const w = new Writer();
    const ref = frames(w, times);
    return result.take({ frames: ref, curves: null, data: w.base64, anew } as never);
  };
  assert.equal(await answer([0, 1, 2, 3], true), true);
  assert.equal(await answer([4, 5], false), true);
  assert.equal(result.frames.count, 6);
  assert.deepEqual(result.tensionRange, [-5, 5]);
  await answer([0, 2, 4, 6], true);
  assert.deepEqual([...result.frames.time], [0, 2, 4, 6]);
  assert.deepEqual([...result.frames.tension], [0, -0, 2, -2, 4, -4, 6, -6]);
  assert.deepEqual(result.tensionRange, [-6, 6]);
  assert.equal(await result.take({ frames: null, curves: null, data: "", anew: false } as never), false);
});
