/** One canvas with one result: its camera, its pointer, its drawing. */
import { select } from "d3-selection";
import { zoom as makeZoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from "d3-zoom";
import type { LoadedResult } from "../data";
import { rowsFor } from "../details/numbers";
import { h, setText } from "../dom";
import { decimalsFor, niceStep } from "../format";
import type { Picture, Sight, Studio } from "../space/contract";
import { type Pick, type PickKind, store } from "../store";
import { type ArrowScales, drawBearingForces, drawContactForces, drawMechanismForces, zoomFactor } from "./arrows";
import { type Brush, inPixels } from "./brush";
import { Camera } from "./camera";
import { drawChain } from "./chain";
import { HALO, INK, PAGE, type TensionScale } from "./colours";
import { Course, drawEnlarged } from "./enlargement";
import { Labels, type Standing } from "./labels";
import { drawBodies, drawGuides, drawTensioners } from "./mechanism";
import { Moment } from "./moment";
import { exists, KINDS, placeOf, titleOf } from "./parts";
import { Outline } from "./paths";
import { partAt } from "./picking";
import { AboveView } from "./above";
import { settings } from "./settings";
import { drawGravity, drawWheels } from "./wheels";

const MARGIN = 38;

/** Stroke the path with a light edge, so that it can be seen on anything. */
function haloed(context: CanvasRenderingContext2D, edge: number): void {
  const { lineWidth, strokeStyle } = context;
  context.lineWidth = lineWidth + edge;
  context.strokeStyle = HALO;
  context.stroke();
  context.lineWidth = lineWidth;
  context.strokeStyle = strokeStyle;
  context.stroke();
}

declare global {
  interface Window {
    /** Left by the script of the drawing in space, on pages that hold it. */
    chaindriveSpace?: Studio;
  }
}

export const MOST_ZOOM = 400;

export class StageView {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly remark: HTMLElement;
  private readonly tip = h("div", { class: "stage-tip", "aria-hidden": "true" });
  readonly camera = new Camera();
  readonly moment: Moment;
  readonly zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  private readonly brush: Brush;
  private readonly course: Course;
  private readonly labels: Labels;
  /** True after the pointer has moved over the canvas since the page was scrolled: then the wheel zooms. */
  private armed = false;
  /** On paper the drive is in the plane, and all of it is there. */
  private paper: { zoom: ZoomTransform } | null = null;
  /** Of a variator. */
  private readonly above: AboveView | null;
  /** The drawing in space, once it was asked for. */
  space: Picture | null = null;

  constructor(
    readonly result: LoadedResult,
    scale: TensionScale,
    private readonly live: boolean,
    private readonly onZoom: (view: StageView, transform: ZoomTransform) => void,
  ) {
    const drive = result.header.drive;
    this.canvas = h("canvas", { tabindex: 0, role: "img", class: "stage-canvas", "aria-label": `Animation of ${result.header.label}` });
    this.remark = h("div", { class: "stage-remark" });
    this.tip.hidden = true;
    this.above = drive.sheaves && new AboveView(result, drive.sheaves, scale);
    this.element = h("figure", { class: "stage-view" }, this.canvas, this.tip, this.remark, ...(this.above ? [this.above.canvas] : []));
    this.moment = new Moment(drive, drive.plates && result.array(drive.plates.clearance));
    const context = this.canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("this browser cannot draw on a canvas");
    this.brush = {
      context,
      ratio: 1,
      camera: this.camera,
      result,
      moment: this.moment,
      scale,
      wheels: drive.wheels.map((wheel) => new Outline(result.array(wheel.outline))),
      cogs: drive.wheels.map((wheel) => wheel.cogs.map((cog) => new Outline(result.array(cog.outline)))),
      surfaces: drive.guides.map((guide) => new Outline(result.array(guide.surface), false)),
      strips: drive.guides.map((guide) => new Outline(result.array(guide.strip))),
      picked: null,
    };
    this.camera.zoom = zoomIdentity;
    this.course = new Course(result);
    this.labels = new Labels(this.brush, this.course);
    this.zoom = makeZoom<HTMLCanvasElement, unknown>()
      .scaleExtent([1, MOST_ZOOM])
      .filter((event: Event) => this.wanted(event))
      .on("zoom", (event: { transform: ZoomTransform }) => {
        this.assume(store.following.value ? this.centred(event.transform.k) : event.transform);
        this.onZoom(this, this.camera.zoom as ZoomTransform);
      });
    select(this.canvas).call(this.zoom).on("dblclick.zoom", null);
    this.pointer();
  }

  /** Which gestures are for the drawing; all others are the page's (scrolling, pinching the page out). */
  private wanted(event: Event): boolean {
    const k = this.camera.zoom.k;
    if (event instanceof WheelEvent) {
      if (!this.armed && !event.ctrlKey && !event.metaKey) return false;
      return event.deltaY < 0 ? k < MOST_ZOOM : k > 1;
    }
    if ("touches" in event) return k > 1 || (event as TouchEvent).touches.length > 1;
    return !(event as MouseEvent).button && !(event as MouseEvent).ctrlKey;
  }

  private pointer(): void {
    const { canvas } = this;
    window.addEventListener("scroll", () => (this.armed = false), { passive: true });
    canvas.addEventListener("pointermove", (event) => {
      if (event.movementX || event.movementY) this.armed = true;
      if (event.pointerType !== "mouse") return;
      const found = event.buttons ? null : this.under(event, 7);
      canvas.style.cursor = event.buttons ? "grabbing" : found ? "pointer" : "default";
      this.showTip(found, event);
    });
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    canvas.addEventListener("pointerdown", () => {
      this.armed = true;
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener("click", (event) => {
      const coarse = window.matchMedia("(pointer: coarse)").matches;
      const found = this.under(event, coarse ? 16 : 7);
      store.picked.value = found ? { result: this.result.index, ...found } : null;
    });
    canvas.addEventListener("dblclick", (event) => {
      const box = canvas.getBoundingClientRect();
      this.zoom.scaleBy(select(canvas), event.shiftKey ? 0.5 : 2, [event.clientX - box.left, event.clientY - box.top]);
    });
  }

  /** The scale of the colours. */
  get colours(): TensionScale {
    return this.brush.scale;
  }

  /** Whether the result has links in space. */
  get spatial(): boolean {
    return this.result.header.drive.space !== null && window.chaindriveSpace !== undefined;
  }

  /** Make the drawing in space. Throws where the browser cannot. */
  openSpace(redraw: () => void, moved: (source: StageView, sight: Sight) => void): void {
    if (this.space || !this.spatial) return;
    const { result, moment } = this;
    this.space = window.chaindriveSpace!.open({
      result,
      moment,
      scale: this.brush.scale,
      redraw,
      moved: (sight) => moved(this, sight),
      picked: (found) => (store.picked.value = found ? { result: result.index, ...found } : null),
      pointed: (found, event) => this.showTip(found, event),
    });
    this.canvas.after(this.space.element);
    this.space.measure(this.camera.width, this.camera.height, this.brush.ratio);
  }

  /** The drawing in space, while it is the one shown. */
  get shownInSpace(): Picture | null {
    return settings.inSpace.value ? this.space : null;
  }

  /** Name and first number of the part under the pointer, beside it. */
  private showTip(found: ReturnType<typeof partAt>, event: PointerEvent): void {
    this.tip.hidden = found === null;
    if (!found) return;
    const pick = { result: this.result.index, ...found };
    const first = rowsFor(this.result, this.moment, pick)[0];
    setText(this.tip, `${titleOf(this.result, pick)}${first ? ` · ${first.label.toLowerCase()} ${first.value}` : ""}`);
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, box.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${y + 22 + this.tip.offsetHeight > box.height ? y - this.tip.offsetHeight - 8 : y + 18}px`;
  }

  /** Where a part is on the canvas [px], null when not known. */
  pixelOf(kind: string, index: number): [number, number] | null {
    if (this.shownInSpace) return KINDS.includes(kind as PickKind) ? this.shownInSpace.place(kind as PickKind, index) : null;
    const pick = { result: this.result.index, kind: kind as PickKind, index };
    const place = this.result.frames.count && KINDS.includes(pick.kind) && exists(this.result, pick) ? placeOf(this.result, this.moment, pick) : null;
    return place ? [this.camera.x(place[0]), this.camera.y(place[1])] : null;
  }

  private under(event: MouseEvent, reach: number): ReturnType<typeof partAt> {
    if (!this.result.frames.count) return null;
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.camera.world(event.clientX - box.left, event.clientY - box.top);
    return partAt(this.result, this.moment, x, y, this.camera.scale, reach);
  }

  /** Take a size in CSS pixels, with so many pixels of the canvas for each. */
  measure(width: number, height: number, extent: readonly number[], ratio: number): void {
    if (!width || !height) return;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    this.brush.ratio = ratio;
    this.camera.width = width;
    this.camera.height = height;
    this.camera.fit(extent, Math.min(MARGIN, 0.09 * width));
    this.zoom.extent([[0, 0], [width, height]]); // prettier-ignore
    this.space?.measure(width, height, ratio);
    this.above?.measure(width, ratio);
  }

  /** Factor on the usual length of arrows: what the reader set, and the zoom. */
  get arrowFactor(): number {
    return settings.arrows.value * zoomFactor(this.camera.zoom.k);
  }

  /** Put a point of the drawing into the middle, at the same zoom; null: the origin (what is followed). */
  centre(point: readonly [number, number] | null): void {
    const { camera } = this;
    const k = camera.zoom.k;
    const [x, y] = point ? [point[0] - camera.origin[0], camera.origin[1] - point[1]] : [0, 0];
    this.zoomTo(zoomIdentity.translate(camera.width / 2, camera.height / 2).scale(k).translate(-camera.width / 2 - x * camera.fitScale, -camera.height / 2 - y * camera.fitScale));
  }

  /** The zoom by a factor that leaves in the middle what is there at the fit: what is followed. */
  private centred(k: number): ZoomTransform {
    const { width, height } = this.camera;
    return zoomIdentity.translate((1 - k) * (width / 2), (1 - k) * (height / 2)).scale(k);
  }

  /** Whether it is drawn for paper: in the plane, all of it, as it is seen without zoom; afterwards as before. */
  get printing(): boolean {
    return this.paper !== null;
  }
  set printing(on: boolean) {
    if (on === this.printing) return;
    const kept = this.paper?.zoom;
    this.paper = on ? { zoom: this.camera.zoom as ZoomTransform } : null;
    this.assume(on ? zoomIdentity : kept!);
  }

  /** Take over a zoom, such as that of another canvas. */
  assume(transform: ZoomTransform): void {
    this.camera.zoom = transform;
    this.canvas.classList.toggle("zoomed", transform.k > 1.001);
    (this.canvas as HTMLCanvasElement & { __zoom?: ZoomTransform }).__zoom = transform;
  }

  zoomTo(transform: ZoomTransform): void {
    this.zoom.transform(select(this.canvas), transform);
  }

  /** Zoom about the middle by a factor; move by pixels. */
  zoomBy(factor: number): void {
    this.zoom.scaleBy(select(this.canvas), factor);
  }
  panBy(dx: number, dy: number): void {
    const k = this.camera.zoom.k;
    this.zoom.translateBy(select(this.canvas), dx / k, dy / k);
  }
  fit(): void {
    this.zoomTo(zoomIdentity);
  }

  /** Draw in space what is set to be drawn there; whether it was. */
  private drawInSpace(gliding: boolean, picked: Pick | null, following: boolean): boolean {
    const picture = this.shownInSpace;
    this.element.classList.toggle("in-space", picture !== null);
    if (!picture) return false;
    const { parallel, stretch, labels, sideForces } = settings;
    const mine = picked && exists(this.result, picked) ? picked : null;
    picture.draw({ picked: mine, following, playing: gliding, names: labels.value, sideForces: sideForces.value, parallel: parallel.value, stretch: stretch.value });
    return true;
  }

  /** Put everything where it is at a time; between two frames while it plays. */
  at(time: number, gliding: boolean): void {
    const { moment, result } = this;
    if (gliding) moment.glide(result.frames, time);
    else moment.stand(result.frames, time);
    if (!this.shownInSpace || this.printing) this.course.enlarge(moment, settings.enlarged.value);
  }

  /** The labels that were drawn last. */
  get standing(): Standing[] {
    return this.labels.standing;
  }

  /** Draw the moment at which everything was put. */
  draw(gliding: boolean, picked: Pick | null, following: boolean, arrows: ArrowScales, extent: readonly number[]): void {
    const { brush, camera, moment, result } = this;
    const { context } = brush;
    const frames = result.frames;
    if (frames.count && !this.printing && this.drawInSpace(gliding, picked, following)) return;
    brush.picked = picked && exists(result, picked) ? picked : null;
    const followed = following && !this.printing && brush.picked && frames.count ? placeOf(result, moment, brush.picked) : null;
    if (followed && Number.isFinite(followed[0] + followed[1])) camera.origin = followed;
    else camera.origin = [(extent[0]! + extent[1]!) / 2, (extent[2]! + extent[3]!) / 2];
    inPixels(brush);
    context.fillStyle = PAGE;
    context.fillRect(0, 0, camera.width, camera.height);
    if (!frames.count) {
      context.fillStyle = INK;
      context.font = "14px system-ui, sans-serif";
      context.textAlign = "center";
      context.fillText(result.header.frames?.kept === 0 && !this.live ? "No animation: the run did not keep the roller positions" : "Waiting for the first frame", camera.width / 2, camera.height / 2);
      return;
    }
    this.above?.draw(moment);
    const enlarged = this.course.known ? settings.enlarged.value : 1;
    drawWheels(brush);
    drawGuides(brush);
    if (enlarged > 1) this.course.draw(brush);
    drawChain(brush);
    if (settings.contactForces.value) drawContactForces(brush, arrows.contact.perNewton(this.arrowFactor));
    drawBodies(brush);
    drawTensioners(brush);
    if (settings.bearingForces.value) drawBearingForces(brush, arrows.bearing.perNewton(this.arrowFactor));
    if (settings.mechanismForces.value) drawMechanismForces(brush, arrows.mechanism.perNewton(this.arrowFactor));
    this.labels.draw(brush, Boolean(followed), arrows.contact.perNewton(this.arrowFactor));
    if (enlarged > 1) drawEnlarged(brush, enlarged);
    drawGravity(brush);
    this.drawScaleBar();
  }

  private drawScaleBar(): void {
    const { context } = this.brush;
    const { width, height, scale } = this.camera;
    const most = Math.min(150, 0.3 * width);
    const length = niceStep(most / scale, 1.45);
    const pixels = length * scale;
    const [x, y] = [12, height - 14];
    inPixels(this.brush);
    context.strokeStyle = INK;
    context.fillStyle = INK;
    context.lineWidth = 1.2;
    context.lineCap = "butt";
    context.beginPath();
    context.moveTo(x, y - 4);
    context.lineTo(x, y);
    context.lineTo(x + pixels, y);
    context.lineTo(x + pixels, y - 4);
    haloed(context, 3);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "bottom";
    const label = length >= 1 ? `${length.toFixed(0)} m` : `${(length * 1000).toFixed(decimalsFor(length * 1000))} mm`;
    context.lineWidth = 3.5;
    context.strokeStyle = HALO;
    context.strokeText(label, x + 5, y - 4);
    context.fillText(label, x + 5, y - 4);
  }
}
