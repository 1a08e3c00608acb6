/** At which moment the drawing opens, and why. */
import type { Report } from "../data";
import { h } from "../dom";
import { text } from "../format";

/** The moment of the first result that names one, else the first of all [s]. */
export function openingTime(report: Report): number {
  const named = report.results.map(({ header }) => header.view?.opening?.time).find((time) => time !== undefined);
  return named ?? Math.min(...report.results.map((result) => result.timeRange[0]));
}

/** Why it opens there, with a way back; null where it opens at its beginning. */
export function makeOpening(report: Report): HTMLElement | null {
  const result = report.results.find(({ header }) => header.view?.opening);
  const opening = result?.header.view?.opening;
  if (!result || !opening) return null;
  const back = h("button", { type: "button", class: "jump", "data-jump-result": result.index, "data-jump-time": opening.time }, text(opening.time, "s", 4));
  const whose = report.results.length > 1 ? ` of ${result.header.label}` : "";
  return h("p", { class: "remark stage-opening" }, `Opened at ${opening.why}${whose}, `, back, ".");
}
