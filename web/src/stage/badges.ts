/** What badges say: tension of the spans, speed of the wheels. */
import type { LoadedResult } from "../data";
import { decimalsFor, fixed, type Scale, scaleOf } from "../format";
import type { Moment } from "./moment";

/** Texts of one result, with a prefix and decimals that stay the same over the run. */
export class Badges {
  private scale: Scale = { factor: 1, unit: "N" };
  private decimals = 0;
  private count = -1;

  constructor(private readonly result: LoadedResult) {}

  /** Take in what frames have come. */
  refresh(): void {
    const { frames } = this.result;
    if (frames.count === this.count) return;
    this.count = frames.count;
    this.scale = scaleOf(frames.spanTension ?? [], "N");
    let largest = 0;
    for (const value of frames.spanTension ?? []) if (Math.abs(value) > largest && Number.isFinite(value)) largest = Math.abs(value);
    this.decimals = decimalsFor((largest * this.scale.factor) / 1000);
  }

  private force(value: number): string {
    return `${fixed(value, this.scale, this.decimals)} ${this.scale.unit}`;
  }

  /** Mean over the steady part, where it is known, and at the moment; nothing of a span whose tension is not known. */
  span(moment: Moment, k: number): string[] {
    const { frames, header } = this.result;
    const now = frames.spanTension?.[moment.frame * header.drive.spans.length + k] ?? NaN;
    if (!Number.isFinite(now)) return [];
    const mean = header.view?.span_tension?.[k];
    return typeof mean === "number" ? [`mean ${this.force(mean)}`, `now ${this.force(now)}`] : [`now ${this.force(now)}`];
  }

  /** "1500 rpm", in the sense in which it turns with the drive; or nothing. */
  wheel(moment: Moment, w: number): string[] {
    const { frames, header } = this.result;
    const { wheels, sense } = header.drive;
    const speed = frames.wheelSpeed?.[moment.frame * wheels.length + w] ?? NaN;
    return Number.isFinite(speed) ? [rpm(speed * sense * wheels[w]!.sign)] : []; // as its arrow points
  }
}

/** A speed [rad/s] in revolutions per minute. */
export function rpm(speed: number): string {
  const turns = (speed * 30) / Math.PI;
  return `${fixed(turns, { factor: 1, unit: "" }, Math.abs(turns) < 100 ? 1 : 0)} rpm`;
}
