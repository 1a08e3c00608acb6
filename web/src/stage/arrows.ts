/** Forces as arrows: on the rollers, on bearings and guides. */
import { niceStep } from "../format";
import { type Brush, inPixels } from "./brush";
import { BEARING, FRICTION, JOINT, NORMAL, TENSIONER } from "./colours";
import type { LoadedResult } from "../data";
import type { Point } from "../types";

/** Pixels per newton, chosen so that nearly all forces of all results are at most so many pixels long. */
export class ArrowScale {
  private readonly sizes: number[] = [];
  private usual = 0;
  constructor(private readonly pixels: number) {}

  /** Take forces into account: single ones, or pairs of components. */
  scan(values: Float32Array | null, pairs: boolean): void {
    if (!values) return;
    const width = pairs ? 2 : 1;
    const step = width * Math.max(1, Math.floor(values.length / width / 20011));
    for (let k = 0; k + width <= values.length; k += step) {
      const size = pairs ? Math.hypot(values[k]!, values[k + 1]!) : Math.abs(values[k]!);
      if (size > 0) this.sizes.push(size);
    }
    this.sizes.sort((a, b) => a - b);
    this.usual = this.sizes[Math.floor(0.98 * (this.sizes.length - 1))] ?? 0;
  }

  perNewton(factor: number): number {
    return this.usual > 0 ? (factor * this.pixels) / this.usual : 0;
  }

  /** A round force [N] for the legend, and the length of its arrow in pixels. */
  reference(factor: number): [force: number, pixels: number] {
    if (this.usual <= 0) return [0, 0];
    const force = niceStep(this.usual, 1.5 * Math.max(1, factor));
    return [force, force * this.perNewton(factor)];
  }
}

/** The scales of all kinds of arrows. */
export interface ArrowScales {
  contact: ArrowScale;
  bearing: ArrowScale;
  /** Of tensioners and joints. */
  mechanism: ArrowScale;
}

export function arrowScales(results: LoadedResult[]): ArrowScales {
  const scales = { contact: new ArrowScale(46), bearing: new ArrowScale(80), mechanism: new ArrowScale(64) };
  for (const { frames } of results) {
    scales.contact.scan(frames.contactForce, false);
    scales.bearing.scan(frames.bearingForce, true);
    scales.bearing.scan(frames.guideForce, true);
    scales.mechanism.scan(frames.tensionerForce, false);
    scales.mechanism.scan(frames.jointForce, true);
  }
  return scales;
}

/** Arrows grow a little with the zoom, so that they are neither lost nor in the way. */
export function zoomFactor(k: number): number {
  return Math.min(4, Math.max(1, k) ** 0.35);
}

const TURN = (2 * Math.PI) / 256;

/** Normal and friction forces on the rollers, of the frame shown. perNewton: pixels per newton. */
export function drawContactForces(brush: Brush, perNewton: number): void {
  const { context, camera, moment, result } = brush;
  const { contactForce, contactDirection, contactSurface, frictionForce, wheelAngle } = result.frames;
  if (!contactForce || !contactDirection || perNewton <= 0) return;
  const { links, wheels } = result.header.drive;
  const row = moment.frame * links;
  const { left, top, scale } = camera;
  const size = 0.5 * result.header.drive.roller_diameter * scale;
  const radius = size > 8 ? size : 0; // from the point of contact where there is room, else from the centre
  inPixels(brush);
  context.lineCap = "butt";
  for (let pass = 0; pass < (frictionForce ? 2 : 1); pass++) {
    context.strokeStyle = context.fillStyle = pass === 0 ? NORMAL : FRICTION;
    context.lineWidth = (pass === 0 ? 1.3 : 1.1) * (radius > 20 ? 1.5 : 1);
    context.beginPath();
    for (let i = 0; i < links; i++) {
      const force = (pass === 0 ? contactForce : frictionForce!)[row + i]!;
      const length = force * perNewton;
      if (!(Math.abs(length) > 0.7)) continue;
      let x = left + moment.rollers[2 * i]! * scale;
      let y = top - moment.rollers[2 * i + 1]! * scale;
      if (x < -80 || y < -80 || x > camera.width + 80 || y > camera.height + 80) continue;
      const c = contactSurface ? contactSurface[row + i]! : -1;
      const turned = c >= 0 && c < wheels.length ? moment.wheelAngle[c]! - wheelAngle[moment.frame * wheels.length + c]! : 0;
      const normal = contactDirection[row + i]! * TURN + turned;
      x -= radius * Math.cos(normal);
      y += radius * Math.sin(normal);
      const angle = normal + (pass === 1 ? Math.PI / 2 : 0);
      arrow(context, x, y, Math.cos(angle) * length, -Math.sin(angle) * length, radius > 20 ? 8 : 4.5);
    }
    context.stroke();
    context.fill();
  }
}

