/** Torques, loads, motors and motions that a click puts on a wheel. Their kinds are those of the schema. */
import { signal } from "@preact/signals-core";
import { kept } from "./forms";
import { fieldAt, type Field, fieldOf, variantOf } from "./schema";
import { nameOf, placeOf, valueAt } from "./session";
import type { Change, Path } from "./types";

/** The kind of user-defined laws, which Python gives and a file does not. */
const FROM_PYTHON = "law";
/** Keys of a wheel under which something drives or loads it. */
const KEYS = ["torque", "load_torque", "loads", "load_table", "vehicle", "motion"];

export interface Act {
  key: string;
  /** The kind, by its tag; both empty for a number or a table without kinds. */
  tag: string;
  word: string;
  /** What a number is written with; empty for a table. */
  unit: string;
  description: string;
}

/** What the tool "Torque" puts on a wheel. */
export const chosenAct = signal<Act | null>(null);

/** All that may act on a wheel. */
export function acts(): Act[] {
  return KEYS.flatMap((key) => actsUnder(key, fieldAt(["wheels", 0, key], (path) => (path.length < 3 ? {} : undefined))));
}

function actsUnder(key: string, field: Field | null): Act[] {
  if (!field) return [];
  const list = field.items?.variants[0]?.schema;
  if (list && !field.variants.length) return actsUnder(key, fieldOf(list.properties!.torque!)); // loads, each with its torque
  const number = field.single ? [{ key, tag: "", word: "", unit: field.unit, description: "" }] : [];
  const variants = field.variants.filter(({ word }) => word !== FROM_PYTHON);
  return [...number, ...variants.map(({ tag, word, schema }) => ({ key, tag, word: tag ? word : "", unit: "", description: schema.description ?? "" }))];
}

export const actName = ({ key, word, unit }: Act): string => `${key.replaceAll("_", " ")}: ${word ? word.replaceAll("_", " ") : unit ? "a number" : "a table"}`;

/** What puts it on a wheel, and the place of its form; no changes where it is there already. */
export function putOn(wheel: Path, act: Act): { changes: Change[]; place: Path; label: string } {
  const path = [...wheel, act.key];
  const present = valueAt(path);
  const made = act.unit ? `0 ${act.unit}` : act.tag ? { [act.tag]: act.word } : {};
  const label = `${actName(act)} on ${nameOf(wheel)}`;
  if (act.key === "loads") {
    const count = Array.isArray(present) ? present.length : 0;
    return { changes: [{ kind: "add", path, value: { torque: made } }], place: [...path, count, "torque"], label };
  }
  const field = fieldAt(path, valueAt);
  if (present === undefined) return { changes: [{ kind: "set", path, value: made }], place: path, label };
  if (field?.items) {
    const list = Array.isArray(present) ? present : [present]; // torques of a list add up
    return { changes: [{ kind: "set", path, value: [...list, made] }], place: [...path, list.length], label };
  }
  if (act.unit || !act.tag || variantOf(field!, present)?.word === act.word) return { changes: [], place: path, label };
  const before = variantOf(field!, present);
  const next = field!.variants.find(({ word }) => word === act.word)!;
  return { changes: [{ kind: "set", path, value: { ...kept(present, before, next), ...(made as object) } }], place: path, label };
}

/** Why it cannot be put on this part; empty if it can. */
export function refusal(wheel: Path, act: Act): string {
  return fieldAt([...wheel, act.key], valueAt) ? "" : `${placeOf(wheel)} has no key "${act.key}".`;
}
