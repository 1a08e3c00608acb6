/** Two cursors on a chart, the table of what they read, and the button that shows both: of the free chart and of the curves over time. */
import type { Signal } from "@preact/signals-core";
import type uPlot from "uplot";
import { numbersIn, textOf } from "../save/kept";
import { Cursors, type Spot, type Which } from "./cursors";
import { button, element } from "./html";
import { nearest, type Scale } from "./numbers";
import type { Range } from "./plot";
import { type Axis, type Read, readout, type ReadoutRow, valueAt } from "./readout";
import { nearestPoint } from "./traces";

export interface PairWish {
  /** Curves that are read; the cursors go along the first one. */
  traces: () => readonly Read[];
  /** Names and scales of these. */
  labels: () => readonly { name: string; scale: Scale }[];
  axis: () => Axis;
  /** The scale of y of the first curve. */
  side: () => string;
  /** Cursors are points on the first curve, found by their time; else lines at an x. */
  byTime: () => boolean;
  /** The part of x in view. */
  shown: () => Range;
  /** Links of the chain, where x is a position along its loop. */
  links: () => number;
  redraw: () => void;
}

const ABOUT = "Two cursors, dragged or moved with the arrow keys: values, differences, frequency or order";

export class CursorPair {
  readonly button = button("Cursors", ABOUT, () => this.toggle());
  readonly cursors: Cursors;
  /** The table, while there are cursors. */
  readonly readings: HTMLElement;
  on = false;
  private readonly table = element("table", { class: "readout" });

  /** at: where both are, x or time; charts may share it. */
  constructor(
    private readonly wish: PairWish,
    private readonly at: Signal<[number, number] | null>,
  ) {
    this.button.classList.add("cursor-switch");
    this.button.setAttribute("aria-pressed", "false");
    this.readings = element("div", { class: "table readings", tabindex: "0", role: "region", "aria-label": "Readings of the cursors", hidden: "" }, this.table);
    this.cursors = new Cursors({
      spot: (which, u) => this.spot(which, u),
      drag: (which, left, top, u) => this.drag(which, left, top, u),
      step: (which, steps) => this.step(which, steps),
      text: (which) => this.text(which),
    });
  }

  /** Both places while they are shown. */
  private get places(): [number, number] | null {
    return this.on && this.wish.traces().length ? this.at.peek() : null;
  }

  /** The numbers that a cursor goes through. */
  private stops(): ArrayLike<number> {
    const lead = this.wish.traces()[0];
    return (this.wish.byTime() ? lead?.time : lead?.line?.x) ?? [];
  }

  private inView(x: number): boolean {
    const [first, last] = this.wish.shown();
    return this.wish.byTime() || (x >= first && x <= last);
  }

  /** A third and two thirds of what is in view. */
  private middle(): [number, number] {
    const all = Array.from(this.stops());
    const seen = all.filter((x) => this.inView(x));
    const stops = seen.length > 2 ? seen : all;
    const at = (share: number) => stops[Math.round(share * (stops.length - 1))] ?? 0;
    return [at(1 / 3), at(2 / 3)];
  }

  toggle(on = !this.on): void {
    this.on = on;
    this.button.setAttribute("aria-pressed", String(on));
    if (on && !this.at.peek()?.some((x) => this.inView(x))) this.at.value = this.middle();
    this.moved();
  }

  /** The curves are others: begin in their middle. */
  restart(): void {
    this.at.value = this.on ? this.middle() : null;
    this.show();
  }

  /** Both places for a link, "" without cursors; and back, on the instants that are nearest. */
  get link(): string {
    return this.on ? textOf(...(this.at.peek() ?? [])) : "";
  }
  set link(text: string) {
    const found = numbersIn(text, 2);
    const stops = this.stops();
    if (text === this.link || (text !== "" && !found)) return;
    if (found && stops.length) this.at.value = [stops[nearest(stops, found[0]!)]!, stops[nearest(stops, found[1]!)]!];
    this.toggle(found !== null);
  }

  private move(which: Which, to: number): void {
    const [a, b] = this.at.peek()!;
    this.at.value = which ? [a, to] : [to, b];
    this.moved();
  }

  private moved(): void {
    this.wish.redraw();
    this.show();
  }

  private spot(which: Which, u: uPlot): Spot | null {
    const lead = this.wish.traces()[0];
    const { places } = this;
    if (!places || !lead) return null;
    const byTime = this.wish.byTime();
    const left = u.valToPos(valueAt(lead, byTime, places[which], "x"), "x");
    return { left, top: byTime ? u.valToPos(valueAt(lead, true, places[which], "y"), this.wish.side()) : null };
  }

  private drag(which: Which, left: number, top: number, u: uPlot): void {
    const lead = this.wish.traces()[0];
    if (!this.places || !lead) return;
    const stops = this.stops();
    const index = this.wish.byTime() ? nearestPoint(lead, left, top, (x) => u.valToPos(x, "x"), (y) => u.valToPos(y, this.wish.side())).index : nearest(stops, u.posToVal(left, "x"));
    if (index >= 0) this.move(which, stops[index]!);
  }

  private step(which: Which, steps: number): void {
    const stops = this.stops();
    if (!this.places || !stops.length) return;
    const index = nearest(stops, this.places[which]) + steps;
    this.move(which, stops[Math.min(Math.max(index, 0), stops.length - 1)]!);
  }

  private text(which: Which): string {
    return this.rows().map((row) => (which ? row.b : row.a) && `${row.name} ${which ? row.b : row.a}`).filter(Boolean).join(", ");
  }

  private rows(): ReadoutRow[] {
    const { wish, places } = this;
    return places ? readout(wish.traces(), wish.byTime(), places, wish.axis(), wish.labels(), wish.links()) : [];
  }

  /** Write the table anew. */
  show(): void {
    const rows = this.rows();
    this.readings.hidden = rows.length === 0;
    if (!rows.length) {
      this.table.replaceChildren(); // without a caption it is no table of the page
      return;
    }
    const head = element("tr", {}, ...["", "A", "B", "B − A"].map((text) => element("th", { scope: "col", ...(text ? { class: "number" } : {}) }, text)));
    const body = rows.map((row) => element("tr", {}, element("th", { scope: "row" }, row.name), ...[row.a, row.b, row.difference].map((text) => element("td", { class: "number" }, text))));
    const mean = !this.wish.byTime() && this.wish.traces()[0]?.mean ? ", on the mean" : "";
    this.table.replaceChildren(element("caption", {}, `Cursors${mean}`), element("thead", {}, head), element("tbody", {}, ...body));
  }
}
