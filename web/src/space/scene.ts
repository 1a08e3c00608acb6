/** The drive as a scene of three.js: what stands in it, and where everything is at the moment. */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, type Object3D, Scene, type ShaderMaterial } from "three";
import { niceStep } from "../format";
import { BODY, GREY, LINE, MARK, NORMAL, PICKED, PIN as DARK_PIN, RAIL, SHADOW, GRID, UNKNOWN, type TensionScale } from "../stage/colours";
import { wrap } from "../stage/moment";
import type { Pick } from "../store";
import { faces, flat, geometries, halo, Instances, lines, stretch, swelling } from "./brushes";
import type { Room, Vector } from "./camera";
import type { Wishes } from "./contract";
import type { Places } from "./places";
import { arrowShape, barShape, type Colour, type LinkShapes, linkShapes, rgb, rodShape, Shape, stripShape } from "./shapes";
import { wheelShape } from "./wheelshape";

const WHEEL: Colour = rgb("#D2DAE0");
/** Pixels per pitch from which shapes are fine; while a slow picture moves, and else. */
const NEAR = { moving: 90, standing: 26 };
/** An arrow of the usual largest force is so many pitches long. */
const ARROW = 3;

interface WheelPart {
  group: Group;
  halo: Mesh;
}

/** What is drawn from near, and what from far. */
interface Level {
  fine: boolean;
  faces: Object3D;
  lines: Object3D | null;
}

export class Drawing {
  readonly scene = new Scene();
  /** Spacing of the grid: in the plane of the drawing, out of it [m]. */
  grid: [number, number] = [1, 1];
  private readonly shadow = rgb(SHADOW);
  private readonly inner: Instances;
  private readonly outer: Instances;
  private readonly bars: Instances;
  private readonly rods: Instances;
  private readonly arrows: Instances;
  private readonly strips: Instances;
  private readonly haloed = new Instances(1);
  /** Of an inner and an outer link: the rim that shows which one is picked, and the link itself over all others. */
  private readonly haloes: [Mesh[], Mesh[]];
  private readonly wheels: WheelPart[];
  private readonly levels: Level[] = [];
  private readonly guides: { mesh: Mesh; body: number }[] = [];
  private readonly ground = new Group();
  private readonly tints: Colour[];
  private groundKey = "";
  private floor = 0;
  /** Half the width of the chain over its pins. */
  readonly half: number;
  /** The force that nearly all are below [N], of so many frames. */
  private newtons = 0;
  private weighed = 0;

  constructor(
    readonly places: Places,
    private readonly scale: TensionScale,
  ) {
    const { drive } = places.result.header;
    const space = drive.space!;
    this.tints = scale.css.map(rgb);
    const shapes = [true, false].map((fine) => linkShapes(space, drive.roller_diameter / 2, fine)) as [LinkShapes, LinkShapes];
    this.half = shapes[0].half;
    this.inner = new Instances(Math.ceil(drive.links / 2));
    this.outer = new Instances(Math.ceil(drive.links / 2));
    this.haloes = [this.chain(shapes[0].inner, shapes[1].inner, shapes[0].alone, this.inner), this.chain(shapes[0].outer, shapes[1].outer, shapes[0].outer, this.outer)];
    this.wheels = drive.wheels.map((_, w) => this.wheel(w));
    const reach = drive.bodies.length + drive.bodies.reduce((sum, body) => sum + body.bars.length, 0);
    this.bars = new Instances(2 * reach);
    this.rods = new Instances(reach + drive.wheels.length + drive.tensioners.length);
    this.instanced(barShape(0.55 * drive.pitch, 0.14 * drive.pitch, rgb(BODY)), this.bars);
    this.instanced(rodShape(0.12 * drive.pitch, rgb(DARK_PIN)), this.rods);
    this.makeGuides();
    this.strips = new Instances(drive.links);
    this.scene.add(this.mesh(geometries(stripShape(2 * this.half, this.shadow), this.strips).faces, flat(), "faces"));
    this.arrows = new Instances(places.result.frames.sideForce || !places.result.frames.count ? drive.links : 0);
    this.instanced(arrowShape(0.1 * drive.pitch, rgb(NORMAL)), this.arrows);
    this.scene.add(this.ground);
  }

  /** Give back what the graphics card holds. */
  remove(): void {
    this.scene.traverse((each) => {
      if (!(each instanceof Mesh || each instanceof LineSegments)) return;
      each.geometry.dispose();
      for (const material of [each.material].flat()) material.dispose();
    });
  }

