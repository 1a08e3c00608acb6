/** What every drawing function needs. */
import type { LoadedResult } from "../data";
import type { Pick } from "../store";
import type { Camera } from "./camera";
import type { TensionScale } from "./colours";
import type { Moment } from "./moment";
import type { Outline } from "./paths";

export interface Brush {
  context: CanvasRenderingContext2D;
  /** Pixels of the device per CSS pixel. */
  ratio: number;
  camera: Camera;
  result: LoadedResult;
  moment: Moment;
  scale: TensionScale;
  wheels: Outline[];
  /** Further cogs of every wheel. */
  cogs: Outline[][];
  surfaces: Outline[];
  strips: Outline[];
  picked: Pick | null;
}

/** Draw in CSS pixels of the canvas. */
export function inPixels({ context, ratio }: Brush): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** Draw in the drawing's metres, moved by (x, y) and turned by an angle. */
export function inMetres({ context, ratio, camera }: Brush, x = 0, y = 0, angle = 0): void {
  const s = ratio * camera.scale;
  const c = Math.cos(angle) * s;
  const d = Math.sin(angle) * s;
  context.setTransform(c, -d, -d, -c, ratio * camera.x(x), ratio * camera.y(y));
}

/** Draw in the metres of a body's reference configuration, moved with the body; -1: the ground. */
export function inBody(brush: Brush, body: number): void {
  inMetres(brush);
  if (body >= 0) {
    const p = brush.moment.pose;
    const k = 6 * body;
    brush.context.transform(p[k]!, p[k + 1]!, p[k + 2]!, p[k + 3]!, p[k + 4]!, p[k + 5]!);
  }
}
