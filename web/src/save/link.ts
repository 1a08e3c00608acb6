/**
 * The view of the page in its address: time, selection, zooms, what the drawing and the charts show. Written without new entries in the history; read when the
 * page is opened. A stranger's link can do no more than a reader with the page's controls: numbers are checked, choices must be on offer.
 */
import { zoomIdentity } from "d3-zoom";
import { PLOTS, type Range } from "../charts/plot";
import { timeRange } from "../charts/timechart";
import type { Report } from "../data";
import { exists, KINDS } from "../stage/parts";
import { MOST_ZOOM, type StageView } from "../stage/view";
import type { Stage } from "../stage/index";
import { effect, type PickKind, store } from "../store";
import { KEPT, numbersIn, textOf } from "./kept";
import { keepDrawing } from "./keptdrawing";

const MARK = "view&";
/** Controls of charts, in the order in which they are set. */
const CONTROLS = ["choice0", "choice1", "switch0", "lines", "hidden", "cursors"];
/** After the last change [ms]. */
const PAUSE = 500;

/** Controls of a chart whose state is kept, by a name that is the same in every page with that chart. */
interface Control {
  name: string;
  read(): string;
  write(value: string): void;
}

function pressed(button: HTMLElement, wanted: string): void {
  if (button.getAttribute("aria-pressed") !== wanted) button.click();
}

function controlsOf(figure: HTMLElement): Control[] {
  const found: Control[] = [];
  const choices = [...figure.querySelectorAll<HTMLLabelElement>("label.chart-choice")].filter((label) => !label.closest(".free-controls"));
  choices.forEach((label, k) => {
    const list = label.querySelector("select");
    if (!list) return;
    found.push({
      name: `choice${k}`,
      read: () => list.value,
      write: (value) => {
        if (list.value === value || ![...list.options].some((option) => option.value === value)) return;
        list.value = value;
        list.dispatchEvent(new Event("change", { bubbles: true }));
      },
    });
  });
  figure.querySelectorAll<HTMLElement>(".chart-switch").forEach((box, k) => {
    const buttons = [...box.querySelectorAll<HTMLElement>("button[aria-pressed]")];
    found.push({ name: `switch${k}`, read: () => String(buttons.findIndex((one) => one.getAttribute("aria-pressed") === "true")), write: (value) => buttons[Number(value)] && pressed(buttons[Number(value)]!, "true") });
  });
  const entries = () => [...figure.querySelectorAll<HTMLElement>(":scope > .chart-legend button.entry[aria-pressed]")];
  const nameOf = (entry: HTMLElement) => entry.querySelector(".name")?.textContent ?? "";
  found.push({
    name: "hidden",
    read: () => JSON.stringify(entries().filter((entry) => entry.getAttribute("aria-pressed") === "false").map(nameOf)),
    write: (value) => {
      const names: unknown = JSON.parse(value);
      if (Array.isArray(names)) for (const entry of entries()) pressed(entry, String(!names.includes(nameOf(entry))));
    },
  });
  const boxes = () => [...figure.querySelectorAll<HTMLInputElement>(".chart-kinds input")];
  found.push({
    name: "lines",
    read: () => boxes().map((box) => (box.checked ? "1" : "0")).join(""),
    write: (value) => boxes().forEach((box, k) => /[01]/.test(value[k] ?? "") && box.checked !== (value[k] === "1") && box.click()),
  });
  const cursors = figure.querySelector<HTMLElement>(".cursor-switch");
  if (cursors && !figure.classList.contains("free")) found.push({ name: "cursors", read: () => cursors.getAttribute("aria-pressed")!, write: (value) => pressed(cursors, String(value === "true")) });
  return found;
}

/** Charts that are kept: those of the sections, by section and place; those of what is picked come and go. */
function figures(): [string, HTMLElement][] {
  return [...document.querySelectorAll<HTMLElement>("main .island[id]")].flatMap((island) =>
    [...island.querySelectorAll<HTMLElement>("figure.chart")].map((figure, k): [string, HTMLElement] => [`${island.id}${k}`, figure]),
  );
}

function rangeOf(figure: HTMLElement): { value: Range | null } | null {
  const plot = [...PLOTS].find((one) => figure.contains(one.box));
  return plot && (plot.wish.range as unknown) !== timeRange ? plot.wish.range : null;
}

function setRange(range: { value: Range | null } | null, text: string): void {
  const ends = numbersIn(text, 2);
  if (!range || (range.value ? textOf(...range.value) : "") === text) return;
  if (text === "") range.value = null;
  else if (ends && ends[1]! > ends[0]!) range.value = [ends[0]!, ends[1]!];
}

/** Zoom of the drawing: magnification, and the point in its middle [m]; "" for all of it. */
function zoomText(view: StageView | undefined): string {
  if (!view || view.camera.zoom.k < 1.001) return "";
  const { camera } = view;
  return textOf(camera.zoom.k, ...camera.world(camera.width / 2, camera.height / 2));
}

