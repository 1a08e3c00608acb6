/** One drive drawn in space: its canvas, its eye, its names, and how finely it can be drawn in time. */
import { OrthographicCamera, PerspectiveCamera, WebGLRenderer } from "three";
import { h } from "../dom";
import { GLASS } from "../stage/colours";
import { exists, placeOf } from "../stage/parts";
import type { Pick, PickKind } from "../store";
import { painted } from "../style/theme";
import { Eye, MOST_ZOOM, VIEW_ANGLE, type Vector } from "./camera";
import type { Host, Look, Picture, Sight, Wishes } from "./contract";
import { listenTo } from "./gestures";
import { partSeen } from "./picking";
import { Names } from "./names";
import { Pace } from "./pace";
import { Places, unit } from "./places";
import { Drawing } from "./scene";

const MARGIN = 34;
const STEEPEST = Math.PI / 2;

export class SpacePicture implements Picture {
  readonly canvas: HTMLCanvasElement;
  readonly element: HTMLElement;
  readonly renderer: string;
  private readonly eye = new Eye();
  private readonly places: Places;
  private drawing!: Drawing;
  private readonly glass: WebGLRenderer;
  private readonly cameras = { flat: new OrthographicCamera(), deep: new PerspectiveCamera() };
  private readonly names: Names;
  private readonly pace: Pace;
  private readonly gestures: { busy: boolean };
  private wishes: Wishes = { picked: null, following: false, playing: false, names: true, sideForces: true, parallel: false, stretch: 1 };
  private size = "";
  private placed = false;
  private followed = false;
  /** The eye was put where it is: the next drawing leaves it there. */
  private held = false;
  private lost = false;

