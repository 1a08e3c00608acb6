/** Curves laid over themselves, revolution upon revolution, and their mean. */
import { lastAtOrBefore } from "../data";

/** A piece of a curve. */
export interface Strand {
  x: Float64Array;
  y: Float64Array;
}

export interface Mean extends Strand {
  /** Whole periods it is taken of. */
  periods: number;
}

/** Fewer instants than that in a period, and there is no mean. */
const FEW = 6;
/** Places in a period at which a mean is taken. */
const LEAST = 24;
const MOST = 2880;

/** What is left of a number when whole periods are taken out. */
export function modulo(value: number, period: number): number {
  const rest = value - period * Math.floor(value / period);
  return rest < period ? rest : 0;
}

/** Whether numbers grow from one to the next; not-a-numbers do not. */
export function ascending(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; i++) if (!(x[i]! > x[i - 1]!)) return false;
  return x.length > 0 && Number.isFinite(x[0]!);
}

/** The curve cut at every multiple of the period, where it is interpolated, with x from 0 to the period in each piece. */
export function folded(x: ArrayLike<number>, y: ArrayLike<number>, period: number): Strand[] {
  const strands: Strand[] = [];
  let px: number[] = [];
  let py: number[] = [];
  const end = () => {
    if (px.length) strands.push({ x: Float64Array.from(px), y: Float64Array.from(py) });
    px = [];
    py = [];
  };
  let turn = NaN;
  for (let i = 0; i < x.length; i++) {
    const now = Math.floor(x[i]! / period);
    if (now !== turn && px.length && Math.abs(now - turn) === 1) {
      const border = period * Math.max(now, turn);
      const share = (border - x[i - 1]!) / (x[i]! - x[i - 1]!);
      const between = y[i - 1]! + share * (y[i]! - y[i - 1]!);
      const up = now > turn;
      px.push(up ? period : 0);
      py.push(between);
      end();
      px.push(up ? 0 : period);
      py.push(between);
    } else if (now !== turn) end();
    turn = now;
    if (!Number.isFinite(now)) continue;
    px.push(x[i]! - period * now);
    py.push(y[i]!);
  }
  end();
  return strands;
}

/** The value of a curve with ascending x between its points; NaN beyond its ends. */
export function between(x: ArrayLike<number>, y: ArrayLike<number>, at: number): number {
  const n = x.length;
  if (n === 0 || !(at >= x[0]! && at <= x[n - 1]!)) return NaN;
  const i = Math.min(lastAtOrBefore(x, n, at), n - 2);
  if (n === 1) return y[0]!;
  const share = (at - x[i]!) / (x[i + 1]! - x[i]!);
  return share === 0 ? y[i]! : share === 1 ? y[i + 1]! : y[i]! + share * (y[i + 1]! - y[i]!);
}

/** A curve put into one period: as it is, moved there with a gap where it ends, or the mean of its whole periods; their number, 0: no mean. */
export function intoPeriod(x: ArrayLike<number>, y: ArrayLike<number>, period: number): Mean {
  const n = x.length;
  const [first, last] = [x[0] ?? 0, x[n - 1] ?? 0];
  const slack = 1e-9 * period;
  const plain = { x: Float64Array.from(x), y: Float64Array.from(y), periods: 0 };
  if (first >= -slack && last <= period + slack) return plain;
  const mean = last - first > period + slack ? meanOf(x, y, period) : null;
  if (mean) return mean;
  const turned = Array.from(x, (at, k) => [modulo(at, period), y[k]!] as const);
  const begin = turned[0]![0];
  const gap = period - (last - first);
  if (gap > (1.5 * (last - first)) / Math.max(1, n - 1)) turned.push([modulo(begin - gap / 2, period), NaN]);
  const ordered = turned.sort((a, b) => a[0] - b[0]).filter(([at], k, all) => k === 0 || at > all[k - 1]![0]);
  return { x: Float64Array.from(ordered, ([at]) => at), y: Float64Array.from(ordered, ([, value]) => value), periods: 0 };
}

/**
 * Mean over the last whole periods of a curve whose x only grows or only falls, at even places of the period; values are interpolated
 * between instants, half a step short of a whole period counts as one. Null where no period is whole, where x turns back, or where a
 * period has too few instants.
 */
export function meanOf(x: ArrayLike<number>, y: ArrayLike<number>, period: number): Mean | null {
  const n = x.length;
  const falls = n > 1 && x[n - 1]! < x[0]!;
  const along = falls ? Float64Array.from(x).reverse() : x;
  const values = falls ? Float64Array.from(y).reverse() : y;
  if (n < 2 || !ascending(along)) return null;
  const end = along[n - 1]!;
  const each = ((n - 1) * period) / (end - along[0]!);
  const periods = Math.floor((end - along[0]!) / period + 0.5 / each);
  if (periods < 1 || each < FEW) return null;
  const places = Math.min(Math.max(Math.round(each), LEAST), MOST);
  const mean: Mean = { x: new Float64Array(places + 1), y: new Float64Array(places + 1), periods };
  for (let k = 0; k <= places; k++) {
    mean.x[k] = (period * k) / places;
    let sum = 0;
    const last = end - modulo(end - mean.x[k]!, period);
    for (let turn = 0; turn < periods; turn++) sum += between(along, values, Math.max(last - period * turn, along[0]!));
    mean.y[k] = sum / periods;
  }
  return mean;
}
