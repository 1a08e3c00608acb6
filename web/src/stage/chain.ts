/** The chain: links coloured by tension, as plates and rollers where there is room, as a line where there is not. */
import type { Plates } from "../types";
import { type Brush, inPixels } from "./brush";
import { BORE, BUSH, DARK, OUTLINE, PICKED, PIN, ROLLER, UNKNOWN } from "./colours";
import { linksOf, spanLinks } from "./moment";
import { plateEnds } from "./parts";

const heads = new Int32Array(256);
let following = new Int32Array(0);
let screen = new Float64Array(0);

/** Rollers in pixels of the canvas, in a buffer that is used again. */
function project({ camera, moment }: Brush): Float64Array {
  const p = moment.rollers;
  if (screen.length < p.length) screen = new Float64Array(p.length);
  const { left, top, scale } = camera;
  for (let k = 0; k < p.length; k += 2) {
    screen[k] = left + p[k]! * scale;
    screen[k + 1] = top - p[k + 1]! * scale;
  }
  return screen;
}

/** Pixels per pitch from which plates and rollers are drawn. */
export const DETAIL = 18;
/** Pixels per pitch from which plates are drawn so that teeth show through. */
const CLEAR = 36;
/** Radius of a pin in pixels from which it is drawn in its bush. */
const JOINTS = 3;

export function drawChain(brush: Brush): void {
  drawLinks(brush);
  drawEnds(brush);
}

/** What holds the ends of an open chain, as a square, and what hangs on them, as a disc. */
function drawEnds(brush: Brush): void {
  const { context, camera, result } = brush;
  const p = project(brush);
  const { ends, pitch } = result.header.drive;
  inPixels(brush);
  const half = Math.max(4, 0.35 * pitch * camera.scale);
  context.lineWidth = 1.5;
  context.strokeStyle = OUTLINE;
  for (const end of ends) {
    const [x, y] = [p[2 * end.joint]!, p[2 * end.joint + 1]!];
    context.beginPath();
    if (end.anchored) context.rect(x - half, y - half, 2 * half, 2 * half);
    else if (end.mass > 0) context.arc(x, y, 1.6 * half, 0, 2 * Math.PI);
    context.fillStyle = end.anchored ? ROLLER : BUSH;
    context.globalAlpha = end.anchored ? 0.6 : 1;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }
}

function drawLinks(brush: Brush): void {
  const { context, camera, result } = brush;
  const { links: rows, pitch, roller_diameter } = result.header.drive;
  const links = linksOf(result.header.drive);
  const p = project(brush);
  const size = pitch * camera.scale;
  inPixels(brush);
  context.lineCap = "round";
  drawPicked(brush, p, size);
  if (size < DETAIL) {
    const width = Math.min(6, Math.max(2.2, 0.55 * size));
    if (DARK) strokeAll(context, p, links, rows, 0, 1, width + 2); // the lowest tensions are dark
    strokeLinks(brush, p, 0, 1, width);
    return;
  }
  const { plates } = result.header.drive;
  if (plates && brush.moment.pins) {
    drawRigid(brush, p, brush.moment.pins, plates);
    return;
  }
  if (size > CLEAR) {
    drawClearly(brush, p, size);
    return;
  }
  const edge = Math.min(2, 0.6 + size / 60);
  const [inner, outer] = [0.5 * size, 0.32 * size];
  strokeAll(context, p, links, rows, 0, 2, inner + edge);
  strokeLinks(brush, p, 0, 2, inner);
  circles(brush, p, 0.5 * roller_diameter * camera.scale, ROLLER, edge / 2);
  strokeAll(context, p, links, rows, 1, 2, outer + edge);
  strokeLinks(brush, p, 1, 2, outer);
  if (size > 16) circles(brush, p, 0.07 * size, ROLLER, edge / 2);
}

