/** A variator from above: the sheaves of both pairs cut along their axes, and the pins and links of the chain between them. */
import type { LoadedResult } from "../data";
import { h } from "../dom";
import type { Point, Variator } from "../types";
import { DARK, EDGE, INK, PAGE, PIN, type TensionScale, UNKNOWN, WHEEL } from "./colours";
import type { Moment } from "./moment";

/** Around the drawing [px]. */
const MARGIN = 14;
/** Thickness of a sheave at its rim, over its outer radius. */
const RIM = 0.06;
/** Part of a pin that plates cover. */
const PLATES = 0.72;
/** Links of the strand below are paler. */
const BELOW = 0.35;

/** Corners of the upper sheave of a pair, from its outer edge on the left: along the line of centres, and across. [m] */
export function sheaveAbove({ half_angle, pin_length }: Variator, pair: Variator["pairs"][number], closure: number): Point[] {
  const slope = Math.tan(half_angle);
  const face = (radius: number): number => pin_length / 2 + (radius - pair.radius) * slope - closure / 2;
  const back = face(pair.outer) + RIM * pair.outer;
  const right: Point[] = [
    [pair.inner, face(pair.inner)],
    [pair.outer, face(pair.outer)],
    [pair.outer, back],
  ];
  return [...right.map(([x, z]): Point => [-x, z]).reverse(), ...right];
}

export class AboveView {
  readonly canvas = h("canvas", { role: "img", class: "stage-above", "aria-label": "The chain from above" });
  private readonly context: CanvasRenderingContext2D;
  private width = 300;
  private height = 80;
  private ratio = 1;

  constructor(
    private readonly result: LoadedResult,
    private readonly variator: Variator,
    private readonly scale: TensionScale,
  ) {
    const context = this.canvas.getContext("2d", { alpha: false });
    if (!context) throw new Error("this browser cannot draw on a canvas");
    this.context = context;
  }

  /** Half the extent across [m]. */
  private get half(): number {
    return Math.max(...this.variator.pairs.map((pair) => sheaveAbove(this.variator, pair, 0)[0]![1]));
  }

  /** From the centre of pair 0 towards pair 1: distance, and direction. */
  private line(): [number, Point] {
    const [first, second] = this.result.header.drive.wheels;
    const [dx, dy] = [second!.centre[0] - first!.centre[0], second!.centre[1] - first!.centre[1]];
    const distance = Math.hypot(dx, dy);
    return [distance, [dx / distance, dy / distance]];
  }

  measure(width: number, ratio: number): void {
    const [first, second] = this.variator.pairs;
    const long = this.line()[0] + first!.outer + second!.outer;
    this.width = width;
    this.height = Math.round(((width - 2 * MARGIN) * 2 * this.half) / long + 2 * MARGIN + 16);
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.height = `${this.height}px`;
  }

  draw(moment: Moment): void {
    const { context, variator, result } = this;
    const { frames, header } = result;
    const [distance, [ux, uy]] = this.line();
    const [first, second] = variator.pairs;
    const scale = (this.width - 2 * MARGIN) / (distance + first!.outer + second!.outer);
    const x = (along: number): number => MARGIN + (along + first!.outer) * scale;
    const middle = 16 + (this.height - 16) / 2;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = PAGE;
    context.fillRect(0, 0, this.width, this.height);
    context.fillStyle = INK;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "top";
    context.fillText("From above, sheaves cut along their axes", 12, 2);
    if (!frames.count) return;
    const centre = header.drive.wheels[0]!.centre;
    const n = header.drive.links;
    const along = new Float64Array(n);
    const across = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const [dx, dy] = [moment.rollers[2 * i]! - centre[0], moment.rollers[2 * i + 1]! - centre[1]];
      along[i] = dx * ux + dy * uy;
      across[i] = dy * ux - dx * uy;
    }
    const pin = (variator.pin_length / 2) * scale;
    const strand = (upper: boolean): void => {
      context.globalAlpha = upper ? 1 : BELOW;
      for (let i = 0; i < n; i++) {
        const j = i + 1 < n ? i + 1 : 0;
        if (across[i]! + across[j]! >= 0 !== upper) continue;
        const bin = this.scale.bin(moment.tension[i]!);
        context.fillStyle = bin < 0 ? UNKNOWN : this.scale.css[bin]!;
        const [from, to] = [x(Math.min(along[i]!, along[j]!)), x(Math.max(along[i]!, along[j]!))];
        context.fillRect(from, middle - PLATES * pin, Math.max(1, to - from), 2 * PLATES * pin);
      }
      context.strokeStyle = DARK ? INK : PIN;
      context.lineWidth = Math.max(0.8, 0.12 * header.drive.pitch * scale);
      context.beginPath();
      for (let i = 0; i < n; i++) {
        if (across[i]! >= 0 !== upper) continue;
        context.moveTo(x(along[i]!), middle - pin);
        context.lineTo(x(along[i]!), middle + pin);
      }
      context.stroke();
      context.globalAlpha = 1;
    };
    strand(false);
    variator.pairs.forEach((pair, w) => {
      const corners = sheaveAbove(variator, pair, frames.sheaveClosure?.[moment.frame * variator.pairs.length + w] ?? 0);
      for (const side of [1, -1]) {
        context.beginPath();
        corners.forEach(([a, z], k) => (k ? context.lineTo : context.moveTo).call(context, x(a + w * distance), middle - side * z * scale));
        context.closePath();
        context.fillStyle = WHEEL;
        context.fill();
        context.strokeStyle = EDGE;
        context.lineWidth = 1;
        context.stroke();
      }
    });
    strand(true);
  }
}
