/** The clock of the animation, and steps from frame to frame. */
import type { Report } from "../data";
import { lastAtOrBefore } from "../data";
import { store } from "../store";

/** The instants of all frames of all results, in order, each once. */
export function timeline(report: Report): Float64Array {
  const many = report.results.filter((result) => result.frames.count);
  if (many.length === 1) return many[0]!.frames.time;
  const all = Float64Array.from(many.flatMap((result) => Array.from(result.frames.time))).sort();
  let n = 0;
  for (let k = 0; k < all.length; k++) if (n === 0 || all[k]! - all[n - 1]! > 1e-9 * Math.max(1, Math.abs(all[k]!))) all[n++] = all[k]!;
  return all.subarray(0, n);
}

/** Index of the instant of a timeline that is nearest to a time. */
export function nearestInstant(times: Float64Array, time: number): number {
  const k = lastAtOrBefore(times, times.length, time);
  return k + 1 < times.length && times[k + 1]! - time < time - times[k]! ? k + 1 : k;
}

export interface Speed {
  label: string;
  /** Simulated seconds per second. */
  value: number;
}

/** A run is not over sooner than this when played at the default speed [s]. */
const SHORTEST = 0.5;

/** Speeds to choose from; the default is the one by which the driver turns once in five seconds, where its turns are known. */
export function speeds(report: Report): { choices: Speed[]; standard: number; turns: boolean } {
  const choices: Speed[] = [{ label: "real time", value: 1 }];
  for (const part of [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) choices.push({ label: `1/${part} of real time`, value: 1 / part });
  let standard = 0;
  let turns = false;
  for (const { header, frames } of report.results) {
    const wheels = header.drive.wheels;
    const found = wheels.findIndex((wheel) => wheel.driven);
    const w = Math.max(0, found);
    if (!wheels.length) continue;
    let period = 0;
    if (frames.count > 1) {
      const turned = Math.abs(frames.wheelAngle[(frames.count - 1) * wheels.length + w]! - frames.wheelAngle[w]!);
      if (turned > 1e-3) period = ((frames.time[frames.count - 1]! - frames.time[0]!) * 2 * Math.PI) / turned;
    }
    if (!period) continue;
    const name = wheels[w]!.name.replace(/\s+/g, " ").slice(0, 24);
    // of a machine that has hardly begun to turn that would be over at once
    if (frames.time[frames.count - 1]! - frames.time[0]! >= SHORTEST * (period / 5)) standard = period / 5;
    turns = true;
    choices.push({ label: `one turn of ${name} in 5 s`, value: period / 5 }, { label: `one turn of ${name} in 20 s`, value: period / 20 }, { label: header.drive.sheaves ? "one pitch of the chain in 1 s" : `one tooth of ${name} in 1 s`, value: period / wheels[w]!.teeth });
    break;
  }
  choices.sort((a, b) => b.value - a.value);
  if (!standard) {
    const times = timeline(report);
    const length = times.length ? times[times.length - 1]! - times[0]! : 1;
    standard = choices.reduce((best, c) => (Math.abs(Math.log((c.value * 20) / length)) < Math.abs(Math.log((best.value * 20) / length)) ? c : best)).value;
  }
  return { choices, standard, turns };
}

export class Player {
  times: Float64Array;
  /** True while the moment is the end of a running computation, which it then follows. */
  atEdge = false;
  private last = 0;

  constructor(private readonly report: Report) {
    this.times = timeline(report);
  }

  get first(): number {
    return this.times[0] ?? 0;
  }
  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }
  /** Index of the instant shown. */
  get index(): number {
    return nearestInstant(this.times, store.time.value);
  }

  /** After data were appended. */
  refresh(): void {
    this.times = timeline(this.report);
    if (this.atEdge && !store.playing.value) store.time.value = this.end;
  }

  play(): void {
    if (this.times.length < 2) return;
    this.atEdge = false;
    if (store.time.value >= this.end && !this.report.header.live) store.time.value = this.first;
    this.last = 0;
    store.playing.value = true;
  }

  /** Stop on the nearest instant. */
  stop(): void {
    store.playing.value = false;
    store.time.value = this.times[this.index] ?? store.time.value;
  }

  toggle(): void {
    if (store.playing.value) this.stop();
    else this.play();
  }

  /** To the instant with this index, playing stops. */
  go(index: number): void {
    const k = Math.min(this.times.length - 1, Math.max(0, index));
    store.playing.value = false;
    this.atEdge = this.report.header.live && k === this.times.length - 1;
    if (k >= 0) store.time.value = this.times[k]!;
  }

  step(by: number): void {
    this.go(this.index + by);
  }

  /** To the instant nearest to a time. */
  goTo(time: number): void {
    if (!this.times.length) store.time.value = time;
    else this.go(nearestInstant(this.times, time));
  }

  /** Advance while playing; now: milliseconds of the clock. */
  tick(now: number): void {
    const elapsed = this.last ? Math.min(0.1, (now - this.last) / 1000) : 0;
    this.last = now;
    let time = store.time.value + elapsed * store.speed.value;
    if (time >= this.end) {
      if (this.report.header.live) time = this.end; // playing goes on when there is more
      else if (store.repeat.value) time = this.first;
      else {
        store.playing.value = false;
        time = this.end;
      }
    }
    store.time.value = time;
  }
}