/** Links first, first + step, ... as bars in the colour of their tension; one stroke for every colour. */
function strokeLinks({ context, camera, moment, scale, result }: Brush, p: Float64Array, first: number, step: number, width: number): void {
  const n = linksOf(result.header.drive);
  const rows = result.header.drive.links;
  if (following.length < n) following = new Int32Array(n);
  heads.fill(-1);
  const margin = width + 2;
  for (let i = first; i < n; i += step) {
    const j = 2 * ((i + 1) % rows);
    if (outside(p, 2 * i, j, camera.width, camera.height, margin)) continue;
    const bin = scale.bin(moment.tension[i]!) + 1;
    following[i] = heads[bin]!;
    heads[bin] = i;
  }
  context.lineWidth = width;
  for (let bin = 0; bin <= scale.css.length; bin++) {
    if (heads[bin]! < 0) continue;
    context.strokeStyle = bin === 0 ? UNKNOWN : scale.css[bin - 1]!;
    context.beginPath();
    for (let i = heads[bin]!; i >= 0; i = following[i]!) {
      const j = 2 * ((i + 1) % rows);
      context.moveTo(p[2 * i]!, p[2 * i + 1]!);
      context.lineTo(p[j]!, p[j + 1]!);
    }
    context.stroke();
  }
}

function outside(p: Float64Array, i: number, j: number, width: number, height: number, margin: number): boolean {
  const [x0, y0, x1, y1] = [p[i]!, p[i + 1]!, p[j]!, p[j + 1]!];
  return !(Math.max(x0, x1) > -margin && Math.min(x0, x1) < width + margin && Math.max(y0, y1) > -margin && Math.min(y0, y1) < height + margin);
}

/** Zoomed in: plates that let the teeth and the rollers show through. */
function drawClearly(brush: Brush, p: Float64Array, size: number): void {
  const { camera, result } = brush;
  const { links: rows, roller_diameter } = result.header.drive;
  const links = linksOf(result.header.drive);
  circles(brush, p, 0.5 * roller_diameter * camera.scale, ROLLER, 1.2);
  for (let parity = 0; parity < 2; parity++) {
    const radius = (parity === 0 ? 0.25 : 0.19) * size;
    for (let i = parity; i < links; i += 2) {
      const j = 2 * ((i + 1) % rows);
      if (outside(p, 2 * i, j, camera.width, camera.height, radius)) continue;
      drawPlate(brush, i, p[2 * i]!, p[2 * i + 1]!, p[j]!, p[j + 1]!, radius, radius, 1);
    }
  }
  circles(brush, p, 0.07 * size, ROLLER, 1);
}

/** The plate of link i with its ends at (x0, y0) and (x1, y1), their radii a and b, and its edge in pixels. */
function drawPlate({ context, moment, scale, picked }: Brush, i: number, x0: number, y0: number, x1: number, y1: number, a: number, b: number, edge: number): void {
  const bin = scale.bin(moment.tension[i]!);
  const angle = Math.atan2(y1 - y0, x1 - x0);
  context.beginPath();
  context.arc(x0, y0, a, angle + Math.PI / 2, angle - Math.PI / 2);
  context.arc(x1, y1, b, angle - Math.PI / 2, angle + Math.PI / 2);
  context.closePath();
  context.fillStyle = bin < 0 ? UNKNOWN : scale.css[bin]!;
  context.globalAlpha = 0.55;
  context.fill();
  const isPicked = picked?.kind === "link" && picked.index === i;
  context.globalAlpha = isPicked ? 1 : 0.8;
  context.lineWidth = isPicked ? 4 : edge;
  context.strokeStyle = isPicked ? PICKED : OUTLINE;
  context.stroke();
  context.globalAlpha = 1;
}

