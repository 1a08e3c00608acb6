/** A drive made up for tests: a chain around two wheels of 20 teeth, as a belt with straight spans. */
import { LoadedFrames, type LoadedResult, type Numbers } from "../src/data";
import type { ArrayRef, Drive } from "../src/types";

export const PITCH = 0.01;
export const TEETH = 20;
export const RADIUS = (TEETH * PITCH) / (2 * Math.PI); // of the pitch line taken as a curve
export const SPAN = 20 * PITCH;
export const LINKS = 60;

/** The point at a place along the loop [pitches]: wheel 0 (left), upper span ... run counter-clockwise. */
export function pointAt(place: number): [number, number] {
  const s = (((place % LINKS) + LINKS) % LINKS) * PITCH;
  const half = Math.PI * RADIUS;
  if (s < half) return [-RADIUS * Math.sin(s / RADIUS), RADIUS * Math.cos(s / RADIUS)]; // wheel 0 from its top, leftwards, to its bottom
  if (s < half + SPAN) return [s - half, -RADIUS];
  if (s < 2 * half + SPAN) {
    const a = (s - half - SPAN) / RADIUS;
    return [SPAN + RADIUS * Math.sin(a), -RADIUS * Math.cos(a)];
  }
  return [SPAN - (s - 2 * half - SPAN), RADIUS];
}

const NOTHING: ArrayRef = { at: 0, shape: [0, 2], kind: "f4" };

/** Frames at which the chain has advanced so many pitches; the tension of link i in frame f is 1000 f + i. */
export function makeResult(advances: number[], bodies: Drive["bodies"] = []): LoadedResult {
  const drive: Drive = {
    name: "test", pitch: PITCH, roller_diameter: 0.6 * PITCH, plates: null, sheaves: null, space: null, links: LINKS, closed: true, ends: [], sense: 1, gravity: [0, -9.81],
    wheels: [
      { name: "left", teeth: TEETH, centre: [0, 0], radius: RADIUS, sign: 1, driven: true, body: -1, outline: NOTHING, cogs: [] },
      { name: "right", teeth: TEETH, centre: [SPAN, 0], radius: RADIUS, sign: 1, driven: false, body: -1, outline: NOTHING, cogs: [] },
    ],
    guides: [], bodies, tensioners: [], spans: [{ name: "left to right" }, { name: "right to left" }], extent: [-1, 1, -1, 1],
  }; // prettier-ignore
  const frames = new LoadedFrames(LINKS, 2);
  const n = advances.length;
  frames.count = n;
  frames.stored = n;
  frames.time = Float64Array.from(advances, (_, f) => 0.1 * f);
  frames.row = Int32Array.from(advances, (_, f) => 10 * f);
  frames.advance = Float64Array.from(advances);
  frames.roller = new Float32Array(n * LINKS * 2);
  frames.tension = new Float32Array(n * LINKS);
  frames.contactSurface = new Int16Array(n * LINKS).fill(-1);
  frames.wheelAngle = new Float64Array(2 * n);
  advances.forEach((advance, f) => {
    for (let i = 0; i < LINKS; i++) {
      const [x, y] = pointAt(i + advance);
      frames.roller.set([x, y], 2 * (f * LINKS + i));
      frames.tension[f * LINKS + i] = 1000 * f + i;
      frames.contactSurface![f * LINKS + i] = x < 1e-9 ? 0 : x > SPAN - 1e-9 ? 1 : -1;
    }
    frames.wheelAngle.set([(advance * PITCH) / RADIUS, (advance * PITCH) / RADIUS], 2 * f);
  });
  const header = { label: "test", drive, frames: null, curves: [], loop: null, spectra: [], orders: [], campbell: null, tension_range: [0, 1000], time_range: [0, 0.1 * n], status: "" };
  return { index: 0, header, frames, curves: [], array: (): Numbers => new Float32Array(0), tensionRange: [0, 1000], timeRange: [0, 0.1 * (n - 1)] } as unknown as LoadedResult;
}
