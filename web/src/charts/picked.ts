/** The curves of what is picked: a link with its band of least and largest tension, or all curves of a wheel, a span, ... */
import type { LoadedFrames, LoadedResult, Report } from "../data";
import { effect, store, type Pick } from "../store";
import { groupsOf, lineOf, resultColour } from "./curves";
import { element, throttled } from "./html";
import { colourOf, LINE, MARK } from "./look";
import { TimeChart, type TimeLine } from "./timechart";

const HEIGHT = 180;

/** Values of one column of frame-by-frame numbers. */
export function columnOf(values: ArrayLike<number>, frames: number, width: number, column: number): Float32Array {
  const found = new Float32Array(frames);
  for (let f = 0; f < frames; f++) found[f] = values[f * width + column]!;
  return found;
}

type Channel = (frames: LoadedFrames) => Float32Array | null;

/** Results in which the picked part exists: all that are shown, so that they can be compared. */
function shownResults(report: Report): LoadedResult[] {
  return report.results.filter((result) => store.visible.peek()[result.index] !== false && result.frames.count > 0);
}

/** Angles that go on growing where they jump by a turn [rad]. */
export function unwrapped(angles: Float32Array): Float32Array {
  let turns = 0;
  return angles.map((angle, f) => {
    if (f > 0) turns -= Math.round((angle - angles[f - 1]!) / (2 * Math.PI)) || 0;
    return angle + 2 * Math.PI * turns;
  });
}

/** The line of one link or roller in every result. */
function linkLines(report: Report, link: number, channel: Channel, look: { name: string; colour: string }, dash: number[] = []): TimeLine[] {
  const several = report.results.length > 1;
  return shownResults(report).flatMap((result) => {
    const { frames } = result;
    const column = (values: Float32Array | null) => (values ? columnOf(values, frames.count, frames.links, link) : null);
    const given = link < frames.links ? column(channel(frames)) : null;
    if (!given) return [];
    const values = channel(frames) === frames.linkAngle ? unwrapped(given) : given;
    const withBand = channel(frames) === frames.tension;
    const low = withBand ? column(frames.tensionLow) : null;
    const high = withBand ? column(frames.tensionHigh) : null;
    return [
      {
        name: several ? `${result.header.label}: ${look.name}` : look.name,
        colour: several ? resultColour(report, result) : look.colour,
        dash,
        time: frames.time.subarray(0, frames.count),
        values,
        at: (time: number) => values[frames.nearest(time)] ?? NaN,
        band: low && high ? { low, high } : null,
      },
    ];
  });
}

/** Charts of both joints of a rigid link, or of the one at a roller, and of the angle of a link. */
function jointCharts(report: Report, picked: Pick): TimeChart[] {
  const links = report.results[picked.result]?.header.drive.links ?? 1;
  const ends: [string, number][] = picked.kind === "link" ? [["its bush", picked.index], ["its pin", (picked.index + 1) % links]] : [["", picked.index]]; // prettier-ignore
  const lines = (channel: Channel) => (): TimeLine[] =>
    ends.flatMap(([end, joint], k) => linkLines(report, joint, channel, { name: end ? `joint ${joint}, at ${end}` : `joint ${joint}`, colour: colourOf(k) }, report.results.length > 1 && k ? [5, 3] : []));
  const angle = () => linkLines(report, picked.index, (frames) => frames.linkAngle, { name: "angle", colour: LINE });
  const wishes: [string, string, () => TimeLine[]][] = [
    ["Pin force", "N", lines((frames) => frames.pinForce)],
    ["Gap between pin and bush", "m", lines((frames) => frames.pinGap)],
    ["Friction moment between pin and bush", "N m", lines((frames) => frames.pinMoment)],
  ];
  if (picked.kind === "link") wishes.push([`Angle of link ${picked.index}`, "rad", angle]);
  return wishes.filter((wish) => wish[2]().length).map(([title, unit, found]) => new TimeChart(report, { title, unit, remark: () => "", lines: found, height: HEIGHT }));
}

function linkCharts(report: Report, link: number): TimeChart[] {
  const tension = () => linkLines(report, link, (frames) => frames.tension, { name: "tension", colour: LINE });
  const forces = () => [
    ...linkLines(report, link, (frames) => frames.contactForce, { name: "normal force", colour: MARK }),
    ...linkLines(report, link, (frames) => frames.frictionForce, { name: "friction force", colour: colourOf(2) }, report.results.length > 1 ? [5, 3] : []),
  ];
  const banded = () => shownResults(report).some((result) => result.frames.tensionLow);
  const remark = () => (banded() ? "Band: minimum and maximum since the previous frame." : "");
  const charts = [new TimeChart(report, { title: `Tension of link ${link}`, unit: "N", remark, lines: tension, height: HEIGHT })];
  if (forces().length) charts.push(new TimeChart(report, { title: `Contact force on roller ${link}`, unit: "N", remark: () => "", lines: forces, height: HEIGHT }));
  return charts;
}

/** Charts of all curve groups that have a series of this kind and index. */
function curveCharts(report: Report, picked: Pick): TimeChart[] {
  const several = report.results.length > 1;
  const home = report.results[picked.result];
  const groups = (home?.curves ?? []).filter((group) => group.info.series.some((s) => s.kind === picked.kind && s.index === picked.index));
  return groups.map(({ info }) => {
    const lines = (): TimeLine[] =>
      groupsOf(report, info.key).flatMap((found) =>
        found.group.info.series.flatMap((series, index) => {
          if (series.kind !== picked.kind || series.index !== picked.index) return [];
          const name = several ? `${found.result.header.label}: ${series.name}` : series.name;
          return [lineOf(found, index, { name, colour: several ? resultColour(report, found.result) : colourOf(picked.index), dash: [] })];
        }),
      );
    return new TimeChart(report, { title: info.title, unit: info.unit, remark: () => info.note ?? "", lines, height: HEIGHT });
  });
}

/** Keep the charts of what is picked in a place of the page. */
export function startPicked(report: Report, place: HTMLElement): void {
  const grid = element("div", { class: "chart-grid", id: "pickedChart" });
  place.append(grid);
  let charts: TimeChart[] = [];
  effect(() => {
    const picked = store.picked.value;
    charts.forEach((chart) => chart.remove());
    if (!picked || shownResults(report).length === 0) charts = [];
    else if (picked.kind === "link" || picked.kind === "roller") charts = [...linkCharts(report, picked.index), ...jointCharts(report, picked)];
    else charts = curveCharts(report, picked);
    grid.replaceChildren(...charts.map((chart) => chart.figure));
    grid.hidden = charts.length === 0;
  });
  const renew = throttled(() => charts.forEach((chart) => chart.update()), 250);
  effect(() => {
    void store.visible.value;
    void store.version.value;
    renew();
  });
}
