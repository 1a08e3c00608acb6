/** The controls of the free chart: presets, x, curves on both axes, folding, the part of the run. */
import type { Report } from "../data";
import { store } from "../store";
import { button, choice, element } from "./html";
import { presetsOf, type Preset } from "./presets";
import { alongQuantities, curveGroups, drawable, foldsOf, isTurning, linkQuantities, ofLink, type Quantity, type QuantityGroup } from "./quantities";
import type { Choice, Part } from "./traces";

type Sides = "left" | "right";

const PARTS: Part[] = ["headline", "all", "curves"];

const ALONG = "time, angles, positions";

export class FreeControls {
  readonly box = element("div", { class: "free-controls" });
  readonly groups: QuantityGroup[];
  readonly along: Quantity[];
  private readonly presets: Preset[];
  private preset = 0;
  private readonly every = new Map<string, Quantity>();

  constructor(
    private readonly report: Report,
    readonly chosen: Choice,
    private readonly changed: () => void,
  ) {
    this.groups = curveGroups(report);
    const links = linkQuantities(report);
    if (links.length) this.groups.push({ title: "Of one link", quantities: links });
    this.along = alongQuantities(report);
    for (const each of [...this.along, ...this.groups.flatMap((group) => group.quantities)]) this.every.set(each.id, each);
    this.presets = presetsOf(report);
    if (this.presets.length) Object.assign(chosen, this.presets[0]!.make(this.presets[0]!.chosen));
    else chosen.left = [this.groups[0]!.quantities[0]!.id];
    this.show();
  }

  quantity(id: string): Quantity {
    return this.every.get(id)!;
  }

  /** What a curve is called where others stand beside it. */
  name({ id, title, name }: Quantity): string {
    if (isTurning(id)) return `${title.toLowerCase()} of ${name}`;
    return name ? `${short(title)}: ${name}` : title;
  }

  /** Draw something else, as far as it is on offer: an axis, curves of one unit, a fold, a part of the run, a link. */
  take({ x, left, right, fold, part, link }: Partial<Choice>): void {
    const { chosen } = this;
    const curves = (ids: string[]) => {
      const known = [...new Set(ids)].filter((id) => this.groups.some((group) => group.quantities.some((each) => each.id === id)));
      return known.filter((id) => this.quantity(id).unit === this.quantity(known[0]!).unit);
    };
    if (x !== undefined && this.every.has(x) && x !== chosen.x) this.set({ x });
    for (const [side, ids] of Object.entries({ left, right })) {
      const found = curves(ids ?? []);
      if (ids && (found.length || !ids.length) && found.join("\n") !== chosen[side as Sides].join("\n")) this.set({ [side]: found });
    }
    if (fold !== undefined && fold !== chosen.fold && foldsOf(this.report, chosen.x).some((each) => each.id === fold)) this.set({ fold });
    if (part !== undefined && part !== chosen.part && PARTS.includes(part)) this.set({ part });
    if (link !== undefined && Number.isInteger(link)) this.setLink(link);
  }

  /** The preset that draws just this, and of which part; -1: none. */
  private like(): number {
    const text = ({ x, left, right }: Pick<Choice, "x" | "left" | "right">) => JSON.stringify([x, left, right]);
    return this.presets.findIndex((preset) => {
      const name = [preset.chosen, ...preset.names].find((each) => text(preset.make(each)) === text(this.chosen));
      if (name !== undefined) preset.chosen = name;
      return name !== undefined;
    });
  }

  private set(change: Partial<Choice>): void {
    Object.assign(this.chosen, change);
    const folds = foldsOf(this.report, this.chosen.x);
    if (folds.every((fold) => fold.id !== this.chosen.fold)) this.chosen.fold = folds[0]!.id;
    this.preset = this.like();
    const focused = document.activeElement?.getAttribute("data-free");
    this.show();
    if (focused) this.box.querySelector<HTMLElement>(`[data-free="${focused}"]`)?.focus();
    this.changed();
  }

  /** The number of the link whose values are drawn. */
  setLink(link: number): void {
    const most = Math.max(...drawable(this.report).map((result) => result.header.drive.links)) - 1;
    const next = Math.min(Math.max(Math.round(link) || 0, 0), most);
    if (next !== this.chosen.link) this.set({ link: next });
  }

  private show(): void {
    this.box.replaceChildren(this.presetRow(), this.axisRow(), element("div", { class: "chart-tools" }, this.curves("left", "Left axis"), this.curves("right", "Right axis")));
    this.box.querySelectorAll("select, input, button").forEach((control, index) => control.setAttribute("data-free", control.getAttribute("data-free") ?? String(index)));
  }

