/** What is under a point of the picture: the part that is nearest to the eye. */
import { distanceToSegment } from "../stage/picking";
import type { PickKind } from "../store";
import { dot, type Eye, type Vector } from "./camera";
import type { Places } from "./places";

interface Found {
  kind: PickKind;
  index: number;
  nearer: number;
}

/** reach: how near a thin part must be [px]. half: half the width of the chain [m]. */
export function partSeen(places: Places, eye: Eye, px: number, py: number, reach: number, half: number): { kind: PickKind; index: number } | null {
  let best: Found | null = null;
  const take = (kind: PickKind, index: number, nearer: number): void => {
    if (!best || nearer > best.nearer) best = { kind, index, nearer };
  };
  chainSeen(places, eye, px, py, reach, half, take);
  const { drive } = places.result.header;
  drive.bodies.forEach((body, b) => {
    const z = places.depthOf(b);
    for (const side of [1, -1])
      for (const bar of body.bars) {
        const ends = bar.map((end) => eye.project([...places.moment.at(b, end), z + side * half])) as [Vector, Vector];
        const wide = Math.max(reach, 0.27 * drive.pitch * eye.scaleAt(ends[0][2]));
        if (distanceToSegment(px, py, ends[0][0], ends[0][1], ends[1][0], ends[1][1]) < wide) take("body", b, (ends[0][2] + ends[1][2]) / 2);
      }
  });
  drive.wheels.forEach((wheel, w) => {
    const hit = onWheel(places, eye, w, px, py);
    if (hit && hit.radius < wheel.radius) take("wheel", w, hit.nearer);
  });
  return best && { kind: (best as Found).kind, index: (best as Found).index };
}

function chainSeen(places: Places, eye: Eye, px: number, py: number, reach: number, half: number, take: (kind: PickKind, index: number, nearer: number) => void): void {
  const { drive } = places.result.header;
  const n = drive.links;
  const seen = Array.from({ length: n }, (_, i) => eye.project(places.bush(i)));
  for (let i = 0; i < n; i++) {
    const [a, b] = [seen[i]!, seen[(i + 1) % n]!];
    const scale = eye.scaleAt(a[2]);
    // as wide as it is seen: from the side its plates, from above its width
    const depth = i % 2 ? drive.space!.outer.depth : drive.space!.inner.depth;
    const across = Math.abs(dot(eye.back, places.pin(i)));
    const wide = Math.max(0.75 * reach, scale * (0.5 * depth * across + half * (1 - across)));
    const far = distanceToSegment(px, py, a[0], a[1], b[0], b[1]);
    if (far > wide) continue;
    const roller = 0.35 * drive.roller_diameter * scale;
    if (across > 0.5 && roller > 5) {
      if (Math.hypot(px - a[0], py - a[1]) < roller) return take("roller", i, a[2] + half);
      if (Math.hypot(px - b[0], py - b[1]) < roller) return take("roller", (i + 1) % n, b[2] + half);
    }
    take("link", i, (a[2] + b[2]) / 2 + half);
  }
}

/** Where the ray of sight through a pixel meets the middle plane of a wheel: how far from its centre, how far in front. */
function onWheel(places: Places, eye: Eye, w: number, px: number, py: number): { radius: number; nearer: number } | null {
  const { centre, z } = places.wheel(w);
  const [start, along] = eye.ray(px, py);
  const slope = dot(along, z);
  if (Math.abs(slope) < 1e-6 * Math.hypot(...along)) return null;
  const t = dot(centre.map((v, k) => v - start[k]!) as Vector, z) / slope;
  const hit = start.map((v, k) => v + t * along[k]!) as Vector;
  const radius = Math.hypot(hit[0] - centre[0], hit[1] - centre[1], hit[2] - centre[2]);
  return { radius, nearer: dot(hit.map((v, k) => v - eye.target[k]!) as Vector, eye.back) };
}
