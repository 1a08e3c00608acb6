/** The drawing: that of the report for what stands, a sketch for what is being moved or is not complete. */
import type { LoadedResult } from "../data";
import { inflate, LoadedResult as Loaded } from "../data";
import { text } from "../format";
import { arrow } from "../stage/arrows";
import { type Brush, inPixels } from "../stage/brush";
import type { Camera } from "../stage/camera";
import { drawChain } from "../stage/chain";
import { BODY, EDGE, GREY, GRID, HALO, INK, LINE, MARK, PAGE, PICKED, RAIL_EDGE, TensionScale, TENSIONER, WHEEL } from "../stage/colours";
import { drawBodies, drawGuides, drawTensioners } from "../stage/mechanism";
import { Moment } from "../stage/moment";
import { Outline } from "../stage/paths";
import { drawGravity, drawWheels } from "../stage/wheels";
import { niceStep } from "../format";
import type { Point, Result } from "../types";
import { samePath } from "./session";
import type { Path, Picture, Sketch, SketchWheel } from "./types";
import type { Underlay } from "./underlay";

/** A picture that can be drawn. */
export interface Standing {
  result: LoadedResult;
  moment: Moment;
  scale: TensionScale;
  wheels: Outline[];
  cogs: Outline[][];
  surfaces: Outline[];
  strips: Outline[];
}

export async function standingOf({ drive, frames, data }: Picture, colours: string[]): Promise<Standing> {
  const header: Result = { label: drive.name, drive, frames, curves: [], loop: null, spectra: [], orders: [], campbell: [], tension_range: [0, 0], time_range: [0, 0], status: "" };
  const result = new Loaded(0, header, await inflate(data));
  const moment = new Moment(drive, drive.plates && result.array(drive.plates.clearance));
  moment.stand(result.frames, 0);
  const scale = new TensionScale(colours);
  scale.set(...result.tensionRange);
  return {
    result,
    moment,
    scale,
    wheels: drive.wheels.map((wheel) => new Outline(result.array(wheel.outline))),
    cogs: drive.wheels.map((wheel) => wheel.cogs.map((cog) => new Outline(result.array(cog.outline)))),
    surfaces: drive.guides.map((guide) => new Outline(result.array(guide.surface), false)),
    strips: drive.guides.map((guide) => new Outline(result.array(guide.strip))),
  };
}

/** What is drawn besides the drive. */
export interface Scene {
  sketch: Sketch;
  standing: Standing[];
  selected: Path | null;
  hovered: Path | null;
  /** Lines to which something is aligned: x or y in m. */
  aligned: { x?: number; y?: number };
  /** Wheels clicked for a route, in order. */
  route: Path[] | null;
  /** Points clicked for a new part. */
  points: Point[];
  underlay: Underlay;
}

export function draw(context: CanvasRenderingContext2D, ratio: number, camera: Camera, scene: Scene): void {
  const pixels = { context, ratio } as Brush;
  inPixels(pixels);
  context.fillStyle = PAGE;
  context.fillRect(0, 0, camera.width, camera.height);
  scene.underlay.draw(context, camera);
  grid(context, camera);
  for (const each of scene.standing) {
    const brush: Brush = { context, ratio, camera, picked: null, ...each };
    drawWheels(brush);
    drawGuides(brush);
    drawChain(brush);
    drawBodies(brush);
    drawTensioners(brush);
    if (each === scene.standing[0]) drawGravity(brush);
  }
  inPixels(pixels);
  if (!scene.standing.length) sketch(context, camera, scene.sketch);
  marks(context, camera, scene);
}

/** Lines at round distances, and how far apart they are. */
function grid(context: CanvasRenderingContext2D, camera: Camera): void {
  const step = niceStep(camera.width / camera.scale, 8);
  const [left, top] = camera.world(0, 0);
  const [right, bottom] = camera.world(camera.width, camera.height);
  context.strokeStyle = GRID;
  context.globalAlpha = 0.6;
  context.lineWidth = 0.6;
  context.beginPath();
  for (let x = Math.ceil(left / step) * step; x < right; x += step) {
    context.moveTo(camera.x(x), 0);
    context.lineTo(camera.x(x), camera.height);
  }
  for (let y = Math.ceil(bottom / step) * step; y < top; y += step) {
    context.moveTo(0, camera.y(y));
    context.lineTo(camera.width, camera.y(y));
  }
  context.stroke();
  context.globalAlpha = 1;
  context.fillStyle = GREY;
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "bottom";
  context.fillText(`grid ${Number((1000 * step).toPrecision(3))} mm`, 8, camera.height - 6);
}

function sketch(context: CanvasRenderingContext2D, camera: Camera, { wheels, routes, rails, forces, bodies }: Sketch): void {
  for (const wheel of wheels) {
    around(context, camera, wheel, 0);
    context.fillStyle = WHEEL;
    context.fill();
    context.strokeStyle = EDGE;
    context.lineWidth = 1;
    context.stroke();
  }
  context.strokeStyle = BODY;
  context.lineWidth = 5;
  context.globalAlpha = 0.5;
  for (const { bars } of bodies) for (const bar of bars) polyline(context, camera, bar);
  context.globalAlpha = 1;
  context.strokeStyle = RAIL_EDGE;
  context.lineWidth = 3;
  for (const { surface } of rails) polyline(context, camera, surface);
  context.strokeStyle = TENSIONER;
  context.lineWidth = 2;
  for (const { ends } of forces) polyline(context, camera, ends);
  context.strokeStyle = INK;
  context.lineWidth = 2.2;
  for (const { spans, arcs, lines } of routes) {
    context.beginPath();
    for (const [x0, y0, x1, y1] of spans) {
      context.moveTo(camera.x(x0!), camera.y(y0!));
      context.lineTo(camera.x(x1!), camera.y(y1!));
    }
    context.stroke();
    for (const [x, y, radius, first, last, sign] of arcs) {
      context.beginPath();
      context.arc(camera.x(x!), camera.y(y!), radius! * camera.scale, -first!, -last!, sign! > 0);
      context.stroke();
    }
    for (const line of lines) polyline(context, camera, line);
  }
}

