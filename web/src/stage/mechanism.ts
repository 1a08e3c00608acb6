/** Guides as strips, bodies with their joints, tensioners; drawn as in the plots of the package. */
import type { Point } from "../types";
import { type Brush, inBody, inPixels } from "./brush";
import { BODY, INK, PAGE, PICKED, RAIL, RAIL_EDGE } from "./colours";

/** Half the width of the symbol of a support in pixels. */
const SYMBOL = 8;

export function drawGuides(brush: Brush): void {
  const { context, camera, result, picked } = brush;
  const guides = result.header.drive.guides;
  for (let g = 0; g < guides.length; g++) {
    inBody(brush, guides[g]!.body);
    const strip = brush.strips[g]!.at(camera.scale * brush.ratio);
    const isPicked = picked?.kind === "guide" && picked.index === g;
    context.fillStyle = RAIL;
    context.fill(strip);
    context.lineJoin = "round";
    context.strokeStyle = isPicked ? PICKED : RAIL_EDGE;
    context.lineWidth = (isPicked ? 2.6 : 0.6) / camera.scale;
    context.stroke(strip);
    if (isPicked) continue;
    context.lineWidth = 1.4 / camera.scale;
    context.stroke(brush.surfaces[g]!.at(camera.scale * brush.ratio));
  }
}

export function drawBodies(brush: Brush): void {
  const bodies = brush.result.header.drive.bodies;
  for (let b = 0; b < bodies.length; b++) drawBody(brush, b);
}

function drawBody(brush: Brush, b: number): void {
  const { context, camera, moment, result, picked } = brush;
  const body = result.header.drive.bodies[b]!;
  const isPicked = picked?.kind === "body" && picked.index === b;
  inBody(brush, b);
  context.lineCap = "round";
  context.globalAlpha = isPicked ? 0.9 : 0.5;
  context.strokeStyle = isPicked ? PICKED : BODY;
  context.lineWidth = 5 / camera.scale;
  context.beginPath();
  for (const [from, to] of body.bars) {
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
  }
  context.stroke();
  context.globalAlpha = 1;
  inPixels(brush);
  const pixel = ([x, y]: Point): Point => [camera.x(x), camera.y(y)];
  const place = pixel(moment.at(b, body.place));
  const [sx, sy] = body.support;
  const away: Point = [sx, -sy];
  if (body.joint === "prismatic") drawSlider(brush, b, place);
  else if (body.on_ground && body.joint === "revolute") {
    const foot: Point = [place[0] + 1.5 * SYMBOL * away[0], place[1] + 1.5 * SYMBOL * away[1]];
    const across: Point = [-away[1] * 0.8 * SYMBOL, away[0] * 0.8 * SYMBOL];
    context.beginPath();
    context.moveTo(place[0], place[1]);
    context.lineTo(foot[0] + across[0], foot[1] + across[1]);
    context.lineTo(foot[0] - across[0], foot[1] - across[1]);
    context.closePath();
    context.fillStyle = PAGE;
    context.fill();
    context.strokeStyle = INK;
    context.lineWidth = 1;
    context.stroke();
    ground(context, foot, away, SYMBOL);
  } else if (body.on_ground) ground(context, [place[0] + 0.5 * SYMBOL * away[0], place[1] + 0.5 * SYMBOL * away[1]], away, SYMBOL);
  if (body.joint === "revolute") pin(context, place, 0.4 * SYMBOL);
  centreOfMass(context, pixel(moment.at(b, body.centre)), 0.5 * SYMBOL);
}

/** A block that slides between two rails, which belong to the parent and are hatched on the ground. */
function drawSlider(brush: Brush, b: number, place: Point): void {
  const { context, camera, moment, result } = brush;
  const body = result.header.drive.bodies[b]!;
  const [dx, dy] = moment.turned(body.parent, body.direction);
  const along: Point = [dx, -dy];
  const across: Point = [-along[1], along[0]];
  const corner = (a: number, c: number): Point => [place[0] + SYMBOL * (a * along[0] + c * across[0]), place[1] + SYMBOL * (a * along[1] + c * across[1])];
  context.beginPath();
  for (const [a, c] of [[1.2, 0.6], [-1.2, 0.6], [-1.2, -0.6], [1.2, -0.6]] as const) context.lineTo(...corner(a, c)); // prettier-ignore
  context.closePath();
  context.fillStyle = PAGE;
  context.fill();
  context.strokeStyle = INK;
  context.lineWidth = 1.1;
  context.stroke();
  const [x0, y0] = moment.at(body.parent, body.place);
  const fixed: Point = [camera.x(x0), camera.y(y0)];
  for (const side of [1, -1]) {
    const middle: Point = [fixed[0] + side * 0.75 * SYMBOL * across[0], fixed[1] + side * 0.75 * SYMBOL * across[1]];
    if (body.on_ground) ground(context, middle, [side * across[0], side * across[1]], 2.2 * SYMBOL);
    else {
      context.beginPath();
      context.moveTo(middle[0] - 2.2 * SYMBOL * along[0], middle[1] - 2.2 * SYMBOL * along[1]);
      context.lineTo(middle[0] + 2.2 * SYMBOL * along[0], middle[1] + 2.2 * SYMBOL * along[1]);
      context.lineWidth = 1;
      context.stroke();
    }
  }
}

