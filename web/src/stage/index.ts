/** The animated drive: its canvases, its controls, and when they are drawn. */
import type { ZoomTransform } from "d3-zoom";
import { listen, makeHelp } from "../controls/keyboard";
import { listenToJumps } from "../controls/jump";
import { makeColourPanel } from "../controls/options";
import { makePickList } from "../controls/picklist";
import { makeShownPanel } from "../controls/shown";
import { makeSpaceBar, type SpaceBar } from "../controls/spacebar";
import { makeTransport } from "../controls/transport";
import type { Report } from "../data";
import type { Picture } from "../space/contract";
import { resultColour } from "../charts/curves";
import { startDetails } from "../details/index";
import { rowsFor } from "../details/numbers";
import { h, icon, setText } from "../dom";
import { effect, store } from "../store";
import { arrowScales } from "./arrows";
import { TensionScale } from "./colours";
import { FrameRate } from "./framerate";
import { makeFullScreen } from "./fullscreen";
import { makeOpening } from "./opening";
import { exists, partsOf, titleOf } from "./parts";
import { Player, speeds } from "./player";
import { settings } from "./settings";
import { StageView } from "./view";

/** Text changes so often while the animation plays [ms]. */
const TEXT_INTERVAL = 100;
/** Between canvases side by side [px]. */
const GAP = 8;
/** Around the drawing on the whole screen, as in stage.css [px]. */
const PADDING = 10;
/** The room for the canvases on an A4 page [px]. */
const PAPER_WIDTH = 680;
const PAPER_HEIGHT = 560;

export interface Stage {
  player: Player;
  views: StageView[];
  frameRate: FrameRate;
  /** Null where no links move in space. */
  space: SpaceBar | null;
  /** Draw now, with so many pixels of the canvas for each, and let somebody take it before it is as it was. */
  shoot(ratio: number, take: (shown: StageView[]) => void): void;
}