  private mesh(geometry: BufferGeometry, material: ShaderMaterial | LineBasicMaterial, kind: "faces" | "lines"): Mesh | LineSegments {
    const made = kind === "faces" ? new Mesh(geometry, material) : new LineSegments(geometry, material);
    made.frustumCulled = false; // instances are not where their geometry is
    made.matrixAutoUpdate = false;
    return made;
  }

  private instanced(shape: Shape, instances: Instances): Omit<Level, "fine"> {
    const made = geometries(shape, instances);
    const solid = this.mesh(made.faces, faces(true), "faces");
    this.scene.add(solid);
    if (!shape.lineEnd.length) return { faces: solid, lines: null };
    const edges = this.mesh(made.lines, lines(true, this.bias, 0.42), "lines");
    this.scene.add(edges);
    return { faces: solid, lines: edges };
  }

  /** How far lines are drawn before their faces [m]. */
  private get bias(): number {
    return 0.02 * this.places.result.header.drive.pitch;
  }

  /** Links of one kind; returns what shows that one is picked: a rim, and over it the link, both before everything else. */
  private chain(near: Shape, far: Shape, alone: Shape, instances: Instances): Mesh[] {
    for (const [shape, fine] of [[near, true], [far, false]] as const) this.levels.push({ fine, ...this.instanced(shape, instances) }); // prettier-ignore
    const made = geometries(alone, this.haloed);
    const rim = this.mesh(swelling(alone, this.haloed), halo(true, rgb(PICKED)), "faces") as Mesh;
    (rim.material as ShaderMaterial).depthTest = false;
    const link = this.mesh(made.faces, faces(true), "faces") as Mesh;
    const edges = this.mesh(made.lines, lines(true, this.bias, 0.42), "lines") as Mesh;
    link.onBeforeRender = (glass) => glass.clearDepth();
    [rim, link, edges].forEach((each, k) => {
      each.renderOrder = 1 + k;
      each.visible = false;
      this.scene.add(each);
    });
    return [rim, link, edges];
  }

  private wheel(w: number): WheelPart {
    const { result } = this.places;
    const { drive } = result.header;
    const wheel = drive.wheels[w]!;
    const colours = { body: WHEEL, shaft: rgb(DARK_PIN), mark: rgb(wheel.driven ? MARK : GREY) };
    const group = new Group();
    const part = drive.space!.wheels[w]!;
    let coarse = new Shape();
    for (const fine of [true, false]) {
      coarse = wheelShape(result.array(wheel.outline), wheel.radius, part, fine, colours);
      for (const cog of wheel.cogs) coarse.add(wheelShape(result.array(cog.outline), cog.radius, part, fine, colours), cog.offset);
      const made = geometries(coarse, null);
      const level = { fine, faces: this.mesh(made.faces, faces(false), "faces"), lines: this.mesh(made.lines, lines(false, this.bias, 0.45), "lines") };
      this.levels.push(level);
      group.add(level.faces, level.lines);
    }
    const around = this.mesh(swelling(coarse, null), halo(false, rgb(PICKED)), "faces") as Mesh;
    const axis = new Shape();
    axis.colour = rgb(LINE);
    dashed(axis, 0.62 * wheel.radius + 2 * this.half);
    group.add(around, this.mesh(geometries(axis, null).lines, lines(false, 0, 0), "lines"));
    group.matrixAutoUpdate = false;
    this.scene.add(group);
    return { group, halo: around };
  }

  private makeGuides(): void {
    const { result } = this.places;
    const { drive } = result.header;
    for (const guide of drive.guides) {
      const shape = new Shape();
      shape.colour = rgb(RAIL);
      const strip = result.array(guide.strip);
      const points = Array.from({ length: strip.length / 2 - 1 }, (_, k) => [strip[2 * k]!, strip[2 * k + 1]!] as const);
      shape.prism(counterClockwise(points), -0.5 * drive.space!.width, 0.5 * drive.space!.width);
      const material = faces(false);
      material.side = DoubleSide;
      const mesh = this.mesh(geometries(shape, null).faces, material, "faces") as Mesh;
      this.guides.push({ mesh, body: guide.body });
      this.scene.add(mesh);
    }
  }

  /** Side force whose arrow is as long as a pitch [N]. */
  get force(): number {
    return this.newtons / ARROW;
  }