  private presetRow(): HTMLElement {
    const row = element("div", { class: "chart-tools presets", role: "group", "aria-label": "Ready-made charts" });
    this.presets.forEach((preset, index) => {
      const made = button(preset.text, "Draw this", () => this.set(preset.make(preset.chosen)));
      made.setAttribute("aria-pressed", String(index === this.preset));
      made.setAttribute("data-free", `preset-${index}`);
      row.append(made);
    });
    const preset = this.presets[this.preset];
    if (preset && preset.names.length > 1) {
      const pairs = preset.names.map((name): [string, string] => [name, name]);
      row.append(this.choice("of", preset.of, pairs, preset.chosen, (name) => {
        this.set({ ...preset.make(name), fold: this.chosen.fold });
      }));
    }
    return row;
  }

  private choice(key: string, label: string, options: [string, string][], chosen: string, run: (value: string) => void): HTMLElement {
    const made = choice(label, options, chosen, run);
    made.querySelector("select")!.setAttribute("data-free", key);
    return made;
  }

  private axisRow(): HTMLElement {
    const { chosen } = this;
    const row = element("div", { class: "chart-tools" }, this.grouped("x", "x axis", chosen.x, [{ title: ALONG, quantities: this.along }, ...this.groups], (x) => this.set({ x })));
    const folds = foldsOf(this.report, chosen.x);
    if (folds.length > 1) row.append(this.choice("fold", "Folded over", folds.map((fold): [string, string] => [fold.id, fold.text]), chosen.fold, (fold) => this.set({ fold })));
    if ([chosen.x, ...chosen.left, ...chosen.right].some(ofLink)) {
      const input = element("input", { type: "number", min: "0", step: "1", value: String(chosen.link), inputmode: "numeric", "data-free": "link" });
      input.addEventListener("change", () => {
        this.setLink(Number(input.value));
        input.value = String(this.chosen.link);
      });
      row.append(element("label", { class: "chart-choice" }, element("span", {}, "Link"), input));
    }
    const names = new Set(drawable(this.report).map((result) => result.header.free!.window.name));
    const parts: [Part, string][] = [["headline", [...names].join(", ")], ["all", "whole run"], ["curves", "as in Curves over time"]];
    row.append(this.choice("part", "Part of the run", parts, chosen.part, (part) => this.set({ part: part as Part })));
    return row;
  }

  /** A choice of quantities under headings. */
  private grouped(key: string, label: string, chosen: string, groups: QuantityGroup[], run: (id: string) => void, first = ""): HTMLElement {
    const list = element("select", { "data-free": key });
    if (first) list.append(element("option", { value: "" }, first));
    for (const { title, quantities } of groups) {
      const options = quantities.map((each) => element("option", { value: each.id }, title === ALONG ? alongName(each) : this.name(each)));
      list.append(element("optgroup", { label: title }, ...options));
    }
    list.value = chosen;
    list.addEventListener("change", () => run(list.value));
    return element("label", { class: "chart-choice" }, element("span", {}, label), list);
  }

  private curves(side: Sides, label: string): HTMLElement {
    const chips = this.chosen[side].map((id) => {
      const made = button("", "Remove it", () => this.set({ [side]: this.chosen[side].filter((each) => each !== id) }));
      made.className = "free-chip";
      made.append(element("span", {}, this.name(this.quantity(id))), element("span", { "aria-hidden": "true" }, "×"));
      made.setAttribute("aria-label", `Remove ${this.name(this.quantity(id))}`);
      return made;
    });
    const add = this.grouped(side, label, "", this.groups, (id) => this.add(side, id), chips.length ? "add a curve …" : "choose a curve …");
    return element("div", { class: "free-curves" }, add, ...chips);
  }

  /** An axis has one unit: a curve of another one takes the place of those that are there. */
  private add(side: Sides, id: string): void {
    if (!id) return;
    const kept = this.chosen[side].filter((each) => each !== id && this.quantity(each).unit === this.quantity(id).unit);
    this.set({ [side]: [...kept, id] });
  }
}

/** Take the link that is picked in the animation. */
export function followPicked(controls: FreeControls): void {
  const picked = store.picked.peek();
  if (picked && (picked.kind === "link" || picked.kind === "roller")) controls.setLink(picked.index);
}

function alongName({ title, name, unit }: Quantity): string {
  const of = unit === "rev" ? `revolutions of ${name}` : `angle of ${name}`;
  return `${name ? of : title.toLowerCase()}${unit === "rev" ? "" : ` [${unit}]`}`;
}

/** A title without what it is of, where the name of that stands behind it. */
export function short(title: string): string {
  const left = title.replace(/^(?:Span|Wheel|Tensioner|Chain) (?=\w)/, "").replace(/ (?:at midspan|on the wheels|of the wheels|on the guides|of the joints)(?=$|,)/, "");
  return left.charAt(0).toUpperCase() + left.slice(1);
}
