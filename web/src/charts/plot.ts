/** One chart: uPlot in a box that has a size, a text alternative, a keyboard, a moment line and a copy for printing. */
import { effect, signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import uPlot from "uplot";
import type { Cursors } from "./cursors";
import { element } from "./html";
import { INK } from "./look";
import { offerSaving } from "../save/menu";
import { headed, type Table } from "../save/table";
import { gaps } from "./numbers";
import { store } from "../store";

export type Range = [number, number];

/** What a chart shows; made anew whenever its data or its options change. */
export interface Recipe {
  options: Omit<uPlot.Options, "width" | "height">;
  data: uPlot.AlignedData;
}

/** A quantity in SI units on an axis. */
export interface AxisOf {
  name: string;
  unit: string;
}

/** The axes of a chart over which curves from elsewhere can lie. */
export interface Axes {
  x: AxisOf;
  y: AxisOf;
  /** of the right axis */
  right?: AxisOf | null;
  /** x begins anew after so much; 0: it does not */
  period?: number;
  /** curves go to and fro in x: points stay in the order of their file */
  path?: boolean;
}

/** A curve from elsewhere that lies over a chart, in the units of its axes; x grows unless the chart has paths. */
export interface Extra {
  name: string;
  unit: string;
  right: boolean;
  dash: readonly number[];
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

export interface PlotWish {
  /** height of the chart for a width, or on paper [CSS pixels] */
  height: (width: number, paper: boolean) => number;
  /** options and data; every size in the options is times `scale` (1 on the screen, more on paper) */
  recipe: (scale: number) => Recipe | null;
  /** the text that stands for the picture */
  text: () => string;
  /** what is shown of the x axis, null for all of it; charts that share it zoom together */
  range: Signal<Range | null>;
  /** all of the x axis */
  full: () => Range;
  /** a click or a tap at a value of x */
  onClick?: (x: number, y: number) => void;
  /** a finger that slides over the chart */
  onSlide?: (x: number) => void;
  /** the pointer over a value of x, null when it leaves: the text of the tip */
  onHover?: (x: number | null, y: number) => string[] | null;
  /** keys that the chart itself does not know; true when used */
  onKey?: (event: KeyboardEvent) => boolean;
  /** drawn over the chart again and again, such as the state at the moment of the animation */
  overlay?: (context: CanvasRenderingContext2D, plot: uPlot, scale: number) => void;
  /** two cursors that can be moved */
  cursors?: Cursors;
  /** the moment that the vertical line shows */
  moment?: ReadonlySignal<number>;
  /** the curves that are shown as numbers in SI units, over the whole x axis; null for none */
  table?: () => Table | null;
  /** what the axes are, where curves from elsewhere can lie over the chart */
  axes?: () => Axes;
  /** the chart has axes that change, and draws curves from elsewhere itself, also into its table */
  free?: boolean;
  /** the curves with one value at every x, by their headings, with which others are compared; without: those of the table */
  curves?: () => { heading: string; x: ArrayLike<number>; y: ArrayLike<number> }[];
  /** the place under the pointer, in this chart or in another with the same axis */
  pointed?: ReadonlySignal<number | null>;
}

/** All charts of the page. */
export const PLOTS = new Set<Plot>();
const PAPER = 690; // width of the text on A4 with its margins [CSS pixels]
const DENSITY = 2.5; // pixels of a printed chart per CSS pixel
export { PAPER };

export class Plot {
  readonly box = element("div", { class: "plot", tabindex: "0", role: "img" });
  /** true while the chart is near the window: only then it costs anything */
  readonly seen = signal(false);
  /** grows with every new chart, for what depends on its scales */
  readonly made = signal(0);
  u: uPlot | null = null;
  private readonly line = element("div", { class: "moment", "aria-hidden": "true" });
  private readonly pointer = element("div", { class: "pointer", "aria-hidden": "true" });
  private readonly tip = element("div", { class: "tip", "aria-hidden": "true", hidden: "" });
  private readonly layer = element("canvas", { class: "layer", "aria-hidden": "true" });
  private stale = true;
  private width = 0;
  private readonly stops: (() => void)[] = [];
  private readonly watcher: IntersectionObserver;
  private readonly sizer: ResizeObserver;
  /** Curves from elsewhere. */
  extras: readonly Extra[] = [];
  /** Called when axes are others than before. */
  axesChanged: () => void = () => undefined;
  private printed: { plot: uPlot; canvas: HTMLCanvasElement } | null = null;

  constructor(readonly wish: PlotWish) {
    PLOTS.add(this);
    this.box.style.minHeight = `${wish.height(400, false)}px`;
    this.watcher = new IntersectionObserver((entries) => {
      this.seen.value = entries[entries.length - 1]!.isIntersecting;
      if (this.seen.value) this.refresh();
    }, { rootMargin: "150px" });
    this.sizer = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.box);
    this.sizer.observe(this.box);
    this.box.addEventListener("keydown", (event) => this.key(event));
    let colours = store.colours.peek();
    this.stops.push(effect(() => {
      if (colours !== store.colours.value) this.invalidate();
      colours = store.colours.peek();
    }));
    queueMicrotask(() => offerSaving(this)); // once it stands in its figure
    this.watch(() => this.showRange(this.wish.range.value));
    const { moment, pointed } = wish;
    if (moment) this.watch(() => this.showLine(this.line, moment.value));
    if (pointed) this.watch(() => this.showLine(this.pointer, pointed.value));
  }

  /** Do something now and whenever a signal that it reads changes, while the chart is there and seen. */
  watch(run: () => void): void {
    this.stops.push(effect(() => {
      if (this.made.value >= 0 && this.seen.value && this.u) run();
    }));
  }

  /** The data or the options have changed. */
  invalidate(): void {
    this.stale = true;
    this.box.setAttribute("aria-label", this.wish.text());
    if (this.seen.peek()) this.refresh();
  }

  /** Curves from elsewhere over those of the chart. */
  overlay(extras: readonly Extra[]): void {
    this.extras = extras;
    this.invalidate();
  }

  /** What is drawn as numbers, with curves from elsewhere; null for nothing. */
  table(): Table | null {
    const table = this.wish.table?.() ?? null;
    if (!table || !this.extras.length || this.wish.free) return table;
    const own = table.columns as unknown as uPlot.AlignedData;
    const columns = uPlot.join([own, ...this.extras.map(({ x, y }): uPlot.AlignedData => [x as number[], y as number[]])]);
    return { ...table, headings: [...table.headings, ...this.extras.map(({ name, unit }) => headed(name, unit))], columns: columns as ArrayLike<number>[] };
  }

  private recipe(scale: number): Recipe | null {
    const made = this.wish.recipe(scale);
    if (!made || !this.extras.length || this.wish.free) return made;
    const series = this.extras.map(({ dash }): uPlot.Series => ({ stroke: () => INK, width: 1.8 * scale, dash: dash.map((length) => length * scale), points: { show: false } }));
    const data = uPlot.join([made.data, ...this.extras.map(({ x, y }): uPlot.AlignedData => [x as number[], gaps(y)])]);
    return { data, options: { ...made.options, series: [...made.options.series, ...series] } };
  }

  /** New values for the same series: cheaper than a new chart. */
  renew(): void {
    if (!this.u || this.stale || !this.seen.peek()) {
      this.invalidate();
      return;
    }
    const recipe = this.recipe(1);
    if (!recipe || recipe.options.series.length !== this.u.series.length) {
      this.invalidate();
      return;
    }
    this.u.batch(() => {
      this.u!.setData(recipe.data, true);
      this.showRange(this.wish.range.peek());
    });
    this.box.setAttribute("aria-label", this.wish.text());
  }

  remove(): void {
    PLOTS.delete(this);
    this.watcher.disconnect();
    this.sizer.disconnect();
    this.stops.forEach((stop) => stop());
    this.u?.destroy();
    this.u = null;
    this.box.remove();
  }

  private refresh(): void {
    if (!this.stale) return;
    const width = this.box.clientWidth;
    if (width < 40) return;
    this.width = width;
    this.u?.destroy();
    this.u = null;
    const recipe = this.recipe(1);
    this.stale = false;
    this.box.classList.toggle("empty", recipe === null);
    this.box.setAttribute("aria-label", this.wish.text());
    if (!recipe) return;
    const options: uPlot.Options = { ...recipe.options, width, height: this.wish.height(width, false), ...this.behaviour(recipe) };
    this.u = new uPlot(options, recipe.data, this.box);
    this.attach(this.u);
    this.made.value = this.made.peek() + 1;
  }

  private behaviour(recipe: Recipe): Partial<uPlot.Options> {
    const hooks = { ...recipe.options.hooks };
    hooks.setSelect = [...(hooks.setSelect ?? []), (u) => this.zoomed(u)];
    hooks.setCursor = [...(hooks.setCursor ?? []), (u) => this.hovered(u)];
    hooks.setSize = [...(hooks.setSize ?? []), () => this.redrawLayer()];
    hooks.draw = [...(hooks.draw ?? []), () => this.redrawLayer()];
    return {
      legend: { show: false },
      hooks,
      cursor: {
        x: !this.wish.pointed,
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 6 },
        bind: {
          dblclick: () => () => {
            this.wish.range.value = null;
            return null;
          },
        },
        ...recipe.options.cursor,
      },
    };
  }

  private attach(u: uPlot): void {
    if (this.wish.overlay) u.over.append(this.layer);
    if (this.wish.cursors) u.over.append(...this.wish.cursors.handles);
    u.over.append(this.tip);
    if (this.wish.pointed) u.over.append(this.pointer);
    if (this.wish.moment) u.over.append(this.line);
    u.over.addEventListener("click", () => {
      const { left, top } = u.cursor;
      if (left != null && left >= 0) this.wish.onClick?.(u.posToVal(left, "x"), u.posToVal(top ?? 0, "y"));
    });
    let from: [number, number] | null = null;
    u.over.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    u.over.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" || !this.wish.onSlide || !from) return;
      const across = Math.abs(event.clientX - from[0]);
      if (across < 8 || across < Math.abs(event.clientY - from[1])) return; // a tap, or the page is scrolled
      const box = u.over.getBoundingClientRect();
      const [first, last] = this.shown();
      const share = (event.clientX - box.left) / box.width;
      this.wish.onSlide(Math.min(Math.max(first + share * (last - first), first), last));
    });
  }

  private resize(): void {
    const width = this.box.clientWidth;
    if (!this.u) {
      if (this.seen.peek()) this.refresh();
      return;
    }
    if (width < 40 || width === this.width) return;
    this.width = width;
    this.u.setSize({ width, height: this.wish.height(width, false) });
    this.made.value = this.made.peek() + 1;
  }

  private shown(): Range {
    return this.wish.range.peek() ?? this.wish.full();
  }

  private showRange(range: Range | null): void {
    const [min, max] = range ?? this.wish.full();
    const x = this.u!.scales["x"]!;
    if (x.min !== min || x.max !== max || this.wish.range.peek() === null) this.u!.setScale("x", { min, max });
    this.box.classList.toggle("zoomed", range !== null);
    if (this.wish.moment) this.showLine(this.line, this.wish.moment.peek());
  }

  private showLine(line: HTMLElement, place: number | null): void {
    const [first, last] = this.shown();
    const share = place === null ? -1 : last > first ? (place - first) / (last - first) : 0.5;
    const inside = share >= -1e-9 && share <= 1 + 1e-9;
    line.style.visibility = inside ? "visible" : "hidden";
    if (inside) line.style.transform = `translateX(${(share * (this.u!.bbox.width / uPlot.pxRatio)).toFixed(1)}px)`;
  }

  private zoomed(u: uPlot): void {
    const { left, width } = u.select;
    if (width < 6) return;
    this.wish.range.value = this.within(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private within(first: number, last: number): Range | null {
    const [from, to] = this.wish.full();
    const low = Math.max(first, from);
    const high = Math.min(last, to);
    if (low <= from && high >= to) return null;
    return high - low > 1e-9 * (to - from) ? [low, high] : this.wish.range.peek();
  }

  /** Magnify about a place of the x axis. */
  zoom(factor: number, about?: number): void {
    this.wish.range.value = zoomRange(this.wish.range.peek(), this.wish.full(), factor, about);
  }

  private hovered(u: uPlot): void {
    if (!this.wish.onHover) return;
    const { left, top } = u.cursor;
    const over = left != null && left >= 0 && (u.cursor.event != null || u.over.matches(":hover"));
    const lines = this.wish.onHover(over ? u.posToVal(left, "x") : null, u.posToVal(top ?? 0, "y"));
    this.showTip(lines, left ?? 0, top ?? 0);
  }

  /** Show lines of text beside a place of the chart [CSS pixels in the plotting area]. */
  showTip(lines: string[] | null, left: number, top: number): void {
    this.tip.hidden = !lines || lines.length === 0;
    if (this.tip.hidden || !this.u) return;
    this.tip.replaceChildren(...lines!.map((text) => element("div", {}, text)));
    const room = this.u.bbox.width / uPlot.pxRatio;
    const width = this.tip.offsetWidth;
    const x = left + 14 + width <= room ? left + 14 : Math.max(0, left - 14 - width);
    const y = Math.max(0, Math.min(top - 8, this.u.bbox.height / uPlot.pxRatio - this.tip.offsetHeight));
    this.tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const moment = this.wish.moment?.peek();
    if (this.wish.onKey?.(event)) {
      /* done */
    } else if (event.key === "+" || event.key === "=") this.zoom(0.5, moment);
    else if (event.key === "-" || event.key === "−") this.zoom(2, moment);
    else if (event.key === "0" || event.key === "Escape") this.wish.range.value = null;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Draw the moving part again. */
  redrawLayer(): void {
    const { u, wish } = this;
    if (u && wish.cursors) {
      wish.cursors.place(u);
      this.box.setAttribute("role", wish.cursors.seen ? "group" : "img"); // a picture, unless there are sliders in it
    }
    if (!u || !wish.overlay) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round((u.bbox.width / uPlot.pxRatio) * ratio);
    const height = Math.round((u.bbox.height / uPlot.pxRatio) * ratio);
    if (this.layer.width !== width || this.layer.height !== height) {
      this.layer.width = width;
      this.layer.height = height;
    }
    const context = this.layer.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    wish.overlay(context, u, 1);
  }

  /** A copy at the width of the paper; it is drawn before the browser prints. */
  print(): void {
    if (this.printed || this.box.closest("[hidden]")) return;
    const height = this.wish.height(PAPER, true);
    const plot = this.copy(PAPER, height, DENSITY);
    if (!plot) return;
    const { canvas } = plot.ctx;
    canvas.className = "paper";
    canvas.style.aspectRatio = `${PAPER} / ${height}`;
    this.box.append(canvas);
    this.printed = { plot, canvas };
  }

  /** A copy of what is shown on a canvas of its own, with so many pixels for each; `begin` gets its context before anything is drawn. */
  copy(width: number, height: number, density: number, begin?: (context: CanvasRenderingContext2D) => void): uPlot | null {
    const scale = density / uPlot.pxRatio;
    const recipe = this.recipe(scale);
    if (!recipe) return null;
    const draw = (u: uPlot) => this.drawOnPaper(u, density);
    const hooks = { ...recipe.options.hooks, draw: [...(recipe.options.hooks?.draw ?? []), draw] };
    const [min, max] = this.shown();
    const options: uPlot.Options = {
      ...recipe.options,
      width: width * scale,
      height: height * scale,
      legend: { show: false },
      cursor: { show: false },
      hooks,
    };
    const plot = new uPlot(options, recipe.data, document.createElement("div"));
    begin?.(plot.ctx);
    plot.batch(() => plot.setScale("x", { min, max })); // at once
    return plot;
  }

  private drawOnPaper(u: uPlot, density: number): void {
    const context = u.ctx;
    const moment = this.wish.moment?.peek();
    const [first, last] = this.shown();
    context.save();
    if (moment !== undefined && moment >= first && moment <= last) {
      const x = u.valToPos(moment, "x", true);
      context.strokeStyle = INK;
      context.lineWidth = 0.8 * density;
      context.beginPath();
      context.moveTo(x, u.bbox.top);
      context.lineTo(x, u.bbox.top + u.bbox.height);
      context.stroke();
    }
    context.translate(u.bbox.left, u.bbox.top);
    context.scale(uPlot.pxRatio, uPlot.pxRatio);
    this.wish.overlay?.(context, u, density / uPlot.pxRatio);
    this.wish.cursors?.draw(context, u, density / uPlot.pxRatio);
    context.restore();
  }

  unprint(): void {
    this.printed?.plot.destroy();
    this.printed?.canvas.remove();
    this.printed = null;
  }
}

export function zoomRange(shown: Range | null, full: Range, factor: number, about?: number): Range | null {
  const [first, last] = shown ?? full;
  const centre = about !== undefined && about >= first && about <= last ? about : (first + last) / 2;
  const low = centre - (centre - first) * factor;
  const high = centre + (last - centre) * factor;
  if (high - low < 1e-7 * (full[1] - full[0])) return shown;
  if (low <= full[0] && high >= full[1]) return null;
  const shift = low < full[0] ? full[0] - low : high > full[1] ? full[1] - high : 0;
  return [Math.max(low + shift, full[0]), Math.min(high + shift, full[1])];
}

/** Charts become pictures at the width of the paper while the browser prints. */
export function printCharts(): void {
  const before = () => PLOTS.forEach((plot) => plot.print());
  const after = () => PLOTS.forEach((plot) => plot.unprint());
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  matchMedia("print").addEventListener("change", (event) => (event.matches ? before() : after()));
}
