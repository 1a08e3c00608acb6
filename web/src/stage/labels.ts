/** Names beside the parts, where they cover least. */
import type { PickKind } from "../store";
import type { Point } from "../types";
import { type Brush, inPixels } from "./brush";
import { HALO, INK } from "./colours";
import { placeOf } from "./parts";
import { settings } from "./settings";

interface Label {
  kind: PickKind;
  index: number;
  lines: string[];
  /** From the place of the part to the middle of the text, in pixels. */
  offset: Point;
}

type Box = [left: number, right: number, top: number, bottom: number];

const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const LINE_HEIGHT = 15;
const LONGEST = 28;

function shortened(text: string): string {
  const one = text.replace(/\s+/g, " ").trim();
  return one.length > LONGEST ? `${one.slice(0, LONGEST - 1)}…` : one;
}

export class Labels {
  private labels: Label[] = [];
  private key = "";

  /** Draw the labels; where they stand is decided anew only when the zoom or the size of the canvas has changed. */
  draw(brush: Brush): void {
    const { context, camera, result, moment } = brush;
    inPixels(brush);
    context.font = FONT;
    const key = `${camera.width} ${camera.height} ${camera.scale.toPrecision(3)}`;
    if (key !== this.key) {
      this.key = key;
      this.labels = layOut(brush);
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    context.strokeStyle = HALO;
    for (const label of this.labels) {
      const place = placeOf(result, moment, { result: 0, kind: label.kind, index: label.index });
      if (!place || !Number.isFinite(place[0] + place[1])) continue;
      const x = camera.x(place[0]) + label.offset[0];
      const y = camera.y(place[1]) + label.offset[1] - (LINE_HEIGHT * (label.lines.length - 1)) / 2;
      label.lines.forEach((line, k) => {
        context.fillStyle = INK;
        context.strokeText(line, x, y + k * LINE_HEIGHT);
        context.fillText(line, x, y + k * LINE_HEIGHT);
      });
    }
  }
}

function layOut(brush: Brush): Label[] {
  const { camera, result, moment } = brush;
  const drive = result.header.drive;
  const parts = mechanismPoints(brush);
  const taken = [...obstacles(brush), ...parts];
  const boxes: Box[] = [];
  const labels: Label[] = [];
  const small = camera.width < 420;

  const place = (kind: PickKind, index: number, lines: string[], choices: Point[], centred: boolean, mustBeFree: boolean): void => {
    const at = placeOf(result, moment, { result: 0, kind, index });
    if (!at || !Number.isFinite(at[0] + at[1])) return;
    const width = Math.max(...lines.map((line) => brush.context.measureText(line).width)) + 6;
    const height = LINE_HEIGHT * lines.length + 2;
    let best: Point | null = null;
    let least = Infinity;
    let bestBox: Box = [0, 0, 0, 0];
    choices.forEach((direction, order) => {
      const offset: Point = centred ? direction : [direction[0] + (Math.sign(Math.round(direction[0])) * width) / 2, direction[1] + (Math.sign(Math.round(direction[1])) * height) / 2];
      const x = camera.x(at[0]) + offset[0];
      const y = camera.y(at[1]) + offset[1];
      const box: Box = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
      const cost = (centred ? 0 : 10 * count(taken, box)) + 1000 * boxes.filter((other) => overlap(other, box)).length + outsideOf(box, camera.width, camera.height) + order;
      if (cost < least) [least, best, bestBox] = [cost, offset, box];
    });
    if (!best || (mustBeFree && least > 400)) return;
    boxes.push(bestBox);
    labels.push({ kind, index, lines, offset: best });
  };

  drive.wheels.forEach((wheel, w) => {
    const radius = wheel.radius * camera.scale;
    const name = shortened(wheel.name);
    const cut = name.lastIndexOf(" ");
    const teeth = `${wheel.teeth} teeth`;
    const split = cut > 0 ? [name.slice(0, cut), name.slice(cut + 1)] : [name];
    const texts = [[name, teeth], [...split, teeth], split];
    for (const lines of texts) {
      // inside, below the hub, where the text fits between the rim and the hub
      const half = Math.max(...lines.map((line) => brush.context.measureText(line).width)) / 2 + 2;
      const height = LINE_HEIGHT * lines.length;
      const below = 0.09 * radius + 3 + height / 2;
      const [x, y] = [camera.x(moment.wheelCentre[2 * w]!), camera.y(moment.wheelCentre[2 * w + 1]!) + below];
      const free = count(parts, [x - half, x + half, y - height / 2, y + height / 2]) === 0;
      if (free && Math.hypot(half, below + height / 2) < 0.9 * radius) {
        place("wheel", w, lines, [[0, below]], true, false);
        return;
      }
    }
    if (radius > 0.6 * Math.min(camera.width, camera.height)) return;
    place("wheel", w, texts[0]!, circle(radius + 0.6 * drive.roller_diameter * camera.scale + 8, 16), false, false);
  });
  if (small) return labels;
  const others: [PickKind, string[]][] = [
    ["guide", drive.guides.map((g) => g.name)],
    ["tensioner", drive.tensioners.map((t) => t.name)],
    ["body", drive.bodies.map((b) => b.name)],
  ];
  for (const [kind, names] of others) names.forEach((name, k) => place(kind, k, [shortened(name)], [...circle(14, 8), ...circle(30, 8)], false, true));
  return labels;
}

/** Points (in pixels) that labels should not cover: the chain, arrows on it, the wheels, the buttons. */
function obstacles({ camera, moment, result }: Brush): number[] {
  const drive = result.header.drive;
  const points: number[] = [];
  const add = (x: number, y: number): void => void points.push(camera.x(x), camera.y(y));
  const p = moment.rollers;
  for (let k = 0; k < p.length; k += 2) {
    const j = (k + 2) % p.length;
    for (const part of [0, 0.25, 0.5, 0.75]) add(p[k]! + part * (p[j]! - p[k]!), p[k + 1]! + part * (p[j + 1]! - p[k + 1]!));
  }
  const touching = result.frames.contactSurface;
  if (touching && settings.contactForces.value)
    for (let i = 0; i < drive.links; i++) {
      const w = touching[moment.frame * drive.links + i]!;
      if (w < 0 || w >= drive.wheels.length) continue;
      const [x, y] = [p[2 * i]! - moment.wheelCentre[2 * w]!, p[2 * i + 1]! - moment.wheelCentre[2 * w + 1]!];
      const unit = 1 / Math.hypot(x, y) / camera.scale;
      for (const length of [14, 28]) add(p[2 * i]! + length * unit * x, p[2 * i + 1]! + length * unit * y); // arrows of forces
    }
  drive.wheels.forEach((wheel, w) => {
    for (const part of [0.25, 0.5, 0.75, 1])
      for (const [x, y] of circle(part * wheel.radius, 40)) add(moment.wheelCentre[2 * w]! + x, moment.wheelCentre[2 * w + 1]! + y);
    add(moment.wheelCentre[2 * w]!, moment.wheelCentre[2 * w + 1]!);
  });
  const [across, down] = camera.height < 400 ? [170, 50] : [50, 170]; // the buttons
  if (camera.width > 600) for (let x = camera.width - across; x < camera.width; x += 12) for (let y = 8; y < down; y += 12) points.push(x, y);
  return points;
}

/** Points of guides, tensioners and bodies. */
function mechanismPoints({ camera, moment, result }: Brush): number[] {
  const drive = result.header.drive;
  const points: number[] = [];
  const add = (x: number, y: number): void => void points.push(camera.x(x), camera.y(y));
  for (const guide of drive.guides) {
    const strip = result.array(guide.strip);
    for (let k = 0; k < strip.length; k += 2) add(...moment.at(guide.body, [strip[k]!, strip[k + 1]!]));
  }
  for (const t of drive.tensioners) {
    const [a, b] = [moment.at(t.bodies[0], t.ends[0]), moment.at(t.bodies[1], t.ends[1])];
    for (let s = 0; s <= 1; s += 0.1) add(a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]));
  }
  drive.bodies.forEach((body, b) => {
    for (const [from, to] of body.bars) {
      const [p, q] = [moment.at(b, from), moment.at(b, to)];
      for (let s = 0; s <= 1; s += 0.1) add(p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]));
    }
  });
  return points;
}

function circle(radius: number, n: number): Point[] {
  return Array.from({ length: n }, (_, k): Point => [radius * Math.cos((2 * Math.PI * k) / n), radius * Math.sin((2 * Math.PI * k) / n)]);
}

function count(points: number[], [left, right, top, bottom]: Box): number {
  let n = 0;
  for (let k = 0; k < points.length; k += 2) if (points[k]! > left && points[k]! < right && points[k + 1]! > top && points[k + 1]! < bottom) n++;
  return n;
}

function overlap(a: Box, b: Box): boolean {
  return a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];
}

function outsideOf([left, right, top, bottom]: Box, width: number, height: number): number {
  return 200 * (Math.max(0, -left) + Math.max(0, right - width) + Math.max(0, -top) + Math.max(0, bottom - height));
}
