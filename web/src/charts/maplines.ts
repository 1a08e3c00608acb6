/** What is drawn over a map: lines with their names, the operating speed, where an excitation meets a natural frequency. */
import uPlot from "uplot";
import { font, INK, PAGE, withAlpha } from "./look";
import { kindOf } from "./marks";

export interface Line {
  label: string;
  kind: string;
  frequency: ArrayLike<number>;
}

/** A line with a pale border, so that it is seen on dark and on pale. */
export function lineOnMap(line: Line, scale: number, columns: number): uPlot.Series[] {
  const { colour, dash } = kindOf(line.kind);
  const points = { show: columns < 3 };
  return [
    { stroke: withAlpha(PAGE, 0.7), width: 3.4 * scale, points },
    { stroke: colour, width: 1.5 * scale, dash: dash.map((length) => length * scale), points },
  ];
}

/** The operating speed as a vertical line. */
export function drawOperating(u: uPlot, scale: number, operating: number | null): void {
  if (operating === null) return;
  const { ctx, bbox } = u;
  const px = scale * uPlot.pxRatio;
  const x = u.valToPos(operating, "x", true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  for (const [colour, width] of [[withAlpha(PAGE, 0.7), 4], [INK, 1.6]] as const) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width * px;
    ctx.setLineDash([7 * px, 4 * px]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** Numbered rings where an excitation meets a natural frequency. */
export function drawCrossings(u: uPlot, scale: number, crossings: readonly [number, number, string][]): void {
  const { ctx, bbox } = u;
  const px = scale * uPlot.pxRatio;
  ctx.save();
  ctx.font = font(10.5, px, "600");
  ctx.textBaseline = "middle";
  ctx.setLineDash([]);
  crossings.forEach(([at, frequency], k) => {
    const x = u.valToPos(at, "x", true);
    const y = u.valToPos(frequency, "y", true);
    if (x < bbox.left || x > bbox.left + bbox.width || y < bbox.top || y > bbox.top + bbox.height) return;
    for (const [colour, width] of [[withAlpha(PAGE, 0.8), 4.5], [INK, 1.8]] as const) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width * px;
      ctx.beginPath();
      ctx.arc(x, y, 5 * px, 0, 2 * Math.PI);
      ctx.stroke();
    }
    ctx.lineWidth = 3 * px;
    ctx.strokeStyle = withAlpha(PAGE, 0.85);
    ctx.strokeText(String(k + 1), x + 9 * px, y - 8 * px);
    ctx.fillStyle = INK;
    ctx.fillText(String(k + 1), x + 9 * px, y - 8 * px);
  });
  ctx.restore();
}

/** Names at the right end of the lines, where there is room. */
export function drawNames(u: uPlot, scale: number, x: ArrayLike<number>, shown: readonly Line[]): void {
  const { ctx, bbox } = u;
  const px = scale * uPlot.pxRatio;
  const right = bbox.left + bbox.width;
  ctx.save();
  ctx.font = font(10.5, px);
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  const taken: number[] = [];
  const order = [...shown].sort((a, b) => kindOf(b.kind).weight - kindOf(a.kind).weight);
  for (const line of order) {
    const last = lastSeen(u, x, line);
    if (last < 0) continue;
    const y = u.valToPos(line.frequency[last]!, "y", true) - 8 * px;
    if (y < bbox.top + 6 * px || y > bbox.top + bbox.height || taken.some((other) => Math.abs(other - y) < 14 * px)) continue;
    taken.push(y);
    const width = ctx.measureText(line.label).width + 6 * px;
    ctx.fillStyle = withAlpha(PAGE, 0.82);
    ctx.fillRect(right - width - 4 * px, y - 7 * px, width, 14 * px);
    ctx.fillStyle = kindOf(line.kind).colour;
    ctx.fillText(line.label, right - 7 * px, y);
  }
  ctx.restore();
}

function lastSeen(u: uPlot, x: ArrayLike<number>, line: Line): number {
  const max = u.scales["x"]!.max ?? Infinity;
  for (let c = x.length - 1; c >= 0; c--) if (x[c]! <= max && Number.isFinite(line.frequency[c]!)) return c;
  return -1;
}
