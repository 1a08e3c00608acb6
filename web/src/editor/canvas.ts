/** The canvas: pan and zoom, parts picked, placed and moved with mouse, finger and keyboard, the route by clicks. */
import { effect, signal } from "@preact/signals-core";
import { h } from "../dom";
import { Camera } from "../stage/camera";
import { distanceToSegment } from "../stage/picking";
import { painted } from "../style/theme";
import type { Point } from "../types";
import { draw, type Standing, standingOf } from "./drawing";
import { edit, lookAhead, nameOf, partOf, preview, samePath, selected, shown, state, valueAt } from "./session";
import { newPart, type PlacedKind, POINTS_OF } from "./placing";
import type { Change, Path, Sketch } from "./types";
import { Underlay } from "./underlay";

/** What a click does: pick, place a part, put a torque on a wheel, number the wheels of a route, or give the scale of the picture beneath. */
export type Tool = "select" | PlacedKind | "torque" | "route" | "scale";

const REACH = 10;
const MARGIN = 48;
const MOST_ZOOM = 400;

interface Drag {
  /** The points that move, with their places at the beginning. */
  moved: { path: Path; at: Point }[];
  /** The point that snaps. */
  lead: Point;
  from: Point;
  to: Point;
  label: string;
  begun: boolean;
}

export const tool = signal<Tool>("select");
/** Points [m] clicked for a part or a scale. */
export const points = signal<Point[]>([]);
export const route = signal<Path[] | null>(null);
/** Step to which points snap [m]; 0: none. */
export const step = signal(0.001);

function isWheel(path: Path | null): path is Path {
  return path !== null && valueAt(partOf(path)) !== undefined && partOf(path).includes("wheels");
}

export class Board {
  readonly canvas = h("canvas", { tabindex: 0, class: "board", role: "application", "aria-label": "Drawing of the drive. Arrow keys move the selected part, Delete removes it, Page Up and Page Down select the next one, question mark lists all keys." });
  readonly camera = new Camera();
  readonly underlay: Underlay;
  private readonly context: CanvasRenderingContext2D;
  private standing: Standing[] = [];
  private hovered: Path | null = null;
  private aligned: { x?: number; y?: number } = {};
  private drag: Drag | null = null;
  private panned: { x: number; y: number } | null = null;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private waiting = false;
  private fitted = "";
  private ratio = 1;

  constructor(
    name: string,
    private readonly colours: string[],
    private readonly scaled: (first: Point, second: Point) => void,
    private readonly loaded: (wheel: Path) => void,
  ) {
    const context = this.canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("this browser cannot draw on a canvas");
    this.context = context;
    this.underlay = new Underlay(name, () => this.redraw());
    new ResizeObserver(() => this.measure()).observe(this.canvas);
    this.pointer();
    this.keys();
    effect(() => void this.load());
    effect(() => {
      void [preview.value, selected.value, points.value, route.value, tool.value];
      this.redraw();
    });
    painted(() => this.redraw());
  }

  /** The sketch that is drawn: of what is being dragged, or of the file. */
  get sketch(): Sketch | null {
    return preview.value ?? shown.value?.sketch ?? null;
  }

  /** Take the pictures of the file, at rest with tensions once they are known. */
  private async load(): Promise<void> {
    const [now, check] = [shown.value, state.value?.tasks.check];
    const revision = state.value?.revision;
    if (!now) return;
    const checked = check?.state === "done" && check.revision === revision && check.result?.pictures.length ? check.result.pictures : null;
    const standing = await Promise.all((checked ?? now.pictures).map((picture) => standingOf(picture, this.colours)));
    if (now !== shown.value) return;
    this.standing = standing;
    const extent = this.extent();
    if (extent && !this.fitted) {
      this.fitted = "once";
      this.fit();
    }
    this.redraw();
  }

  private extent(): number[] | null {
    const sketch = shown.value?.sketch;
    if (!sketch) return null;
    const at = [...sketch.handles.map((handle) => handle.at), ...sketch.wheels.flatMap(({ centre: [x, y], radius: r }): Point[] => [[x - r, y - r], [x + r, y + r]])]; // prettier-ignore
    for (const { result } of this.standing) {
      const [left, right, bottom, top] = result.header.drive.extent;
      at.push([left!, bottom!], [right!, top!]);
    }
    const beneath = this.underlay.visible ? this.underlay.extent : null;
    if (beneath) at.push([beneath[0]!, beneath[2]!], [beneath[1]!, beneath[3]!]);
    if (!at.length) return null;
    const [xs, ys] = [at.map(([x]) => x), at.map(([, y]) => y)];
    return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  }

