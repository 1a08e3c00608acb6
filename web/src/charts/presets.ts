/** What engineers draw over what: a click fills in the free chart. */
import type { LoadedResult, Report } from "../data";
import { ADVANCE, alongQuantities, angleOf, drawable, foldsOf, linkQuantities, PLACE, TIME } from "./quantities";
import type { Choice } from "./traces";

export interface Preset {
  text: string;
  /** of which part, and its names; empty where there is only one way */
  of: string;
  names: string[];
  chosen: string;
  make: (name: string) => Pick<Choice, "x" | "left" | "right" | "fold">;
}

type Group = NonNullable<LoadedResult["header"]["free"]>["groups"][number];

function groupOf(report: Report, key: string): Group | undefined {
  return drawable(report)
    .map((result) => result.header.free!.groups.find((group) => group.key === key))
    .find(Boolean);
}

/** Names of the series of a group, and that of the one with the largest values, or that moves most. */
function namesOf(group: Group, largest: "value" | "range"): { names: string[]; chosen: string } {
  const size = group.values.map(({ scale = 0, offset = 0 }) => 65534 * scale + (largest === "value" ? offset : 0));
  const names = group.series.map((series) => series.name);
  return { names, chosen: names[size.indexOf(Math.max(...size))] ?? names[0] ?? "" };
}

export function presetsOf(report: Report): Preset[] {
  const presets: Preset[] = [];
  const driver = drawable(report)[0]?.header.drive.wheels.find((wheel) => wheel.driven)?.name;
  const along = new Set(alongQuantities(report).map((each) => each.id));
  const x = driver !== undefined && along.has(angleOf(driver)) ? angleOf(driver) : along.has(ADVANCE) ? ADVANCE : TIME;
  const across = x === TIME ? "time" : x === ADVANCE ? "chain travel" : `${driver} angle`;
  const first = drawable(report)[0]?.header;
  const turns = (first?.free?.period ?? 0) / (first?.drive.wheels.find((wheel) => wheel.name === driver)?.teeth ?? 1);
  const whole = foldsOf(report, x).some((each) => each.id === String(turns)); // revolutions in which the loads repeat
  const fold = x === TIME ? "" : x === ADVANCE ? "loop" : whole ? String(turns) : "1";
  const own = x === TIME || x === ADVANCE ? "" : fold;
  const tension = groupOf(report, "span_tension");
  if (tension) presets.push({ text: `Tension over ${across}`, of: "Span", ...namesOf(tension, "value"), make: (name) => ({ x, left: [`span_tension|${name}`], right: [], fold }) });
  const motion = groupOf(report, "span_velocity");
  if (motion && groupOf(report, "span_displacement")) presets.push({ text: "Phase portrait", of: "Span", ...namesOf(motion, "range"), make: (name) => ({ x: `span_displacement|${name}`, left: [`span_velocity|${name}`], right: [], fold: own }) });
  const bearing = groupOf(report, "bearing_force_y");
  if (bearing) presets.push({ text: "Bearing orbit", of: "Wheel", ...namesOf(bearing, "range"), make: (name) => ({ x: `bearing_force_x|${name}`, left: [`bearing_force_y|${name}`], right: [], fold: own }) });
  const ratio = groupOf(report, "ratio_deviation");
  if (ratio) presets.push({ text: "Ratio deviation", of: "Wheel", ...namesOf(ratio, "range"), make: (name) => ({ x, left: [`ratio_deviation|${name}`], right: [], fold }) });
  if (linkQuantities(report).some((each) => each.id === "link:tension") && drawable(report)[0]!.header.drive.closed)
    presets.push({ text: "Link along the loop", of: "", names: [], chosen: "", make: () => ({ x: PLACE, left: ["link:tension"], right: [], fold: "loop" }) });
  return presets;
}
