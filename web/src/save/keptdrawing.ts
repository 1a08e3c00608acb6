/** What the link keeps of the drawing: what is shown in it, how it plays, and from where it is seen in space. */
import type { Report } from "../data";
import type { Sight } from "../space/contract";
import { FACTORS } from "../stage/enlargement";
import type { Stage } from "../stage/index";
import { MOST_ARROWS } from "../controls/shown";
import { STRETCHES } from "../controls/spacebar";
import { speeds } from "../stage/player";
import { settings } from "../stage/settings";
import { store } from "../store";
import { keep, numbersIn, textOf } from "./kept";

/** A letter for each of what is shown, that of its key where it has one. */
const SHOWN: Record<string, { value: boolean }> = {
  a: settings.contactForces,
  b: settings.bearingForces,
  c: settings.mechanismForces,
  n: settings.labels,
  s: settings.sideForces,
  t: settings.tensions,
  v: settings.speeds,
};
/** Nothing of a drive is so far from its middle [m]. */
const FAR = 1e4;

/** One of some numbers: the link has fewer digits. */
function oneOf(choices: readonly number[], text: string): number | null {
  const given = numbersIn(text, 1)?.[0];
  return choices.find((choice) => given !== undefined && Math.abs(choice - given) <= 1e-6 * Math.abs(choice)) ?? null;
}

export function keepDrawing(report: Report, stage: Stage): void {
  keep(
    "show",
    () => Object.keys(SHOWN).filter((letter) => SHOWN[letter]!.value).join("") || "-",
    (text) => {
      if (/^([a-z]{0,20}|-)$/.test(text)) for (const [letter, setting] of Object.entries(SHOWN)) setting.value = text.includes(letter);
    },
  );
  const number = (name: string, setting: { value: number }, allowed: (text: string) => number | null) =>
    keep(name, () => textOf(setting.value), (text) => (setting.value = allowed(text) ?? setting.value));
  number("motion", settings.enlarged, (text) => oneOf(FACTORS, text));
  number("depth", settings.stretch, (text) => oneOf(STRETCHES, text));
  number("arrows", settings.arrows, (text) => {
    const given = numbersIn(text, 1)?.[0] ?? 0;
    return given >= 1 / MOST_ARROWS && given <= MOST_ARROWS ? given : null;
  });
  number("speed", store.speed, (text) => oneOf(speeds(report).choices.map((choice) => choice.value), text));
  keep("repeat", () => (store.repeat.value ? "1" : "0"), (text) => (store.repeat.value = text !== "0"));
  keep("parallel", () => (settings.parallel.value ? "1" : "0"), (text) => (settings.parallel.value = text === "1"));
  keep(
    "scale",
    () => (settings.range.value === "typed" ? textOf(...settings.limits.value) : settings.range.value),
    (text) => {
      const limits = numbersIn(text, 2);
      if (text === "run" || text === "instant") settings.range.value = text;
      else if (limits && limits[0]! < limits[1]!) [settings.limits.value, settings.range.value] = [[limits[0]!, limits[1]!], "typed"];
    },
  );
  keepSight(stage);
}

/** The eye in space, "" in the plane. */
function keepSight({ space, views }: Stage): void {
  if (!space) return;
  const eyes = () => views.flatMap((view) => view.space ?? []);
  keep(
    "eye",
    () => {
      const sight = settings.inSpace.value ? eyes()[0]?.sight : null;
      return sight ? textOf(sight.yaw, sight.pitch, sight.height, ...sight.shift) : "";
    },
    (text) => {
      const given = numbersIn(text, 6);
      if (!given) return text === "" ? space.show(false) : undefined;
      const [yaw, pitch, height, ...shift] = given as [number, number, number, number, number, number];
      if (Math.abs(yaw) > 100 || Math.abs(pitch) > Math.PI / 2 + 1e-6 || !(height > 1e-6 && height < FAR) || Math.hypot(...shift) > FAR) return;
      space.show(true);
      for (const eye of eyes()) eye.assume({ yaw, pitch, height, shift } satisfies Sight);
    },
  );
}
