import "uplot/dist/uPlot.min.css";
import "./style/index.css";
import "./stage/stage.css";
import "./stage/space.css";
import "./window/window.css";
import { startCharts } from "./charts/index";
import { startMaps } from "./charts/campbell";
import { printCharts } from "./charts/plot";
import { loadMaps, loadReport } from "./data";
import { startLive } from "./live";
import { startSave } from "./save/index";
import { holdDrops } from "./save/overlay";
import { startStage } from "./stage/index";
import { openingTime } from "./stage/opening";
import { store } from "./store";
import { offerAppearance } from "./style/appearance";
import { startNav } from "./style/nav";
import { painted, startTheme } from "./style/theme";
import { startWindow } from "./window/index";

declare global {
  interface Window {
    /** What tests look at; read only, and there when the page is complete. */
    chaindrive?: object;
  }
}

async function start(): Promise<void> {
  startTheme();
  painted(() => store.colours.value++);
  if (document.getElementById("map")) return startStudy(document.getElementById("map")!);
  const report = await loadReport(document);
  offerAppearance(report.header);
  store.visible.value = report.results.map(() => true);
  store.time.value = openingTime(report);
  const stage = startStage(report);
  startCharts(report);
  await startWindow(report);
  startSave(report, stage); // last: its link takes back what the parts keep
  window.chaindrive = Object.freeze({
    get time() {
      return store.time.value;
    },
    get frame() {
      return stage.player.index;
    },
    get frames() {
      return stage.player.times.length;
    },
    get playing() {
      return store.playing.value;
    },
    get speed() {
      return store.speed.value;
    },
    get picked() {
      return store.picked.value && { ...store.picked.value };
    },
    get following() {
      return store.following.value;
    },
    get zoom() {
      return stage.views[0]?.camera.zoom.k ?? 1;
    },
    /** The drawing in space, null while the one in the plane is shown. */
    get space() {
      const picture = stage.views[0]?.shownInSpace;
      return picture ? { sight: picture.sight, moving: picture.moving, renderer: picture.renderer, grid: picture.grid } : null;
    },
    /** Where a part of a result is on its canvas, in pixels. */
    place: (result: number, kind: string, index: number) => stage.views[result]?.pixelOf(kind, index) ?? null,
    /** The labels on the canvas of a result: kind, index, lines, box, leader. */
    labels: (result: number) => stage.views[result]?.standing ?? [],
    /** Of every result: radii of its wheels on the canvas, links, and what its drawing was told. */
    get drives() {
      return report.results.map(({ header }, r) => ({ wheels: header.drive.wheels.map(({ radius }) => radius * stage.views[r]!.camera.scale), links: header.drive.links, view: header.view ?? null }));
    },
    results: report.results.map((result) => result.header.label),
    fps: () => stage.frameRate.perSecond,
    intervals: () => stage.frameRate.intervals,
  });
  document.documentElement.dataset.chaindrive = "ready";
  if (report.header.live) startLive(report, stage);
}

/** The page of a study: maps over speed and frequency. */
async function startStudy(place: HTMLElement): Promise<void> {
  const { header, array } = await loadMaps(document);
  offerAppearance(header);
  const chart = startMaps(header, array, place);
  window.chaindrive = Object.freeze({
    /** Where a speed and a frequency are in the window, in pixels. */
    place: (x: number, frequency: number) => chart.place(x, frequency),
    get shown() {
      return chart.title;
    },
  });
  printCharts();
  holdDrops();
  startNav(document);
  document.documentElement.dataset.chaindrive = "ready";
}

start().catch((problem: unknown) => {
  console.error(problem);
  const place = document.getElementById("stage") ?? document.getElementById("map") ?? document.body;
  const text = document.createElement("p");
  text.className = "problem";
  text.setAttribute("role", "alert");
  text.textContent = `The animation and the curves cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}. The tables and text of this report are complete.`;
  place.prepend(text);
});
