/** Colours of the drawing, from the tokens of the page: they change when it becomes dark or light. */
import { isDark, painted, token } from "../style/theme";

export let INK = "", GREY = "", WHEEL = "", EDGE = "", RAIL = "", RAIL_EDGE = "", BODY = "", LINE = "", ROLLER = "", BUSH = "", BORE = "", PIN = "", MARK = "", NORMAL = "", FRICTION = "", BEARING = "", PICKED = "", OUTLINE = "", PAGE = "", UNKNOWN = "", JOINT = "", TENSIONER = "", GHOST = "", GLASS = "", SHADOW = "", GRID = "";
/** Behind text and lines that lie on anything. */
export let HALO = "";
/** Links need an edge that sets their colours off from the ground. */
export let DARK = false;

painted(() => {
  INK = token("ink");
  GREY = token("quiet");
  WHEEL = token("wheel");
  EDGE = token("edge");
  RAIL = token("rail");
  RAIL_EDGE = token("rail-edge");
  BODY = token("body");
  LINE = token("accent");
  ROLLER = token("roller");
  BUSH = token("bush");
  BORE = token("bore");
  PIN = token("pin");
  MARK = token("mark");
  NORMAL = token("normal");
  FRICTION = token("friction");
  BEARING = token("bearing");
  PICKED = token("picked");
  OUTLINE = token("outline");
  PAGE = token("page");
  UNKNOWN = token("unknown");
  JOINT = token("joint");
  TENSIONER = token("tensioner");
  GHOST = token("ghost");
  GLASS = token("glass");
  SHADOW = token("shadow");
  GRID = token("line");
  HALO = `${token("page")}d9`;
  DARK = isDark();
});

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
