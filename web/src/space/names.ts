/** Names of the wheels over the picture: beside their rims, where they cover least. */
import { h } from "../dom";
import type { Eye, Vector } from "./camera";
import type { Places } from "./places";

const LONGEST = 40;
const HEIGHT = 15;
/** What it costs to cover another name: then rather none. */
const OTHER_NAME = 60;
const NOWHERE = -1;

/** Left, right, top, bottom on the canvas. */
type Box = [number, number, number, number];

export class Names {
  readonly elements: HTMLElement[];
  /** Width of each, measured once it is shown, and on which side of its wheel it stands. */
  private widths: number[] = [];
  private sides: number[] = [];
  private key = "";

  constructor(private readonly places: Places) {
    this.elements = places.result.header.drive.wheels.map((wheel) => h("div", { class: "space-name" }, wheel.name.replace(/\s+/g, " ").slice(0, LONGEST)));
  }

  /** half: half the width of the chain [m]. */
  show(eye: Eye, half: number, wanted: boolean): void {
    const { elements } = this;
    for (const element of elements) element.hidden = !wanted;
    if (!wanted) return;
    if (!this.widths.length) this.widths = elements.map((element) => element.offsetWidth);
    const { yaw, pitch, height } = eye.sight;
    // the side is chosen anew only when the view has changed: names must not jump while the chain runs
    const key = [yaw, pitch, height, eye.width, eye.height, eye.parallel, this.places.stretch].map((v) => Number(v).toPrecision(3)).join();
    const anew = key !== this.key && !eye.moving;
    if (anew) this.key = key;
    const bushes = anew ? Array.from({ length: this.places.moment.offset.length }, (_, i) => eye.project(this.places.bush(i))) : [];
    const taken: Box[] = [];
    elements.forEach((element, w) => {
      const choices = this.choices(eye, w, half);
      if (anew || this.sides[w] === undefined) {
        const costs = choices.map((box, side) => side + cost(box, bushes, taken, eye));
        const least = Math.min(...costs);
        this.sides[w] = least < OTHER_NAME ? costs.indexOf(least) : NOWHERE;
      }
      const box = choices[this.sides[w]!];
      element.hidden = !box;
      if (!box) return;
      taken.push(box);
      element.hidden = !(box[1] > 0 && box[0] < eye.width && box[3] > 0 && box[2] < eye.height);
      element.style.transform = `translate(${box[0].toFixed(1)}px, ${box[2].toFixed(1)}px)`;
    });
  }

  /** Above, to the right, to the left, below a wheel as it is seen with the chain around it; at last over it. */
  private choices(eye: Eye, w: number, half: number): Box[] {
    const { wheels, pitch } = this.places.result.header.drive;
    const at = this.places.wheel(w);
    const rim = wheels[w]!.radius + 0.8 * pitch;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < 16; k++)
      for (const z of [-1.5 * half, 1.5 * half]) {
        const [c, s] = [rim * Math.cos((k * Math.PI) / 8), rim * Math.sin((k * Math.PI) / 8)];
        const [x, y] = eye.project(at.centre.map((v, axis) => v + c * at.x[axis]! + s * at.y[axis]! + z * at.z[axis]!) as Vector);
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      }
    const [x, y] = eye.project(at.centre);
    const wide = this.widths[w]!;
    const box = (cx: number, cy: number): Box => [cx - wide / 2, cx + wide / 2, cy - HEIGHT / 2, cy + HEIGHT / 2];
    return [box(x, top - 11), box(right + wide / 2 + 5, y), box(left - wide / 2 - 5, y), box(x, bottom + 11), box(x, y)];
  }
}

/** How much a name in a box would cover, or miss of the canvas. */
function cost([left, right, top, bottom]: Box, bushes: Vector[], taken: Box[], eye: Eye): number {
  let sum = 0;
  for (const [x, y] of bushes) if (x > left - 5 && x < right + 5 && y > top - 5 && y < bottom + 5) sum += 2;
  for (const [l, r, t, b] of taken) if (left < r && right > l && top < b && bottom > t) sum += OTHER_NAME;
  if (left < 0 || right > eye.width || top < 0 || bottom > eye.height) sum += 30;
  return sum;
}
