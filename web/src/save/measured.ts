/** Measured curves from comma-separated files: reading, units, and how far they are from a curve of the page. */

export interface Column {
  name: string;
  /** As written, "" where none is. */
  unit: string;
  values: Float64Array;
}

/** What cannot be read, in words for the reader. */
export class UnreadableError extends Error {}

const ALLOWED = "Expected: a line of names with units in brackets, such as \"time [ms];force [kN]\", then lines of numbers, with a tab, semicolon or comma between columns; a decimal comma with tabs or semicolons";
const MOST_PROBLEM = 24;

/** The cells of a line; quotes hold separators together. */
function cellsOf(line: string, separator: string): string[] {
  const found: string[] = [];
  const pattern = new RegExp(`("(?:[^"]|"")*"|[^${separator === "\t" ? "\\t" : separator}]*)(?:${separator === "\t" ? "\\t" : separator}|$)`, "y");
  while (pattern.lastIndex < line.length) {
    const cell = pattern.exec(line);
    if (!cell) return line.split(separator).map((text) => text.trim());
    found.push(cell[1]!.trim().replace(/^"([^]*)"$/, (_, inner: string) => inner.replaceAll('""', '"')));
  }
  if (line.endsWith(separator)) found.push("");
  return found;
}

function valueOf(cell: string, comma: boolean): number | null {
  const text = (comma ? cell.replace(",", ".") : cell).replace("−", "-");
  if (text === "" || /^(nan|-)$/i.test(text)) return NaN;
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}

/** "force [kN]", "force (kN)", "force / kN" as name and unit. */
export function namedUnit(heading: string): [string, string] {
  const found = /^(.*?)\s*[[(]([^\])]*)[\])]\s*$/.exec(heading) ?? /^(.*?)\s+\/\s+(\S+)$/.exec(heading);
  return found ? [found[1]!.trim(), found[2]!.trim()] : [heading.trim(), ""];
}

/** The columns of a file. Throws UnreadableError with the line and what is allowed. */
export function readColumns(text: string): Column[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/);
  const used = lines.map((line, k) => ({ line, k })).filter(({ line }) => line.trim() !== "" && !line.startsWith("#"));
  if (used.length < 2) throw new UnreadableError(`The file has ${used.length ? "one line" : "no lines"}. ${ALLOWED}.`);
  const separator = ["\t", ";", ","].find((sign) => used[0]!.line.includes(sign) && used[1]!.line.includes(sign));
  if (!separator) throw new UnreadableError(`Line ${used[0]!.k + 1} has one column. ${ALLOWED}.`);
  const comma = separator !== "," && !used.slice(1, 200).some(({ line }) => /\d\.\d/.test(line)) && used.slice(1, 200).some(({ line }) => /\d,\d/.test(line));
  const headings = cellsOf(used[0]!.line, separator);
  if (headings.some((cell) => cell !== "" && valueOf(cell, comma) !== null)) throw new UnreadableError(`Line ${used[0]!.k + 1} has numbers where names are expected. ${ALLOWED}.`);
  const units = cellsOf(used[1]!.line, separator);
  const withUnits = units.every((cell) => cell === "" || valueOf(cell, comma) === null);
  const data = used.slice(withUnits ? 2 : 1);
  if (!data.length) throw new UnreadableError(`No line has numbers. ${ALLOWED}.`);
  const columns = headings.map((heading, c): Column => {
    const [name, unit] = namedUnit(heading);
    return { name: name || `column ${c + 1}`, unit: unit || (withUnits ? (units[c] ?? "").replace(/^[[(]|[\])]$/g, "") : ""), values: new Float64Array(data.length) };
  });
  data.forEach(({ line, k }, row) => {
    const cells = cellsOf(line, separator);
    columns.forEach((column, c) => {
      const value = valueOf(cells[c] ?? "", comma);
      if (value === null) throw new UnreadableError(`Line ${k + 1}, column "${column.name}": "${cells[c]!.slice(0, MOST_PROBLEM)}" cannot be read as a number. ${ALLOWED}.`);
      column.values[row] = value;
    });
  });
  return columns;
}

