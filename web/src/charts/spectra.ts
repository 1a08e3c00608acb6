/** Spectra over frequency and over orders: a channel is chosen, several results lie over each other, orders are marked. */
import { signal, type Signal } from "@preact/signals-core";
import uPlot from "uplot";
import { number, text } from "../format";
import type { LoadedResult, Report } from "../data";
import { effect, store } from "../store";
import type { OrderSpectrum, Spectrum } from "../types";
import { resultColour } from "./curves";
import { button, choice, element, switcher } from "./html";
import { Legend } from "./legend";
import { axis, LINE, powerAxis } from "./look";
import { drawMarks, drawPeaks, kindOf, KINDS, ROOM, type Mark } from "./marks";
import { axisScale, extremesOf, gaps, largestOf, nearest, withBrackets, withUnit, type Scale } from "./numbers";
import { Plot, type Range, type Recipe } from "./plot";
import { headed, type Table } from "../save/table";

/** What both kinds of spectra have in common. */
interface Shown {
  id: string;
  title: string;
  unit: string;
  result: LoadedResult;
  x: ArrayLike<number>;
  amplitude: ArrayLike<number>;
  marks: Mark[];
  peaks: [number, number][];
  remark: string;
}

interface Words {
  axis: string;
  unit: string;
  choose: string;
  about: string;
}

function frequencies(result: LoadedResult, spectrum: Spectrum): Shown {
  return {
    id: `${spectrum.title}\n${spectrum.key}`,
    title: spectrum.title,
    unit: spectrum.unit,
    result,
    x: result.array(spectrum.frequency),
    amplitude: result.array(spectrum.amplitude),
    marks: spectrum.marks.map(({ frequency, label, kind }) => ({ at: frequency, label, kind })),
    peaks: spectrum.peaks,
    remark: `${spectrum.start.toFixed(4)} s to ${spectrum.stop.toFixed(4)} s, resolution ${number(spectrum.resolution, 3)} Hz`,
  };
}

function orders(result: LoadedResult, spectrum: OrderSpectrum): Shown {
  const x = result.array(spectrum.order);
  const amplitude = result.array(spectrum.amplitude);
  return {
    id: `${spectrum.title}\n${spectrum.key}\n${spectrum.wheel}`,
    title: spectrum.title,
    unit: spectrum.unit,
    result,
    x,
    amplitude,
    marks: spectrum.marks.map(({ order, label }) => ({ at: order, label, kind: "order" })),
    peaks: largestPeaks(x, amplitude, 6),
    remark: `against the angle of ${spectrum.wheel}, resolution ${number(spectrum.resolution, 3)} orders`,
  };
}

/** The largest local maxima away from zero. */
export function largestPeaks(x: ArrayLike<number>, y: ArrayLike<number>, count: number): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 1; i + 1 < y.length; i++) {
    if (y[i]! > y[i - 1]! && y[i]! >= y[i + 1]!) found.push([x[i]!, y[i]!]);
  }
  return found.sort((a, b) => b[1] - a[1]).slice(0, count);
}

class SpectrumChart {
  readonly figure = element("figure", { class: "chart wide" });
  private readonly caption = element("figcaption");
  private readonly legend = new Legend();
  private readonly kinds = element("div", { class: "chart-kinds", role: "group", "aria-label": "Lines shown" });
  private readonly remark = element("p", { class: "remark" });
  private readonly range: Signal<Range | null> = signal(null);
  private readonly plot: Plot;
  private readonly off = new Set<string>();
  private chosen: string;
  private logarithmic = false;
  private scale: Scale = { factor: 1, unit: "" };
  private at = -1;

