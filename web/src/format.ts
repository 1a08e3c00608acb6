/** Numbers as engineers write them: SI prefixes, few digits, a true minus sign. */

export interface Scale {
  /** A value in SI times this is in the unit. */
  factor: number;
  /** With its prefix. */
  unit: string;
}

const PREFIXES: Record<number, string> = { [-9]: "n", [-6]: "µ", [-3]: "m", 0: "", 3: "k", 6: "M", 9: "G" };

/** The prefix with which the largest magnitude reads between 1 and 1000; lengths never above metres. */
export function scaleFor(largest: number, unit: string): Scale {
  const size = Math.abs(largest);
  let power = size > 0 && Number.isFinite(size) ? 3 * Math.floor(Math.log10(size) / 3 + 1e-9) : 0;
  power = Math.min(Math.max(power, -9), unit === "m" || unit === "s" ? 0 : 9);
  if (unit === "" || unit === "1" || unit === "-" || unit === "%") return { factor: 1, unit: unit === "1" || unit === "-" ? "" : unit };
  return { factor: 10 ** -power, unit: PREFIXES[power] + unit };
}

/** The scale for all finite values of an array. */
export function scaleOf(values: ArrayLike<number>, unit: string): Scale {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > largest && Number.isFinite(size)) largest = size;
  }
  return scaleFor(largest, unit);
}

/** A number to so many significant digits, without exponent where that stays readable. */
export function number(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
  const text = power < -5 || power > 8 ? value.toExponential(digits - 1) : value.toFixed(Math.min(12, Math.max(0, digits - 1 - power)));
  return text.replaceAll("-", "−");
}

/** Below this a value in SI is the rounding of sums of far larger ones: it reads 0. */
const ROUNDING = 1e-12;

/** A value in SI with its unit, such as "28.9 kN". */
export function text(value: number | null | undefined, unit: string, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) < ROUNDING) value = 0;
  const scale = scaleFor(value, unit);
  const parts = number(value * scale.factor, digits);
  return scale.unit ? `${parts} ${scale.unit}` : parts;
}

/** A value in a scale chosen before, with a fixed number of decimals, so that digits do not jump while it changes. */
export function fixed(value: number, scale: Scale, decimals: number): string {
  if (!Number.isFinite(value)) return "–";
  const rounded = (value * scale.factor).toFixed(decimals);
  return (Number(rounded) === 0 ? rounded.replace("-", "") : rounded).replace("-", "−");
}

/** Decimals with which a step can be told apart. */
export function decimalsFor(step: number): number {
  return step > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) : 0;
}

/** Round steps (1, 2, 5) for about n intervals over a length. */
export function niceStep(length: number, n: number): number {
  const raw = length / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(raw) + 1e-12);
  const lead = raw / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}