  /** Put everything where it is at the moment. pixels: per pitch, about; slow: the picture moves, and not quickly enough. */
  update(wishes: Wishes, room: Room, pixels: number, slow: boolean, seen: (at: Vector) => boolean): void {
    const { places } = this;
    const near = pixels > (slow ? NEAR.moving : NEAR.standing);
    for (const level of this.levels) {
      level.faces.visible = level.fine === near;
      if (level.lines) level.lines.visible = level.fine === near && pixels > (slow ? 12 : 7);
    }
    stretch.value = wishes.stretch;
    this.placeChain(wishes.picked, seen);
    this.placeWheels(wishes.picked, pixels);
    this.placeBodies(wishes.picked);
    this.placeArrows(wishes.sideForces);
    for (const { mesh, body } of this.guides) {
      const p = body < 0 ? [1, 0, 0, 1, 0, 0] : places.moment.pose.subarray(6 * body, 6 * body + 6);
      put(mesh, [p[0]!, p[1]!, 0], [p[2]!, p[3]!, 0], [0, 0, 1], [p[4]!, p[5]!, places.depthOf(body)]);
    }
    this.makeGround(room);
    this.placeStrips();
  }

  /** Where the chain is over the ground: its line as seen from above. */
  private placeStrips(): void {
    const { moment, stretch: k } = this.places;
    const n = moment.offset.length;
    this.strips.clear();
    for (let i = 0; i < n; i++) {
      const j = wrap(i + 1, n);
      const [x0, x1] = [moment.rollers[2 * i]!, moment.rollers[2 * j]!];
      const lying = Math.abs(x1 - x0) > 0.05 * this.places.result.header.drive.pitch;
      // a little below the lines of the grid
      const y = this.floor - 0.1 * this.half;
      if (lying) this.strips.add([x0, y, moment.offset[i]!], [x1, y, moment.offset[j]!], [0, 1 / k, 0], this.shadow);
    }
    this.strips.done();
  }

  private placeChain(picked: Pick | null, seen: (at: Vector) => boolean): void {
    const { moment } = this.places;
    const n = moment.offset.length;
    const { rollers, offset, tension } = moment;
    for (const each of this.haloes.flat()) each.visible = false;
    this.inner.clear();
    this.outer.clear();
    this.haloed.clear();
    const link = picked?.kind === "link" ? picked.index : picked?.kind === "roller" ? wrap(picked.index - (picked.index % 2), n) : -1;
    for (let i = 0; i < n; i++) {
      const j = wrap(i + 1, n);
      const [rear, front] = [i, j].map((k) => [rollers[2 * k]!, rollers[2 * k + 1]!, offset[k]!] as Vector) as [Vector, Vector];
      if (!Number.isFinite(rear[0] + front[0]) || !(seen(this.places.bush(i)) || seen(this.places.bush(j)))) continue;
      const bin = this.scale.bin(tension[i]!);
      const tint = bin < 0 ? rgb(UNKNOWN) : this.tints[bin]!;
      const pin = this.places.pin(i);
      (i % 2 ? this.outer : this.inner).add(rear, front, pin, tint);
      if (i !== link) continue;
      this.haloed.add(rear, front, pin, tint);
      for (const each of this.haloes[i % 2]!) each.visible = true;
    }
    for (const each of [this.inner, this.outer, this.haloed]) each.done();
  }

  private placeWheels(picked: Pick | null, pixels: number): void {
    const swell = (3.2 * this.places.result.header.drive.pitch) / Math.max(1, pixels);
    for (const [rim] of this.haloes) (rim!.material as ShaderMaterial).uniforms.swell!.value = swell;
    this.wheels.forEach((part, w) => {
      const at = this.places.wheel(w);
      part.group.visible = Number.isFinite(at.centre[0] + at.centre[1] + at.x[0]);
      put(part.group, at.x, at.y, at.z, at.centre);
      part.halo.visible = picked?.kind === "wheel" && picked.index === w;
      (part.halo.material as ShaderMaterial).uniforms.swell!.value = swell;
    });
  }

