/** The window of time of the tables. Python wrote their texts for every window between the edges; here one is chosen. */
import { inflate, type Report } from "../data";
import { h } from "../dom";
import type { Windows, WindowText, WindowTexts } from "../types";

/** Sections, islands and tables that keep the window they were made for. */
const KEPT = ["strength", "comparison", "rainflow", "section-loop", "section-spectra", "section-orders", "section-campbell"];

/** Put the texts of one window, by data-follows, into a document. Tiles and what is said of them stay. */
export function show(k: number, texts: Record<string, WindowText>, root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>(`[data-follows^="${k}/"]`)) {
    const key = element.dataset.follows!;
    if (key === `${k}/part` || key === `${k}/summary`) continue;
    const name = `${k}/name`;
    const heading = key.startsWith(`${name}/`) ? texts[name] : undefined; // with what stands behind the name
    const found = heading === undefined ? (texts[key] ?? (key.endsWith("/share") ? "" : "–")) : `${heading as string}${key.slice(name.length + 1)}`;
    if (typeof found === "string") {
      element.textContent = found;
      continue;
    }
    const [text, note, time, kind, number] = found;
    const button = h("button", { type: "button", class: "jump", "data-jump-result": `${k}`, "data-jump-time": `${time}`, [`data-jump-${kind || "none"}`]: kind ? `${number}` : null }, text);
    element.replaceChildren(button, ...(note ? [h("span", { class: "note" }, note)] : []));
  }
}

/** A control for every result, below the tiles. */
export async function startWindow(report: Report): Promise<void> {
  const place = document.getElementById("verdict") ?? document.getElementById("summary");
  if (!place) return;
  const moved = report.results.map(() => false);
  const kept = KEPT.map((id) => document.getElementById(id)).filter((each) => each !== null);
  const notes = kept.map((section) => {
    const note = h("p", { class: "remark not-following", hidden: true }, "Does not follow the window chosen below the verdict.");
    section.querySelector("h2")?.after(note);
    return note;
  });
  for (const [k, { header }] of report.results.entries()) {
    const windows = header.windows;
    if (!windows) continue;
    const texts = JSON.parse(new TextDecoder().decode(await inflate(windows.texts))) as WindowTexts;
    const chosen = (first: number, last: number) => {
      show(k, texts[`${first}-${last}`] ?? {}, document);
      moved[k] = first !== windows.named[0]!.first || last !== windows.named[0]!.last;
      for (const note of notes) note.hidden = !moved.includes(true);
    };
    place.append(control(windows, report.results.length > 1 ? header.label : "", chosen));
  }
}

function control(windows: Windows, label: string, chosen: (first: number, last: number) => void): HTMLElement {
  const page = windows.named[0]!;
  const select = (name: string) => h("select", { "aria-label": `${name} of the window${label ? `, ${label}` : ""}` }, ...windows.labels.map((text, i) => h("option", { value: i }, text)));
  const [begin, end] = [select("begin"), select("end")];
  begin.options[windows.edges.length - 1]!.disabled = true;
  end.options[0]!.disabled = true;
  const remark = h("p", { class: "remark", role: "status" });
  const set = (first: number, last: number) => {
    begin.value = `${first}`;
    end.value = `${last}`;
    for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", String(windows.named[i]!.first === first && windows.named[i]!.last === last));
    chosen(first, last);
    const same = page.first === first && page.last === last;
    remark.textContent = same
      ? "Peaks, bearing forces and losses follow."
      : `Peaks, bearing forces and losses are of ${windows.labels[first]} to ${windows.labels[last]}. The tiles above, strength, checks and spectra stay: tiles are of the ${page.name}, ${windows.labels[page.first]} to ${windows.labels[page.last]}. All of this window: chaindrive report RUN.nc --start ${windows.edges[first]} --stop ${windows.edges[last]}`;
  };
  const buttons = windows.named.map(({ name, first, last }) => h("button", { type: "button", onclick: () => set(first, last) }, name));
  begin.addEventListener("change", () => set(Number(begin.value), Math.max(Number(end.value), Number(begin.value) + 1)));
  end.addEventListener("change", () => set(Math.min(Number(begin.value), Number(end.value) - 1), Number(end.value)));
  const made = h("div", { class: "window-choice", role: "group", "aria-label": `Window of the tables${label ? `, ${label}` : ""}` });
  made.append(h("span", {}, label ? `${label}, window of the tables:` : "Window of the tables:"), ...buttons, h("span", {}, "from"), begin, h("span", {}, "to"), end, remark);
  // the page is written for this window: nothing to put into it
  begin.value = `${page.first}`;
  end.value = `${page.last}`;
  for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", String(i === 0));
  remark.textContent = "Peaks, bearing forces and losses follow.";
  return made;
}