/** Forces of the wheels on their bearings, and of the chain on the guides. */
export function drawBearingForces(brush: Brush, perNewton: number): void {
  const { context, camera, moment, result } = brush;
  const { bearingForce, guideForce } = result.frames;
  const { wheels, guides } = result.header.drive;
  if (perNewton <= 0) return;
  inPixels(brush);
  context.lineCap = "butt";
  context.strokeStyle = context.fillStyle = BEARING;
  context.lineWidth = 2.2;
  context.beginPath();
  if (bearingForce)
    for (let w = 0; w < wheels.length; w++) {
      const k = 2 * (moment.frame * wheels.length + w);
      draw(moment.wheelCentre[2 * w]!, moment.wheelCentre[2 * w + 1]!, bearingForce[k]!, bearingForce[k + 1]!);
    }
  if (guideForce)
    for (let g = 0; g < guides.length; g++) {
      const k = 2 * (moment.frame * guides.length + g);
      const surface = result.array(guides[g]!.surface);
      const middle = 2 * Math.floor(surface.length / 4);
      const [x, y] = moment.at(guides[g]!.body, [surface[middle]!, surface[middle + 1]!]);
      draw(x, y, guideForce[k]!, guideForce[k + 1]!);
    }
  context.stroke();
  context.fill();

  function draw(x: number, y: number, fx: number, fy: number): void {
    if (!(Math.hypot(fx, fy) * perNewton > 1)) return;
    arrow(context, camera.x(x), camera.y(y), fx * perNewton, -fy * perNewton, 8);
  }
}

/** Forces of tensioners on the bodies at their ends, and of bodies, through their joints, on what supports them. */
export function drawMechanismForces(brush: Brush, perNewton: number): void {
  const { context, camera, moment, result } = brush;
  const { tensionerForce, jointForce } = result.frames;
  const { tensioners, bodies } = result.header.drive;
  if (perNewton <= 0) return;
  inPixels(brush);
  context.lineCap = "butt";
  context.lineWidth = 2.2;
  const draw = ([x, y]: Point, fx: number, fy: number): void => {
    if (Math.hypot(fx, fy) * perNewton > 1) arrow(context, camera.x(x), camera.y(y), fx * perNewton, -fy * perNewton, 8);
  };
  const paint = (colour: string, add: () => void): void => {
    context.strokeStyle = context.fillStyle = colour;
    context.beginPath();
    add();
    context.stroke();
    context.fill();
  };
  if (tensionerForce)
    paint(TENSIONER, () =>
      tensioners.forEach((tensioner, k) => {
        const force = tensionerForce[moment.frame * tensioners.length + k]!; // pushes its ends apart
        const ends = tensioner.ends.map((end, side) => moment.at(tensioner.bodies[side]!, end)) as [Point, Point];
        const [dx, dy] = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
        const unit = force / (Math.hypot(dx, dy) || 1);
        if (tensioner.bodies[0] >= 0) draw(ends[0], -unit * dx, -unit * dy);
        if (tensioner.bodies[1] >= 0) draw(ends[1], unit * dx, unit * dy);
      }),
    );
  if (jointForce)
    paint(JOINT, () =>
      bodies.forEach((body, b) => {
        const k = 2 * (moment.frame * bodies.length + b);
        draw(moment.at(b, body.place), jointForce[k]!, jointForce[k + 1]!);
      }),
    );
}

/** Add an arrow to the path: a shaft, and a head that is filled with it. */
export function arrow(context: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number, head: number): void {
  const length = Math.hypot(dx, dy);
  const size = Math.min(head, 0.6 * length);
  const ux = dx / length;
  const uy = dy / length;
  const bx = x + dx - size * ux;
  const by = y + dy - size * uy;
  context.moveTo(x, y);
  context.lineTo(bx, by);
  context.moveTo(x + dx, y + dy);
  context.lineTo(bx - 0.45 * size * uy, by + 0.45 * size * ux);
  context.lineTo(bx + 0.45 * size * uy, by - 0.45 * size * ux);
  context.closePath();
}
