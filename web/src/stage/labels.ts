/** Names, speeds and tensions beside the parts, with a line to them where they stand apart. */
import type { PickKind } from "../store";
import type { Point } from "../types";
import { Badges } from "./badges";
import { type Brush, inPixels } from "./brush";
import { EDGE, HALO, INK, PAGE } from "./colours";
import type { Course } from "./enlargement";
import { wrap } from "./moment";
import { placeOf } from "./parts";
import { type Box, boxAt, Field, leaderOf, place, type Wish } from "./placing";
import { settings } from "./settings";

interface Label {
  kind: PickKind;
  index: number;
  /** Of its name; what changes with the moment comes behind it. */
  name: string[];
  offset: Point;
  leader: boolean;
  width: number;
  height: number;
}

/** Where a label stands, and what it says; for tests. */
export interface Standing {
  kind: PickKind;
  index: number;
  lines: string[];
  box: Box;
  leader: boolean;
}

const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const LINE_HEIGHT = 15;
const LONGEST = 28;
/** What it costs to cover a cell of something; badges are never over the chain, other names than those of wheels over nothing. */
const COST = { chain: 1000, wheel: 3, part: 12, arrow: 4, scale: 1000 };

function shortened(text: string): string {
  const one = text.replace(/\s+/g, " ").trim();
  return one.length > LONGEST ? `${one.slice(0, LONGEST - 1)}…` : one;
}

export class Labels {
  private labels: Label[] = [];
  private key = "";
  private readonly badges: Badges;
  /** Where the labels were drawn last. */
  standing: Standing[] = [];

  constructor(
    brush: Brush,
    private readonly course: Course,
  ) {
    this.badges = new Badges(brush.result);
  }

