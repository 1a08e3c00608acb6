/** From metres of the drive to pixels of the canvas: a fit to the extent, and on top of it what the reader zooms and pans. */
import type { Point } from "../types";

export interface Zoom {
  k: number;
  x: number;
  y: number;
}

export class Camera {
  width = 300;
  height = 300;
  /** Pixels per metre at the fit. */
  fitScale = 100;
  /** The point that is in the middle at the fit, or the followed point. */
  origin: Point = [0, 0];
  zoom: Zoom = { k: 1, x: 0, y: 0 };

  /** Pixels per metre. */
  get scale(): number {
    return this.zoom.k * this.fitScale;
  }

  /** Canvas x of the drawing's x = 0, and canvas y of y = 0. */
  get left(): number {
    return this.zoom.x + this.zoom.k * (this.width / 2 - this.origin[0] * this.fitScale);
  }
  get top(): number {
    return this.zoom.y + this.zoom.k * (this.height / 2 + this.origin[1] * this.fitScale);
  }

  x(x: number): number {
    return this.left + x * this.scale;
  }
  y(y: number): number {
    return this.top - y * this.scale;
  }

  /** The point of the drawing under a point of the canvas. */
  world(px: number, py: number): Point {
    return [(px - this.left) / this.scale, (this.top - py) / this.scale];
  }

  /** Fit an extent (left, right, bottom, top) into the canvas, with a margin in pixels. */
  fit([left, right, bottom, top]: readonly number[], margin: number): void {
    const across = Math.max(1e-9, right! - left!);
    const upright = Math.max(1e-9, top! - bottom!);
    this.fitScale = Math.max(1e-3, Math.min((this.width - 2 * margin) / across, (this.height - 2 * margin) / upright));
    this.origin = [(left! + right!) / 2, (bottom! + top!) / 2];
  }
}