function zoomTo(view: StageView | undefined, text: string): void {
  if (!view || text === zoomText(view)) return;
  if (text === "") return view.fit();
  const [k, x, y] = numbersIn(text, 3) ?? [0, 0, 0];
  if (!(k! >= 1 && k! <= MOST_ZOOM) || Math.hypot(x!, y!) > 1e4) return;
  const { camera } = view;
  view.zoomTo(zoomIdentity.translate(camera.width / 2, camera.height / 2).scale(k!).translate(-camera.width / 2, -camera.height / 2));
  view.centre([x!, y!]);
}

export class Link {
  private readonly begin: Map<string, string>;
  private waiting: ReturnType<typeof setTimeout> | null = null;
  private written = "";

  constructor(
    private readonly report: Report,
    private readonly stage: Stage,
  ) {
    keepDrawing(report, stage);
    this.begin = this.state(); // as the page opens: only what differs from it is written
    this.read();
    addEventListener("hashchange", () => this.read());
    for (const event of ["click", "change", "wheel", "pointerup", "keyup"]) document.addEventListener(event, () => this.later(), { passive: true });
    effect(() => {
      void [store.time.value, store.picked.value, store.following.value, store.visible.value, timeRange.value];
      if (!store.playing.value) this.later();
    });
  }

  /** The address of the page as it looks now. */
  address(): string {
    this.write();
    const text = this.text();
    return location.href.replace(/#.*$/, "") + (text ? `#${text}` : "");
  }

  private later(): void {
    if (this.waiting !== null) clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.write(), PAUSE);
  }

  private state(): Map<string, string> {
    const found = new Map<string, string>();
    const pick = store.picked.peek();
    found.set("t", textOf(store.time.peek()));
    found.set("pick", pick ? `${pick.result},${pick.kind},${pick.index}` : "");
    found.set("follow", store.following.peek() ? "1" : "0");
    found.set("results", store.visible.peek().map((is) => (is ? "1" : "0")).join(""));
    found.set("range", textOf(...(timeRange.peek() ?? [])));
    found.set("zoom", zoomText(this.stage.views[0]));
    for (const [name, { read }] of KEPT) {
      const text = read();
      if (text !== null) found.set(name, text);
    }
    for (const [chart, figure] of figures()) {
      for (const control of controlsOf(figure)) found.set(`${chart}.${control.name}`, control.read());
      found.set(`${chart}.range`, textOf(...(rangeOf(figure)?.value ?? [])));
    }
    return found;
  }

  private text(): string {
    const parts = new URLSearchParams();
    for (const [key, value] of this.state()) if (this.begin.get(key) !== value) parts.set(key, value);
    const text = parts.toString();
    return text ? MARK + text : "";
  }

  private write(): void {
    if (this.waiting !== null) clearTimeout(this.waiting);
    this.waiting = null;
    if (store.playing.peek()) return;
    const text = this.text();
    const ours = location.hash.startsWith(`#${MARK}`);
    if (text === this.written || (!text && !ours)) return;
    this.written = text;
    try {
      history.replaceState(history.state, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      // a page inside of another one may not change its address; the button still gives it
    }
  }

  /** Show what the address says, and all else as the page opens. What it says wrongly is ignored. */
  private read(): void {
    const hash = location.hash.slice(1);
    if (!hash.startsWith(MARK) || hash.length > 20_000 || hash === this.written) return;
    this.written = hash;
    const given = new URLSearchParams(hash.slice(MARK.length));
    const take = (key: string, write: (text: string) => void): void => {
      const text = given.get(key) ?? this.begin.get(key);
      try {
        if (text !== undefined) write(text);
      } catch {
        // not what this page wrote
      }
    };
    const { report, stage } = this;
    take("results", (text) => {
      if (text.length === report.results.length && /^[01]*1[01]*$/.test(text)) store.visible.value = [...text].map((one) => one === "1");
    });
    take("t", (text) => {
      const time = numbersIn(text, 1);
      if (time && text !== textOf(store.time.peek())) stage.player.goTo(time[0]!);
    });
    take("range", (text) => setRange(timeRange, text)); // after the time, which it would follow
    take("pick", (text) => this.pick(text));
    take("follow", (text) => (store.following.value = text === "1" && store.picked.peek() !== null));
    for (const [chart, figure] of figures()) for (const name of CONTROLS) take(`${chart}.${name}`, (text) => controlsOf(figure).find((one) => one.name === name)?.write(text));
    for (const [name, { write }] of KEPT) take(name, write);
    for (const [chart, figure] of figures()) take(`${chart}.range`, (text) => setRange(rangeOf(figure), text));
    take("zoom", (text) => zoomTo(stage.views[0], text));
  }

  private pick(text: string): void {
    const [result, kind, index] = text.split(",");
    const pick = { result: Number(result), kind: kind as PickKind, index: Number(index) };
    if (text === "") store.picked.value = null;
    else if (KINDS.includes(pick.kind) && Number.isInteger(pick.index) && this.report.results[pick.result] && exists(this.report.results[pick.result]!, pick)) store.picked.value = pick;
  }
}
