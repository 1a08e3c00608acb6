/** Order cuts: the amplitude along lines of a map, over the same axis. */
import type { Signal } from "@preact/signals-core";
import { number } from "../format";
import { element } from "./html";
import { Legend } from "./legend";
import { axis, colourOf, dashOfTurn } from "./look";
import { axisScale, gaps, largestOf, nearest, withBrackets, withUnit, type Scale } from "./numbers";
import { Plot, type Range, type Recipe } from "./plot";
import { headed, type Table } from "../save/table";

export interface Cut {
  label: string;
  /** Amplitude in every column, NaN where the line is not in the map. */
  amplitude: ArrayLike<number>;
  /** Whether it is shown unless it is asked for. */
  order: boolean;
}

/** Cuts that are shown at first: the highest ones along orders. */
const SHOWN = 3;

/** Labels of the orders with the largest amplitudes, without those that are next to nothing beside them. */
export function highestCuts(cuts: readonly Cut[], count = SHOWN): Set<string> {
  const highest = Math.max(...cuts.filter((cut) => cut.order).map((cut) => largestOf(cut.amplitude)));
  const orders = cuts.filter((cut) => cut.order && largestOf(cut.amplitude) > 1e-3 * highest);
  return new Set([...orders].sort((a, b) => largestOf(b.amplitude) - largestOf(a.amplitude)).slice(0, count).map((cut) => cut.label));
}

export interface CutsWish {
  range: Signal<Range | null>;
  full: () => Range;
  /** Draws what else stands over the axis, such as the operating speed. */
  draw: (u: uPlot, scale: number) => void;
  onClick: (x: number) => void;
}

export class CutsChart {
  readonly figure = element("div", { class: "cuts" });
  private readonly caption = element("p", { class: "caption" });
  private readonly add = element("select", { "aria-label": "Add a line of the map" });
  private readonly legend = new Legend();
  private readonly plot: Plot;
  private x: ArrayLike<number> = [];
  private axisName = "";
  private unit = "";
  private cuts: Cut[] = [];
  private on = new Set<string>();
  private scale: Scale = { factor: 1, unit: "" };
  private column = -1;

  constructor(private readonly wish: CutsWish) {
    this.plot = new Plot({
      height: (width, paper) => (paper ? 190 : width < 500 ? 190 : 210),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: wish.range,
      full: wish.full,
      table: () => this.table(),
      axes: () => ({ x: { name: this.quantityOfX[0]!, unit: this.quantityOfX[1] ?? "1" }, y: { name: "amplitude", unit: this.unit || "1" } }),
      onHover: (x) => (x === null ? null : this.tip(nearest(this.x, x))),
      onClick: (x) => wish.onClick(x),
      onKey: (event) => this.key(event),
    });
    this.add.addEventListener("change", () => {
      this.on.add(this.add.value);
      this.show();
    });
    this.figure.append(element("div", { class: "chart-head" }, this.caption, element("div", { class: "chart-tools" }, this.add)), this.plot.box, this.legend.list);
  }

  set(x: ArrayLike<number>, axisName: string, unit: string, cuts: Cut[]): void {
    this.x = x;
    this.axisName = axisName;
    this.unit = unit;
    this.cuts = cuts.filter((cut) => largestOf(cut.amplitude) > 0);
    this.on = highestCuts(this.cuts);
    this.figure.hidden = this.cuts.length === 0;
    this.column = -1;
    this.show();
  }

  /** Labels of the cuts that are shown, one a line. */
  get labels(): string {
    return this.shown().map((cut) => cut.label).join("\n");
  }
  set labels(text: string) {
    const known = text.split("\n").filter((label) => this.cuts.some((cut) => cut.label === label));
    if (text === this.labels || (text !== "" && !known.length)) return;
    this.on = new Set(known);
    this.show();
  }

