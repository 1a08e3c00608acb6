/** Labelled vertical lines and peaks over a spectrum. */
import uPlot from "uplot";
import { fitText, placeLabels } from "./labels";
import { FRAME, font, INK, legible, PAGE, withAlpha } from "./look";

export interface Mark {
  at: number;
  label: string;
  kind: string;
}

/** Colour and name of each kind of mark, the most important first. */
export const KINDS: Record<string, { name: string; colour: string; dash: number[]; weight: number }> = {
  tooth: { name: "tooth frequencies", colour: "#0B4F6C", dash: [], weight: 4 },
  driver: { name: "orders of the driver", colour: "#A23B00", dash: [5, 3], weight: 3 },
  string: { name: "string frequencies of the spans", colour: "#00704F", dash: [2, 2], weight: 2 },
  system: { name: "natural frequencies of the drive", colour: "#8E3B74", dash: [8, 3, 2, 3], weight: 1.5 },
  order: { name: "orders", colour: "#55606A", dash: [1, 3], weight: 1 },
  folded: { name: "tooth frequencies aliased by the save rate", colour: "#7A5A1E", dash: [1, 4], weight: 0.5 },
};

/** label: of a mark of this kind, which says whether teeth or pins pass. */
export function kindOf(kind: string, label = ""): { name: string; colour: string; dash: number[]; weight: number } {
  const known = KINDS[kind];
  const name = known && label.includes("pin frequency") ? known.name.replace("tooth", "pin") : known?.name;
  return known ? { ...known, name: name!, colour: legible(known.colour) } : { name: kind, colour: FRAME, dash: [], weight: 0 };
}

const ROWS = 3;
const LINE = 14;

/** Room above a chart for labels of marks [CSS pixels]. */
export const ROOM = ROWS * LINE + 8;

export function drawMarks(u: uPlot, scale: number, marks: readonly Mark[]): void {
  const px = scale * uPlot.pxRatio;
  const { ctx, bbox } = u;
  const left = bbox.left;
  const right = bbox.left + bbox.width;
  ctx.save();
  ctx.font = font(10.5, px);
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.lineWidth = px;
  const shown = marks
    .map((mark) => ({ mark, x: u.valToPos(mark.at, "x", true), text: fitText(ctx, mark.label, Math.min(190 * px, 0.5 * bbox.width)) }))
    .filter(({ x }) => x >= left - 0.5 && x <= right + 0.5);
  const wishes = shown.map(({ mark, x, text }) => ({ at: x, width: ctx.measureText(text).width, weight: kindOf(mark.kind).weight }));
  const places = placeLabels(wishes, left, right + 12 * px, ROWS, 7 * px);
  shown.forEach(({ mark, x }, index) => {
    const { colour, dash } = kindOf(mark.kind);
    const place = places[index];
    ctx.strokeStyle = colour;
    ctx.globalAlpha = place ? 0.75 : 0.4;
    ctx.setLineDash(dash.map((length) => length * px));
    ctx.beginPath();
    ctx.moveTo(x, place ? bbox.top - (LINE * (ROWS - 1 - place.row) + 4) * px : bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  });
  ctx.globalAlpha = 1;
  shown.forEach(({ mark, text }, index) => {
    const place = places[index];
    if (!place) return;
    const y = bbox.top - (LINE * (ROWS - 1 - place.row) + 11) * px;
    ctx.fillStyle = PAGE; // other lines end at a name
    ctx.fillRect(place.left - px, y - 6 * px, wishes[index]!.width + 2 * px, 12 * px);
    ctx.fillStyle = kindOf(mark.kind).colour;
    ctx.fillText(text, place.left, y);
  });
  ctx.restore();
}

/** Values at the largest peaks that are in view, without overlap. */
export function drawPeaks(u: uPlot, scale: number, peaks: readonly { at: number; value: number; colour: string }[]): void {
  const px = scale * uPlot.pxRatio;
  const { ctx, bbox } = u;
  ctx.save();
  ctx.font = font(10.5, px);
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  const taken: [number, number, number][] = [];
  for (const { at, value, colour } of [...peaks].sort((a, b) => b.value - a.value)) {
    const x = u.valToPos(at, "x", true);
    const y = u.valToPos(value, "y", true);
    if (!(x >= bbox.left && x <= bbox.left + bbox.width && y >= bbox.top - 1 && y <= bbox.top + bbox.height)) continue;
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, 2.5 * px, 0, 2 * Math.PI);
    ctx.fill();
    const text = String(Number(at.toPrecision(4)));
    const width = ctx.measureText(text).width;
    const middle = Math.min(Math.max(x, bbox.left + width / 2 + 2 * px), bbox.left + bbox.width - width / 2);
    const above = Math.max(y - 6 * px, bbox.top + 11 * px);
    if (taken.some(([m, w, h]) => Math.abs(middle - m) < (width + w) / 2 + 4 * px && Math.abs(above - h) < 13 * px)) continue;
    taken.push([middle, width, above]);
    ctx.lineWidth = 3 * px;
    ctx.strokeStyle = withAlpha(PAGE, 0.85);
    ctx.strokeText(text, middle, above);
    ctx.fillStyle = INK;
    ctx.fillText(text, middle, above);
  }
  ctx.restore();
}
