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

export function newPart(kind: PlacedKind, points: Point[], sketch: Sketch): { change: Change; path: Path; label: string } {
  const list = LISTS[kind];
  const present = (valueAt([list]) as Table[] | undefined) ?? [];
  const names = present.map((part) => part.name);
  let number = present.length + 1;
  while (names.includes(`${kind} ${number}`)) number++;
  const name = `${kind} ${number}`;
  const value: Table = { name, ...MAKERS[kind](points, present, sketch) };
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
