/** New parts from the points that were clicked. What the drawing does not say is left open, and told as a problem at its field. */
import type { Point } from "../types";
import { valueAt } from "./session";
import type { Change, Path, Sketch } from "./types";

export type PlacedKind = "wheel" | "guide" | "body" | "tensioner";

/** How many clicks a part needs. */
export const POINTS_OF: Record<PlacedKind, number> = { wheel: 1, guide: 2, body: 1, tensioner: 2 };

const LISTS: Record<PlacedKind, string> = { wheel: "wheels", guide: "guides", body: "bodies", tensioner: "tensioners" };

const millimetres = ([x, y]: Point): string[] => [x, y].map((value) => `${Number((1000 * value).toFixed(3))} mm`);

type Table = Record<string, unknown>;

interface New {
  change: Change;
  path: Path;
  label: string;
}

export function newPart(kind: PlacedKind, points: Point[], sketch: Sketch): New {
  return made(kind, (present) => MAKERS[kind](points, present, sketch));
}

/** A rail read from a file. lines: of its layer [m], as drawn in the file; origin: where that of the file is [m]. */
export function drawnGuide(file: string, layer: string, unit: string, lines: Point[][], origin: Point, sketch: Sketch): New {
  const ends = lines.flatMap((line) => [line[0]!, line[line.length - 1]!]);
  const loose = ends.filter((end) => ends.filter((other) => Math.hypot(end[0] - other[0], end[1] - other[1]) < 1e-6).length === 1);
  const [left, right] = [...(loose.length === 2 ? loose : ends.slice(0, 2))].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([x, y]): Point => [x + origin[0], y + origin[1]]);
  const [start, , side] = alongTheRoute(left!, right!, sketch);
  const told = { ...(layer ? { layer } : {}), ...(unit ? { unit } : {}), ...(start === left ? {} : { reverse: true }), ...(origin[0] || origin[1] ? { origin: millimetres(origin) } : {}) };
  return made("guide", (present) => ({ shape: { kind: "drawn", file, ...told, side }, contact: present[present.length - 1]?.contact ?? {} }));
}

function made(kind: PlacedKind, maker: (present: Table[]) => Table): New {
  const list = LISTS[kind];
  const present = (valueAt([list]) as Table[] | undefined) ?? [];
  const names = present.map((part) => part.name);
  let number = present.length + 1;
  while (names.includes(`${kind} ${number}`)) number++;
  const name = `${kind} ${number}`;
  const value: Table = { name, ...maker(present) };
  return { change: { kind: "add", path: [list], value }, path: [list, present.length], label: `add ${name}` };
}

const MAKERS: Record<PlacedKind, (points: Point[], present: Table[], sketch: Sketch) => Table> = {
  wheel: ([at], present) => ({ teeth: 20, position: millimetres(at!), tooth: present[present.length - 1]?.tooth ?? { form: "iso-606" } }),
  guide: ([first, last], present, sketch) => {
    const [start, end, side] = alongTheRoute(first!, last!, sketch);
    return { shape: { kind: "straight", start: millimetres(start), end: millimetres(end), side }, contact: present[present.length - 1]?.contact ?? {} };
  },
  body: ([at]) => ({ joint: { kind: "revolute", position: millimetres(at!) } }),
  tensioner: ([from, to]) => {
    const bodies = (valueAt(["bodies"]) as Table[] | undefined) ?? [];
    const body = bodies.length === 1 ? { to_body: bodies[0]!.name } : {};
    return { kind: "spring_damper", from_position: millimetres(from!), ...body, to_position: millimetres(to!) };
  },
};

/** Both ends of a rail in the direction of the nearest span, and on which side of the chain it lies. */
function alongTheRoute(first: Point, last: Point, sketch: Sketch): [Point, Point, "left" | "right"] {
  const [mx, my] = [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
  let nearest: { far: number; along: Point; left: boolean } | null = null;
  for (const [x0, y0, x1, y1] of sketch.routes.flatMap(({ spans }) => spans)) {
    const [dx, dy] = [x1! - x0!, y1! - y0!];
    const length = Math.hypot(dx, dy);
    if (!length) continue;
    const t = Math.min(1, Math.max(0, ((mx - x0!) * dx + (my - y0!) * dy) / length ** 2));
    const far = Math.hypot(mx - x0! - t * dx, my - y0! - t * dy);
    if (!nearest || far < nearest.far) nearest = { far, along: [dx / length, dy / length], left: dx * (my - y0!) - dy * (mx - x0!) > 0 };
  }
  if (!nearest) return [first, last, "left"];
  const forward = (last[0] - first[0]) * nearest.along[0] + (last[1] - first[1]) * nearest.along[1] >= 0;
  return [forward ? first : last, forward ? last : first, nearest.left ? "left" : "right"];
}
