/** Forms made from the schema: text, unit, default and range of every field are those of the file's description. */
import { h } from "../dom";
import { fieldAt, type Field, fieldOf, type Schema, type Variant, variantOf } from "./schema";
import { edit, nameOf, placeOf, valueAt } from "./session";
import type { Path, Problem } from "./types";

/** A number as it would be typed in a file, or the text. */
export function typedValue(text: string, field: Field): unknown {
  const trimmed = text.trim();
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed);
  if (field.numeric && isNumber && (!field.text || Number.isFinite(Number(trimmed)))) return Number(trimmed);
  return field.numeric ? trimmed : text;
}

function describe(field: Field, schema: Schema): string {
  const usual = schema.default;
  const standard = usual === undefined || usual === null || usual === "" || typeof usual === "object" ? "" : `default ${String(usual)}`;
  return [schema.description ?? "", [field.unit && `in ${field.unit}`, field.range, standard].filter(Boolean).join(", ")].filter(Boolean).join(" — ");
}

/** Names of parts that a text may name: bodies for "body", wheels for "wheel", spans for "span", chains of the catalogue. */
export type Suggest = (path: Path) => string[];

export class Forms {
  private number = 0;
  private problems: Problem[] = [];
  private told = new Set<Problem>();

  constructor(
    private readonly suggest: Suggest,
    private readonly rerender: () => void,
    private readonly select: (path: Path) => void,
  ) {}

  /** Tables whose further fields are shown. */
  private readonly open = new Set<string>();

  /** The form of the part at a path, with the problems at their fields. */
  form(path: Path, problems: Problem[]): HTMLElement {
    this.problems = problems;
    this.told = new Set();
    const field = fieldAt(path, valueAt);
    const value = valueAt(path);
    const place = placeOf(path);
    if (!field) return h("p", { class: "remark" }, "This part has no description.");
    const variant = variantOf(field, value);
    const body = variant ? this.table(path, variant) : h("div", {});
    const rest = problems.filter((problem) => !this.told.has(problem) && (problem.place === place || problem.place.startsWith(`${place}.`) || problem.place.startsWith(`${place}[`)));
    return h("div", { class: "form", role: "group", "aria-label": nameOf(path) }, ...rest.map((problem) => this.problemLine(problem, true)), body);
  }

  private problemLine(problem: Problem, withPlace = false): HTMLElement {
    this.told.add(problem);
    return h("p", { class: "field-problem" }, `${withPlace ? `${problem.place}: ` : ""}${problem.message}${problem.value ? ` (got ${problem.value})` : ""}`);
  }

  /** All fields of a table: those given and those needed first, the others behind a button. */
  private table(path: Path, variant: Variant): HTMLElement {
    const { properties = {}, required = [] } = variant.schema;
    const value = (valueAt(path) ?? {}) as Record<string, unknown>;
    const place = placeOf(path);
    const isProblem = (key: string): boolean => this.problems.some(({ place: where }) => where === `${place}.${key}` || where === key);
    const first = Object.keys(properties).filter((key) => key in value || required.includes(key) || (!path.length ? false : isProblem(key)));
    const more = Object.keys(properties).filter((key) => !first.includes(key));
    const rows = first.filter((key) => key !== variant.tag).map((key) => this.rowOrPart([...path, key], properties[key]!, required.includes(key)));
    const box = h("div", { class: "table" }, ...rows);
    if (more.length) {
      const open = this.open.has(place);
      const toggle = h("button", { type: "button", class: "tool text more", "aria-expanded": open, onclick: () => this.toggle(place) }, open ? "Fewer fields" : `More fields (${more.length})`);
      box.append(toggle, ...(open ? more.map((key) => this.rowOrPart([...path, key], properties[key]!, false)) : []));
    }
    return box;
  }

  private toggle(place: string): void {
    if (!this.open.delete(place)) this.open.add(place);
    this.rerender();
  }

  /** A field; of the whole drive only the single values, for its tables are parts of their own. */
  private rowOrPart(path: Path, schema: Schema, needed: boolean): HTMLElement {
    const field = fieldOf(schema);
    const variants = field.items?.variants ?? field.variants;
    if (path.length > 1 || !variants.length) return this.row(path, schema, needed);
    const key = String(path[0]);
    const present = valueAt(path) !== undefined;
    const [{ tag, word } = { tag: "", word: "" }] = variants;
    const empty = tag ? { [tag]: word } : {};
    const open = (): void => {
      if (present) this.select(field.items ? [key, 0] : path);
      else void edit([field.items ? { kind: "add", path, value: empty } : { kind: "set", path, value: empty }], `add ${key}`).then((done) => done && this.select(field.items ? [key, 0] : path));
    };
    const wrong = this.problems.filter(({ place }) => place === key);
    return h("div", { class: "field", "data-place": key }, h("div", { class: "line" }, h("span", { class: "key" }, key, ...(needed ? [h("span", { class: "needed" }, " *")] : [])), h("button", { type: "button", class: "tool text", onclick: open }, present ? "Open" : "Add")), ...wrong.map((problem) => this.problemLine(problem)), h("small", { class: "hint" }, schema.description ?? ""));
  }