  /** Draw the labels, perNewton: pixels of contact forces; where they stand is decided anew only when the view, or what is shown, has changed. */
  draw(brush: Brush, following: boolean, perNewton: number): void {
    const { context, camera } = brush;
    this.badges.refresh();
    const { labels, tensions, speeds, contactForces, enlarged } = settings;
    this.standing = [];
    if (!labels.value && !tensions.value && !speeds.value) return;
    inPixels(brush);
    context.font = FONT;
    const moved = following ? [] : [camera.left, camera.top].map((at) => Math.round(at / (0.2 * camera.width)));
    const key = [camera.width, camera.height, camera.scale.toPrecision(3), ...moved, labels.value, tensions.value, speeds.value, contactForces.value, enlarged.value].join();
    if (key !== this.key) {
      this.key = key;
      this.labels = this.layOut(brush, perNewton);
    }
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const label of this.labels) this.drawOne(brush, label);
  }

  private drawOne(brush: Brush, label: Label): void {
    const { context } = brush;
    const disc = this.discOf(brush, label.kind, label.index);
    const lines = [...label.name, ...this.numbers(brush, label.kind, label.index)];
    if (!disc || !lines.length) return;
    const [x, y] = [disc.x + label.offset[0], disc.y + label.offset[1]];
    const box = boxAt(x, y, label.width, label.height);
    if (label.leader) drawLeader(context, box, disc, label.kind !== "wheel");
    if (label.kind === "span") {
      context.beginPath();
      context.roundRect(box[0], box[2], label.width, label.height, 4);
      context.fillStyle = PAGE;
      context.fill();
      context.lineWidth = 1;
      context.strokeStyle = EDGE;
      context.stroke();
    }
    context.lineWidth = 3.5;
    context.strokeStyle = HALO;
    context.fillStyle = INK;
    lines.forEach((line, k) => {
      const at = y + (k - (lines.length - 1) / 2) * LINE_HEIGHT;
      if (label.kind !== "span") context.strokeText(line, x, at);
      context.fillText(line, x, at + 0.5);
    });
    this.standing.push({ kind: label.kind, index: label.index, lines, box, leader: label.leader });
  }

  /** The lines that change with the moment. */
  private numbers({ moment }: Brush, kind: PickKind, index: number): string[] {
    if (kind === "span") return this.badges.span(moment, index);
    return kind === "wheel" && settings.speeds.value ? this.badges.wheel(moment, index) : [];
  }

  /** What a label belongs to, on the canvas; null when that is not known. */
  private discOf(brush: Brush, kind: PickKind, index: number): { x: number; y: number; radius: number } | null {
    const { camera, result, moment } = brush;
    const at = kind === "span" ? this.middleOf(brush, index) : placeOf(result, moment, { result: 0, kind, index });
    if (!at || !Number.isFinite(at[0] + at[1])) return null;
    const { wheels, roller_diameter } = result.header.drive;
    const radius = kind === "wheel" ? wheels[index]!.radius * camera.scale + 0.5 * roller_diameter * camera.scale : 0;
    return { x: camera.x(at[0]), y: camera.y(at[1]), radius };
  }

  /** The middle of a span: a place that stands still along the loop, where that is known. */
  private middleOf({ result, moment }: Brush, k: number): Point | null {
    const zone = result.header.loop?.zones.find((z) => z.kind === "span" && z.index === k);
    const { links, closed } = result.header.drive;
    if (!zone || !closed) return placeOf(result, moment, { result: 0, kind: "span", index: k });
    const place = (zone.start + zone.end) / 2;
    if (this.course.known && settings.enlarged.value > 1) return this.course.at(place);
    const along = place - moment.advance;
    const part = along - Math.floor(along);
    const [a, b] = [2 * wrap(Math.floor(along), links), 2 * wrap(Math.floor(along) + 1, links)];
    const p = moment.rollers;
    return [p[a]! + part * (p[b]! - p[a]!), p[a + 1]! + part * (p[b + 1]! - p[a + 1]!)];
  }

  private layOut(brush: Brush, perNewton: number): Label[] {
    const { camera, result } = brush;
    const drive = result.header.drive;
    const field = this.obstacles(brush, perNewton);
    const parts = new Field(camera.width, camera.height);
    addMechanism(brush, parts, COST.part);
    const found: { label: Label; wish: Wish }[] = [];
    const add = (kind: PickKind, index: number, name: string[], more: Partial<Wish> = {}): void => {
      const disc = this.discOf(brush, kind, index);
      const lines = [...name, ...this.numbers(brush, kind, index)];
      const seen = disc && disc.x > -disc.radius && disc.y > -disc.radius && disc.x < camera.width + disc.radius && disc.y < camera.height + disc.radius;
      if (!disc || !seen || !lines.length) return;
      const { width, height } = sizeOf(brush.context, lines, kind === "span");
      found.push({ label: { kind, index, name, offset: [0, 0], leader: false, width, height }, wish: { ...disc, width, height, ...more } });
    };
    drive.wheels.forEach((_, w) => {
      const { name, inside } = this.wheelText(brush, parts, w);
      add("wheel", w, name, { inside });
    });
    if (settings.tensions.value) drive.spans.forEach((_, k) => add("span", k, [], { most: COST.chain }));
    if (settings.labels.value && camera.width >= 420) {
      const others: [PickKind, { name: string }[]][] = [["guide", drive.guides], ["tensioner", drive.tensioners], ["body", drive.bodies]]; // prettier-ignore
      for (const [kind, all] of others) all.forEach(({ name }, k) => add(kind, k, [shortened(name)], { most: 1 }));
    }
    const discs = drive.wheels.flatMap((_, w) => this.discOf(brush, "wheel", w) ?? []);
    return place(found.map(({ wish }) => wish), field, discs).flatMap((placed, k) => (placed ? [{ ...found[k]!.label, ...placed }] : []));
  }

  /** Name and teeth of a wheel in lines, broken so that they fit inside, below the hub, where they can. */
  private wheelText(brush: Brush, parts: Field, w: number): { name: string[]; inside: Point | null } {
    const { camera, moment, result } = brush;
    const wheel = result.header.drive.wheels[w]!;
    if (!settings.labels.value) return { name: [], inside: this.insideOf(brush, parts, w, []) };
    const name = shortened(wheel.name);
    const cut = name.lastIndexOf(" ");
    const radius = brush.result.frames.runningRadius?.[moment.frame * moment.wheelAngle.length + w];
    const sheaves = radius === undefined ? `from ${(1e3 * wheel.radius).toFixed(1)} mm` : `runs at ${(1e3 * radius).toFixed(1)} mm`;
    const teeth = result.header.drive.sheaves ? sheaves : `${wheel.teeth} teeth`;
    const split = cut > 0 ? [name.slice(0, cut), name.slice(cut + 1)] : [name];
    for (const lines of [[name, teeth], [...split, teeth], split]) {
      const inside = this.insideOf(brush, parts, w, lines);
      if (inside) return { name: lines, inside };
    }
    const x = camera.x(moment.wheelCentre[2 * w]!);
    return { name: camera.width < 420 || !Number.isFinite(x) ? [name] : [name, teeth], inside: null };
  }

  private insideOf(brush: Brush, parts: Field, w: number, name: string[]): Point | null {
    const lines = [...name, ...this.numbers(brush, "wheel", w)];
    const disc = this.discOf(brush, "wheel", w);
    if (!disc || !lines.length) return null;
    const { width, height } = sizeOf(brush.context, lines, false);
    const radius = brush.result.header.drive.wheels[w]!.radius * brush.camera.scale;
    const below = 0.09 * radius + 2 + height / 2;
    const fits = Math.hypot(width / 2, below + height / 2) < 0.9 * radius;
    return fits && parts.cost(boxAt(disc.x, disc.y + below, width, height)) === 0 ? [0, below] : null;
  }

  /** What labels should not cover: the chain, arrows on it, wheels, parts of the mechanism, scales. */
  private obstacles(brush: Brush, perNewton: number): Field {
    const { camera, moment, result } = brush;
    const drive = result.header.drive;
    const field = new Field(camera.width, camera.height);
    const p = moment.rollers;
    const width = Math.max(4, 0.7 * drive.pitch * camera.scale);
    const last = drive.closed ? p.length : p.length - 2;
    for (let k = 0; k < last; k += 2) {
      const j = (k + 2) % p.length;
      field.line(camera.x(p[k]!), camera.y(p[k + 1]!), camera.x(p[j]!), camera.y(p[j + 1]!), width, COST.chain);
    }
    if (settings.contactForces.value) addArrows(brush, field, perNewton);
    drive.wheels.forEach((wheel, w) => {
      field.disc(camera.x(moment.wheelCentre[2 * w]!), camera.y(moment.wheelCentre[2 * w + 1]!), wheel.radius * camera.scale, COST.wheel);
    });
    addMechanism(brush, field, COST.part);
    field.box([0, 165, camera.height - 34, camera.height], COST.scale); // the scale
    field.box([camera.width - 46, camera.width, camera.height - 56, camera.height], COST.scale); // gravity
    if (settings.enlarged.value > 1) field.box([0, 170, 0, 50], COST.scale);
    return field;
  }
}

