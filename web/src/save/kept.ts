/** What the link keeps of the parts of the page: each names its state as a short text, and takes one back. */

export interface Kept {
  /** The state as the reader has set it; null where there is nothing to keep. */
  read(): string | null;
  /** Take a state, of a stranger perhaps; what is not on offer is ignored. */
  write(text: string): void;
}

/** All of them in the order in which they are taken back, by their names in the link. */
export const KEPT = new Map<string, Kept>();

export function keep(name: string, read: Kept["read"], write: Kept["write"]): void {
  KEPT.set(name, { read, write });
}

/** Numbers of a text, null unless there are just so many, all finite. */
export function numbersIn(text: string | null, count: number): number[] | null {
  const parts = text === null || text.length > 200 ? [] : text.split(",");
  const found = parts.map((part) => (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(part) ? Number(part) : NaN));
  return found.length === count && found.every(Number.isFinite) ? found : null;
}

/** Numbers as the link writes them. */
export function textOf(...values: number[]): string {
  return values.map((value) => String(Number(value.toPrecision(9)))).join(",");
}