  /** One field: its name, what is given, what is allowed, what is wrong. */
  private row(path: Path, schema: Schema, needed: boolean): HTMLElement {
    const field = fieldOf(schema);
    const value = valueAt(path);
    const place = placeOf(path);
    const id = `field-${++this.number}`;
    const wrong = this.problems.filter((problem) => problem.place === place || (field.pair && problem.place.startsWith(`${place}[`)));
    const hint = h("small", { id: `${id}-hint`, class: "hint" }, describe(field, schema));
    const label = h("label", { for: id }, String(path[path.length - 1]).replaceAll("_", " "), ...(needed ? [h("span", { class: "needed", title: "needed" }, " *")] : []), ...(field.unit ? [h("span", { class: "unit" }, ` [${field.unit}]`)] : []));
    const control = this.control(path, field, schema, value, id, wrong.length > 0);
    return h("div", { class: "field", "data-place": place }, h("div", { class: "line" }, label, control), ...wrong.map((problem) => this.problemLine(problem)), hint);
  }

  private control(path: Path, field: Field, schema: Schema, value: unknown, id: string, invalid: boolean): HTMLElement {
    const listed = Array.isArray(value);
    if (field.pair && (value === undefined || listed)) return this.pair(path, field, (value as unknown[] | undefined) ?? [], id, invalid);
    if (field.items && !field.pair && (listed || (!field.single && !field.variants.length))) return this.list(path, field.items, (value as unknown[] | undefined) ?? [], id, invalid);
    if (field.variants.length) return this.choiceOfTable(path, field, value, id, invalid);
    if (field.bool) return this.words(path, ["true", "false"], schema, value, id, invalid, (word) => word === "true");
    if (field.free) return h("output", { id }, value === undefined ? "in the file only" : JSON.stringify(value));
    if (field.words.length && !field.single) return this.words(path, field.words, schema, value, id, invalid, (word) => word);
    return this.text(path, field, schema, value, id, invalid);
  }