  fit(): void {
    const extent = this.extent() ?? [-0.25, 0.25, -0.2, 0.2];
    this.camera.fit(extent, Math.min(MARGIN, 0.1 * this.camera.width));
    this.camera.zoom = { k: 1, x: 0, y: 0 };
    this.redraw();
  }

  /** Zoom by a factor about a point of the canvas, by default its middle. */
  zoomBy(factor: number, x = this.camera.width / 2, y = this.camera.height / 2): void {
    const { zoom } = this.camera;
    const k = Math.min(MOST_ZOOM, Math.max(0.05, zoom.k * factor));
    const by = k / zoom.k;
    this.camera.zoom = { k, x: x - by * (x - zoom.x), y: y - by * (y - zoom.y) };
    this.redraw();
  }

  private panBy(dx: number, dy: number): void {
    const { k, x, y } = this.camera.zoom;
    this.camera.zoom = { k, x: x + dx, y: y + dy };
    this.redraw();
  }

  private measure(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    const first = this.camera.width !== width || this.camera.height !== height;
    this.camera.width = width;
    this.camera.height = height;
    if (first) this.fit();
    this.paint();
  }

  redraw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    this.waiting = false;
    const sketch = this.sketch;
    if (!sketch) return;
    const { hovered, aligned, underlay } = this;
    const standing = preview.value ? [] : this.standing;
    draw(this.context, this.ratio, this.camera, { sketch, standing, selected: selected.value, hovered, aligned, route: route.value, points: points.value, underlay });
  }

  private worldOf(event: MouseEvent): Point {
    const box = this.canvas.getBoundingClientRect();
    return this.camera.world(event.clientX - box.left, event.clientY - box.top);
  }

  /** The nearest round point, or one in line with another point. */
  private snapped([x, y]: Point, without: Path[] = []): Point {
    const near = 6 / this.camera.scale;
    const others = (shown.value?.sketch.handles ?? []).filter((handle) => !without.some((path) => samePath(path, handle.path)));
    const nearest = (axis: 0 | 1, value: number): number | undefined => {
      const found = others.map(({ at }) => at[axis]).filter((other) => Math.abs(other - value) < near);
      return found.sort((a, b) => Math.abs(a - value) - Math.abs(b - value))[0];
    };
    const [ax, ay] = step.value ? [nearest(0, x), nearest(1, y)] : [undefined, undefined];
    this.aligned = { ...(ax === undefined ? {} : { x: ax }), ...(ay === undefined ? {} : { y: ay }) };
    const round = (value: number): number => (step.value ? Math.round(value / step.value) * step.value : value);
    return [ax ?? round(x), ay ?? round(y)];
  }

  /** The part or point under a place of the drawing: points first, then wheels, rails, tensioners and bodies. */
  private under([x, y]: Point, reach: number): Path | null {
    const sketch = this.sketch;
    if (!sketch) return null;
    const near = reach / this.camera.scale;
    const handle = sketch.handles.map(({ path, at }) => ({ path, far: Math.hypot(at[0] - x, at[1] - y) })).sort((a, b) => a.far - b.far)[0];
    if (handle && handle.far < near) return handle.path;
    const wheel = sketch.wheels.filter(({ centre, radius, path }) => path && Math.hypot(centre[0] - x, centre[1] - y) < radius).sort((a, b) => a.radius - b.radius)[0];
    if (wheel) return wheel.path;
    const bars = sketch.bodies.flatMap(({ path, bars }) => (path ? bars.map((surface) => ({ path, surface })) : []));
    for (const { path, surface } of [...sketch.rails, ...sketch.forces.map(({ path, ends }) => ({ path, surface: ends })), ...bars])
      for (let k = 1; k < surface.length; k++) if (distanceToSegment(x, y, ...surface[k - 1]!, ...surface[k]!) < near) return path;
    return null;
  }

  private pointer(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.up(event, true));
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = canvas.getBoundingClientRect();
        this.zoomBy(Math.exp(-0.0015 * event.deltaY), event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false },
    );
  }

  private down(event: PointerEvent): void {
    if (event.button > 1) return;
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size > 1) {
      this.cancelDrag();
      return;
    }
    const at = this.worldOf(event);
    const found = this.under(at, event.pointerType === "mouse" ? REACH : 2 * REACH);
    this.panned = { x: event.clientX, y: event.clientY };
    if (tool.value !== "select" || event.button === 1) return;
    if (found) {
      selected.value = partOf(found);
      this.begin(found, at);
    }
  }

  private begin(found: Path, at: Point): void {
    const handles = shown.value?.sketch.handles ?? [];
    const moved = handles.filter(({ path }) => found.every((each, k) => each === path[k]));
    const lead = moved[0]?.at;
    if (lead) this.drag = { moved, lead, from: at, to: lead, label: `move ${nameOf(partOf(found))}`, begun: false };
  }

  private move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (this.fingers.size === 2 && before) {
      this.pinch(event, before);
      return;
    }
    const at = this.worldOf(event);
    if (!this.fingers.size) {
      this.hover(at);
      return;
    }
    if (this.drag) {
      const { from, lead, moved } = this.drag;
      if (!this.drag.begun && Math.hypot(at[0] - from[0], at[1] - from[1]) * this.camera.scale < 3) return;
      this.drag.begun = true;
      const paths = moved.map(({ path }) => path);
      this.drag.to = event.altKey ? [lead[0] + at[0] - from[0], lead[1] + at[1] - from[1]] : this.snapped([lead[0] + at[0] - from[0], lead[1] + at[1] - from[1]], paths);
      void this.ahead();
      this.redraw();
    } else if (this.panned && (tool.value === "select" || event.buttons === 4 || this.far(event))) {
      this.panBy(event.clientX - this.panned.x, event.clientY - this.panned.y);
      this.panned = { x: event.clientX, y: event.clientY };
      this.hasPanned = true;
    }
  }

  private hasPanned = false;

  private far(event: PointerEvent): boolean {
    const start = this.fingers.get(event.pointerId);
    return this.hasPanned || (start !== undefined && Math.hypot(event.clientX - start.x, event.clientY - start.y) > 12);
  }

  private pinch(event: PointerEvent, before: { x: number; y: number }): void {
    const other = [...this.fingers.entries()].find(([id]) => id !== event.pointerId)![1];
    const box = this.canvas.getBoundingClientRect();
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(event.clientX - other.x, event.clientY - other.y)];
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.panBy((event.clientX - before.x) / 2, (event.clientY - before.y) / 2);
    if (was > 0) this.zoomBy(is / was, (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top);
    this.hasPanned = true;
  }

  private hover(at: Point): void {
    const found = this.under(at, REACH);
    this.canvas.style.cursor = tool.value !== "select" ? "crosshair" : found ? "move" : "default";
    if (!samePath(found, this.hovered)) {
      this.hovered = found;
      this.redraw();
    }
  }

  private up(event: PointerEvent, cancelled = false): void {
    const wasPanning = this.hasPanned;
    this.fingers.delete(event.pointerId);
    if (this.fingers.size) return;
    this.hasPanned = false;
    this.panned = null;
    const drag = this.drag;
    this.drag = null;
    this.aligned = {};
    if (drag?.begun && !cancelled) {
      void edit(this.changes(drag), drag.label).then((done) => {
        if (!done) preview.value = null;
      });
    } else if (!cancelled && !wasPanning) this.click(event);
    this.redraw();
  }

  private cancelDrag(): void {
    this.drag = null;
    this.aligned = {};
    preview.value = null;
  }

  private changes({ moved, lead, to }: Drag): Change[] {
    return moved.map(({ path, at }) => ({ kind: "set", path, value: [at[0] + to[0] - lead[0], at[1] + to[1] - lead[1]], metres: true }));
  }

  private asking = false;

  /** The geometry of what is dragged; one request at a time, the newest place last. */
  private async ahead(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    while (this.drag) {
      const { drag } = this;
      const place = drag.to;
      const sketch = await lookAhead(this.changes(drag));
      if (this.drag !== drag) break;
      if (sketch) preview.value = sketch;
      if (drag.to === place) break;
    }
    this.asking = false;
  }

  private click(event: PointerEvent): void {
    const at = this.worldOf(event);
    const found = this.under(at, event.pointerType === "mouse" ? REACH : 2 * REACH);
    switch (tool.value) {
      case "select":
        selected.value = found ? partOf(found) : null;
        return;
      case "route":
        if (isWheel(found)) this.number(partOf(found));
        return;
      case "torque":
        if (isWheel(found)) this.loaded(partOf(found));
        return;
      case "scale":
        points.value = [...points.value, at];
        if (points.value.length === 2) this.scaled(points.value[0]!, points.value[1]!);
        return;
      default:
        this.place(tool.value, this.snapped(at));
        this.aligned = {};
    }
  }

  /** A wheel clicked while the route is drawn: the next one; a second time in a row, its side changes. */
  private number(path: Path): void {
    const order = route.value ?? [];
    if (samePath(order[order.length - 1] ?? null, path)) {
      const back = valueAt([...path, "side"]) === "back";
      void edit([{ kind: "set", path: [...path, "side"], value: back ? "front" : "back" }], `change side of ${nameOf(path)}`);
    } else if (!order.some((each) => samePath(each, path))) route.value = [...order, path];
  }

  /** Sort the wheels as they were clicked; those that were not stay behind them. */
  finishRoute(): void {
    const order = (route.value ?? []).map((path) => Number(path[path.length - 1]));
    const list = route.value?.[0]?.slice(0, -1);
    route.value = null;
    tool.value = "select";
    if (!list || order.length < 2) return;
    const now = (valueAt(list) as unknown[]).map((_, k) => k);
    const changes: Change[] = [];
    order.forEach((wheel, to) => {
      const from = now.indexOf(wheel);
      if (from === to) return;
      now.splice(to, 0, ...now.splice(from, 1));
      changes.push({ kind: "move", path: [...list, from], to });
    });
    selected.value = null;
    if (changes.length) void edit(changes, "draw the route");
  }

  /** A click of a tool that places a part; with its last point the part is added. */
  private place(kind: PlacedKind, at: Point): void {
    points.value = [...points.value, at];
    if (points.value.length < POINTS_OF[kind]) return;
    const { change, path, label } = newPart(kind, points.value, this.sketch!);
    points.value = [];
    tool.value = "select";
    void edit([change], label).then((done) => {
      if (done) selected.value = path;
    });
  }

  private keys(): void {
    this.canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = (event.shiftKey ? 10 : 1) * (step.value || 0.0001);
      const arrows: Record<string, Point> = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] };
      const move = arrows[event.key];
      if (move) this.nudge(move);
      else if (event.key === "Delete" || event.key === "Backspace") this.remove();
      else if (event.key === "PageDown") this.next(1);
      else if (event.key === "PageUp") this.next(-1);
      else if (event.key === "Enter" && tool.value === "route") this.finishRoute();
      else if (event.key === "Enter" && tool.value === "torque" && isWheel(selected.value)) this.loaded(selected.value);
      else if (event.key === "+") this.zoomBy(1.25);
      else if (event.key === "-") this.zoomBy(0.8);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    });
  }

  /** Give up what has been begun. */
  escape(): void {
    this.cancelDrag();
    points.value = [];
    route.value = null;
    tool.value = "select";
  }

  private nudge([dx, dy]: Point): void {
    const part = selected.value;
    const handles = (shown.value?.sketch.handles ?? []).filter(({ path }) => part?.every((each, k) => each === path[k]));
    if (!part || !handles.length) {
      this.panBy(dx ? -40 * Math.sign(dx) : 0, dy ? 40 * Math.sign(dy) : 0);
      return;
    }
    void edit(handles.map(({ path, at }) => ({ kind: "set", path, value: [at[0] + dx, at[1] + dy], metres: true })), `move ${nameOf(part)}`, true); // prettier-ignore
  }

  remove(): void {
    const part = selected.value;
    if (!part || part.length < 2) return;
    const label = `remove ${nameOf(part)}`;
    selected.value = null;
    void edit([{ kind: "remove", path: part }], label);
  }

  /** A copy of the selected part beside it, with a name of its own. */
  copy(): void {
    const part = selected.value;
    const value = part && (valueAt(part) as Record<string, unknown> | undefined);
    if (!part || part.length < 2 || !value) return;
    const list = part.slice(0, -1);
    const names = (valueAt(list) as { name?: string }[]).map((each) => each.name);
    let name = `${String(value.name ?? list[list.length - 1])} copy`;
    for (let k = 2; names.includes(name); k++) name = `${String(value.name)} copy ${k}`;
    const at = Number(part[part.length - 1]) + 1;
    const by = Math.max(10 * step.value, 24 / this.camera.scale);
    const shift = (shown.value?.sketch.handles ?? []).filter(({ path }) => part.every((each, k) => each === path[k]));
    const path = [...list, at];
    const moves = shift.map(({ path: from, at: [x, y] }): Change => ({ kind: "set", path: [...path, ...from.slice(part.length)], value: [x + by, y], metres: true }));
    void edit([{ kind: "add", path: list, value: { ...value, name }, to: at }, ...moves], `copy ${nameOf(part)}`).then((done) => {
      if (done) selected.value = path;
    });
  }

  private next(by: number): void {
    const parts: Path[] = [];
    for (const { path } of shown.value?.sketch.handles ?? []) {
      const part = partOf(path);
      if (!parts.some((each) => samePath(each, part))) parts.push(part);
    }
    if (!parts.length) return;
    const now = parts.findIndex((each) => samePath(each, selected.value));
    selected.value = parts[(now + by + parts.length) % parts.length] ?? null;
  }
}