  /** Bodies as pairs of bars on both sides of the wheels they carry, axles through them; tensioners as rods. */
  private placeBodies(picked: Pick | null): void {
    const { places } = this;
    const { drive } = places.result.header;
    const { moment } = places;
    this.bars.clear();
    this.rods.clear();
    const up: Vector = [0, 0, 1];
    const k = places.stretch;
    // shapes stretch distances from the plane themselves
    const point = ([x, y]: readonly [number, number], z: number): Vector => [x, y, z / k];
    const beside = this.half + 0.2 * drive.pitch;
    const axle = (x: number, y: number, z: number, tint: Colour): void => this.rods.add([x, y, (z - beside) / k], [x, y, (z + beside) / k], [1, 0, 0], tint);
    drive.bodies.forEach((body, b) => {
      const tint = rgb(picked?.kind === "body" && picked.index === b ? PICKED : BODY);
      const z = places.depthOf(b);
      for (const [from, to] of body.bars)
        for (const side of [1, -1]) this.bars.add(point(moment.at(b, from), z + side * beside), point(moment.at(b, to), z + side * beside), up, tint);
      const [x, y] = moment.at(b, body.place);
      if (body.joint === "revolute") axle(x, y, z, rgb(DARK_PIN));
    });
    drive.wheels.forEach((wheel, w) => {
      const { centre } = places.wheel(w);
      if (wheel.body >= 0) axle(centre[0], centre[1], places.depthOf(wheel.body), rgb(DARK_PIN));
    });
    drive.tensioners.forEach((each, t) => {
      const z = places.depthOf(Math.max(...each.bodies));
      const [from, to] = [0, 1].map((end) => point(moment.at(each.bodies[end]!, each.ends[end]!), z)) as [Vector, Vector];
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 0) this.rods.add(from, to, up, rgb(picked?.kind === "tensioner" && picked.index === t ? PICKED : BODY));
    });
    this.bars.done();
    this.rods.done();
  }

  /** Forces of the sides of teeth on plates, of the frame shown. */
  private placeArrows(shown: boolean): void {
    const { sideForce, count } = this.places.result.frames;
    const { moment } = this.places;
    const { drive } = this.places.result.header;
    if (count > 2 * this.weighed) [this.weighed, this.newtons] = [count, usual(sideForce)]; // more come while a run goes on
    this.arrows.clear();
    const n = drive.links;
    if (shown && sideForce && this.newtons > 0)
      for (let i = 0; i < n; i++) {
        const length = (sideForce[moment.frame * n + i]! / this.newtons) * ARROW * drive.pitch;
        if (!(Math.abs(length) > 0.08 * drive.pitch)) continue;
        const [x, y, z] = this.places.bush(i);
        const begin = z + Math.sign(length) * this.half;
        const k = this.places.stretch;
        this.arrows.add([x, y, begin / k], [x, y, (begin + length) / k], [1, 0, 0], rgb(NORMAL));
      }
    this.arrows.done();
  }

  /** A grid on the ground below the drive, with the line of the drawing's plane; anew when its room has changed. */
  private makeGround(room: Room): void {
    const key = JSON.stringify([room, this.places.stretch]);
    if (key === this.groundKey) return;
    this.groundKey = key;
    this.ground.clear();
    const [width, k] = [room.high[0] - room.low[0], this.places.stretch];
    const x = niceStep(width, 14);
    const depth = Math.max(0.22 * width, 1.3 * Math.max(-room.low[2], room.high[2]));
    const z = k === 1 ? x : niceStep(depth / k, 4);
    this.grid = [x, z];
    const [left, right] = [Math.floor(room.low[0] / x - 0.4), Math.ceil(room.high[0] / x + 0.4)];
    const deep = Math.max(1, Math.ceil(depth / (z * k)));
    const y = room.low[1] - 0.035 * Math.max(width, room.high[1] - room.low[1]);
    this.floor = y;
    const points: number[] = [];
    for (let i = left; i <= right; i++) points.push(i * x, y, -deep * z * k, i * x, y, deep * z * k);
    for (let j = -deep; j <= deep; j++) if (j !== 0) points.push(left * x, y, j * z * k, right * x, y, j * z * k);
    this.ground.add(this.plain(points, new Color(GRID).getHex()), this.plain([left * x, y, 0, right * x, y, 0], new Color(LINE).getHex()));
  }

  private plain(points: number[], colour: number): LineSegments {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points), 3));
    return this.mesh(geometry, new LineBasicMaterial({ color: colour, toneMapped: false }), "lines") as LineSegments;
  }
}

function put(object: Object3D, x: Vector, y: Vector, z: Vector, centre: Vector): void {
  object.matrix.copy(new Matrix4().set(x[0], y[0], z[0], centre[0], x[1], y[1], z[1], centre[1], x[2], y[2], z[2], centre[2], 0, 0, 0, 1));
  object.matrixWorldNeedsUpdate = true;
}

/** A dash-dotted line along the axis of a wheel. */
function dashed(shape: Shape, long: number): void {
  const [dash, gap, point] = [0.16 * long, 0.05 * long, 0.03 * long];
  for (let z = -long; z < long; ) {
    for (const length of [dash, point]) {
      if (z < long) shape.line([[0, 0, z], [0, 0, Math.min(long, z + length)]]); // prettier-ignore
      z += length + gap;
    }
  }
}

function counterClockwise<T extends readonly [number, number]>(points: T[]): T[] {
  let twice = 0;
  points.forEach(([x, y], k) => {
    const [u, v] = points[(k + 1) % points.length]!;
    twice += x * v - u * y;
  });
  return twice < 0 ? points.reverse() : points;
}

/** The force that nearly all are below. */
function usual(forces: Float32Array | null): number {
  const sizes = Array.from(forces ?? [], Math.abs).filter((size) => size > 0).sort((a, b) => a - b); // prettier-ignore
  return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
}
