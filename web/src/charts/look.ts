/** How all charts look: the colours of the Python plots, fonts, axes; sizes in CSS pixels times the scale of a print. */
import type uPlot from "uplot";
import { isDark, painted, token } from "../style/theme";
import { tick } from "./numbers";
import type { Scale } from "./numbers";

/** From the tokens of the page; read them when drawing, for they change when it becomes dark or light. */
export let INK = "", QUIET = "", GRID = "", FRAME = "", LINE = "", MARK = "", RAIL = "", LIMIT = "", PAGE = "";
let dark = false;

painted(() => {
  INK = token("ink");
  QUIET = token("quiet");
  GRID = token("faint");
  FRAME = token("frame");
  LINE = token("accent");
  MARK = token("mark");
  RAIL = token("rail");
  LIMIT = token("bad");
  PAGE = token("page");
  dark = isDark();
});

/** So strong a contrast must colours have with a dark page. */
const CONTRAST = 4.5;

/** A colour that was chosen for white paper, made paler on a dark page until it can be seen there. */
export function legible(colour: string): string {
  return dark ? lightened(colour, PAGE, CONTRAST) : colour;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
}

/** Relative luminance (WCAG 2.1) of "#rrggbb". */
function luminance(rgb: number[]): number {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Mixed with so much white that its contrast (WCAG 2.1) with a dark ground is as wanted. */
export function lightened(colour: string, ground: string, contrast: number): string {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return colour;
  const own = channels(colour);
  const least = contrast * (luminance(channels(ground)) + 0.05) - 0.05;
  for (let white = 0; white <= 1; white += 0.05) {
    const mixed = own.map((c) => Math.round(c + white * (255 - c)));
    if (luminance(mixed) >= least) return `#${mixed.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
  }
  return "#ffffff";
}

/** Okabe & Ito (2008) without black and yellow, which vanish as text or as a pale band. */
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"];
const DASHES: number[][] = [[], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2, 1, 2]];

export function colourOf(index: number): string {
  return legible(COLOURS[((index % COLOURS.length) + COLOURS.length) % COLOURS.length]!);
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
    stroke: () => INK,
    font: font(11, scale),
    labelFont: font(11, scale),
    ...(look.label ? { label: look.label, labelSize: 17 * scale, labelGap: 0 } : {}),
    size: (look.size ?? (wide ? 52 : 26)) * scale,
    gap: 4 * scale,
    space: (look.space ?? (wide ? 32 : 64)) * scale,
    grid: { show: look.grid ?? true, stroke: () => GRID, width: scale },
    ticks: { show: true, stroke: () => FRAME, width: scale, size: 4 * scale },
    border: { show: true, stroke: () => FRAME, width: scale },
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
