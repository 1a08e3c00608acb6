/** Two cursors on a chart, to be dragged, or moved with the arrow keys: lines across it, or points on a curve. */
import uPlot from "uplot";
import { element } from "./html";
import { font, INK } from "./look";

export type Which = 0 | 1;
export const NAMES = ["A", "B"] as const;

/** Left edge of the plotting area to the cursor, and top edge [CSS pixels]; top null: a line over all of the height. */
export type Spot = { left: number; top: number | null };

export interface CursorWish {
  /** where a cursor stands, null while there are none */
  spot: (which: Which, u: uPlot) => Spot | null;
  /** dragged to a place of the plotting area [CSS pixels] */
  drag: (which: Which, left: number, top: number, u: uPlot) => void;
  /** by so many instants to the right */
  step: (which: Which, steps: number) => void;
  /** what is there, in words */
  text: (which: Which) => string;
}

export class Cursors {
  readonly handles = ([0, 1] as const).map((which) => this.handle(which));
  private u: uPlot | null = null;

  constructor(private readonly wish: CursorWish) {}

  private handle(which: Which): HTMLElement {
    const made = element("div", { class: "cursor", role: "slider", tabindex: "0", "aria-label": `Cursor ${NAMES[which]}`, hidden: "" }, element("span", { "aria-hidden": "true" }, NAMES[which]));
    const keep = (event: Event) => event.stopPropagation(); // the chart below would zoom, or set the moment
    for (const name of ["mousedown", "mouseup", "click", "dblclick", "touchstart"]) made.addEventListener(name, keep);
    made.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      event.preventDefault();
      made.focus({ preventScroll: true });
      made.setPointerCapture(event.pointerId);
    });
    made.addEventListener("pointermove", (event) => {
      if (!this.u || !made.hasPointerCapture(event.pointerId)) return;
      event.stopPropagation(); // to a chart over which a finger sets the time
      const box = this.u.over.getBoundingClientRect();
      const inside = (at: number, size: number) => Math.min(Math.max(at, 0), size);
      this.wish.drag(which, inside(event.clientX - box.left, box.width), inside(event.clientY - box.top, box.height), this.u);
    });
    made.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -100, PageUp: 100, Home: -Infinity, End: Infinity }[event.key];
      if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.wish.step(which, event.shiftKey ? 10 * steps : steps);
    });
    return made;
  }

  /** Whether one of them is in view. */
  get seen(): boolean {
    return this.handles.some((handle) => !handle.hidden);
  }

  /** Put them where they belong on a chart. */
  place(u: uPlot): void {
    this.u = u;
    const width = u.bbox.width / uPlot.pxRatio;
    this.handles.forEach((handle, index) => {
      const spot = this.wish.spot(index as Which, u);
      handle.hidden = !spot || !(spot.left >= -0.5 && spot.left <= width + 0.5);
      if (handle.hidden || !spot) return;
      handle.classList.toggle("point", spot.top !== null);
      handle.style.transform = `translate(${spot.left.toFixed(1)}px, ${(spot.top ?? 0).toFixed(1)}px)`;
      handle.setAttribute("aria-valuetext", this.wish.text(index as Which));
    });
  }

  /** The same on paper. */
  draw(context: CanvasRenderingContext2D, u: uPlot, scale: number): void {
    const height = u.bbox.height / uPlot.pxRatio;
    context.save();
    context.strokeStyle = INK;
    context.fillStyle = INK;
    context.lineWidth = scale;
    context.font = font(11, scale, "600");
    this.handles.forEach((_, index) => {
      const spot = this.wish.spot(index as Which, u);
      if (!spot) return;
      context.beginPath();
      if (spot.top === null) {
        context.setLineDash([4 * scale, 3 * scale]);
        context.moveTo(spot.left, 0);
        context.lineTo(spot.left, height);
      } else context.arc(spot.left, spot.top, 6 * scale, 0, 2 * Math.PI);
      context.stroke();
      context.fillText(NAMES[index]!, spot.left + 4 * scale, (spot.top ?? 14 * scale) - 4 * scale);
    });
    context.restore();
  }
}
