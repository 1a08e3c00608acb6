/** The section of curves: a chart per quantity, several results on the same axes. */
import type { LoadedCurveGroup, LoadedResult, Report } from "../data";
import { effect, store } from "../store";
import { button, choice, element, throttled } from "./html";
import { colourOf, dashOf, dashOfTurn, legible } from "./look";
import { valueAt } from "./moments";
import { zoomRange } from "./plot";
import { fullTime, keepTimeCursors, startFollowing, TimeChart, timeRange, type TimeLine } from "./timechart";

const ALL = "";

export interface Found {
  result: LoadedResult;
  group: LoadedCurveGroup;
}

/** The groups of a quantity, one per result that is shown. */
export function groupsOf(report: Report, key: string): Found[] {
  return report.results
    .filter((result) => store.visible.peek()[result.index] !== false)
    .flatMap((result) => result.curves.filter((group) => group.info.key === key).map((group) => ({ result, group })));
}

export function resultColour(report: Report, result: LoadedResult): string {
  const colour = report.header.colours.results[result.index];
  return colour ? legible(colour) : colourOf(result.index);
}

export function lineOf({ result, group }: Found, series: number, look: { name: string; colour: string; dash: number[] }): TimeLine {
  return { ...look, time: group.time, values: group.values[series]!, at: (time) => valueAt(result, group, series, time) };
}

/** One result: a colour per series. Several: a colour per result, a line style per series. */
function linesOf(report: Report, key: string, which: string): TimeLine[] {
  const several = report.results.length > 1;
  const names = namesOf(report, key);
  return groupsOf(report, key).flatMap((found) =>
    found.group.info.series.flatMap((series, index) => {
      if (several && which !== ALL && series.name !== which) return [];
      const turn = series.index >= 0 ? series.index : index;
      const { label } = found.result.header;
      const look = several
        ? { name: which === ALL && names.length > 1 ? `${label}: ${series.name}` : label, colour: resultColour(report, found.result), dash: which === ALL ? dashOf(names.indexOf(series.name)) : [] }
        : { name: series.name, colour: colourOf(turn), dash: dashOfTurn(turn) };
      return [lineOf(found, index, look)];
    }),
  );
}

function namesOf(report: Report, key: string): string[] {
  return [...new Set(groupsOf(report, key).flatMap(({ group }) => group.info.series.map((series) => series.name)))];
}

/** The chart of one quantity; with several results the series to compare is chosen. */
function chartOf(report: Report, key: string): TimeChart {
  const { info } = report.results.flatMap((result) => result.curves).find((group) => group.info.key === key)!;
  const names = namesOf(report, key);
  const many = report.results.length > 1 && names.length > 1;
  let which = many && names.length * report.results.length > 4 ? names[0]! : ALL;
  const tools = many
    ? choice("Compare", [[ALL, "all"], ...names.map((name): [string, string] => [name, name])], which, (value) => {
        which = value;
        chart.update();
      })
    : null;
  const chart: TimeChart = new TimeChart(report, {
    title: info.title,
    unit: info.unit,
    remark: () => info.note ?? "",
    note: () => info.remark,
    which: () => (which === ALL ? "" : which),
    lines: () => linesOf(report, key, which),
    tools,
    height: 210,
  });
  return chart;
}

/** The section with all curves. */
export function startCurves(report: Report, place: HTMLElement): void {
  const grid = element("div", { class: "chart-grid" });
  const shown = element("span", { class: "chart-range" });
  const magnify = (factor: number) => (timeRange.value = zoomRange(timeRange.peek(), fullTime(report), factor, store.time.peek()));
  const tools = element(
    "div",
    { class: "chart-tools" },
    button("Zoom in", "Zoom in on the animation time", () => magnify(0.5)),
    button("Zoom out", "Show more of the time axis", () => magnify(2)),
    button("Whole run", "Show the whole run in all charts", () => (timeRange.value = null)),
    shown,
  );
  const hint = "Drag across a chart to zoom all of them; double-click for the whole run. Click to move the animation to that time. Click a name to hide or show its curve; the number beside it is the value at the animation time or under the pointer.";
  place.append(element("p", { class: "hint" }, hint), tools, grid);
  startFollowing(report);
  keepTimeCursors(report);
  const charts = new Map<string, TimeChart>();
  const build = () => {
    const keys = [...new Set(report.results.flatMap((result) => result.curves.map((group) => group.info.key)))];
    const fresh = keys.filter((key) => !charts.has(key));
    fresh.forEach((key) => charts.set(key, chartOf(report, key)));
    if (fresh.length) grid.replaceChildren(...keys.map((key) => charts.get(key)!.figure));
    keys.filter((key) => !fresh.includes(key)).forEach((key) => charts.get(key)!.update());
  };
  const renew = throttled(build, 250);
  effect(() => {
    void store.version.value;
    void store.visible.value;
    renew();
  });
  effect(() => {
    void store.version.value;
    const [first, last] = timeRange.value ?? fullTime(report);
    shown.textContent = `${first.toFixed(4)} s to ${last.toFixed(4)} s`;
  });
}