export function startStage(report: Report): Stage {
  const player = new Player(report);
  const scale = new TensionScale(report.header.colours.tension);
  const frameRate = new FrameRate();
  let arrows = arrowScales(report.results);
  let requested = false;
  let textDrawn = 0;
  let onScreen = true;
  let printing = false;

  const views = report.results.map((result) => new StageView(result, scale, report.header.live, zoomed));
  let extents = commonExtents(report);

  const pace = speeds(report);
  let turnsKnown = pace.turns;
  const transport = makeTransport(report, player, pace);
  const picks = makePickList(report);
  const colours = makeColourPanel(report, scale, request);
  const arrowPanel = makeShownPanel(report);
  const help = makeHelp(partsOf(report));
  const main = h("div", { class: "stage-main" });
  const full = makeFullScreen(main, () => layOut());
  const shownViews = (): StageView[] => views.filter((view) => store.visible.value[view.result.index] !== false);
  const first = (): StageView => shownViews()[0] ?? views[0]!;
  const eye = (): Pick<Picture, "zoomBy" | "panBy" | "fit"> => first().shownInSpace ?? first();
  const camera = {
    zoomBy: (factor: number) => eye().zoomBy(factor),
    panBy: (dx: number, dy: number) => eye().panBy(dx, dy),
    fit: () => eye().fit(),
    turnBy: (yaw: number, pitch: number) => first().shownInSpace?.turnBy(yaw, pitch),
  };
  const space = makeSpaceBar(views, shownViews, request);

  const tool = (label: string, path: string, act: () => void): HTMLElement => h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: act }, icon(path));
  const tools = h(
    "div",
    { class: "stage-tools", role: "group", "aria-label": "View" },
    tool("Zoom in (+)", "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z", () => camera.zoomBy(1.5)),
    tool("Zoom out (−)", "M5 11h14v2H5z", () => camera.zoomBy(1 / 1.5)),
    tool("Fit the drive (0)", "M5 5h5v2H7v3H5zM14 5h5v5h-2V7h-3zM5 14h2v3h3v2H5zM17 14h2v5h-5v-2h3z", () => camera.fit()),
    ...(full.button ? [full.button] : []),
    help.button,
  );
  const grid = h("div", { class: "stage-views" }, ...views.map((view) => view.element));
  const card = h("div", { class: "stage-card" });
  const side = h("div", { class: "stage-side" }, colours.element, arrowPanel.element, picks.element, card);
  const chooser = resultChooser(report);
  const opening = makeOpening(report);
  const drawing = h("div", { class: "stage-frame" }, grid, tools);
  main.append(...(chooser ? [chooser] : []), ...(space ? [space.element] : []), drawing, transport.element, ...(opening ? [opening] : []));
  const root = h("div", { class: "stage-root" }, main, side);
  const place = document.getElementById("stage");
  if (!place) {
    // no run kept where its rollers are: nothing to draw, but tables may still lead to a moment of the curves
    listenToJumps(report, player, null);
    return { player, views, frameRate, space, shoot };
  }
  place.append(root);
  const showDetails = startDetails(report, views);
  listen(root, player, transport, picks, camera, help, space, full);
  listenToJumps(report, player, root);

  function zoomed(source: StageView, transform: ZoomTransform): void {
    for (const view of views) if (view !== source) view.assume(transform);
    request();
  }

  function request(): void {
    if (requested) return;
    requested = true;
    requestAnimationFrame(frame);
  }

  function frame(now: number): void {
    requested = false;
    if (store.playing.value) {
      player.tick(now);
      frameRate.mark(now);
      if (store.playing.value) request();
    } else frameRate.pause();
    if (onScreen) draw();
    if (!store.playing.value || now - textDrawn >= TEXT_INTERVAL) {
      textDrawn = now;
      showText();
    }
  }

  function draw(): void {
    const gliding = store.playing.value;
    for (const view of shownViews()) view.at(store.time.value, gliding);
    if (settings.range.value !== "run") colours.update(views);
    for (const view of shownViews()) view.draw(gliding, store.picked.value, store.following.value, arrows, extents[view.result.index]!);
  }

  function shoot(ratio: number, take: (shown: StageView[]) => void): void {
    const shown = shownViews();
    const { width, height } = first().camera;
    const other = ratio !== (window.devicePixelRatio || 1);
    if (other) for (const view of shown) view.measure(width, height, extents[view.result.index]!, ratio);
    draw();
    take(shown);
    if (other) layOut();
  }

  function showText(): void {
    colours.update(views);
    arrowPanel.update(arrows, first().arrowFactor, first().shownInSpace?.force ?? null);
    transport.update(views);
    space?.update();
    showDetails();
    showCard();
    for (const view of shownViews()) {
      const { frames, header } = view.result;
      const ended = frames.count && store.time.value > frames.time[frames.count - 1]! + 1e-9 ? `, ended at ${view.moment.time.toPrecision(5)} s` : "";
      setText(view.remark, report.results.length > 1 ? `${header.label}: frame ${view.moment.frame + 1} of ${frames.count}, row ${frames.row[view.moment.frame] ?? "–"}${ended}` : "");
      if (store.playing.value) continue;
      const pick = store.picked.value;
      const named = pick && exists(view.result, pick) ? `; selected: ${titleOf(view.result, pick)}` : "";
      for (const canvas of [view.canvas, ...(view.space ? [view.space.canvas] : [])])
        canvas.setAttribute("aria-label", `Animation of ${header.label}${canvas === view.canvas ? "" : " in 3-D"} at ${view.moment.time.toPrecision(6)} seconds${named}`);
    }
  }

  function showCard(): void {
    const pick = store.picked.value;
    const view = pick ? views[pick.result] : null;
    card.hidden = !pick || !view || !exists(view.result, pick);
    if (!pick || !view || card.hidden) return;
    const rows = rowsFor(view.result, view.moment, pick).slice(0, 4);
    if (card.childElementCount !== 2 * rows.length + 1) card.replaceChildren(h("strong"), ...rows.flatMap(() => [h("span", { class: "key" }), h("span", { class: "value" })]));
    setText(card.children[0]!, titleOf(view.result, pick));
    rows.forEach((row, k) => {
      setText(card.children[2 * k + 1]!, row.label);
      setText(card.children[2 * k + 2]!, row.value);
    });
  }

  /** Give every canvas its size and draw at once: an emptied canvas must not be seen. */
  function layOut(): void {
    if (printing) return;
    const shown = shownViews();
    for (const view of views) view.element.hidden = !shown.includes(view);
    const narrow = root.clientWidth < 760;
    root.classList.toggle("narrow", narrow);
    const columns = root.clientWidth < 700 ? 1 : Math.min(shown.length, 3) || 1;
    // on the whole screen all height that the controls leave
    const whole = full.on ? Math.max(200, main.clientHeight - 2 * PADDING - (contentHeight(main) - grid.clientHeight)) : 0;
    const most = whole || Math.max(300, (narrow ? 0.62 : 0.74) * window.innerHeight);
    const least = whole || (narrow ? 240 : 320) + (settings.inSpace.value ? 80 : 0); // depth needs height
    arrange(shown, columns, Math.max(160, grid.clientWidth), least, most, window.devicePixelRatio || 1);
    for (const view of shown) for (const canvas of [view.canvas, ...(view.space ? [view.space.canvas] : [])]) canvas.style.height = `${view.camera.height}px`;
  }

  /** On paper: as wide as the text of an A4 page, three pixels of the canvas for each. */
  function layOutForPrint(): void {
    printing = true;
    for (const view of views) view.printing = true;
    const shown = shownViews();
    arrange(shown, Math.min(shown.length, 3) || 1, PAPER_WIDTH, 240, PAPER_HEIGHT, 3);
    for (const view of shown) view.canvas.style.height = "auto";
    showText();
  }

  function arrange(shown: StageView[], columns: number, total: number, least: number, most: number, ratio: number): void {
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const width = (total - GAP * (columns - 1)) / columns;
    let height = least;
    for (const view of shown) {
      const [left, right, bottom, top] = extents[view.result.index]!;
      height = Math.max(height, Math.min(most, Math.round((width * (top! - bottom!)) / Math.max(1e-9, right! - left!) + 50)));
    }
    for (const view of shown) view.measure(width, height, extents[view.result.index]!, ratio);
    draw();
  }

  let width = 0;
  new ResizeObserver(() => {
    if (root.clientWidth === width) return; // the height follows from the width
    width = root.clientWidth;
    layOut();
  }).observe(root);
  window.addEventListener("resize", layOut);
  new IntersectionObserver((entries) => {
    onScreen = entries[entries.length - 1]!.isIntersecting;
    if (onScreen) request();
  }).observe(grid);
  document.addEventListener("visibilitychange", request);
  effect(() => {
    void [store.time.value, store.playing.value, store.picked.value, store.following.value, settings.contactForces.value, settings.bearingForces.value, settings.mechanismForces.value, settings.labels.value, settings.tensions.value, settings.speeds.value, settings.enlarged.value, settings.arrows.value];
    void [store.colours.value, settings.parallel.value, settings.stretch.value, settings.sideForces.value];
    request();
  });
  effect(() => {
    root.classList.toggle("space", settings.inSpace.value);
    root.classList.toggle("no-plane", settings.inSpace.value && views.every((view) => view.spatial));
    void store.visible.value;
    if (grid.isConnected) layOut();
    request();
  });
  effect(() => {
    if (store.version.value === 0) return;
    player.refresh();
    if (!turnsKnown && report.results.some((result) => result.frames.count > 1)) {
      const better = speeds(report);
      turnsKnown = better.turns;
      if (turnsKnown) transport.offer(better);
    }
    arrows = arrowScales(report.results);
    extents = commonExtents(report);
    colours.update(views); // before anything is drawn with them
    request();
  });
  effect(() => {
    if (store.picked.value === null) store.following.value = false;
  });
  let followed = false;
  effect(() => {
    const following = store.following.value;
    if (following === followed) return;
    followed = following;
    const view = first();
    if (following) view.centre(null);
    else {
      // stay where the view is; the origin is the middle of the drive again
      const { camera } = view;
      const middle = camera.world(camera.width / 2, camera.height / 2);
      const [left, right, bottom, top] = extents[view.result.index]!;
      camera.origin = [(left! + right!) / 2, (bottom! + top!) / 2];
      view.centre(middle);
    }
  });
  window.addEventListener("beforeprint", layOutForPrint);
  window.addEventListener("afterprint", () => {
    printing = false;
    for (const view of views) view.printing = false;
    layOut();
  });
  layOut();
  showText();
  return { player, views, frameRate, space, shoot };
}

