/** The curves of what is picked: a link with its band of least and largest tension, or all curves of a wheel, a span, ... */
import type { LoadedFrames, LoadedResult, Report } from "../data";
import { effect, store, type Pick } from "../store";
import { groupsOf, lineOf } from "./curves";
import { element, throttled } from "./html";
import { colourOf, LINE, MARK } from "./look";
import { TimeChart, type TimeLine } from "./timechart";

/** Values of one column of frame-by-frame numbers. */
export function columnOf(values: ArrayLike<number>, frames: number, width: number, column: number): Float32Array {
  const found = new Float32Array(frames);
  for (let f = 0; f < frames; f++) found[f] = values[f * width + column]!;
  return found;
}

function frameLine(frames: LoadedFrames, values: Float32Array, look: { name: string; colour: string }, band: TimeLine["band"] = null): TimeLine {
  return { ...look, dash: [], time: frames.time.subarray(0, frames.count), values, at: (time) => values[frames.nearest(time)] ?? NaN, band };
}

function linkCharts(report: Report, result: LoadedResult, link: number): TimeChart[] {
  const { frames } = result;
  const column = (values: Float32Array | null) => (values ? columnOf(values, frames.count, frames.links, link) : null);
  const tension = (): TimeLine[] => {
    const low = column(frames.tensionLow);
    const high = column(frames.tensionHigh);
    return [frameLine(frames, column(frames.tension)!, { name: `link ${link}`, colour: LINE }, low && high ? { low, high } : null)];
  };
  const contact = (): TimeLine[] => {
    const normal = column(frames.contactForce);
    const friction = column(frames.frictionForce);
    return [
      ...(normal ? [frameLine(frames, normal, { name: `normal force on roller ${link}`, colour: MARK })] : []),
      ...(friction ? [frameLine(frames, friction, { name: "friction force", colour: colourOf(2) })] : []),
    ];
  };
  const band = () => (frames.tensionLow ? "Band: least and largest value between the frames." : "");
  const charts = [new TimeChart(report, { title: `Tension of link ${link}`, unit: "N", remark: band, lines: tension, height: 170 })];
  if (frames.contactForce) {
    charts.push(new TimeChart(report, { title: `Contact force on roller ${link}`, unit: "N", remark: () => "", lines: contact, height: 170 }));
  }
  return charts;
}

/** Charts of all curve groups that have a series of this kind and index. */
function curveCharts(report: Report, picked: Pick): TimeChart[] {
  const result = report.results[picked.result];
  const keys = (result?.curves ?? []).filter((group) => group.info.series.some((s) => s.kind === picked.kind && s.index === picked.index));
  return keys.map(({ info }) => {
    const lines = (): TimeLine[] =>
      groupsOf(report, info.key)
        .filter((found) => found.result.index === picked.result)
        .flatMap((found) =>
          found.group.info.series.flatMap((series, index) =>
            series.kind === picked.kind && series.index === picked.index ? [lineOf(found, index, { name: series.name, colour: colourOf(picked.index), dash: [] })] : [],
          ),
        );
    return new TimeChart(report, { title: info.title, unit: info.unit, remark: () => "", lines, height: 170 });
  });
}

/** Keep the charts of what is picked in a place of the page. */
export function startPicked(report: Report, place: HTMLElement): void {
  const grid = element("div", { class: "chart-grid picked-charts", id: "pickedChart" });
  place.append(grid);
  let charts: TimeChart[] = [];
  effect(() => {
    const picked = store.picked.value;
    charts.forEach((chart) => chart.remove());
    const result = picked ? report.results[picked.result] : undefined;
    if (!picked || !result || result.frames.count === 0) charts = [];
    else if (picked.kind === "link" || picked.kind === "roller") charts = linkCharts(report, result, picked.index);
    else charts = curveCharts(report, picked);
    grid.replaceChildren(...charts.map((chart) => chart.figure));
    grid.hidden = charts.length === 0;
  });
  const renew = throttled(() => charts.forEach((chart) => chart.update()), 250);
  effect(() => {
    if (store.version.value > 0) renew();
  });
}
