/** The document as the server has it, and the requests that change it. Two tabs and an editor of text see each other's changes. */
import { batch, signal } from "@preact/signals-core";
import type { Change, Path, Shown, Sketch, State } from "./types";

const AGAIN = 1000;

/** The last answer, and the document in it. */
export const state = signal<State | null>(null);
export const shown = signal<Shown | null>(null);
/** What went wrong with the last action; empty if nothing did. */
export const trouble = signal("");
export const connected = signal(true);
/** The part whose form is open. */
export const selected = signal<Path | null>(null);
/** The sketch while something is dragged. */
export const preview = signal<Sketch | null>(null);

function take(answer: State): void {
  batch(() => {
    if (state.value && answer.stamp < state.value.stamp) return; // overtaken by a later one
    if (answer.document) {
      shown.value = answer.document;
      preview.value = null;
    }
    state.value = answer;
    if (selected.value && valueAt(selected.value) === undefined) selected.value = null;
  });
}

/** The answer to an action; null if it was refused, with the reason in `trouble`. */
export async function post<T>(action: string, request: object): Promise<T | null> {
  try {
    const answer = await fetch(`./${action}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) });
    const content = answer.headers.get("Content-Type") === "application/json" ? await answer.json() : { message: `the server answered ${answer.status}` };
    if (answer.ok) return content as T;
    trouble.value = answer.status === 409 ? "The file has been changed in the meantime, in another tab or by another program. It is shown as it is now. Try again." : content.message;
  } catch {
    connected.value = false;
  }
  return null;
}

/** An action whose answer is the new state; whether it was done. */
export async function act(action: string, request: object = {}): Promise<boolean> {
  trouble.value = "";
  const answer = await post<State>(action, request);
  if (answer && answer.revision !== undefined) take(answer);
  return answer !== null;
}

/** Requests that name a revision, one after the other: each knows the revision that the one before it made. */
let queue: Promise<unknown> = Promise.resolve();

function inTurn<T>(request: () => Promise<T>): Promise<T> {
  const done = queue.then(request);
  queue = done;
  return done;
}

export function edit(changes: Change[], label: string, merge = false): Promise<boolean> {
  return inTurn(() => act("edit", { revision: state.value?.revision, changes, label, merge }));
}

export async function lookAhead(changes: Change[]): Promise<Sketch | null> {
  const answer = await inTurn(() => post<{ sketch: Sketch }>("geometry", { revision: state.value?.revision, changes }));
  return answer?.sketch ?? null;
}

/** A table of the server that does not change. */
export async function table<T>(name: string): Promise<T> {
  return (await (await fetch(`./${name}`)).json()) as T;
}

/** Ask for what is new, for as long as the page is open. */
export async function follow(): Promise<void> {
  for (;;) {
    try {
      const known = state.value;
      const answer = await fetch(`./state?stamp=${known?.stamp ?? 0}&revision=${known?.revision ?? -1}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      take((await answer.json()) as State);
      connected.value = true;
    } catch {
      connected.value = false;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

/** The value of the file at a path; undefined where there is none. */
export function valueAt(path: Path): unknown {
  let here: unknown = shown.value?.fields;
  for (const step of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** "wheels[2].teeth", as problems name their places. */
export function placeOf(path: Path): string {
  return path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : text ? `${text}.${step}` : step), "");
}

export function samePath(a: Path | null, b: Path | null): boolean {
  return a === b || (a !== null && b !== null && a.length === b.length && a.every((step, k) => step === b[k]));
}

/** The part to which a path leads: an entry of a list of the drive, or of one of its stages. */
export function partOf(path: Path): Path {
  const depth = path[0] === "stages" && path.length > 3 ? 4 : typeof path[1] === "number" ? 2 : 1;
  return path.slice(0, depth);
}

export function nameOf(path: Path): string {
  const value = valueAt(path);
  const name = typeof value === "object" && value !== null && "name" in value ? String(value.name) : "";
  return name || placeOf(path);
}
