/** How all charts look: the colours of the Python plots, fonts, axes; sizes in CSS pixels times the scale of a print. */
import type uPlot from "uplot";
import { tick } from "./numbers";
import type { Scale } from "./numbers";

export const INK = "#22303C";
export const QUIET = "#55606A";
export const GRID = "#E3E7EA";
export const FRAME = "#8A949C";
export const LINE = "#0B4F6C";
export const MARK = "#D55E00";
export const RAIL = "#DCC08A";

/** Okabe & Ito (2008) without black and yellow, which vanish as text or as a pale band. */
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"];
const DASHES: number[][] = [[], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2, 1, 2]];

export function colourOf(index: number): string {
  return COLOURS[((index % COLOURS.length) + COLOURS.length) % COLOURS.length]!;
}

export function dashOf(index: number): number[] {
  return DASHES[((index % DASHES.length) + DASHES.length) % DASHES.length]!;
}

/** A second turn through the colours is dashed, so that no two of 36 series look the same. */
export function dashOfTurn(index: number): number[] {
  return dashOf(Math.floor(index / COLOURS.length));
}

export function withAlpha(colour: string, alpha: number): string {
  const digits = Math.round(alpha * 255).toString(16).padStart(2, "0");
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour + digits : colour;
}

export function font(size: number, scale: number, weight = ""): string {
  return `${weight} ${Math.round(size * scale)}px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif`.trim();
}

export interface AxisLook {
  label?: string;
  unit?: Scale;
  size?: number;
  space?: number;
  grid?: boolean;
}

/** An axis whose ticks are numbers in a prefixed unit. */
export function axis(kind: "x" | "y", scale: number, look: AxisLook = {}): uPlot.Axis {
  const factor = look.unit?.factor ?? 1;
  const wide = kind === "y";
  return {
    scale: kind,
    side: wide ? 3 : 2,
    stroke: INK,
    font: font(11, scale),
    labelFont: font(11, scale),
    ...(look.label ? { label: look.label, labelSize: 17 * scale, labelGap: 0 } : {}),
    size: (look.size ?? (wide ? 52 : 26)) * scale,
    gap: 4 * scale,
    space: (look.space ?? (wide ? 32 : 64)) * scale,
    grid: { show: look.grid ?? true, stroke: GRID, width: scale },
    ticks: { show: true, stroke: FRAME, width: scale, size: 4 * scale },
    border: { show: true, stroke: FRAME, width: scale },
    values: (_u, splits) => {
      const step = splits.length > 1 ? Math.abs((splits[1] ?? 0) - (splits[0] ?? 0)) : 0;
      return splits.map((value) => tick(value * factor, step * factor));
    },
  };
}

/** An axis of powers of ten: only the powers are written. */
export function powerAxis(scale: number, look: AxisLook = {}): uPlot.Axis {
  return {
    ...axis("y", scale, look),
    values: (_u, splits) => splits.map((value) => (isPower(value) ? powerText(Math.round(Math.log10(value))) : "")),
  };
}

function isPower(value: number): boolean {
  const power = Math.log10(value);
  return Math.abs(power - Math.round(power)) < 1e-6;
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function powerText(power: number): string {
  const digits = String(Math.abs(power)).split("").map((digit) => RAISED[Number(digit)]).join("");
  return `10${power < 0 ? "⁻" : ""}${digits}`;
}
