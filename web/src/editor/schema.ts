/** The schema of drive files as the forms read it: what kind of field there is at a path, and what is allowed in it. */

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  unit?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

/** A table that is allowed in a place. */
export interface Variant {
  schema: Schema;
  /** Key and word that tell it from others, such as kind = "arc". */
  tag: string;
  word: string;
}

/** What may be in one place. */
export interface Field {
  /** Words to choose from. */
  words: string[];
  /** A single number, text or quantity. */
  single: boolean;
  whole: boolean;
  numeric: boolean;
  text: boolean;
  bool: boolean;
  unit: string;
  /** The range in words; empty without one. */
  range: string;
  /** [x, y]. */
  pair: boolean;
  variants: Variant[];
  /** What a list holds, where a list is allowed. */
  items: Field | null;
  least: number;
  /** A table with names of one's own as keys; it is shown, and edited in the file. */
  free: boolean;
}

let root: Schema = {};

export function useSchema(schema: Schema): void {
  root = schema;
}

export function resolved(schema: Schema): Schema {
  let here = schema;
  while (here.$ref) here = { ...root.$defs![here.$ref.slice("#/$defs/".length)]!, ...(schema.description ? { description: schema.description } : {}) };
  return here;
}

export function rootSchema(): Schema {
  return root;
}

/** All alternatives of a schema, none of which has alternatives itself. */
function alternatives(schema: Schema, unit = ""): { schema: Schema; unit: string; tag: string }[] {
  const here = resolved(schema);
  const own = here.unit ?? unit;
  const parts = here.properties ? undefined : (here.anyOf ?? here.oneOf); // what a table must have besides its keys is told by check
  if (!parts) return [{ schema: here, unit: own, tag: "" }];
  const tag = here.discriminator?.propertyName ?? "";
  return parts.flatMap((part) => alternatives(part, own).map((each) => ({ ...each, tag: each.tag || tag })));
}

function plain(value: number): string {
  return Math.abs(value) >= 1e5 ? value.toExponential().replace("e+", "e") : String(Number(value.toPrecision(6)));
}

function rangeOf(schema: Schema): string {
  const low = schema.exclusiveMinimum !== undefined ? `> ${plain(schema.exclusiveMinimum)}` : schema.minimum !== undefined ? `≥ ${plain(schema.minimum)}` : "";
  const high = schema.maximum !== undefined ? `≤ ${plain(schema.maximum)}` : "";
  if (schema.minimum !== undefined && schema.maximum !== undefined) return `${plain(schema.minimum)} to ${plain(schema.maximum)}`;
  return [low, high].filter(Boolean).join(", ");
}

/** Key and word by which a table is told from others that may stand in its place. */
function tagOf(schema: Schema, tag: string): { tag: string; word: string } {
  const properties = schema.properties ?? {};
  const keys = [tag, "kind", "form", "over"].filter((key) => key in properties);
  for (const key of keys) {
    const { const: only, enum: some, default: usual } = properties[key]!;
    const word = only ?? (some?.length === 1 ? some[0] : key === tag ? (usual ?? some?.[0]) : undefined);
    if (word !== undefined) return { tag: key, word: String(word) };
  }
  return { tag: "", word: schema.title ?? "table" };
}

export function fieldOf(schema: Schema): Field {
  const field: Field = { words: [], single: false, whole: false, numeric: false, text: false, bool: false, unit: "", range: "", pair: false, variants: [], items: null, least: 0, free: false };
  for (const { schema: here, unit, tag } of alternatives(schema)) {
    field.unit ||= unit;
    if (here.type === "null") continue;
    if (here.enum || here.const !== undefined) field.words.push(...(here.enum ?? [here.const]).map(String));
    else if (here.type === "number" || here.type === "integer") {
      field.single = field.numeric = true;
      field.whole = here.type === "integer";
      field.range ||= rangeOf(here);
    } else if (here.type === "string") field.single = field.text = true;
    else if (here.type === "boolean") field.bool = true;
    else if (here.type === "array") {
      field.items = fieldOf(here.items ?? { anyOf: here.prefixItems ?? [] });
      field.least = here.minItems ?? 0;
      field.pair = here.minItems === 2 && here.maxItems === 2 && field.items.single && field.items.numeric;
      field.unit ||= field.items.unit;
      if (field.pair) field.range ||= field.items.range;
    } else if (here.properties) {
      for (const word of wordsOf(here, tag)) field.variants.push({ schema: here, ...tagOf(here, tag), ...(word ? { word, tag } : {}) });
    } else if (here.type === "object") field.free = true;
  }
  return field;
}

/** A table that stands for several words of its tag, such as a run-up and a run-down, is offered once for each. */
function wordsOf(schema: Schema, tag: string): string[] {
  const some = tag ? schema.properties?.[tag]?.enum : undefined;
  return some && some.length > 1 ? some.map(String) : [""];
}

/** Which of the tables a value is. */
export function variantOf(field: Field, value: unknown): Variant | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const table = value as Record<string, unknown>;
  const exact = field.variants.find(({ tag, word }) => tag && table[tag] === word);
  return exact ?? field.variants.find(({ tag }) => !tag || !(tag in table)) ?? field.variants[0] ?? null;
}

/** The field at a path of a file, following the kinds that are given there. */
export function fieldAt(path: (string | number)[], valueAt: (path: (string | number)[]) => unknown): Field | null {
  let field: Field | null = fieldOf(root);
  for (const [count, step] of path.entries()) {
    if (!field) return null;
    if (typeof step === "number") field = field.items;
    else {
      const value = valueAt(path.slice(0, count));
      const schema: Schema | undefined = (count ? variantOf(field, value)?.schema : root)?.properties?.[step];
      field = schema ? fieldOf(schema) : null;
    }
  }
  return field;
}