/** Rigid links: plates from their bushes to their pins, which lie in the bushes of the next links as they do there. */
function drawRigid(brush: Brush, p: Float64Array, pins: Float64Array, plates: Plates): void {
  const { context, camera, result, picked } = brush;
  const { links, roller_diameter } = result.header.drive;
  const { scale } = camera;
  const bodies = linksOf(result.header.drive);
  circles(brush, p, 0.5 * roller_diameter * scale, ROLLER, 1.2);
  const margin = Math.max(plates.inner, plates.outer) * scale;
  for (let parity = 0; parity < 2; parity++) {
    for (let i = parity; i < bodies; i += 2) {
      const j = i + 1 < links ? 2 * i + 2 : 0;
      if (outside(p, 2 * i, j, camera.width, camera.height, margin)) continue;
      const [rear, front] = plateEnds(plates, i, links);
      drawPlate(brush, i, p[2 * i]!, p[2 * i + 1]!, p[j]! + pins[j]! * scale, p[j + 1]! - pins[j + 1]! * scale, rear * scale, front * scale, 0.8 + 0.8 * parity);
    }
  }
  if (plates.pin * scale >= JOINTS) {
    const clearance = result.array(plates.clearance);
    circles(brush, p, plates.bush * scale, BUSH, 1);
    circles(brush, p, (i) => (plates.pin + clearance[i]!) * scale, BORE, 0.7);
    circles(brush, p, plates.pin * scale, PIN, 0, pins);
  }
  if (picked?.kind === "roller" && picked.index < links) {
    context.beginPath();
    context.arc(p[2 * picked.index]!, p[2 * picked.index + 1]!, Math.max(7, plates.bush * scale), 0, 2 * Math.PI);
    context.lineWidth = 4;
    context.strokeStyle = PICKED;
    context.stroke();
  }
}

/** The dark edge behind plates. */
function strokeAll(context: CanvasRenderingContext2D, p: Float64Array, n: number, rows: number, first: number, step: number, width: number): void {
  context.lineWidth = width;
  context.strokeStyle = OUTLINE;
  context.beginPath();
  for (let i = first; i < n; i += step) {
    const j = 2 * ((i + 1) % rows);
    context.moveTo(p[2 * i]!, p[2 * i + 1]!);
    context.lineTo(p[j]!, p[j + 1]!);
  }
  context.stroke();
}

/** Circles at rollers, or as far from them as an offset [m] says; without a line where that is 0 wide. */
function circles({ context, camera, moment }: Brush, p: Float64Array, size: number | ((i: number) => number), fill: string, edge: number, offset: Float64Array | null = null): void {
  context.beginPath();
  for (let i = 0; i < moment.tension.length; i++) {
    const radius = typeof size === "number" ? size : size(i);
    const x = p[2 * i]! + (offset ? offset[2 * i]! * camera.scale : 0);
    const y = p[2 * i + 1]! - (offset ? offset[2 * i + 1]! * camera.scale : 0);
    if (!(x > -radius && x < camera.width + radius && y > -radius && y < camera.height + radius)) continue;
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fillStyle = fill;
  context.fill();
  if (edge === 0) return;
  context.lineWidth = edge;
  context.strokeStyle = OUTLINE;
  context.stroke();
}

/** A halo behind the picked link, roller or span. */
function drawPicked(brush: Brush, p: Float64Array, size: number): void {
  const { context, picked, result, moment } = brush;
  if (!picked) return;
  const n = result.header.drive.links;
  context.strokeStyle = PICKED;
  context.fillStyle = PICKED;
  if (picked.kind === "roller" && picked.index < n) {
    const radius = Math.max(7, 0.5 * result.header.drive.roller_diameter * brush.camera.scale + 5);
    context.beginPath();
    context.arc(p[2 * picked.index]!, p[2 * picked.index + 1]!, radius, 0, 2 * Math.PI);
    context.fill();
  }
  const stretch = picked.kind === "link" && picked.index < n ? { first: picked.index, count: 1 } : picked.kind === "span" ? spanLinks(result, moment, picked.index) : null;
  if (!stretch || (picked.kind === "link" && size > (moment.pins ? DETAIL : CLEAR))) return;
  context.lineWidth = (size < DETAIL ? Math.min(6, Math.max(2.2, 0.55 * size)) : 0.5 * size) + (picked.kind === "link" ? 9 : 7);
  context.globalAlpha = picked.kind === "link" ? 1 : 0.55;
  context.lineJoin = "round";
  context.beginPath();
  for (let m = 0; m <= stretch.count; m++) {
    const i = 2 * ((stretch.first + m) % n);
    if (m === 0) context.moveTo(p[i]!, p[i + 1]!);
    else context.lineTo(p[i]!, p[i + 1]!);
  }
  context.stroke();
  context.globalAlpha = 1;
}
