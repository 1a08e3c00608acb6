/** A drawing or photo beneath the drive, brought to scale by two points of known distance. It stays in this browser. */
import type { Camera } from "../stage/camera";
import type { Point } from "../types";

const KEPT = "chaindrive-underlay";
/** Characters of a picture up to which it is kept for the next time the page is opened. */
const LARGEST = 3_000_000;

export class Underlay {
  private image: HTMLImageElement | null = null;
  private data = "";
  /** Metres per pixel of the picture, and the place of its lower left corner. */
  private scale = 0.001;
  private corner: Point = [0, 0];
  opacity = 0.5;

  constructor(
    private readonly file: string,
    private readonly redraw: () => void,
  ) {
    try {
      const kept = JSON.parse(localStorage.getItem(`${KEPT} ${file}`) ?? "null") as { data: string; scale: number; corner: Point; opacity: number } | null;
      if (kept) {
        [this.scale, this.corner, this.opacity] = [kept.scale, kept.corner, kept.opacity];
        this.show(kept.data);
      }
    } catch {
      // a page that may keep nothing begins without a picture
    }
  }

  get present(): boolean {
    return this.image !== null;
  }

  /** Take a picture; it first fills a width about a centre [m]. */
  take(file: File, centre: Point, width: number): void {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      this.show(String(reader.result), () => {
        this.scale = width / this.image!.naturalWidth;
        this.corner = [centre[0] - width / 2, centre[1] - (this.image!.naturalHeight * this.scale) / 2];
        this.keep();
      });
    });
    reader.readAsDataURL(file);
  }

  private show(data: string, loaded?: () => void): void {
    const image = new Image();
    image.addEventListener("load", () => {
      this.image = image;
      this.data = data;
      loaded?.();
      this.redraw();
    });
    image.src = data;
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
    this.image = null;
    this.data = "";
    this.keep();
    this.redraw();
  }

  keep(): void {
    try {
      const { data, scale, corner, opacity } = this;
      if (data && data.length < LARGEST) localStorage.setItem(`${KEPT} ${this.file}`, JSON.stringify({ data, scale, corner, opacity }));
      else localStorage.removeItem(`${KEPT} ${this.file}`);
    } catch {
      // too large for this browser: there for as long as the page is open
    }
  }

  draw(context: CanvasRenderingContext2D, camera: Camera): void {
    const { image, corner, scale } = this;
    if (image) {
      context.globalAlpha = this.opacity;
      const height = image.naturalHeight * scale;
      context.drawImage(image, camera.x(corner[0]), camera.y(corner[1] + height), image.naturalWidth * scale * camera.scale, height * camera.scale);
      context.globalAlpha = 1;
    }
  }
}