  /** Draw anew, also when colours have changed. */
  show(): void {
    const shown = this.shown();
    this.scale = axisScale(Math.max(...shown.map((cut) => largestOf(cut.amplitude)), 0), this.unit);
    this.caption.textContent = "Amplitude along lines of the map";
    this.legend.set(
      shown.map((cut, k) => ({
        name: cut.label,
        colour: colourOf(k),
        dash: dashOfTurn(k),
        shown: true,
        toggle: () => {
          this.on.delete(cut.label);
          this.show();
        },
      })),
    );
    const others = this.cuts.filter((cut) => !this.on.has(cut.label)).map((cut) => element("option", { value: cut.label }, cut.label));
    this.add.replaceChildren(element("option", { value: "" }, "Add a line …"), ...others);
    this.add.hidden = others.length === 0;
    this.plot.invalidate();
  }

  private shown(): Cut[] {
    return this.cuts.filter((cut) => this.on.has(cut.label));
  }

  /** Name and unit of x. */
  private get quantityOfX(): string[] {
    return this.axisName.split(/ \[|\]/);
  }

  private table(): Table | null {
    const shown = this.shown();
    if (!shown.length || !this.x.length) return null;
    return { comments: ["amplitude along lines of the map"], headings: [this.axisName, ...shown.map((cut) => headed(cut.label, this.unit))], columns: [this.x, ...shown.map((cut) => cut.amplitude)] };
  }

  private recipe(scale: number): Recipe | null {
    const shown = this.shown();
    if (!shown.length || this.x.length === 0) return null;
    const points = { show: this.x.length < 80, size: 4 * scale };
    return {
      data: [this.x as number[], ...shown.map((cut) => gaps(cut.amplitude))],
      options: {
        scales: { x: { time: false }, y: { range: (_u, _low, top) => [0, 1.08 * (top > 0 ? top : 1)] } },
        axes: [axis("x", scale, { label: this.axisName }), axis("y", scale, { label: withBrackets("amplitude", this.scale.unit), unit: this.scale })],
        series: [
          {},
          ...shown.map((_, k) => ({ stroke: colourOf(k), width: 1.4 * scale, dash: dashOfTurn(k).map((length) => length * scale), points: { ...points, fill: colourOf(k) } })),
        ],
        padding: [8 * scale, 16 * scale, 0, 0],
        hooks: { draw: [(u) => this.wish.draw(u, scale)] },
      },
    };
  }

  private tip(column: number): string[] {
    if (column < 0) return [];
    const [quantity, unit] = this.quantityOfX;
    const values = this.shown().map((cut) => `${cut.label}: ${withUnit(cut.amplitude[column]!, this.scale, 3)}`);
    return [`${quantity} ${number(this.x[column]!, 4)} ${unit ?? ""}`.trim(), ...values.slice(0, 8)];
  }

  private key(event: KeyboardEvent): boolean {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const { u } = this.plot;
    if (event.key === "Enter" && this.column >= 0) {
      this.wish.onClick(this.x[this.column]!);
      return true;
    }
    if (step === 0 || !u) return false;
    this.column = this.column < 0 ? 0 : Math.min(Math.max(this.column + step, 0), this.x.length - 1);
    const left = u.valToPos(this.x[this.column]!, "x");
    u.setCursor({ left, top: 20 }, false);
    this.plot.showTip(this.tip(this.column), left, 20);
    return true;
  }

  private text(): string {
    const parts = this.shown().map((cut) => {
      let best = 0;
      for (let c = 1; c < cut.amplitude.length; c++) if (!(cut.amplitude[c]! <= cut.amplitude[best]!) && Number.isFinite(cut.amplitude[c]!)) best = c;
      return `${cut.label}: largest ${withUnit(cut.amplitude[best]!, this.scale)} at ${number(this.x[best]!, 4)}`;
    });
    return `Amplitude along lines of the map over ${this.axisName}. ${parts.join("; ") || "No line is selected"}. Arrow keys read values.`;
  }
}
