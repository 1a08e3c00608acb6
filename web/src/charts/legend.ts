/** The legend of a chart: a button per series that shows and hides it, with its value at the moment. */
import { element, swatch } from "./html";

export interface LegendEntry {
  name: string;
  colour: string;
  dash?: readonly number[];
  band?: boolean;
  shown: boolean;
  /** null for what cannot be hidden */
  toggle: ((shown: boolean) => void) | null;
}

export class Legend {
  readonly list = element("ul", { class: "chart-legend" });
  private values: HTMLElement[] = [];
  private signature = "";
  private entries: readonly LegendEntry[] = [];

  /** Same entries as before leave the buttons alone, and the keyboard's focus with them. */
  set(entries: readonly LegendEntry[]): void {
    this.entries = entries;
    const signature = JSON.stringify(entries.map(({ name, colour, dash, band, toggle }) => [name, colour, dash, band, toggle !== null]));
    if (signature === this.signature) return;
    this.signature = signature;
    this.values = [];
    this.list.replaceChildren(...entries.map((entry, index) => this.item(entry, index)));
  }

  private item(entry: LegendEntry, index: number): HTMLElement {
    const value = element("span", { class: "value" });
    this.values.push(value);
    const parts = [swatch(entry.colour, entry.dash, entry.band ? "band" : "line"), element("span", { class: "name" }, entry.name), value];
    if (!entry.toggle) return element("li", {}, element("span", { class: "entry" }, ...parts));
    const made = element("button", { type: "button", class: "entry", "aria-pressed": String(entry.shown) }, ...parts);
    made.addEventListener("click", () => {
      const shown = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(shown));
      this.entries[index]?.toggle?.(shown);
    });
    return element("li", {}, made);
  }

  /** Texts beside the names; "" leaves the place empty. */
  show(texts: readonly string[]): void {
    this.values.forEach((value, index) => {
      const text = texts[index] ?? "";
      if (value.textContent !== text) value.textContent = text;
    });
  }
}