const PREFIXES: Record<string, number> = { n: 1e-9, "µ": 1e-6, "μ": 1e-6, u: 1e-6, m: 1e-3, c: 1e-2, d: 0.1, da: 10, h: 100, k: 1e3, M: 1e6, G: 1e9 };
/** Units by the unit of SI in which the page has the quantity. */
const UNITS: Record<string, Record<string, number>> = {
  s: { min: 60, h: 3600, sec: 1 },
  m: { in: 0.0254, ft: 0.3048 },
  N: { lbf: 4.4482216152605, kgf: 9.80665, kp: 9.80665 },
  "N m": { Nm: 1, kNm: 1e3, mNm: 1e-3, "N*m": 1, "N·m": 1, "lbf ft": 1.3558179483314, "ft lbf": 1.3558179483314 },
  "rad/s": { "1/s": 2 * Math.PI, rpm: Math.PI / 30, "1/min": Math.PI / 30, "U/min": Math.PI / 30, "r/min": Math.PI / 30, "min-1": Math.PI / 30, "min^-1": Math.PI / 30, "deg/s": Math.PI / 180, "°/s": Math.PI / 180 },
  rad: { deg: Math.PI / 180, "°": Math.PI / 180 },
  "°": { deg: 1, rad: 180 / Math.PI, rev: 360 },
  rev: { deg: 1 / 360, "°": 1 / 360, rad: 0.5 / Math.PI, U: 1, "1": 1 },
  pitches: { pitch: 1, "1": 1 },
  W: { PS: 735.49875, hp: 745.69987158227 },
  Pa: { bar: 1e5, psi: 6894.757293168 },
  "m/s": { "km/h": 1 / 3.6 },
  Hz: { "1/s": 1, rpm: 1 / 60 },
  "1": { "": 1, "-": 1, "%": 0.01 },
};

/** So many of the page's units are one of the other; null where they measure different things. A page in rpm takes all speeds. */
export function unitFactor(unit: string, own: string): number | null {
  const home = own === "" || own === "-" ? "1" : own;
  const plain = unit.trim();
  if (plain === home || (home === "1" && plain === "")) return 1;
  if (home === "rpm") {
    const speed = unitFactor(plain, "rad/s");
    return speed === null ? null : (speed * 30) / Math.PI;
  }
  if (home === "%") return plain === "1" || plain === "-" ? 100 : null;
  const known = UNITS[home]?.[plain];
  if (known !== undefined) return known;
  for (const [prefix, factor] of Object.entries(PREFIXES)) if (home !== "1" && plain === prefix + home) return factor;
  return null;
}

/**
 * Root mean square of the difference of two polylines over the part of x that both have: exact, as an integral over x. Gaps do not count.
 * Null where they have nothing in common.
 */
export function rmsDifference(ax: ArrayLike<number>, ay: ArrayLike<number>, bx: ArrayLike<number>, by: ArrayLike<number>): { rms: number; from: number; to: number } | null {
  const from = Math.max(ax[0] ?? Infinity, bx[0] ?? Infinity);
  const to = Math.min(ax[ax.length - 1] ?? -Infinity, bx[bx.length - 1] ?? -Infinity);
  if (!(to > from)) return null;
  const cuts = [...new Set([...Array.from(ax), ...Array.from(bx), from, to])].filter((x) => x >= from && x <= to).sort((a, b) => a - b);
  const lead = { a: 0, b: 0 };
  const at = (x: ArrayLike<number>, y: ArrayLike<number>, which: "a" | "b", place: number, middle: number): number => {
    while (lead[which] + 2 < x.length && x[lead[which] + 1]! <= middle) lead[which]++;
    const k = lead[which];
    return y[k]! + ((y[k + 1]! - y[k]!) * (place - x[k]!)) / (x[k + 1]! - x[k]!);
  };
  let sum = 0;
  let length = 0;
  for (let i = 1; i < cuts.length; i++) {
    const [p, q] = [cuts[i - 1]!, cuts[i]!];
    const middle = (p + q) / 2;
    const first = at(ax, ay, "a", p, middle) - at(bx, by, "b", p, middle);
    const last = at(ax, ay, "a", q, middle) - at(bx, by, "b", q, middle);
    const part = ((first * first + first * last + last * last) / 3) * (q - p);
    if (!Number.isFinite(part)) continue;
    sum += part;
    length += q - p;
  }
  return length > 0 ? { rms: Math.sqrt(sum / length), from, to } : null;
}
