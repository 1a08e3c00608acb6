/** All data of the page as one zip, made in the page. */
import { strToU8, zipSync, type Zippable } from "fflate";
import type { LoadedFrames, LoadedResult, Report } from "../data";
import { download, nameOf, slug } from "./files";
import { captionOf, tableOfPage, tablesOfPage } from "./menu";
import { csvOf, headed, type Table } from "./table";

/** Names of files, each once. */
class Folder {
  readonly files: Record<string, Uint8Array> = {};

  put(name: string, text: string): void {
    const [, stem, ending] = /^(.*)(\.\w+)$/.exec(name)!;
    let free = name;
    for (let k = 2; free in this.files; k++) free = `${stem}-${k}${ending}`;
    this.files[free] = strToU8(text);
  }

  add(name: string, table: Table): void {
    this.put(`${name}.csv`, csvOf(table));
  }
}

/** What the frames hold of every link: name, unit, values. */
const OF_LINKS: [string, string, (frames: LoadedFrames) => ArrayLike<number> | null][] = [
  ["link_tension", "N", (frames) => frames.tension],
  ["contact_force", "N", (frames) => frames.contactForce],
  ["friction_force", "N", (frames) => frames.frictionForce],
  ["pin_force", "N", (frames) => frames.pinForce],
  ["pin_gap", "m", (frames) => frames.pinGap],
  ["pin_normal_force", "N", (frames) => frames.pinNormalForce],
  ["pin_circumferential_friction", "N", (frames) => frames.pinCircumferentialFriction],
  ["pin_radial_friction", "N", (frames) => frames.pinRadialFriction],
  ["pin_slip", "m/s", (frames) => frames.pinSlip],
  ["pin_drift", "m/s", (frames) => frames.pinDrift],
];

function addFrames(folder: Folder, root: string, comment: string, { header, frames }: LoadedResult): void {
  const { count, links } = frames;
  if (!count) return;
  const time = frames.time.subarray(0, count);
  const { wheels } = header.drive;
  const angles = wheels.map((_, w) => Float64Array.from({ length: count }, (_, f) => frames.wheelAngle[f * wheels.length + w]!));
  folder.add(`${root}animation/frames`, {
    comments: [`${comment}: frames of the animation, which are instants of the results`],
    headings: ["time [s]", "row in the results file", "advance of the chain [pitches]", ...wheels.map((wheel) => `angle of ${wheel.name} [rad]`)],
    columns: [time, frames.row.subarray(0, count), frames.advance.subarray(0, count), ...angles],
  });
  for (const [name, unit, values] of OF_LINKS) {
    const all = values(frames);
    if (!all || !Array.prototype.some.call(all, Number.isFinite)) continue;
    const columns = Array.from({ length: links }, (_, link) => Float32Array.from({ length: count }, (_, f) => all[f * links + link]!));
    folder.add(`${root}animation/${name}`, { comments: [`${comment}: ${name} of every link, or of the part at its rear end, at the frames, resolved in 65535 steps of its range`], headings: ["time [s]", ...columns.map((_, link) => `${link} [${unit}]`)], columns: [time, ...columns] });
  }
}

