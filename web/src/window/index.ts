/** The window of time of the tables. Python wrote their texts for every window between the edges; here one is chosen. */
import { inflate, type Report } from "../data";
import { h } from "../dom";
import { keep } from "../save/kept";
import type { Windows, WindowText, WindowTexts, WindowTile } from "../types";

/** Sections, islands and tables that keep the window they were made for. */
const KEPT = ["strength", "comparison", "rainflow", "section-loop", "section-spectra", "section-orders", "section-campbell"];

/** Tiles that count whole loops of the chain: they keep the window they were made for, and say so when another is chosen. */
const COUNTED = ["plates", "life"];

const FOLLOW = "Verdict, peaks, bearing forces and losses refer to this window.";

/** Put the texts of one window, by data-follows, into a document. */
export function show(k: number, texts: Record<string, WindowText>, root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>(`[data-follows^="${k}/"]`)) {
    const key = element.dataset.follows!;
    if (key.startsWith(`${k}/tile/`) && !texts[key]) continue;
    const name = `${k}/name`;
    const heading = key.startsWith(`${name}/`) ? texts[name] : undefined; // with what stands behind the name
    const found = heading === undefined ? (texts[key] ?? (key.endsWith("/share") ? "" : "–")) : `${heading as string}${key.slice(name.length + 1)}`;
    if (typeof found === "string") {
      element.textContent = found;
      continue;
    }
    if (!Array.isArray(found)) {
      showTile(k, found, element);
      continue;
    }
    const [text, note, ...to] = found;
    element.replaceChildren(to.length ? jump(k, text, ...to) : text, ...(note ? [h("span", { class: "note" }, note)] : []));
  }
}

function jump(k: number, text: string, time: number, kind: string, number: number): HTMLElement {
  return h("button", { type: "button", class: "jump", "data-jump-result": `${k}`, "data-jump-time": `${time}`, [`data-jump-${kind || "none"}`]: kind ? `${number}` : null }, text);
}

/** A tile as macros of the page write it. */
function showTile(k: number, tile: WindowTile, element: HTMLElement): void {
  const part = (name: string) => element.querySelector<HTMLElement>(`.tile-${name}`)!;
  element.className = `tile ${tile.sign}`;
  part("headline").replaceChildren(tile.time === null ? tile.headline : jump(k, tile.headline, tile.time, tile.kind, tile.number));
  part("sign").replaceChildren(h("span", { "aria-hidden": "true" }, tile.mark), ` ${tile.word}`);
  part("lines").replaceChildren(...tile.lines.map((line) => h("li", {}, line)));
}

/** What the tiles that stay say of their window while another is chosen; nothing where it is the same. */
function sayCounted(k: number, words: string): void {
  for (const key of COUNTED) {
    const lines = document.querySelector(`#tile-${k}-${key} .tile-lines`);
    lines?.querySelector(".not-following")?.remove();
    if (words) lines?.append(h("li", { class: "not-following" }, words));
  }
}

/** A control for every result, below the tiles. */
export async function startWindow(report: Report): Promise<void> {
  const place = document.getElementById("verdict") ?? document.getElementById("summary");
  if (!place) return;
  const moved = report.results.map(() => false);
  const kept = KEPT.map((id) => document.getElementById(id)).filter((each) => each !== null);
  const notes = kept.map((section) => {
    const note = h("p", { class: "remark not-following", hidden: true }, "Does not follow the window selected below the verdict.");
    section.querySelector("h2")?.after(note);
    return note;
  });
  for (const [k, { header }] of report.results.entries()) {
    const windows = header.windows;
    if (!windows) continue;
    const texts = JSON.parse(new TextDecoder().decode(await inflate(windows.texts))) as WindowTexts;
    const chosen = (first: number, last: number) => {
      show(k, texts[`${first}-${last}`] ?? {}, document);
      const page = windows.named[0]!;
      moved[k] = first !== page.first || last !== page.last;
      sayCounted(k, moved[k] ? `of the ${page.name}, whole loops` : "");
      for (const note of notes) note.hidden = !moved.includes(true);
    };
    place.append(control(windows, report.results.length > 1 ? header.label : "", `window${k || ""}`, chosen));
  }
}

/** name: in the link. */
function control(windows: Windows, label: string, name: string, chosen: (first: number, last: number) => void): HTMLElement {
  const page = windows.named[0]!;
  const select = (which: string) => h("select", { "aria-label": `${which} of the window${label ? `, ${label}` : ""}` }, ...windows.labels.map((text, i) => h("option", { value: i }, text)));
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
      ? FOLLOW
      : `Verdict, peaks, bearing forces and losses refer to ${windows.labels[first]} to ${windows.labels[last]}. Fatigue, strength, checks and spectra still refer to the ${page.name}, ${windows.labels[page.first]} to ${windows.labels[page.last]}; for a report of this window alone: chaindrive report RUN.nc --start ${windows.edges[first]} --stop ${windows.edges[last]}`;
  };
  const buttons = windows.named.map(({ name, first, last }) => h("button", { type: "button", onclick: () => set(first, last) }, name));
  begin.addEventListener("change", () => set(Number(begin.value), Math.max(Number(end.value), Number(begin.value) + 1)));
  end.addEventListener("change", () => set(Math.min(Number(begin.value), Number(end.value) - 1), Number(end.value)));
  const made = h("div", { class: "window-choice", role: "group", "aria-label": `Time window${label ? `, ${label}` : ""}` });
  made.append(h("span", {}, label ? `${label}, time window:` : "Time window:"), ...buttons, h("span", {}, "from"), begin, h("span", {}, "to"), end, remark);
  // the page is written for this window: nothing to put into it
  begin.value = `${page.first}`;
  end.value = `${page.last}`;
  for (const [i, button] of buttons.entries()) button.setAttribute("aria-pressed", String(i === 0));
  remark.textContent = FOLLOW;
  keep(
    name,
    () => `${begin.value}-${end.value}`,
    (text) => {
      const [first, last] = (/^\d{1,3}-\d{1,3}$/.test(text) ? text.split("-") : []).map(Number);
      if (first! < last! && last! < windows.edges.length && text !== `${begin.value}-${end.value}`) set(first!, last!);
    },
  );
  return made;
}