  constructor(private readonly host: Host) {
    const { result } = host;
    this.canvas = h("canvas", { tabindex: 0, role: "img", class: "stage-canvas space-canvas", "aria-label": `Animation of ${result.header.label} in 3-D` });
    const context = this.canvas.getContext("webgl2", { antialias: !isSlow(), alpha: false, powerPreference: "high-performance" });
    if (!context) throw new Error("WebGL 2 is not available");
    this.glass = new WebGLRenderer({ canvas: this.canvas, context, antialias: !isSlow(), alpha: false });
    this.renderer = rendererOf(context);
    this.pace = new Pace(!isSlow(), () => host.redraw());
    this.places = new Places(result, host.moment);
    painted(() => {
      this.glass.setClearColor(GLASS);
      this.drawing?.remove();
      this.drawing = new Drawing(this.places, host.scale);
    });
    this.names = new Names(this.places);
    this.element = h("div", { class: "space-view" }, this.canvas, ...this.names.elements);
    for (const camera of Object.values(this.cameras)) camera.matrixAutoUpdate = false;
    this.gestures = listenTo(this.canvas, this, (event) => this.clicked(event), (event) => this.hovered(event)); // prettier-ignore
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault(); // it may come back
      this.lost = true;
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      host.redraw();
    });
  }

  get sight(): Sight {
    return this.eye.goal;
  }
  get moving(): boolean {
    return this.eye.moving;
  }
  get grid(): [number, number] {
    return this.drawing.grid;
  }
  get force(): number {
    return this.wishes.sideForces ? this.drawing.force : 0;
  }

  measure(width: number, height: number, ratio: number): void {
    if (!width || !height) return;
    const before = this.eye.width / this.eye.height;
    this.eye.width = width;
    this.eye.height = height;
    this.pace.ratio = ratio;
    this.size = "";
    if (this.placed && Math.abs(width / height - before) > 0.02 * before && !this.eye.sight.shift.some(Boolean)) this.fit(true);
  }

  draw(wishes: Wishes): void {
    if (this.lost || !this.host.result.frames.count) return;
    const now = performance.now();
    const changed = wishes.stretch !== this.wishes.stretch || wishes.parallel !== this.wishes.parallel;
    this.wishes = wishes;
    this.eye.parallel = wishes.parallel;
    this.places.stretch = wishes.stretch;
    const room = this.places.room(this.drawing.half);
    if (!this.placed) {
      this.placed = true;
      this.eye.sight = this.sightFrom("oblique");
    } else if (changed && !this.held && !this.eye.sight.shift.some(Boolean) && !this.followed) this.fit();
    this.eye.tick(now);
    this.follow(room.low, room.high);
    this.held = false;
    if (this.eye.moving) this.host.redraw();
    const { pitch } = this.host.result.header.drive;
    const quickly = wishes.playing || this.eye.moving || this.gestures.busy;
    const seen = (at: Vector): boolean => {
      const [x, y, nearer] = this.eye.project(at);
      const reach = 2 * pitch * this.eye.scaleAt(nearer);
      return x > -reach && y > -reach && x < this.eye.width + reach && y < this.eye.height + reach;
    };
    this.drawing.update(wishes, room, pitch * this.eye.scaleAt(0), quickly && this.pace.slow, seen);
    this.render(now, quickly);
    this.names.show(this.eye, this.drawing.half, wishes.names);
  }

  /** The middle of the picture: of the drive, or what is followed. */
  private follow(low: Vector, high: Vector): void {
    const { picked, following } = this.wishes;
    const place = following && picked && exists(this.host.result, picked) ? this.places.of(picked.kind, picked.index) : null;
    const middle = place && place.every(Number.isFinite) ? place : (low.map((v, k) => (v + high[k]!) / 2) as Vector);
    const is = Boolean(place);
    if (is !== this.followed && this.held) this.followed = is;
    if (is !== this.followed) {
      this.followed = is;
      const { target } = this.eye;
      // what was in the middle stays there when following ends; what is followed comes there
      const shift: Vector = is ? [0, 0, 0] : [target[0] - middle[0], target[1] - middle[1], target[2] - middle[2]];
      this.eye.halt();
      this.eye.sight = { ...this.eye.sight, shift };
      this.host.moved(this.eye.goal);
    }
    this.eye.origin = middle;
  }

  private render(now: number, quickly: boolean): void {
    const { eye, cameras } = this;
    const ratio = this.pace.at(now, quickly);
    const key = `${eye.width} ${eye.height} ${ratio}`;
    if (key !== this.size) {
      this.size = key;
      this.glass.setPixelRatio(ratio);
      this.glass.setSize(eye.width, eye.height, false);
    }
    const camera = eye.parallel ? cameras.flat : cameras.deep;
    const { distance, target, right, up, back } = eye;
    const place = target.map((v, k) => v + distance * back[k]!) as Vector;
    camera.matrix.set(right[0], up[0], back[0], place[0], right[1], up[1], back[1], place[1], right[2], up[2], back[2], place[2], 0, 0, 0, 1);
    camera.matrixWorldNeedsUpdate = true;
    const room = this.places.room(this.drawing.half);
    const depth = 1.5 * Math.hypot(...room.low.map((v, k) => room.high[k]! - v)) + Math.hypot(...eye.sight.shift);
    const half = eye.sight.height / 2;
    const aspect = eye.width / eye.height;
    if (camera === cameras.flat) Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, near: distance - depth, far: distance + depth });
    else Object.assign(camera, { fov: (VIEW_ANGLE * 180) / Math.PI, aspect, near: Math.max(0.02 * distance, distance - depth), far: distance + depth });
    camera.updateProjectionMatrix();
    this.glass.render(this.drawing.scene, camera);
  }

  private at(event: MouseEvent, reach: number): { kind: PickKind; index: number } | null {
    const box = this.canvas.getBoundingClientRect();
    if (!this.host.result.frames.count) return null;
    return partSeen(this.places, this.eye, event.clientX - box.left, event.clientY - box.top, reach, this.drawing.half);
  }

  private clicked(event: MouseEvent): void {
    this.host.picked(this.at(event, window.matchMedia("(pointer: coarse)").matches ? 16 : 7));
  }

  private hovered(event: PointerEvent | null): void {
    const found = event && !this.wishes.playing ? this.at(event, 7) : null;
    this.canvas.style.cursor = this.gestures?.busy ? "grabbing" : found ? "pointer" : "grab";
    this.host.pointed(found, event as PointerEvent);
  }

  /** A view of the whole drive, or along it. */
  private sightFrom(look: Look): Sight {
    const [yaw, pitch] = this.directions(look);
    return { yaw, pitch, height: this.heightFor(yaw, pitch), shift: [0, 0, 0] };
  }

  private heightFor(yaw: number, pitch: number): number {
    const { low, high } = this.places.room(this.drawing.half);
    const middle = low.map((v, k) => (v + high[k]!) / 2) as Vector;
    return this.eye.heightFor(this.places.hull(this.drawing.half), middle, yaw, pitch, Math.min(MARGIN, 0.07 * this.eye.width));
  }

  private directions(look: Look): [number, number] {
    switch (look) {
      case "side":
        return [0, 0];
      case "above":
        return [0, STEEPEST];
      case "oblique":
        return [-0.5, 0.36];
      case "along": {
        const [x, y] = this.lengthways();
        return [Math.atan2(-x, 0) || Math.PI / 2, Math.asin(Math.max(-1, Math.min(1, -y)))];
      }
    }
  }

  /** Along the link that is followed; else along the longest distance between two wheels. */
  private lengthways(): [number, number] {
    const { wheels, links } = this.host.result.header.drive;
    const { moment } = this.host;
    const { picked } = this.wishes;
    let best: [number, number] = [1, 0];
    if (this.followed && picked && (picked.kind === "link" || picked.kind === "roller")) {
      const [a, b] = [this.places.bush(picked.index), this.places.bush((picked.index + 1) % links)];
      best = [b[0] - a[0], b[1] - a[1]];
    } else {
      let far = 0;
      const c = moment.wheelCentre;
      for (let v = 0; v < wheels.length; v++)
        for (let w = v + 1; w < wheels.length; w++) {
          const [x, y] = [c[2 * w]! - c[2 * v]!, c[2 * w + 1]! - c[2 * v + 1]!];
          if (Math.hypot(x, y) > far) [far, best] = [Math.hypot(x, y), [x, y]];
        }
    }
    const [x, y] = unit([best[0], best[1], 0]);
    return [x, y];
  }

  look(from: Look): void {
    const to = this.sightFrom(from);
    if (this.followed) to.height = this.eye.goal.height;
    this.travel(to);
  }

  fit(atOnce = false): void {
    const { yaw, pitch } = this.eye.goal;
    this.travel({ yaw, pitch, height: this.heightFor(yaw, pitch), shift: [0, 0, 0] }, atOnce);
  }

  private travel(to: Sight, atOnce = window.matchMedia("(prefers-reduced-motion: reduce)").matches): void {
    this.eye.go(to, performance.now(), atOnce);
    this.host.moved(to);
    this.host.redraw();
  }

  assume(sight: Sight): void {
    this.eye.halt();
    this.eye.sight = { ...sight };
    this.placed = this.held = true;
    this.host.redraw();
  }

  private change(by: Partial<Sight>): void {
    const now = this.eye.goal;
    this.eye.halt();
    this.eye.sight = { ...now, ...by };
    this.host.moved(this.eye.sight);
    this.host.redraw();
  }

  zoomBy(factor: number): void {
    const room = this.places.room(this.drawing.half);
    const most = 3 * Math.hypot(...room.low.map((v, k) => room.high[k]! - v));
    this.change({ height: Math.min(most, Math.max(most / (3 * MOST_ZOOM), this.eye.goal.height / factor)) });
  }

  panBy(dx: number, dy: number): void {
    const { right, up } = this.eye;
    const scale = this.eye.scaleAt(0);
    const { shift } = this.eye.goal;
    this.change({ shift: shift.map((v, k) => v - (dx / scale) * right[k]! + (dy / scale) * up[k]!) as Vector });
  }

  turnBy(yaw: number, pitch: number): void {
    const now = this.eye.goal;
    this.change({ yaw: now.yaw + yaw, pitch: Math.min(STEEPEST, Math.max(-STEEPEST, now.pitch + pitch)) });
  }

  place(kind: PickKind, index: number): [number, number] | null {
    const pick: Pick = { result: this.host.result.index, kind, index };
    if (!this.host.result.frames.count || !exists(this.host.result, pick) || !placeOf(this.host.result, this.host.moment, pick)) return null;
    const found = this.places.of(kind, index);
    if (!found) return null;
    const [x, y] = this.eye.project(found);
    return [x, y];
  }
}

let slow: boolean | null = null;

/** Whether a processor draws, which smooths no edges in time. */
function isSlow(): boolean {
  if (slow === null) {
    const context = document.createElement("canvas").getContext("webgl2");
    slow = context !== null && /swiftshader|llvmpipe|softpipe|software|basic render/i.test(rendererOf(context));
    context?.getExtension("WEBGL_lose_context")?.loseContext();
  }
  return slow;
}

function rendererOf(context: WebGL2RenderingContext): string {
  const named = context.getExtension("WEBGL_debug_renderer_info");
  return String(context.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : context.RENDERER));
}
