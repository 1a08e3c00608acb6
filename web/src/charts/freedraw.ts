/** Drawing the traces of the free chart: revolutions lightly over each other, their mean strong, the moment as a dot. */
import uPlot from "uplot";
import { INK, PAGE, withAlpha } from "./look";
import type { Extra } from "./plot";
import { momentIn, type Side, type Trace } from "./traces";

export interface Look {
  name: string;
  colour: string;
  dash: number[];
}

/** An orbit crosses itself in every oscillation: it is as light as so many revolutions. */
const ORBIT = 25;

/** How light one of so many revolutions is. */
export function lightness(count: number): number {
  return Math.min(0.4, Math.max(0.1, 3 / count));
}

function path(context: CanvasRenderingContext2D, { x, y }: { x: ArrayLike<number>; y: ArrayLike<number> }, across: (x: number) => number, up: (y: number) => number): void {
  let on = false;
  context.beginPath();
  for (let i = 0; i < x.length; i++) {
    const known = Number.isFinite(x[i]!) && Number.isFinite(y[i]!);
    if (known && on) context.lineTo(across(x[i]!), up(y[i]!));
    else if (known) context.moveTo(across(x[i]!), up(y[i]!));
    on = known;
  }
  context.stroke();
}

/** The context of a plot, saved and clipped to its frame, and the size of a pixel in it; who draws restores it. */
function clipped(u: uPlot, scale: number): { ctx: CanvasRenderingContext2D; px: number } {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineJoin = "round";
  return { ctx, px: scale * uPlot.pxRatio };
}

export function drawTraces(u: uPlot, scale: number, traces: readonly Trace[], looks: readonly Look[]): void {
  const { ctx, px } = clipped(u, scale);
  const across = (x: number) => u.valToPos(x, "x", true);
  traces.forEach((trace, index) => {
    const { colour, dash } = looks[index]!;
    ctx.strokeStyle = trace.mean ? withAlpha(colour, lightness(trace.line ? trace.mean.periods : ORBIT)) : colour;
    ctx.lineWidth = (trace.mean ? 0.9 : 1.2) * px;
    ctx.setLineDash(trace.mean ? [] : dash.map((length) => length * px));
    for (const strand of trace.strands) path(ctx, strand, across, (y) => u.valToPos(y, trace.side, true));
  });
  traces.forEach((trace, index) => {
    if (!trace.mean) return;
    ctx.strokeStyle = looks[index]!.colour;
    ctx.lineWidth = 2 * px;
    ctx.setLineDash(looks[index]!.dash.map((length) => length * px));
    path(ctx, trace.mean, across, (y) => u.valToPos(y, trace.side, true));
  });
  ctx.restore();
}

/** Curves from elsewhere. */
export function drawExtras(u: uPlot, scale: number, extras: readonly (Pick<Extra, "x" | "y" | "dash"> & { side: Side })[]): void {
  const { ctx, px } = clipped(u, scale);
  ctx.strokeStyle = INK;
  ctx.lineWidth = 1.8 * px;
  for (const { x, y, dash, side } of extras) {
    ctx.setLineDash(dash.map((length) => length * px));
    path(ctx, { x, y }, (at) => u.valToPos(at, "x", true), (value) => u.valToPos(value, side, true));
  }
  ctx.restore();
}

/** A dot on every trace where the animation is. */
export function drawMoment(context: CanvasRenderingContext2D, u: uPlot, scale: number, traces: readonly Trace[], looks: readonly Look[], moment: number): void {
  const width = u.bbox.width / uPlot.pxRatio;
  const height = u.bbox.height / uPlot.pxRatio;
  traces.forEach((trace, index) => {
    const at = momentIn(trace.time, moment);
    if (at < 0) return;
    const x = u.valToPos(trace.x[at]!, "x");
    const y = u.valToPos(trace.y[at]!, trace.side);
    if (!(x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1)) return;
    context.beginPath();
    context.arc(x, y, 5 * scale, 0, 2 * Math.PI);
    context.fillStyle = looks[index]!.colour;
    context.fill();
    context.lineWidth = 1.8 * scale;
    context.strokeStyle = PAGE;
    context.stroke();
  });
}