/** A line across a direction (in pixels) that points into the ground, with short strokes behind it. */
function ground(context: CanvasRenderingContext2D, place: Point, into: Point, half: number): void {
  const across: Point = [-into[1], into[0]];
  context.strokeStyle = INK;
  context.lineCap = "butt";
  context.lineWidth = 1.2;
  context.beginPath();
  context.moveTo(place[0] - half * across[0], place[1] - half * across[1]);
  context.lineTo(place[0] + half * across[0], place[1] + half * across[1]);
  context.stroke();
  context.lineWidth = 0.8;
  context.beginPath();
  const spacing = 0.45 * SYMBOL;
  for (let s = -half + 0.5 * spacing; s < half; s += spacing) {
    const foot: Point = [place[0] + s * across[0], place[1] + s * across[1]];
    context.moveTo(foot[0], foot[1]);
    context.lineTo(foot[0] + spacing * (into[0] - 0.7 * across[0]), foot[1] + spacing * (into[1] - 0.7 * across[1]));
  }
  context.stroke();
}

function pin(context: CanvasRenderingContext2D, [x, y]: Point, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = PAGE;
  context.fill();
  context.strokeStyle = INK;
  context.lineWidth = 1.1;
  context.stroke();
}

function centreOfMass(context: CanvasRenderingContext2D, [x, y]: Point, radius: number): void {
  pin(context, [x, y], radius);
  context.fillStyle = INK;
  for (const begin of [0, Math.PI]) {
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, begin, begin + Math.PI / 2);
    context.fill();
  }
}

export function drawTensioners(brush: Brush): void {
  const { context, camera, moment, result, picked } = brush;
  result.header.drive.tensioners.forEach((tensioner, k) => {
    const [a, b] = [moment.at(tensioner.bodies[0], tensioner.ends[0]), moment.at(tensioner.bodies[1], tensioner.ends[1])];
    const first: Point = [camera.x(a[0]), camera.y(a[1])];
    const last: Point = [camera.x(b[0]), camera.y(b[1])];
    const length = Math.hypot(last[0] - first[0], last[1] - first[1]);
    const along: Point = length > 0 ? [(last[0] - first[0]) / length, (last[1] - first[1]) / length] : [0, -1];
    inPixels(brush);
    if (picked?.kind === "tensioner" && picked.index === k) {
      context.strokeStyle = PICKED;
      context.lineWidth = 2.6 * SYMBOL;
      context.lineCap = "round";
      context.globalAlpha = 0.55;
      context.beginPath();
      context.moveTo(...first);
      context.lineTo(...last);
      context.stroke();
      context.globalAlpha = 1;
    }
    context.strokeStyle = INK;
    context.lineCap = "butt";
    context.lineJoin = "miter";
    const line = (width: number, points: [number, number][]): void => {
      context.lineWidth = width;
      context.beginPath();
      for (const [s, h] of points) context.lineTo(first[0] + length * s * along[0] - h * SYMBOL * along[1], first[1] + length * s * along[1] + h * SYMBOL * along[0]);
      context.stroke();
    };
    if (tensioner.kind === "hydraulic") cylinder(line);
    else line(1.3, COIL);
    for (const [end, body, into] of [[first, tensioner.bodies[0], [-along[0], -along[1]]], [last, tensioner.bodies[1], along]] as [Point, number, Point][]) {
      if (body < 0) ground(context, end, into, SYMBOL);
      else pin(context, end, 0.25 * SYMBOL);
    } // prettier-ignore
  });
}

const COIL: [number, number][] = [[0, 0], [0.15, 0], ...Array.from({ length: 16 }, (_, k): [number, number] => [0.15 + (0.7 * (k + 0.5)) / 16, k % 2 ? -0.75 : 0.75]), [0.85, 0], [1, 0]]; // prettier-ignore

function cylinder(line: (width: number, points: [number, number][]) => void): void {
  line(1.3, [[0, 0], [0.08, 0]]); // prettier-ignore
  line(1.3, [[0.65, 0.7], [0.08, 0.7], [0.08, -0.7], [0.65, -0.7]]); // prettier-ignore
  line(2.8, [[0.5, 0.65], [0.5, -0.65]]); // prettier-ignore
  line(1.3, [[0.5, 0], [1, 0]]); // prettier-ignore
}
