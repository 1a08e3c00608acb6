/** The drawing as a picture and as a video: what the canvases show, with the moment and the scale of the colours under them. */
import { font, INK, PAGE, QUIET } from "../charts/look";
import { withUnit } from "../charts/numbers";
import { scaleFor } from "../format";
import type { Report } from "../data";
import type { Stage } from "../stage/index";
import type { StageView } from "../stage/view";
import { inLight } from "../style/theme";
import { store } from "../store";
import { download, nameOf, pngOf } from "./files";

/** Pixels of a picture for each of the screen. */
const DENSITY = 2;
const GAP = 8;
const FOOT = 46;
const HEAD = 26;
const RATE = 30;
/** Bits for each pixel and second of a video. */
const BITS = 4;

/** Put the views side by side on a canvas, with what is needed to read them. */
function compose(report: Report, canvas: HTMLCanvasElement, views: StageView[], ratio: number): void {
  const { width, height } = views[0]!.camera;
  const across = views.length * width + (views.length - 1) * GAP;
  const [w, h] = [2 * Math.round((across * ratio) / 2), 2 * Math.round(((height + HEAD + FOOT) * ratio) / 2)]; // even, as codecs want it
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = PAGE;
  context.fillRect(0, 0, w, h);
  context.textBaseline = "middle";
  views.forEach((view, k) => {
    const left = k * (width + GAP);
    const picture = view.shownInSpace;
    context.drawImage(picture?.canvas ?? view.canvas, left, HEAD, width, height);
    context.font = font(13, 1, "600");
    context.fillStyle = INK;
    context.textAlign = "left";
    context.fillText(view.result.header.label, left + 10, HEAD / 2, width - 20);
    context.font = font(12, 1);
    for (const name of picture?.element.querySelectorAll<HTMLElement>(".space-name:not([hidden])") ?? []) {
      const at = new DOMMatrix(getComputedStyle(name).transform);
      context.fillText(name.textContent ?? "", left + at.e, HEAD + at.f + 8);
    }
  });
  drawFoot(report, context, views[0]!, across, HEAD + height);
}

function drawFoot(report: Report, context: CanvasRenderingContext2D, view: StageView, across: number, top: number): void {
  const decimals = 6;
  context.font = font(13, 1, "600");
  context.fillStyle = INK;
  context.textAlign = "left";
  context.fillText(`t = ${view.moment.time.toFixed(decimals).replace("-", "−")} s`, 10, top + 16);
  const { low, high, css } = view.colours;
  const wide = Math.min(260, 0.4 * across);
  const left = across - wide - 12;
  css.forEach((colour, k) => {
    context.fillStyle = colour;
    context.fillRect(left + (k * wide) / css.length, top + 9, wide / css.length + 0.5, 11);
  });
  const scale = scaleFor(Math.max(Math.abs(low), Math.abs(high)), "N");
  context.font = font(11, 1);
  context.fillStyle = INK;
  context.fillText(withUnit(low, scale, 3), left, top + 31);
  context.textAlign = "right";
  context.fillText(withUnit(high, scale, 3), left + wide, top + 31);
  context.textAlign = "center";
  context.fillText("tension of the links", left + wide / 2, top + 31);
  context.textAlign = "left";
  context.fillStyle = QUIET;
  if (report.results.length > 1) context.fillText(report.header.title, 10, top + 34, left - 24);
}

export async function downloadDrawing(report: Report, stage: Stage): Promise<void> {
  const canvas = document.createElement("canvas");
  inLight(() => stage.shoot(DENSITY, (views) => compose(report, canvas, views, DENSITY)));
  download(await pngOf(canvas), nameOf(`drawing ${store.time.peek().toPrecision(6)} s`, "png"));
}

/** The kind of video that this browser records, null for none. */
export function videoType(): string | null {
  if (typeof MediaRecorder === "undefined" || typeof HTMLCanvasElement.prototype.captureStream !== "function") return null;
  return ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"].find((type) => MediaRecorder.isTypeSupported(type)) ?? null;
}

export interface Recording {
  stop(): void;
}

/**
 * Play from a moment to another and record it. progress: called with the part that is done. The video is saved at the end, or when it is
 * stopped; done gets the problem, if there was one.
 */
export function recordVideo(report: Report, stage: Stage, [from, to]: readonly [number, number], progress: (part: number) => void, done: (problem: Error | null) => void): Recording {
  const type = videoType();
  if (!type) throw new Error("this browser cannot record videos");
  const canvas = document.createElement("canvas");
  const ratio = window.devicePixelRatio || 1;
  const paint = () => stage.shoot(ratio, (views) => compose(report, canvas, views, ratio));
  stage.player.stop();
  store.time.value = from;
  paint();
  const pieces: Blob[] = [];
  const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: type, videoBitsPerSecond: Math.min(2e7, BITS * canvas.width * canvas.height) });
  recorder.addEventListener("dataavailable", (event) => event.data.size && pieces.push(event.data));
  let ended = false;
  recorder.addEventListener("error", () => end(new Error("the browser stopped recording")));
  recorder.addEventListener("stop", () => {
    if (pieces.length) download(new Blob(pieces, { type: type.split(";")[0]! }), nameOf("animation", type.includes("mp4") ? "mp4" : "webm"));
    done(pieces.length ? null : new Error("the browser recorded nothing"));
  });
  const end = (problem: Error | null = null): void => {
    if (ended) return;
    ended = true;
    if (recorder.state !== "inactive") recorder.stop();
    if (problem) done(problem);
  };
  let before = performance.now();
  const tick = (now: number): void => {
    if (ended) return;
    // a page that was out of sight goes on where it was
    store.time.value = Math.min(to, store.time.peek() + (Math.min(100, now - before) / 1000) * store.speed.peek());
    before = now;
    paint();
    progress((store.time.peek() - from) / Math.max(1e-12, to - from));
    if (store.time.peek() >= to) setTimeout(end, 2000 / RATE);
    else requestAnimationFrame(tick);
  };
  recorder.start(500);
  requestAnimationFrame(tick);
  return { stop: () => end() };
}