/** The extent of every result; drives of about the same size get the same, so that they have the same scale. */
function commonExtents(report: Report): (readonly number[])[] {
  const all = report.results.map((result) => result.header.drive.extent);
  const size = ([left, right, bottom, top]: readonly number[]): number => Math.max(right! - left!, top! - bottom!);
  const union = [Math.min(...all.map((e) => e[0])), Math.max(...all.map((e) => e[1])), Math.min(...all.map((e) => e[2])), Math.max(...all.map((e) => e[3]))];
  return size(union) < 1.3 * Math.min(...all.map(size)) ? all.map(() => union) : all;
}

/** From the top of the first to the bottom of the last of what an element shows [px]. */
function contentHeight(element: HTMLElement): number {
  const boxes = Array.from(element.children, (child) => child.getBoundingClientRect()).filter((box) => box.height > 0);
  return Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
}

/** Which results are shown, where there are several. */
function resultChooser(report: Report): HTMLElement | null {
  if (report.results.length < 2) return null;
  const boxes = report.results.map((result, k) => {
    const input = h("input", { type: "checkbox" });
    input.checked = true;
    input.addEventListener("change", () => {
      const next = store.visible.value.map((shown, r) => (r === k ? input.checked : shown));
      if (next.some(Boolean)) store.visible.value = next;
      else input.checked = true; // one at least
    });
    effect(() => {
      input.checked = store.visible.value[k] !== false;
    });
    const swatch = h("span", { class: "swatch" });
    effect(() => {
      void store.colours.value;
      swatch.style.background = resultColour(report, result);
    });
    return h("label", { class: "check" }, input, swatch, result.header.label);
  });
  return h("div", { class: "stage-results", role: "group", "aria-label": "Results shown" }, ...boxes);
}