  constructor(
    private readonly report: Report,
    private readonly all: Shown[],
    private readonly words: Words,
  ) {
    this.chosen = all[0]!.id;
    this.plot = new Plot({
      height: (width, paper) => (paper ? 290 : width < 500 ? 300 : 340),
      recipe: (scale) => this.recipe(scale),
      text: () => this.text(),
      range: this.range,
      full: () => this.full(),
      table: () => this.table(),
      axes: () => ({ x: { name: words.axis.replace(/ \[.*/, ""), unit: words.unit.trim() || "1" }, y: { name: "amplitude", unit: this.shown()[0]?.unit ?? "1" } }),
      onHover: (x) => (x === null ? null : this.tip(x)),
      onKey: (event) => this.key(event),
    });
    const options = [...new Map(all.map((one): [string, string] => [one.id, one.title]))];
    const tools = element(
      "div",
      { class: "chart-tools" },
      choice(words.choose, options, this.chosen, (id) => {
        this.chosen = id;
        this.update();
      }),
      switcher("Scale of the amplitude", [["linear", "linear"], ["log", "logarithmic"]], "linear", (value) => {
        this.logarithmic = value === "log";
        this.showCaption();
        this.plot.invalidate();
      }),
      button("Zoom in", "Zoom in on the lower end of the axis", () => this.plot.zoom(0.5, this.full()[0])),
      button("Zoom out", "Show more of the axis", () => this.plot.zoom(2, this.full()[0])),
      button("All", `Show the whole ${words.axis} axis`, () => (this.range.value = null)),
    );
    this.figure.append(element("div", { class: "chart-head" }, this.caption, tools), this.plot.box, this.legend.list, this.kinds, this.remark);
    effect(() => {
      void store.visible.value;
      this.update();
    });
    effect(() => {
      void store.colours.value;
      this.showNames();
    });
  }

  private shown(): Shown[] {
    return this.all.filter((one) => one.id === this.chosen && store.visible.peek()[one.result.index] !== false);
  }

  private full(): Range {
    const ends = this.shown().map((one) => one.x[one.x.length - 1] ?? 0);
    return [0, Math.max(...ends, 1e-9)];
  }

  private update(): void {
    const shown = this.shown();
    const several = this.report.results.length > 1;
    this.scale = axisScale(Math.max(...shown.map((one) => largestOf(one.amplitude)), 0), shown[0]?.unit ?? "");
    this.showCaption();
    this.remark.textContent = [...new Set(shown.map((one) => (several ? `${one.result.header.label}: ${one.remark}` : one.remark)))].join("; ");
    this.range.value = usefulRange(shown, this.full());
    this.at = -1;
    this.showNames();
    this.plot.invalidate();
  }

  /** What the colours mean. */
  private showNames(): void {
    this.legend.list.hidden = this.report.results.length < 2;
    this.legend.set(this.shown().map((one) => ({ name: one.result.header.label, colour: this.colour(one), shown: true, toggle: null })));
    this.offerKinds();
  }

  /** The unit is that of the axis: powers of ten are written without a prefix. */
  private showCaption(): void {
    const first = this.shown()[0];
    this.caption.textContent = first ? withBrackets(`Amplitude of ${lower(first.title)}`, this.logarithmic ? first.unit : this.scale.unit) : "";
  }

  private colour(one: Shown): string {
    return this.report.results.length > 1 ? resultColour(this.report, one.result) : LINE;
  }

  private offerKinds(): void {
    const there = new Set(this.shown().flatMap((one) => one.marks.map((mark) => mark.kind)));
    const known = [...Object.keys(KINDS).filter((kind) => there.has(kind)), ...[...there].filter((kind) => !(kind in KINDS))];
    this.kinds.hidden = known.length < 2;
    const first = (kind: string): string => this.shown().flatMap((one) => one.marks).find((mark) => mark.kind === kind)?.label ?? "";
    this.kinds.replaceChildren(
      ...known.map((kind) => {
        const box = element("input", { type: "checkbox" });
        box.checked = !this.off.has(kind);
        box.addEventListener("change", () => {
          if (box.checked) this.off.delete(kind);
          else this.off.add(kind);
          this.plot.invalidate();
        });
        const label = element("label", {}, box, kindOf(kind, first(kind)).name);
        label.style.color = kindOf(kind).colour;
        return label;
      }),
    );
  }

  /** Marks of all results that are shown; the same one of two results is drawn once. */
  private marks(): Mark[] {
    const found: Mark[] = [];
    for (const mark of this.shown().flatMap((one) => one.marks)) {
      const known = found.some((other) => other.label === mark.label && Math.abs(other.at - mark.at) <= 0.005 * mark.at);
      if (!known && !this.off.has(mark.kind)) found.push(mark);
    }
    return found;
  }

  private table(): Table | null {
    const shown = this.shown().filter((one) => one.x.length > 1);
    if (!shown.length) return null;
    const columns = uPlot.join(shown.map((one): uPlot.AlignedData => [one.x as number[], gaps(one.amplitude)]));
    return { comments: shown.map((one) => `${one.result.header.label}: ${one.title}, ${one.remark}`), headings: [this.words.axis, ...shown.map((one) => headed(shown.length > 1 ? `${one.result.header.label}: amplitude` : "amplitude", one.unit))], columns: columns as ArrayLike<number>[] };
  }

  private recipe(scale: number): Recipe | null {
    const shown = this.shown().filter((one) => one.x.length > 1);
    if (shown.length === 0) return null;
    const log = this.logarithmic;
    const tables = shown.map((one): uPlot.AlignedData => [one.x as number[], log ? Array.from(one.amplitude, (a) => (a > 0 ? a : null)) : gaps(one.amplitude)]);
    const high = Math.max(...shown.map((one) => largestOf(one.amplitude)), 1e-300);
    const y: uPlot.Scale = log
      ? { distr: 3, range: (_u, low, top) => decades(low, top, high) }
      : { range: (_u, _low, top) => [0, 1.08 * this.highest(shown, top ?? high)] };
    const look = { unit: this.scale };
    return {
      data: tables.length === 1 ? tables[0]! : uPlot.join(tables),
      options: {
        scales: { x: { time: false }, y },
        axes: [axis("x", scale, { label: this.words.axis }), log ? powerAxis(scale, look) : axis("y", scale, look)],
        series: [{}, ...shown.map((one) => ({ stroke: this.colour(one), width: 1.3 * scale, spanGaps: true, points: { show: false } }))],
        padding: [ROOM * scale, 16 * scale, 0, 0],
        hooks: {
          drawAxes: [(u) => drawMarks(u, scale, this.marks())],
          draw: [(u) => drawPeaks(u, scale, shown.flatMap((one) => one.peaks.map(([at, value]) => ({ at, value, colour: this.colour(one) }))))],
        },
      },
    };
  }

  /** Largest value in view, of the curves and of the peaks between their points. */
  private highest(shown: readonly Shown[], top: number): number {
    const [first, last] = this.range.peek() ?? this.full();
    const peaks = shown.flatMap((one) => one.peaks.filter(([x]) => x >= first && x <= last).map(([, value]) => value));
    const found = Math.max(top, ...peaks);
    return found > 0 ? found : 1;
  }

  private tip(x: number): string[] {
    const lines: string[] = [];
    for (const one of this.shown()) {
      const index = nearest(one.x, x);
      if (index < 0) continue;
      const name = this.report.results.length > 1 ? `${one.result.header.label}: ` : "";
      lines.push(`${name}${number(one.x[index]!, 4)}${this.words.unit}: ${text(one.amplitude[index]!, one.unit, 4)}`);
    }
    const [first, last] = this.range.peek() ?? this.full();
    const near = this.marks().filter((mark) => Math.abs(mark.at - x) < 0.006 * (last - first));
    for (const mark of near.slice(0, 4)) lines.push(`${mark.label}: ${number(mark.at, 4)}${this.words.unit}`);
    return lines;
  }

  /** Arrow keys go from value to value, with shift from peak to peak. */
  private key(event: KeyboardEvent): boolean {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const one = this.shown()[0];
    const { u } = this.plot;
    if (step === 0 || !one || !u) return false;
    const [first, last] = this.range.peek() ?? this.full();
    if (event.shiftKey) {
      const here = this.at < 0 ? first : one.x[this.at]!;
      const peaks = largestPeaks(one.x, one.amplitude, 40).map(([x]) => x).filter((x) => step * (x - here) > 0).sort((a, b) => step * (a - b));
      if (peaks.length) this.at = nearest(one.x, peaks[0]!);
    } else this.at = this.at < 0 ? nearest(one.x, first) : Math.min(Math.max(this.at + step, 0), one.x.length - 1);
    const x = one.x[this.at]!;
    if (x >= first && x <= last) {
      const left = u.valToPos(x, "x");
      u.setCursor({ left, top: 20 }, false);
      this.plot.showTip(this.tip(x), left, 20);
    }
    return true;
  }

  private text(): string {
    const parts = this.shown().map((one) => {
      const range = extremesOf(one.amplitude);
      const peaks = one.peaks.slice(0, 4).map(([at, value]) => `${number(at, 4)}${this.words.unit} with ${text(value, one.unit)}`);
      return `${one.result.header.label}: ${range ? `largest amplitude ${withUnit(range[1], this.scale)}` : "no values"}${peaks.length ? `, peaks at ${peaks.join(", ")}` : ""}`;
    });
    return `${this.words.about} of ${this.shown()[0]?.title ?? "nothing"}. ${parts.join("; ")}. Arrow keys read values, with shift peaks; plus and minus zoom, 0 shows all.`;
  }
}

/** From zero to a little beyond the last value of any size (1 % of the largest), null when that is nearly everything. */
export function usefulRange(shown: readonly { x: ArrayLike<number>; amplitude: ArrayLike<number> }[], full: Range): Range | null {
  let last = 0;
  for (const { x, amplitude } of shown) {
    const limit = 0.01 * largestOf(amplitude);
    let i = amplitude.length - 1;
    while (i > 0 && !(amplitude[i]! > limit)) i--;
    last = Math.max(last, x[i] ?? 0);
  }
  const end = 1.25 * last;
  return end > 0 && end < 0.8 * full[1] ? [full[0], end] : null;
}

function lower(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
}

/** A logarithmic axis of at most six decades below the largest value. */
export function decades(low: number | null, top: number | null, largest: number): [number, number] {
  const high = Math.ceil(Math.log10((top ?? 0) > 0 ? top! : largest) + 0.02);
  const least = low != null && low > 0 ? Math.floor(Math.log10(low)) : -Infinity;
  return [Number(`1e${Math.min(Math.max(least, high - 6), high - 1)}`), Number(`1e${high}`)];
}

export function startSpectra(report: Report, place: HTMLElement): void {
  const all = report.results.flatMap((result) => result.header.spectra.map((spectrum) => frequencies(result, spectrum)));
  const words = { axis: "frequency [Hz]", unit: " Hz", choose: "Spectrum of", about: "Amplitude spectrum" };
  if (all.length) place.append(new SpectrumChart(report, all, words).figure);
}

export function startOrders(report: Report, place: HTMLElement): void {
  const all = report.results.flatMap((result) => result.header.orders.map((spectrum) => orders(result, spectrum)));
  const words = { axis: "order [cycles per revolution]", unit: "", choose: "Orders of", about: "Order spectrum" };
  if (all.length) place.append(new SpectrumChart(report, all, words).figure);
}
