/** Numbers of axes and legends: one prefix for an axis, ticks with just the decimals that their step needs. */
import { number, scaleFor, type Scale } from "../format";

export type { Scale };

/** Units that read better without a prefix. */
const PLAIN = new Set(["", "1", "-", "%", "rpm", "rad/s", "rev", "pitches", "pitch", "°", "s"]);

/** Prefix with which the largest of the values reads between 1 and 1000; angles never above 1, speeds without. */
export function axisScale(largest: number, unit: string): Scale {
  if (PLAIN.has(unit)) return { factor: 1, unit: unit === "1" || unit === "-" ? "" : unit };
  return scaleFor(unit === "rad" ? Math.min(Math.abs(largest), 1) : largest, unit);
}

/** Largest absolute value; NaN and infinities do not count. */
export function largestOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
}

export function extremesOf(values: ArrayLike<number>): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low && value > -Infinity) low = value;
    if (value > high && value < Infinity) high = value;
  }
  return low <= high ? [low, high] : null;
}

/** Text of a tick: as many decimals as the step between ticks needs. */
export function tick(value: number, step: number): string {
  if (!Number.isFinite(value)) return "";
  if (value === 0) return "0";
  if (!(step > 0)) return number(value, 3);
  let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  while (decimals < 12 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return value.toFixed(decimals).replace("-", "−");
}

/** A value in SI in the unit of an axis. */
export function withUnit(value: number, scale: Scale, digits = 4): string {
  const text = number(value * scale.factor, digits);
  return scale.unit && Number.isFinite(value) ? `${text} ${scale.unit}` : text;
}

/** Decimals with which the largest value of an axis has four digits: small values then do not grow long tails. */
export function decimalsOf(largest: number, scale: Scale): number {
  const size = Math.abs(largest) * scale.factor;
  return size > 0 && Number.isFinite(size) ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(size)))) : 0;
}

/** "quantity [unit]", without brackets for a plain number. */
export function withBrackets(title: string, unit: string): string {
  return unit && unit !== "1" && unit !== "-" ? `${title} [${unit}]` : title;
}

/** Index of the entry nearest to a value in ascending numbers; -1 when there are none. */
export function nearest(sorted: ArrayLike<number>, value: number): number {
  const count = sorted.length;
  if (count === 0) return -1;
  let low = 0;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle;
    else high = middle;
  }
  return Math.abs(sorted[high]! - value) < Math.abs(sorted[low]! - value) ? high : low;
}

/** Numbers for uPlot: gaps are null there; without gaps the array is passed as it is. */
export function gaps(values: ArrayLike<number>): (number | null)[] | Float64Array | Float32Array {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]!)) return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
  }
  return values as Float64Array | Float32Array;
}