/** The path of the pitch line of a wheel, some pixels further out. */
function around(context: CanvasRenderingContext2D, camera: Camera, { centre, radius, corners }: SketchWheel, further: number): void {
  const [x, y] = [camera.x(centre[0]), camera.y(centre[1])];
  context.beginPath();
  if (!corners.length) {
    context.arc(x, y, radius * camera.scale + further, 0, 2 * Math.PI);
    return;
  }
  for (const corner of corners) {
    const [dx, dy] = [camera.x(corner[0]) - x, camera.y(corner[1]) - y];
    const larger = 1 + further / Math.hypot(dx, dy);
    context.lineTo(x + larger * dx, y + larger * dy);
  }
  context.closePath();
}

function polyline(context: CanvasRenderingContext2D, camera: Camera, points: Point[]): void {
  context.beginPath();
  points.forEach(([x, y], k) => (k ? context.lineTo(camera.x(x), camera.y(y)) : context.moveTo(camera.x(x), camera.y(y))));
  context.stroke();
}

/** Handles, names, loads, alignment, the route that is being clicked. */
function marks(context: CanvasRenderingContext2D, camera: Camera, scene: Scene): void {
  const { sketch: drawn, selected, hovered, aligned, route, points } = scene;
  context.setLineDash([5, 4]);
  context.strokeStyle = MARK;
  context.lineWidth = 1;
  context.beginPath();
  if (aligned.x !== undefined) {
    context.moveTo(camera.x(aligned.x), 0);
    context.lineTo(camera.x(aligned.x), camera.height);
  }
  if (aligned.y !== undefined) {
    context.moveTo(0, camera.y(aligned.y));
    context.lineTo(camera.width, camera.y(aligned.y));
  }
  context.stroke();
  context.setLineDash([]);
  for (const { centre, radius, sense } of drawn.loads) load(context, camera, centre, radius, sense);
  for (const { path, at } of drawn.handles) {
    const isSelected = selected !== null && path.length >= selected.length && selected.every((step, k) => step === path[k]);
    const isHovered = hovered !== null && samePath(hovered, path);
    context.beginPath();
    context.arc(camera.x(at[0]), camera.y(at[1]), isSelected || isHovered ? 6 : 4, 0, 2 * Math.PI);
    context.fillStyle = isSelected ? PICKED : PAGE;
    context.fill();
    context.strokeStyle = isSelected || isHovered ? PICKED : GREY;
    context.lineWidth = 1.5;
    context.stroke();
  }
  for (const wheel of drawn.wheels) name(context, camera, wheel, wheel.path !== null && samePath(selected, wheel.path), route);
  context.fillStyle = LINE;
  for (const [x, y] of points) {
    context.beginPath();
    context.arc(camera.x(x), camera.y(y), 5, 0, 2 * Math.PI);
    context.fill();
  }
}

function name(context: CanvasRenderingContext2D, camera: Camera, wheel: SketchWheel, isSelected: boolean, route: Path[] | null): void {
  const [x, y, r] = [camera.x(wheel.centre[0]), camera.y(wheel.centre[1]), wheel.radius * camera.scale];
  if (isSelected) {
    around(context, camera, wheel, 5);
    context.strokeStyle = PICKED;
    context.lineWidth = 2.2;
    context.stroke();
  }
  const order = route ? route.findIndex((path) => samePath(path, wheel.path)) : -1;
  const label = order >= 0 ? `${order + 1}: ${wheel.name}` : wheel.name;
  context.font = `${isSelected || order >= 0 ? "600 " : ""}13px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const at = r > 34 ? y + Math.min(0.45 * r, 26) : y - r - 14;
  context.strokeStyle = HALO;
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeText(label, x, at);
  context.fillStyle = order >= 0 ? LINE : INK;
  context.fillText(label, x, at);
}

/** A load: an arrow around the wheel against its rotation. */
function load(context: CanvasRenderingContext2D, camera: Camera, [x, y]: Point, radius: number, sense: number): void {
  if (!sense) return;
  const r = 0.55 * radius * camera.scale;
  if (r < 9) return;
  const [first, last] = [-0.35 * Math.PI, 0.35 * Math.PI].map((angle) => -angle * sense);
  context.strokeStyle = context.fillStyle = MARK;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(camera.x(x), camera.y(y), r, first!, last!, sense > 0);
  context.stroke();
  context.beginPath();
  arrow(context, camera.x(x) + r * Math.cos(last!), camera.y(y) + r * Math.sin(last!), 9 * sense * Math.sin(last!), -9 * sense * Math.cos(last!), 8);
  context.fill();
}

export function lengthText(metres: number): string {
  return Math.abs(metres) < 1 ? `${Number((1000 * metres).toPrecision(4))} mm` : text(metres, "m", 5);
}