function sizeOf(context: CanvasRenderingContext2D, lines: string[], framed: boolean): { width: number; height: number } {
  const width = Math.max(...lines.map((line) => context.measureText(line.replace(/\d/g, "0")).width));
  return { width: Math.ceil(width) + (framed ? 12 : 6), height: LINE_HEIGHT * lines.length + (framed ? 5 : 2) };
}

function drawLeader(context: CanvasRenderingContext2D, box: Box, disc: { x: number; y: number; radius: number }, dotted: boolean): void {
  const [from, to] = leaderOf(box, disc);
  for (const [colour, width] of [[HALO, 3], [INK, 0.9]] as const) {
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  } // prettier-ignore
  context.beginPath();
  context.arc(to[0], to[1], dotted ? 2.2 : 1.8, 0, 2 * Math.PI);
  context.fillStyle = INK;
  context.fill();
}

/** Where arrows of contact forces are. */
function addArrows({ camera, moment, result }: Brush, field: Field, perNewton: number): void {
  const { contactForce, contactDirection } = result.frames;
  const { links } = result.header.drive;
  if (!contactForce || !contactDirection) return;
  for (let i = 0; i < links; i++) {
    const length = Math.min(200, contactForce[moment.frame * links + i]! * perNewton);
    if (!(length > 2)) continue;
    const angle = (contactDirection[moment.frame * links + i]! * 2 * Math.PI) / 256;
    const [x, y] = [camera.x(moment.rollers[2 * i]!), camera.y(moment.rollers[2 * i + 1]!)];
    field.line(x, y, x + length * Math.cos(angle), y - length * Math.sin(angle), 0, COST.arrow);
  }
}

/** Guides, tensioners and bodies. */
function addMechanism({ camera, moment, result }: Brush, field: Field, weight: number): void {
  const drive = result.header.drive;
  const line = (a: Point, b: Point): void => field.line(camera.x(a[0]), camera.y(a[1]), camera.x(b[0]), camera.y(b[1]), 5, weight);
  for (const guide of drive.guides) {
    const strip = result.array(guide.strip);
    const at = (k: number): Point => moment.at(guide.body, [strip[k]!, strip[k + 1]!]);
    for (let k = 2; k < strip.length; k += 2) line(at(k - 2), at(k));
  }
  for (const t of drive.tensioners) line(moment.at(t.bodies[0], t.ends[0]), moment.at(t.bodies[1], t.ends[1]));
  drive.bodies.forEach((body, b) => {
    for (const [from, to] of body.bars) line(moment.at(b, from), moment.at(b, to));
  });
}
