/** The parts of a drive that can be picked: their names, how many there are, where they are. */
import type { LoadedResult } from "../data";
import type { Pick, PickKind } from "../store";
import type { Plates, Point, Zone } from "../types";
import { gapOf, linksOf, type Moment, spanLinks, wrap } from "./moment";

export const KINDS: PickKind[] = ["wheel", "span", "guide", "body", "tensioner", "link", "roller"];

export const KIND_NAMES: Record<PickKind, [string, string]> = {
  wheel: ["Wheel", "Wheels"],
  span: ["Span", "Spans"],
  guide: ["Guide", "Guides"],
  body: ["Body", "Bodies"],
  tensioner: ["Tensioner", "Tensioners"],
  link: ["Link", "Links"],
  roller: ["Roller", "Rollers"],
};

/** Name of a kind of part, of one and of several: between sheaves pins stand in the place of rollers. */
export function kindName(result: LoadedResult, kind: PickKind): [string, string] {
  if (!result.header.drive.sheaves) return KIND_NAMES[kind];
  return kind === "roller" ? ["Pin", "Pins"] : kind === "wheel" ? ["Pair of sheaves", "Pairs of sheaves"] : KIND_NAMES[kind];
}

/** What can be selected, in words. */
export function partsOf({ results }: { results: LoadedResult[] }): string {
  return results.every((result) => result.header.drive.sheaves) ? "link, pin, pair of sheaves or span" : "link, roller, wheel, span, guide, body or tensioner";
}

export function countOf(result: LoadedResult, kind: PickKind): number {
  const drive = result.header.drive;
  switch (kind) {
    case "wheel":
      return drive.wheels.length;
    case "span":
      return drive.spans.length;
    case "guide":
      return drive.guides.length;
    case "body":
      return drive.bodies.length;
    case "tensioner":
      return drive.tensioners.length;
    case "link":
      return linksOf(drive);
    default:
      return drive.links;
  }
}

/** The name of a part, as the reader wrote it: "crankshaft", "crankshaft to camshaft", "17". */
export function nameOf(result: LoadedResult, kind: PickKind, index: number): string {
  const drive = result.header.drive;
  switch (kind) {
    case "wheel":
      return drive.wheels[index]?.name ?? "";
    case "span":
      return drive.spans[index]?.name ?? "";
    case "guide":
      return drive.guides[index]?.name ?? "";
    case "body":
      return drive.bodies[index]?.name ?? "";
    case "tensioner":
      return drive.tensioners[index]?.name ?? "";
    default:
      return String(index);
  }
}

/** Radii of the round ends of the plates of link i, at its bush and at its pin: of an odd number the last is cranked. */
export function plateEnds({ inner, outer }: Plates, i: number, n: number): Point {
  return i % 2 ? [outer, outer] : [inner, i === n - 1 ? outer : inner];
}

/** "Wheel crankshaft", "Link 17". */
export function titleOf(result: LoadedResult, pick: Pick): string {
  return `${kindName(result, pick.kind)[0]} ${nameOf(result, pick.kind, pick.index)}`;
}

export function exists(result: LoadedResult, pick: Pick): boolean {
  return pick.index >= 0 && pick.index < countOf(result, pick.kind);
}

/** The name of what supports index c of the channel contact_surface: wheels, then guides. */
export function surfaceName(result: LoadedResult, c: number): string {
  const { wheels, guides } = result.header.drive;
  return c < 0 ? "" : c < wheels.length ? wheels[c]!.name : (guides[c - wheels.length]?.name ?? "");
}

/** The zones of the loop at a place in pitches: a wheel, or a span, and a guide along it. */
export function zonesAt(zones: Zone[], place: number, n: number): Zone[] {
  return zones.filter((zone) => wrap(place - zone.start, n) < zone.end - zone.start);
}

/** Tooth gap in which roller i is, -1 when it touches no wheel. */
export function rollerGap(result: LoadedResult, moment: Moment, i: number): number {
  const { wheels, links } = result.header.drive;
  const c = result.frames.contactSurface?.[moment.frame * links + i] ?? -1;
  if (c < 0 || c >= wheels.length) return -1;
  return gapOf(moment.rollers[2 * i]!, moment.rollers[2 * i + 1]!, moment.wheelCentre[2 * c]!, moment.wheelCentre[2 * c + 1]!, moment.wheelAngle[c]!, wheels[c]!.teeth);
}

/** Where a part is now: what the camera follows and where its label is. */
export function placeOf(result: LoadedResult, moment: Moment, pick: Pick): Point | null {
  const drive = result.header.drive;
  const n = drive.links;
  const p = moment.rollers;
  const i = pick.index;
  switch (pick.kind) {
    case "roller":
      return [p[2 * i]!, p[2 * i + 1]!];
    case "link": {
      const j = 2 * ((i + 1) % n);
      return [(p[2 * i]! + p[j]!) / 2, (p[2 * i + 1]! + p[j + 1]!) / 2];
    }
    case "wheel":
      return [moment.wheelCentre[2 * i]!, moment.wheelCentre[2 * i + 1]!];
    case "span": {
      const stretch = spanLinks(result, moment, i);
      if (!stretch) return null;
      const a = 2 * ((stretch.first + (stretch.count >> 1)) % n);
      return [p[a]!, p[a + 1]!];
    }
    case "guide": {
      const guide = drive.guides[i]!;
      const surface = result.array(guide.surface);
      const k = 2 * Math.floor(surface.length / 4);
      return moment.at(guide.body, [surface[k]!, surface[k + 1]!]);
    }
    case "body":
      return moment.at(i, drive.bodies[i]!.centre);
    case "tensioner": {
      const t = drive.tensioners[i]!;
      const a = moment.at(t.bodies[0], t.ends[0]);
      const b = moment.at(t.bodies[1], t.ends[1]);
      return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    }
  }
}
