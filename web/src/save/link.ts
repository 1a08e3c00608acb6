/**
 * The view of the page in its address: moment, pick, zooms, what charts show. Written without new entries in the history; read when the
 * page is opened. A stranger's link can do no more than a reader with the page's controls: numbers are checked, choices must be on offer.
 */
import { zoomIdentity } from "d3-zoom";
import { PLOTS } from "../charts/plot";
import { timeRange } from "../charts/timechart";
import type { Report } from "../data";
import { exists, KINDS } from "../stage/parts";
import { MOST_ZOOM, type StageView } from "../stage/view";
import type { Stage } from "../stage/index";
import { effect, type PickKind, store } from "../store";

const MARK = "view&";
/** After the last change [ms]. */
const PAUSE = 500;

/** Numbers of a text, null unless there are just so many, all finite. */
export function numbersIn(text: string | null, count: number): number[] | null {
  const parts = text === null || text.length > 200 ? [] : text.split(",");
  const found = parts.map((part) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(part) ? Number(part) : NaN));
  return found.length === count && found.every(Number.isFinite) ? found : null;
}

function short(value: number): string {
  return String(Number(value.toPrecision(9)));
}

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
  figure.querySelectorAll<HTMLLabelElement>("label.chart-choice").forEach((label, k) => {
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
  const entries = () => [...figure.querySelectorAll<HTMLElement>(".chart-legend button.entry[aria-pressed]")];
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
  return found;
}

/** Charts that are kept: those of the sections, by section and place; those of what is picked come and go. */
function figures(): [string, HTMLElement][] {
  return [...document.querySelectorAll<HTMLElement>("main .island[id]")].flatMap((island) =>
    [...island.querySelectorAll<HTMLElement>("figure.chart")].map((figure, k): [string, HTMLElement] => [`${island.id}${k}`, figure]),
  );
}

function rangeOf(figure: HTMLElement): { value: [number, number] | null } | null {
  const plot = [...PLOTS].find((one) => figure.contains(one.box));
  return plot && (plot.wish.range as unknown) !== timeRange ? plot.wish.range : null;
}

/** Zoom of the drawing: magnification, and the point in its middle [m]. */
function zoomText(view: StageView): string | null {
  const { camera } = view;
  if (camera.zoom.k < 1.001) return null;
  const [x, y] = camera.world(camera.width / 2, camera.height / 2);
  return [camera.zoom.k, x, y].map(short).join(",");
}

function zoomTo(view: StageView, [k, x, y]: number[]): void {
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
    const set = (key: string, value: string | null) => value !== null && found.set(key, value);
    set("t", short(store.time.peek()));
    const pick = store.picked.peek();
    set("pick", pick && `${pick.result},${pick.kind},${pick.index}`);
    set("follow", store.following.peek() ? "1" : null);
    set("results", store.visible.peek().map((is) => (is ? "1" : "0")).join(""));
    set("range", timeRange.peek()?.map(short).join(",") ?? null);
    const view = this.stage.views[0];
    set("zoom", view && !store.following.peek() ? zoomText(view) : null);
    for (const [chart, figure] of figures()) {
      for (const control of controlsOf(figure)) set(`${chart}.${control.name}`, control.read());
      set(`${chart}.range`, rangeOf(figure)?.value?.map(short).join(",") ?? "");
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

  private read(): void {
    const hash = location.hash.slice(1);
    if (!hash.startsWith(MARK) || hash.length > 20_000 || hash === this.written) return;
    this.written = hash;
    const given = new URLSearchParams(hash.slice(MARK.length));
    const { report, stage } = this;
    const results = given.get("results");
    if (results && results.length === report.results.length && /^[01]*1[01]*$/.test(results)) store.visible.value = [...results].map((one) => one === "1");
    for (const [chart, figure] of figures()) {
      for (const name of ["choice0", "choice1", "switch0", "lines", "hidden"]) {
        const value = given.get(`${chart}.${name}`);
        if (value === null) continue;
        try {
          controlsOf(figure).find((one) => one.name === name)?.write(value);
        } catch {
          // not what this page wrote
        }
      }
      const range = rangeOf(figure);
      const ends = numbersIn(given.get(`${chart}.range`), 2);
      if (range && ends && ends[1]! > ends[0]!) range.value = [ends[0]!, ends[1]!];
    }
    const shown = numbersIn(given.get("range"), 2);
    if (shown && shown[1]! > shown[0]!) timeRange.value = [shown[0]!, shown[1]!];
    const time = numbersIn(given.get("t"), 1);
    if (time) stage.player.goTo(time[0]!);
    const [result, kind, index] = (given.get("pick") ?? "").split(",");
    const pick = { result: Number(result), kind: kind as PickKind, index: Number(index) };
    if (KINDS.includes(pick.kind) && Number.isInteger(pick.index) && report.results[pick.result] && exists(report.results[pick.result]!, pick)) {
      store.picked.value = pick;
      store.following.value = given.get("follow") === "1";
    }
    const zoom = numbersIn(given.get("zoom"), 3);
    if (zoom && stage.views[0]) zoomTo(stage.views[0], zoom);
  }
}
