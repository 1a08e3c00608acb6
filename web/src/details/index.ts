/** The section of what is picked: its numbers at the moment, one column per result. */
import type { Report } from "../data";
import { h, setText } from "../dom";
import { exists, partsOf, titleOf } from "../stage/parts";
import type { StageView } from "../stage/view";
import { store } from "../store";
import { rowsFor } from "./numbers";

/** Fills #details; returns what shows the numbers of the moment again. */
export function startDetails(report: Report, views: StageView[]): () => void {
  const place = document.getElementById("details");
  if (!place) return () => undefined;
  const section = place.closest("section");
  const title = h("h3", { class: "details-title" });
  const hint = h("p", { class: "details-hint" }, `No part is selected. Click a ${partsOf(report)} in the drawing, or select one under "Selected part".`);
  const table = h("table", { class: "details-table" });
  const box = h("div", { class: "details-numbers" }, title, hint, h("div", { class: "table-box" }, table));
  place.prepend(box);
  let layout = "";
  let cells: HTMLTableCellElement[][] = [];

  return () => {
    const pick = store.picked.value;
    hint.hidden = pick !== null;
    section?.classList.toggle("nothing-picked", pick === null);
    title.hidden = table.hidden = pick === null;
    if (!pick) return;
    const shown = views.filter((view) => store.visible.value[view.result.index] !== false && exists(view.result, pick));
    const home = report.results[pick.result] ?? report.results[0]!;
    setText(title, exists(home, pick) ? titleOf(home, pick) : "");
    const columns = shown.map((view) => rowsFor(view.result, view.moment, pick));
    const labels = columns.reduce((longest, rows) => (rows.length > longest.length ? rows : longest), []).map((row) => row.label);
    const key = JSON.stringify([labels, shown.map((view) => view.result.header.label)]);
    if (key !== layout) {
      layout = key;
      cells = [];
      table.replaceChildren();
      if (report.results.length > 1) table.append(h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "At this time"), ...shown.map((view) => h("th", { scope: "col" }, view.result.header.label)))));
      const body = h("tbody");
      for (const label of labels) {
        const row = shown.map(() => h("td"));
        cells.push(row);
        body.append(h("tr", {}, h("th", { scope: "row" }, label), ...row));
      }
      table.append(body);
    }
    columns.forEach((rows, c) => labels.forEach((label, r) => setText(cells[r]![c]!, rows.find((row) => row.label === label)?.value ?? "–")));
  };
}
