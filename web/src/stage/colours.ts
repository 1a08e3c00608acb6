/** Colours of the stage; the same as in the plots of the package. */

export const INK = "#22303C";
export const GREY = "#55606A";
export const WHEEL = "#EDF1F4";
export const EDGE = "#5B6770";
export const RAIL = "#DCC08A";
export const RAIL_EDGE = "#7A5A1E";
export const BODY = "#7D70A8";
export const LINE = "#0B4F6C";
export const ROLLER = "#F4F7F9";
export const BUSH = "#C9D2D8";
export const BORE = "#FFFFFF";
export const PIN = "#75828C";
export const MARK = "#D55E00";
export const NORMAL = "#00684A";
export const FRICTION = "#D55E00";
export const BEARING = "#0072B2";
export const PICKED = "#00A5E0";

/** A linear scale of tension over a list of colours. */
export class TensionScale {
  low = 0;
  high = 1;

  constructor(readonly css: string[]) {}

  /** Number of the colour of a tension; -1 for not-a-number. */
  bin(tension: number): number {
    const part = (tension - this.low) / (this.high - this.low);
    if (Number.isNaN(part)) return Number.isNaN(tension) ? -1 : 0;
    return Math.min(this.css.length - 1, Math.max(0, Math.floor(part * this.css.length)));
  }

  set(low: number, high: number): void {
    this.low = low;
    this.high = high > low ? high : low + Math.max(1e-9, Math.abs(low) * 1e-6);
  }
}