function addResult(folder: Folder, root: string, result: LoadedResult): void {
  const { header } = result;
  const { label } = header;
  for (const { info, time, values } of result.curves) {
    folder.add(`${root}curves/${slug(info.key)}`, {
      comments: [`${label}: ${info.title}`, `${time.length} of ${info.stored} stored instants`, info.remark].filter(Boolean),
      headings: ["time [s]", ...info.series.map((series) => headed(series.name, info.unit))],
      columns: [time, ...values],
    });
  }
  for (const curve of header.loop?.curves ?? []) {
    const { start, stop, limits } = header.loop!;
    const comments = [`${label}: ${curve.key}, one loop of the chain, ${start} s to ${stop} s`, ...(limits ?? []).map((limit) => `${limit.name}: ${limit.value} N`)];
    const unit = OF_LINKS.find(([name]) => name === curve.key)?.[1] ?? "N";
    const headings = ["minimum", "mean", "maximum"].map((name) => headed(name, unit));
    const low = result.array(curve.link_low);
    folder.add(`${root}loop/${curve.key}-by-place`, { comments, headings: ["position along the loop [pitches]", ...headings], columns: [result.array(curve.places), result.array(curve.low), result.array(curve.mean), result.array(curve.high)] });
    folder.add(`${root}loop/${curve.key}-by-link`, { comments, headings: ["link or joint", ...headings], columns: [Array.from(low, (_, k) => k), low, result.array(curve.link_mean), result.array(curve.link_high)] });
  }
  for (const spectrum of header.spectra) {
    const comments = [`${label}: amplitude spectrum of ${spectrum.title}, ${spectrum.start} s to ${spectrum.stop} s, resolution ${spectrum.resolution} Hz`, ...spectrum.marks.map((mark) => `${mark.label}: ${mark.frequency} Hz`)];
    folder.add(`${root}spectra/${slug(`${spectrum.key} ${spectrum.title}`)}`, { comments, headings: ["frequency [Hz]", headed("amplitude", spectrum.unit)], columns: [result.array(spectrum.frequency), result.array(spectrum.amplitude)] });
  }
  for (const spectrum of header.orders) {
    const comments = [`${label}: orders of ${spectrum.title} against the angle of ${spectrum.wheel}, resolution ${spectrum.resolution}`];
    folder.add(`${root}orders/${slug(`${spectrum.key} ${spectrum.title} ${spectrum.wheel}`)}`, { comments, headings: ["order [cycles per revolution]", headed("amplitude", spectrum.unit)], columns: [result.array(spectrum.order), result.array(spectrum.amplitude)] });
  }
  addWaterfalls(folder, root, result);
  addFrames(folder, root, label, result);
}

function addWaterfalls(folder: Folder, root: string, result: LoadedResult): void {
  const { campbell: maps, label } = result.header;
  for (const map of maps) {
    const x = result.array(map.columns);
    const y = result.array(map.frequency);
    const power = result.array(map.amplitude);
    folder.add(`${root}waterfall/${slug(map.title)}`, {
      comments: [`${label}: ${map.title}; a row for every ${map.x}, a column for every frequency`],
      headings: [map.x, ...Array.from(y, (frequency) => headed(`amplitude at ${frequency} Hz`, map.unit))],
      columns: [x, ...Array.from(y, (_, r) => Float32Array.from(x, (_, c) => 10 ** power[c * y.length + r]!))],
    });
    const lines = map.lines.map((line) => result.array(line.frequency));
    folder.add(`${root}waterfall/${slug(map.title)}-lines`, { comments: [`${label}: expected frequencies`], headings: [map.x, ...map.lines.map((line) => headed(line.label, "Hz"))], columns: [x, ...lines] });
  }
}

function readme(report: Report, files: string[]): string {
  const { header } = report;
  const lines = [
    document.title,
    "",
    `All data of a report made by chaindrive ${header.version} on ${header.made}.`,
    "",
    ...report.results.map(({ header: { label, drive, status, time_range: range } }) => `${label}: drive "${drive.name}", ${drive.links} links, pitch ${drive.pitch} m; ${range[0]} s to ${range[1]} s; status ${status}`),
    "",
    "Units: SI (speeds of wheels in rpm), in brackets in the headings. The tables in the folder tables have the units of the page.",
    "CSV as in RFC 4180: comma between columns, point in numbers, comment lines begin with #, empty where there is no value.",
    "Curves are thinned as in the page: the instants with the minimum and maximum of each short interval are kept. Every stored instant is in",
    "the results file; export it with: chaindrive export RESULTS.nc -o TABLE.csv",
    "",
    ...files,
    "",
  ];
  return lines.join("\r\n");
}

export function zipOf(report: Report): Uint8Array<ArrayBuffer> {
  const folder = new Folder();
  const several = report.results.length > 1;
  for (const result of report.results) addResult(folder, several ? `${result.index + 1}-${slug(result.header.label)}/` : "", result);
  for (const table of tablesOfPage()) folder.add(`tables/${slug(captionOf(table))}`, tableOfPage(table));
  folder.put("README.txt", readme(report, Object.keys(folder.files).sort()));
  const root = slug(document.title);
  const made: Zippable = Object.fromEntries(Object.entries(folder.files).map(([name, bytes]) => [`${root}/${name}`, bytes]));
  return zipSync(made, { level: 6 });
}

export function downloadZip(report: Report): void {
  download(new Blob([zipOf(report)], { type: "application/zip" }), nameOf("data", "zip"));
}
