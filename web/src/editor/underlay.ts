/** A photo, or the lines of a DXF or SVG, beneath the drive; two points of known distance bring it to scale. It stays in this browser. */
import { INK } from "../stage/colours";
import type { Camera } from "../stage/camera";
import type { Point } from "../types";

const KEPT = "chaindrive-underlay";
/** Characters of a picture up to which it is kept for the next time the page is opened. */
const LARGEST = 3_000_000;

/** What lies beneath: a picture as a data address, or lines with points in m. */
type Content = { data: string; lines?: undefined } | { lines: Point[][]; data?: undefined };
type Kept = Content & { scale: number; corner: Point; opacity: number; visible: boolean };

/** What is drawn: size in its own units (pixels or m), from its lower left corner or its origin. */
interface Ready {
  content: Content;
  /** left, right, bottom, top */
  bounds: [number, number, number, number];
  paint: (context: CanvasRenderingContext2D) => void;
}

export class Underlay {
  private ready: Ready | null = null;
  /** Metres per unit of the content, and the place of its origin. */
  private scale = 0.001;
  private corner: Point = [0, 0];
  opacity = 0.5;
  visible = true;

  constructor(
    private readonly file: string,
    private readonly redraw: () => void,
  ) {
    try {
      const kept = JSON.parse(localStorage.getItem(`${KEPT} ${file}`) ?? "null") as Kept | null;
      if (kept) {
        [this.scale, this.corner, this.opacity, this.visible] = [kept.scale, kept.corner, kept.opacity, kept.visible ?? true];
        if (kept.lines) this.show(linesReady(kept.lines));
        else pictureReady(kept.data).then((ready) => this.show(ready), () => undefined); // prettier-ignore
      }
    } catch {
      // a page that may keep nothing begins without a picture
    }
  }

  /** Where it lies [m]: left, right, bottom, top; null without anything. */
  get extent(): number[] | null {
    if (!this.ready) return null;
    const [left, right, bottom, top] = this.ready.bounds;
    const { scale, corner: [x, y] } = this; // prettier-ignore
    return [x + scale * left, x + scale * right, y + scale * bottom, y + scale * top];
  }

  /** Metres per unit of the content, and where its origin is [m]. */
  get place(): { scale: number; origin: Point } {
    return { scale: this.scale, origin: this.corner };
  }

  /** Take a picture; it first fills a width about a centre [m]. Throws if the browser cannot show it. */
  async takePicture(file: File, centre: Point, width: number): Promise<void> {
    const ready = await pictureReady(await dataAddress(file));
    const [, across, , up] = ready.bounds;
    this.scale = width / across;
    this.corner = [centre[0] - width / 2, centre[1] - (up * this.scale) / 2];
    this.show(ready);
    this.keep();
  }

  /** Take lines with points in m; their origin is that of the drive. */
  takeLines(lines: Point[][]): void {
    this.scale = 1;
    this.corner = [0, 0];
    this.show(linesReady(lines));
    this.keep();
  }

  private show(ready: Ready): void {
    this.ready = ready;
    this.redraw();
  }

  /** Two points of the drawing as it lies now are so far apart [m]; the first one is at a place. */
  fit(first: Point, second: Point, distance: number, place: Point): void {
    const factor = distance / Math.hypot(second[0] - first[0], second[1] - first[1]);
    if (!Number.isFinite(factor) || factor <= 0) return;
    this.corner = [place[0] - factor * (first[0] - this.corner[0]), place[1] - factor * (first[1] - this.corner[1])];
    this.scale *= factor;
    this.keep();
    this.redraw();
  }

  remove(): void {
    this.ready = null;
    this.keep();
    this.redraw();
  }

  keep(): void {
    try {
      const { ready, scale, corner, opacity, visible } = this;
      const kept = ready ? JSON.stringify({ ...ready.content, scale, corner, opacity, visible }) : "";
      if (kept && kept.length < LARGEST) localStorage.setItem(`${KEPT} ${this.file}`, kept);
      else localStorage.removeItem(`${KEPT} ${this.file}`);
    } catch {
      // too large for this browser: there for as long as the page is open
    }
  }

  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    if (!this.ready || !this.visible) return;
    const { scale, corner, opacity } = this;
    context.save();
    context.globalAlpha = opacity;
    context.translate(camera.x(corner[0]), camera.y(corner[1]));
    context.scale(scale * camera.scale, -scale * camera.scale);
    context.lineWidth = 1.5 / (scale * camera.scale);
    this.ready.paint(context);
    context.restore();
  }
}

function linesReady(lines: Point[][]): Ready {
  const path = new Path2D();
  const bounds: [number, number, number, number] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const line of lines)
    line.forEach(([x, y], k) => {
      if (k) path.lineTo(x, y);
      else path.moveTo(x, y);
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.max(bounds[1], x);
      bounds[2] = Math.min(bounds[2], y);
      bounds[3] = Math.max(bounds[3], y);
    });
  const paint = (context: CanvasRenderingContext2D): void => {
    context.strokeStyle = INK;
    context.stroke(path);
  };
  return { content: { lines }, bounds, paint };
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

async function pictureReady(data: string): Promise<Ready> {
  const image = new Image();
  image.src = data;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const paint = (context: CanvasRenderingContext2D): void => {
    context.scale(1, -1); // a picture has its rows from the top
    context.drawImage(image, 0, -height);
  };
  return { content: { data }, bounds: [0, width, 0, height], paint };
}
