/** What can be saved of every chart and table, behind one small button each. */
import type { Plot } from "../charts/plot";
import { button, element } from "../charts/html";
import { icon } from "../dom";
import { copiesPictures, copyPicture, copyText, download, downloadText, nameOf, pngOf } from "./files";
import { Overlay } from "./overlay";
import { pictureOf, wordsOf } from "./sheet";
import { csvOf, tabbedOf, within, type Table } from "./table";

const DENSITY = { png: 2, svg: 4 };
const ARROW = "M11 4h2v8h3l-4 5-4-5h3zM5 18h14v2H5z";

/** A list of buttons that opens and closes; `said` tells how it went. */
export function menu(label: string, ...items: (HTMLElement | string)[]): { box: HTMLDetailsElement; said: HTMLElement } {
  const summary = element("summary", { "aria-label": label, title: label }, icon(ARROW), element("span", {}, "Save"));
  const said = element("p", { class: "save-said", role: "status" });
  const list = element("div", { class: "save-list" }, ...items, said);
  const box = element("details", { class: "save-menu" }, summary, list);
  box.addEventListener("toggle", () => {
    said.textContent = "";
    list.classList.remove("to-right");
    list.classList.toggle("to-right", list.getBoundingClientRect().left < 4); // else it would leave the window
    if (box.open) document.querySelectorAll<HTMLDetailsElement>("details.save-menu[open]").forEach((other) => (other.open = other === box));
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    summary.focus();
    event.stopPropagation();
  });
  return { box, said };
}

/** Menus close when something else is clicked. */
export function closeMenusOutside(): void {
  document.addEventListener("click", (event) => {
    document.querySelectorAll<HTMLDetailsElement>("details.save-menu[open]").forEach((box) => {
      if (!box.contains(event.target as Node)) box.open = false;
    });
  });
}

/** Run, and say what went wrong. */
export async function attempt(said: HTMLElement, done: string, run: () => void | Promise<void>): Promise<void> {
  try {
    await run();
    said.textContent = done;
  } catch (problem) {
    said.textContent = `This failed: ${problem instanceof Error ? problem.message : String(problem)}.`;
  }
}

function reading(caption: string): string {
  return caption.replace(/\s+/g, " ").trim();
}

/** What a chart shows, as a table: the part of its x axis that is seen, in SI units. */
export function tableOf(plot: Plot): Table | null {
  const table = plot.table();
  return table && within(table, plot.wish.range.peek() ?? plot.wish.full());
}

/** Put the menu into the head of a chart's figure. */
export function offerSaving(plot: Plot): void {
  const figure = plot.box.parentElement;
  const head = figure?.querySelector<HTMLElement>(":scope > .chart-head");
  if (!figure || !head) return;
  const title = () => reading(wordsOf(figure).title);
  const file = () => title().replace(/\[.*?\]/g, "");
  const picture = (density: number) => {
    const made = pictureOf(plot, figure, document.title, density);
    if (!made) throw new Error("the chart shows nothing");
    return made;
  };
  const table = () => {
    const made = tableOf(plot);
    if (!made) throw new Error("the chart shows nothing");
    return { ...made, comments: [`${document.title}: ${title()}`, ...made.comments] };
  };
  const { box, said } = menu(
    "Save this chart",
    button("PNG", "A picture with title and legend, at twice the resolution", () => void attempt(said, "", async () => download(await pngOf(picture(DENSITY.png).canvas), nameOf(file(), "png")))),
    button("SVG", "A vector picture, for any size", () => void attempt(said, "", () => downloadText(picture(DENSITY.svg).svg, nameOf(file(), "svg"), "image/svg+xml"))),
    ...(plot.wish.table
      ? [
          button("CSV", "The values of the part shown, in SI units (speeds of wheels in rpm)", () => void attempt(said, "", () => downloadText(csvOf(table()), nameOf(file(), "csv")))),
          button("Copy table", "The values of the part shown, for a spreadsheet", () => void attempt(said, "Table copied.", () => copyText(tabbedOf(table())))),
        ]
      : []),
    ...(copiesPictures() ? [button("Copy picture", "Copy the picture, for a document", () => void attempt(said, "Picture copied.", () => copyPicture(picture(DENSITY.png).canvas)))] : []),
    ...(plot.wish.axes ? [new Overlay(plot, figure).pick] : []),
  );
  const tools = head.querySelector(":scope > .chart-tools");
  (tools ?? head).append(box);
}

/** The cells of a table of the page as they are written there. */
export function tableOfPage(table: HTMLTableElement): Table {
  const lines = [...table.rows].map((row) => [...row.cells].map((cell) => reading([...cell.childNodes].map((node) => node.textContent ?? "").filter(Boolean).join(" "))));
  const headed = table.tHead !== null && lines.length > 0;
  const width = Math.max(0, ...lines.map((line) => line.length));
  const headings = headed ? lines.shift()! : Array.from({ length: width }, (_, c) => (c ? "value" : "what"));
  return { comments: [`${document.title}: ${captionOf(table)}`, "values and units as shown in the page"], headings, columns: headings.map((_, c) => lines.map((line) => line[c] ?? "")) };
}

export function captionOf(table: HTMLTableElement): string {
  return reading(table.caption?.textContent ?? "table");
}

/** All tables that were written by Python. */
export function tablesOfPage(): HTMLTableElement[] {
  return [...document.querySelectorAll<HTMLTableElement>("main .table > table")].filter((table) => table.caption && !table.closest(".island"));
}

/** "CSV" and "Copy" beside every table. */
export function offerTables(): void {
  for (const table of tablesOfPage()) {
    const said = element("span", { class: "save-said", role: "status" });
    const bar = element(
      "div",
      { class: "save-table" },
      said,
      button("CSV", `Save the table "${captionOf(table)}"`, () => void attempt(said, "", () => downloadText(csvOf(tableOfPage(table)), nameOf(captionOf(table), "csv")))),
      button("Copy", `Copy the table "${captionOf(table)}"`, () => void attempt(said, "copied", () => copyText(tabbedOf(tableOfPage(table))))),
    );
    table.parentElement!.before(bar);
  }
}
