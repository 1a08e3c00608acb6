/** Numbers of the page as tables: comma-separated (RFC 4180, as chaindrive export writes them) and for the clipboard. */

export type Cell = number | string | null | undefined;

export interface Table {
  /** Lines of comment: what it is, which part, which units. */
  comments: string[];
  /** One per column, with units. */
  headings: string[];
  /** Of equal length; null, undefined and not-a-number are empty cells. */
  columns: ArrayLike<Cell>[];
}

const LINE_END = "\r\n";

/** A number with all its digits; of one in single precision just those that tell it from its neighbours. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "";
  if (Math.fround(value) === value) {
    for (let count = 7; count <= 9; count++) {
      const shorter = Number(value.toPrecision(count));
      if (Math.fround(shorter) === value) return String(shorter);
    }
  }
  return String(value);
}

/** A text as a cell; what a spreadsheet would take for a formula is made plain text. */
function quoted(text: string): string {
  const plain = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",#\r\n]/.test(plain) || plain !== plain.trim() ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function cell(value: Cell, exact: boolean): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined || !Number.isFinite(value)) return "";
  return exact ? String(value) : digits(value);
}

function rows(table: Table): number {
  return Math.max(0, ...table.columns.map((column) => column.length));
}

export function csvOf(table: Table): string {
  const lines = table.comments.map((text) => `# ${text.replace(/\s+/g, " ").trim()}`);
  lines.push(table.headings.map(quoted).join(","));
  for (let r = 0; r < rows(table); r++) {
    lines.push(table.columns.map((column, c) => (typeof column[r] === "string" ? quoted(column[r] as string) : cell(column[r], c === 0))).join(","));
  }
  return lines.join(LINE_END) + LINE_END;
}

/** Separated by tabs, as spreadsheets take it from the clipboard. */
export function tabbedOf(table: Table): string {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const lines = [table.headings.map(plain).join("\t")];
  for (let r = 0; r < rows(table); r++) lines.push(table.columns.map((column, c) => plain(cell(column[r], c === 0))).join("\t"));
  return lines.join("\n");
}

/** Rows whose first column is within a range. */
export function within(table: Table, [first, last]: readonly [number, number]): Table {
  const x = table.columns[0] ?? [];
  const slack = 1e-9 * Math.max(Math.abs(first), Math.abs(last));
  const kept: number[] = [];
  for (let r = 0; r < x.length; r++) if ((x[r] as number) >= first - slack && (x[r] as number) <= last + slack) kept.push(r);
  if (kept.length === x.length) return table;
  return { ...table, columns: table.columns.map((column) => kept.map((r) => column[r])) };
}

/** "name [unit]", without brackets for a plain number. */
export function headed(name: string, unit: string): string {
  return unit && unit !== "1" && unit !== "-" ? `${name} [${unit}]` : name;
}