  private text(path: Path, field: Field, schema: Schema, value: unknown, id: string, invalid: boolean): HTMLElement {
    const names = [...field.words, ...(field.text ? this.suggest(path) : [])];
    const usual = schema.default === undefined || schema.default === null || typeof schema.default === "object" ? "" : String(schema.default);
    const input = h("input", { id, type: "text", value: value === undefined ? "" : String(value), placeholder: usual, autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-hint`, "aria-invalid": invalid, list: names.length ? `${id}-names` : null });
    input.addEventListener("change", () => this.give(path, input.value === "" ? undefined : typedValue(input.value, field)));
    if (!names.length) return input;
    return h("span", { class: "with-names" }, input, h("datalist", { id: `${id}-names` }, ...names.map((name) => h("option", { value: name }))));
  }

  private words(path: Path, words: string[], schema: Schema, value: unknown, id: string, invalid: boolean, of: (word: string) => unknown): HTMLElement {
    const usual = schema.default === undefined ? "" : `default: ${String(schema.default)}`;
    const options = words.map((word) => h("option", { value: word }, word));
    const select = h("select", { id, "aria-describedby": `${id}-hint`, "aria-invalid": invalid }, h("option", { value: "" }, usual || "–"), ...options);
    select.value = value === undefined ? "" : String(value);
    select.addEventListener("change", () => this.give(path, select.value === "" ? undefined : of(select.value)));
    return select;
  }

  private pair(path: Path, field: Field, value: unknown[], id: string, invalid: boolean): HTMLElement {
    const inputs = ["x", "y"].map((axis, k) =>
      h("input", { id: k ? `${id}-y` : id, type: "text", value: value[k] === undefined ? "" : String(value[k]), placeholder: axis, "aria-label": `${String(path[path.length - 1])} ${axis}`, autocomplete: "off", "aria-describedby": `${id}-hint`, "aria-invalid": invalid }),
    );
    const give = (): void => {
      const typed = inputs.map((input) => input.value.trim());
      if (typed.every((text) => text === "")) this.give(path, undefined);
      else if (typed.every((text) => text !== "")) this.give(path, inputs.map((input) => typedValue(input.value, { ...field, numeric: true, text: true })));
    };
    inputs.forEach((input) => input.addEventListener("change", give));
    return h("span", { class: "pair" }, ...inputs);
  }

  /** A list of numbers or texts as lines, a list of tables as forms one below the other. */
  private list(path: Path, items: Field, value: unknown[], id: string, invalid: boolean): HTMLElement {
    if (!items.variants.length && !items.items) {
      const area = h("textarea", { id, rows: Math.min(6, Math.max(1, value.length)), "aria-describedby": `${id}-hint`, "aria-invalid": invalid, spellcheck: "false" });
      area.value = value.map(String).join("\n");
      area.addEventListener("change", () => {
        const typed = area.value.split(items.numeric ? /[\n,;]+/ : /\n+/).filter((text) => text.trim() !== "");
        this.give(path, typed.length ? typed.map((text) => typedValue(text, items)) : undefined);
      });
      return area;
    }
    const label = String(path[path.length - 1]).replaceAll("_", " ");
    const parts = value.map((_, k) => this.part([...path, k], items, `${label} ${k + 1}`));
    return h("div", { id, class: "parts" }, ...parts, this.adder(path, items, label));
  }

  private part(path: Path, items: Field, label: string): HTMLElement {
    const value = valueAt(path);
    const variant = variantOf(items, value);
    const remove = h("button", { type: "button", class: "tool text", onclick: () => void edit([{ kind: "remove", path }], `remove ${label}`) }, "Remove");
    return h("fieldset", { "data-place": placeOf(path) }, h("legend", {}, `${label}${variant?.tag ? `: ${variant.word}` : ""}`), this.entry(path, items, variant, value, label), remove);
  }

  private entry(path: Path, items: Field, variant: Variant | null, value: unknown, label: string): HTMLElement {
    const id = `field-${++this.number}`;
    if (variant) return this.table(path, variant);
    if (items.pair) return this.pair(path, items, (value as unknown[]) ?? [], id, false);
    if (items.single) return named(label, this.text(path, items, {}, value, id, false));
    return h("code", {}, JSON.stringify(value));
  }

  private adder(path: Path, items: Field, label: string): HTMLElement {
    const add = (value: unknown): void => void edit([{ kind: "add", path, value }], `add ${label}`);
    if (items.pair) return h("button", { type: "button", class: "tool text", onclick: () => add(["0 mm", "0 mm"]) }, "Add a point");
    const buttons = items.variants.map((variant) => h("button", { type: "button", class: "tool text", onclick: () => add(variant.tag ? { [variant.tag]: variant.word } : {}) }, `Add ${variant.tag ? variant.word : ""}`.trim()));
    return h("span", { class: "adders" }, ...buttons);
  }

  /** A table of one of several kinds; where a number may stand instead, that is one of the choices. */
  private choiceOfTable(path: Path, field: Field, value: unknown, id: string, invalid: boolean): HTMLElement {
    const NONE = "", VALUE = "a value", LIST = "a list"; // prettier-ignore
    const variant = variantOf(field, value);
    const chosen = value === undefined ? NONE : Array.isArray(value) ? LIST : variant ? `table ${variant.word}` : VALUE;
    const options = [h("option", { value: NONE }, "–"), ...(field.single ? [h("option", { value: VALUE }, VALUE)] : []), ...field.variants.map(({ tag, word }) => h("option", { value: `table ${word}` }, tag ? word : "given")), ...(field.items ? [h("option", { value: LIST }, LIST)] : [])];
    const select = h("select", { id, "aria-describedby": `${id}-hint`, "aria-invalid": invalid }, ...options);
    select.value = chosen;
    select.addEventListener("change", () => {
      const next = field.variants.find(({ word }) => `table ${word}` === select.value);
      if (select.value === NONE) this.give(path, undefined);
      else if (next) this.give(path, { ...kept(value, variant, next), ...(next.tag ? { [next.tag]: next.word } : {}) });
      else if (select.value === LIST) this.give(path, typeof value === "object" ? [value] : []);
      else this.give(path, 0);
    });
    const box = h("div", { class: "choice" }, select);
    if (Array.isArray(value) && field.items) box.append(this.list(path, field.items, value, `${id}-list`, invalid));
    else if (variant) box.append(this.table(path, variant));
    else if (value !== undefined) box.append(named(String(path[path.length - 1]).replaceAll("_", " "), this.text(path, field, {}, value, `${id}-value`, invalid)));
    return box;
  }

  private give(path: Path, value: unknown): void {
    const name = `${nameOf(path.slice(0, 2))} ${String(path[path.length - 1])}`;
    if (value === undefined) {
      if (valueAt(path) !== undefined) void edit([{ kind: "remove", path }], `remove ${name}`);
    } else void edit([{ kind: "set", path, value }], `set ${name}`);
  }
}

/** A control without a label of its own, with a name for those who do not see it. */
function named(name: string, control: HTMLElement): HTMLElement {
  (control.matches("input") ? control : control.querySelector("input")!).setAttribute("aria-label", name);
  return control;
}

/** Of a table that becomes one of another kind: the values that the other one has as well. */
export function kept(value: unknown, from: Variant | null, to: Variant): Record<string, unknown> {
  if (!from || typeof value !== "object" || value === null) return {};
  const keys = Object.keys(to.schema.properties ?? {});
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== from.tag && key !== to.tag && keys.includes(key)));
}
